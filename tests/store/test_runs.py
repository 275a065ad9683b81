"""Runs and their ranked lists come back as they were, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdebug.errors import RunNotFound, StoreBusy
from ragdebug.runs import DONE, FAILED, RUNNING, STOPPED, RankedSpans
from ragdebug.store.workspace import Store
from tests.store.evaluations import lists, run
from tests.store.helpers import Start

HITS = st.lists(
    st.tuples(
        st.sampled_from("abc"), st.integers(0, 50), st.integers(51, 99), st.floats(-5.0, 5.0)
    ),
    max_size=4,
)


def same(one: RankedSpans, other: RankedSpans) -> bool:
    """Equal hits, whatever numbers the documents have."""

    def hits(spans: RankedSpans) -> list[object]:
        names = [spans.documents[i] for i in spans.document]
        columns = (spans.start, spans.end, spans.tokens, spans.score.round(9))
        return [spans.first.tolist(), names, *(c.tolist() for c in columns), spans.pool.tolist()]

    return hits(one) == hits(other) and one.score_kind == other.score_kind


def add(store: Store, name: str, questions: str, spans: RankedSpans) -> None:
    n = len(spans)
    store.runs.add(name, [(q, "v") for q in questions], spans, np.full(n, 0.5), [""] * n)


@pytest.fixture(scope="module")
def reused(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A workspace that many examples share, each of which empties it."""
    store = Store(tmp_path_factory.mktemp("runs"))
    yield store
    store.close()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(HITS, max_size=3), max_size=4))
def test_batches_of_any_lists_come_back_joined(
    reused: Store, batches: list[list[list[tuple[str, int, int, float]]]]
) -> None:
    store = reused
    with store.facts.transaction() as cursor:
        for table in ("runs", "run_questions", "run_documents", "run_hits"):
            cursor.execute(f"DELETE FROM {table}")
    store.runs.start(run())
    store.runs.start(run("bbbb0001"))
    parts, asked = [lists(*b) for b in batches], []
    for at, part in enumerate(parts):
        pairs = [(f"q{at}.{i}", f"v{i}") for i in range(len(part))]
        asked += pairs
        store.runs.add(
            "aaaa0001", pairs, part, np.arange(len(part)) / 4, ["", "x", ""][: len(part)]
        )
        add(store, "bbbb0001", str(at), lists([("z", 1, 2, 0.0)]))  # in turn with another run
    loaded = store.runs.load("aaaa0001")
    assert loaded.questions == tuple(asked)
    assert loaded.seconds.tolist() == [i / 4 for p in parts for i in range(len(p))]
    assert loaded.errors == tuple(e for p in parts for e in ["", "x", ""][: len(p)])
    expected = RankedSpans.join(parts)
    assert same(loaded.spans, replace(expected, score_kind="bm25" if parts else ""))
    assert store.runs.done("aaaa0001") == {q for q, _ in asked}
    assert len(store.runs.load("bbbb0001").spans) == len(batches)


def test_all_that_is_known_of_a_run_comes_back(store: Store) -> None:
    made = run(
        embedder="all-MiniLM-L6-v2",
        depth=50,
        slice="names",
        sampled=20,
        seed=7,
        asked=60,
        created_at="2031-05-04T12:00:00Z",
        elapsed_s=1.5,
        seconds={"search": 1.0, "rerank": 0.5},
        packages={"faiss": "1.10"},
        tokenizer="words",
        note="before the change",
        label="hybrid",
        taken_from=("vector", "bm25"),
        tenant="one",
    )
    store.runs.start(made)
    assert store.runs.run("aaaa0001") == made
    assert store.runs.load("aaaa0001").run == made
    assert len(store.runs.load("aaaa0001").spans) == 0
    store.runs.finish("aaaa0001", DONE, 2.0, {"search": 2.0, "lost": float("nan")})
    store.runs.note("aaaa0001", "after")
    store.runs.label("aaaa0001", "fusion")
    assert store.runs.run("aaaa0001") == replace(
        made, state=DONE, elapsed_s=2.0, seconds={"search": 2.0}, note="after", label="fusion"
    )
    store.runs.finish("aaaa0001", FAILED, 2.0, {}, "the model went away")
    assert store.runs.run("aaaa0001").error == "the model went away"


def test_runs_are_listed_newest_first_and_removal_has_a_way_back(store: Store) -> None:
    for n in range(3):
        store.runs.start(run(f"aaaa000{n}"))
    store.runs.remove(["aaaa0001", "unknown"])
    assert [r.id for r in store.runs.runs()] == ["aaaa0002", "aaaa0000"]
    assert [r.id for r in store.runs.runs(removed=True)] == ["aaaa0001"]
    assert len(store.runs.runs(removed=None)) == 3
    store.runs.restore(["aaaa0001"])
    assert [r.id for r in store.runs.runs()] == ["aaaa0002", "aaaa0001", "aaaa0000"]


