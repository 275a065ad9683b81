"""The last queries, links and settings of a workspace."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdebug.store import queries
from ragdebug.store.workspace import Store


def test_queries_come_newest_first_with_their_settings(store: Store) -> None:
    store.queries.add("one", {"k": 5})
    store.queries.add("two")
    found = store.queries.recent()
    assert [(q.query, q.state) for q in found] == [("two", {}), ("one", {"k": 5})]
    assert found[0].asked_at.endswith("Z")
    assert [q.query for q in store.queries.recent(1)] == ["two"]
    assert store.queries.recent(0) == store.queries.recent(-1) == []


def test_a_query_asked_again_moves_up_and_stands_once(store: Store) -> None:
    for query, k in (("a", 1), ("b", 1), ("a", 1), ("a", 2)):
        store.queries.add(query, {"k": k})
    assert [(q.query, q.state["k"]) for q in store.queries.recent()] == [
        ("a", 2),
        ("a", 1),
        ("b", 1),
    ]


def test_only_the_last_fifty_are_kept(store: Store) -> None:
    with store.facts.transaction():
        for n in range(60):
            store.queries.add(f"q{n}")
    assert [q.query for q in store.queries.recent(99)] == [f"q{n}" for n in range(59, 9, -1)]
    store.queries.clear()
    assert store.queries.recent() == []


def test_a_state_has_a_short_id_that_is_always_the_same(store: Store) -> None:
    state = {"query": "Wörter", "k": [1, 2.5, None, True]}
    made = store.queries.save_state(state)
    assert len(made) == 8
    assert store.queries.state(made) == state
    assert store.queries.save_state(dict(reversed(state.items()))) == made
    assert store.queries.save_state({**state, "k": []}) != made
    assert store.queries.state("unknown") is None


def test_two_states_whose_short_ids_meet_stay_apart(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "_ID_LENGTH", 0)  # all ids begin alike
    made = [store.queries.save_state(n) for n in range(3)]
    assert [store.queries.state(m) for m in made] == [0, 1, 2]
    assert [store.queries.save_state(n) for n in range(3)] == made


@settings(max_examples=20)
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(2**60), 2**60)
        | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
        ),
        max_leaves=6,
    )
)
def test_any_json_value_comes_back(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    store = Store(tmp_path_factory.getbasetemp() / "states")
    assert store.queries.state(store.queries.save_state(value)) == value


def test_a_state_that_is_not_json_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="JSON"):
        store.queries.save_state({"score": float("nan")})


def test_settings_are_remembered_and_overwritten(store: Store) -> None:
    assert store.settings.get("name") == ""
    assert store.settings.get("name", "mine") == "mine"
    store.settings.set("name", "one")
    store.settings.set("name", "two")
    store.settings.set("tokenizer", "words")
    assert store.settings.all() == {"name": "two", "tokenizer": "words"}
