"""Values in session and URL."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug.ui.state import PlaceRef, join, one_of, place_refs, short_text, whole_number


def script() -> None:
    """A page with one URL value, a way to set it, and a way to pretend a page switch."""
    import streamlit as st

    from ragdebug.ui import state

    state.begin(st.session_state.get("page", "A"))
    value = state.url_value("at", "0", check=state.whole_number(0, 100))
    st.text(f"value {value!r}")
    st.button("set", on_click=lambda: state.put("at", "7"))


def shown(app: AppTest) -> str:
    """The value the script used."""
    assert not app.exception
    return str(app.text[0].value)


@pytest.fixture
def app() -> AppTest:
    """The script, not run yet."""
    return AppTest.from_function(script, default_timeout=30)


def test_a_default_stays_out_of_the_url(app: AppTest) -> None:
    assert shown(app.run()) == "value 0"
    assert "at" not in app.query_params


def test_a_value_that_is_set_is_used_at_once_and_stands_in_the_url(app: AppTest) -> None:
    app.run()
    app.button[0].click().run()
    assert shown(app) == "value 7"
    assert app.query_params["at"] == "7"
    assert shown(app.run()) == "value 7"


def test_a_pasted_link_restores_the_value(app: AppTest) -> None:
    app.query_params["at"] = "42"
    assert shown(app.run()) == "value 42"


@pytest.mark.parametrize("bad", ["101", "-1", "x", "1e3", "", "9" * 400])
def test_a_link_with_an_impossible_value_gives_the_default_and_says_so(
    app: AppTest, bad: str
) -> None:
    app.query_params["at"] = bad
    assert shown(app.run()) == "value 0"
    assert len(app.toast) == 1
    assert "at" not in app.query_params


def test_a_link_followed_later_wins_over_what_was_set(app: AppTest) -> None:
    app.run()
    app.button[0].click().run()
    app.query_params["at"] = "42"
    assert shown(app.run()) == "value 42"


def test_setting_wins_over_the_link_that_was_followed(app: AppTest) -> None:
    app.query_params["at"] = "42"
    app.run()
    app.button[0].click().run()
    assert shown(app) == "value 7"


def test_going_back_to_before_it_was_set_gives_the_default(app: AppTest) -> None:
    app.run()
    app.button[0].click().run()
    del app.query_params["at"]
    assert shown(app.run()) == "value 0"


def test_a_page_switch_that_empties_the_url_does_not_lose_the_value(app: AppTest) -> None:
    app.run()
    app.button[0].click().run()
    del app.query_params["at"]
    app.session_state["page"] = "B"
    assert shown(app.run()) == "value 7"
    assert app.query_params["at"] == "7"


def test_checks_take_what_they_should() -> None:
    assert short_text("a" * 4000) == "a" * 4000
    assert one_of("a", "b")("b") == "b"
    assert whole_number(-5, 5)("-5") == -5
    with pytest.raises(ValueError, match="too long"):
        short_text("a" * 4001)
    with pytest.raises(ValueError, match="c"):
        one_of("a", "b")("c")


@pytest.mark.parametrize(
    "ref",
    [
        PlaceRef("d1", "0123456789ab", 5, 9),
        PlaceRef("faq.csv#row 12", "ab", 0, 0),
        PlaceRef("a,b@c:d!e", "", 1, 2, "page 3"),
        PlaceRef("d", "v", 0, 10, "section A > B, C"),
    ],
)
def test_a_place_survives_the_url(ref: PlaceRef) -> None:
    [read] = place_refs(str(ref))
    assert (read.document, read.start, read.end, read.region) == (
        ref.document,
        ref.start,
        ref.end,
        ref.region,
    )
    assert read.version == ref.version[:8]


def test_several_places_are_kept_apart() -> None:
    refs = (PlaceRef("a,b", "v", 0, 1), PlaceRef("c", "w", 2, 3, "page 1, 2"))
    assert place_refs(join(refs)) == refs
    assert place_refs("") == ()


@pytest.mark.parametrize("text", ["x", "d@v:5-2", "d@v:a-b", "d@v:1-", "@v:1-2", "d@../x:1-2"])
def test_what_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        place_refs(text)


def test_a_link_with_many_places_is_read_whole() -> None:
    text = ",".join(f"doc@v1:{n}-{n + 1}" for n in range(50))
    assert len(place_refs(text)) == 50