def test_a_run_is_named_by_the_beginning_of_its_id_when_only_one_is_meant(store: Store) -> None:
    for name in ("abc00001", "abd00001", "abc0"):
        store.runs.start(run(name))
    assert store.runs.run("abd").id == "abd00001"
    assert store.runs.run("abc0").id == "abc0"
    for name, said in (("ab", "3 runs"), ("x", "no run x"), ("", "no run"), ("a%", "no run")):
        with pytest.raises(RunNotFound, match=said):
            store.runs.run(name)


def test_what_is_asked_of_an_unknown_run_says_so(store: Store) -> None:
    for ask in (
        lambda: store.runs.load("none"),
        lambda: store.runs.note("none", "x"),
        lambda: store.runs.finish("none", DONE, 0, {}),
        lambda: store.runs.resume("none"),
        lambda: add(store, "none", "a", lists([])),
        lambda: store.runs.export(["none"], store.folder / "out"),
    ):
        with pytest.raises(RunNotFound, match="none"):
            ask()
    assert store.runs.done("none") == set()


def test_a_question_that_is_there_already_is_not_saved_twice(store: Store) -> None:
    store.runs.start(run())
    add(store, "aaaa0001", "ab", lists([("x", 1, 2, 0.1)], [("y", 1, 2, 0.2)]))
    again = lists([("z", 3, 4, 0.3)], [("y", 5, 6, 0.4)], [], [("w", 7, 8, 0.5), ("y", 9, 10, 0.6)])
    add(store, "aaaa0001", "bcbd", again)
    loaded = store.runs.load("aaaa0001")
    assert [q for q, _ in loaded.questions] == ["a", "b", "c", "d"]
    assert same(
        loaded.spans,
        lists(
            *([("x", 1, 2, 0.1)], [("y", 1, 2, 0.2)], [("y", 5, 6, 0.4)]),
            [("w", 7, 8, 0.5), ("y", 9, 10, 0.6)],
        ),
    )


def test_a_score_that_is_no_number_is_null_with_its_reason_and_nan_when_read(store: Store) -> None:
    nan, inf = float("nan"), float("inf")
    store.runs.start(run())
    hits = [("a", 0, 9, s) for s in (0.5, nan, inf, nan)]
    add(store, "aaaa0001", "q", lists(hits, pool=3))
    with store.facts.cursor() as cursor:
        found = cursor.execute("SELECT score, score_missing FROM run_hits ORDER BY rank").fetchall()
    assert found == [
        (0.5, None),
        (None, "not a number"),
        (None, "infinite"),
        (None, "not reranked"),
    ]
    score = store.runs.load("aaaa0001").spans.score
    assert np.array_equal(score, [0.5, nan, nan, nan], equal_nan=True)


def test_an_id_is_given_to_one_run_only(store: Store) -> None:
    store.runs.start(run())
    with pytest.raises(StoreBusy, match="aaaa0001"):
        store.runs.start(run(note="another"))
    assert [r.note for r in store.runs.runs()] == [""]


def test_a_run_of_a_living_process_runs_and_is_its_own(store: Store, start: Start) -> None:
    other = start(
        "from ragdebug.store.workspace import Store\n"
        "from tests.store.evaluations import run\n"
        "store = Store(args[0])\n"
        "store.runs.start(run())\n"
        "store.close()\n"
        "say('ready')\n"
        "sys.stdin.readline()\n",
        store.folder,
    )
    assert store.runs.run("aaaa0001").state == RUNNING
    with pytest.raises(StoreBusy, match="aaaa0001"):
        store.runs.resume("aaaa0001")
    other.kill()
    other.wait()
    assert store.runs.run("aaaa0001").state == STOPPED
    store.runs.resume("aaaa0001")
    assert store.runs.run("aaaa0001").state == RUNNING
    add(store, "aaaa0001", "a", lists([("x", 1, 2, 0.1)]))
    store.runs.finish("aaaa0001", DONE, 1.0, {})
    assert store.runs.run("aaaa0001").state == DONE


def test_another_process_with_the_same_number_is_not_taken_for_the_one_that_died(
    store: Store,
) -> None:
    store.runs.start(run())
    with store.facts.transaction() as cursor:  # started at another moment
        cursor.execute("UPDATE runs SET owner = split_part(owner, '/', 1) || '/1'")
    assert store.runs.run("aaaa0001").state == STOPPED


def test_five_thousand_lists_of_a_hundred_are_saved_and_read_in_one_piece(store: Store) -> None:
    n, depth = 5000, 100
    rng = np.random.default_rng(3)
    spans = RankedSpans(
        tuple((f"d{i}", "v", f"d{i}.txt") for i in range(900)),
        np.arange(0, n * depth + 1, depth),
        rng.integers(0, 900, n * depth).astype(np.int32),
        rng.integers(0, 10_000, n * depth),
        rng.integers(10_000, 20_000, n * depth),
        rng.integers(1, 300, n * depth).astype(np.int32),
        rng.random(n * depth),
        np.zeros(n, np.int32),
        "cosine",
    )
    store.runs.start(run())
    store.runs.add(
        "aaaa0001", [(f"q{i}", "v") for i in range(n)], spans, np.zeros(n), [""] * n
    )  # fmt: skip
    loaded = store.runs.load("aaaa0001").spans
    assert same(loaded, spans)
    assert loaded.documents == spans.documents
