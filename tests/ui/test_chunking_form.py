"""The widgets of a chunking."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug.settings import ChunkingSettings


def script() -> None:
    """The form and what it gives."""
    import streamlit as st

    from ragdebug.ui import chunking_form

    st.text(str(chunking_form.draw()))


@pytest.fixture
def app() -> AppTest:
    """The script, not run yet."""
    return AppTest.from_function(script, default_timeout=30)


def shown(app: AppTest) -> str:
    """Text form of the settings."""
    assert not app.exception
    return str(app.text[0].value)


def test_it_starts_with_the_defaults(app: AppTest) -> None:
    assert shown(app.run()) == str(ChunkingSettings())


def test_every_widget_counts(app: AppTest) -> None:
    app.run()
    app.selectbox(key="chunker").select("fixed")
    app.number_input(key="size").set_value(321)
    app.number_input(key="overlap").set_value(17)
    app.selectbox(key="unit").select("chars")
    app.toggle(key="label").set_value(False)
    assert shown(app.run()) == "fixed:321/17:chars:nolabel"


def test_a_link_sets_it(app: AppTest) -> None:
    for key, value in (("chunker", "recursive"), ("size", "300"), ("overlap", "2")):
        app.query_params[key] = value
    app.query_params["overlap_unit"] = "sentences"
    assert shown(app.run()) == "recursive:300/2s:tokens:label"


def test_an_impossible_overlap_is_said_and_not_used(app: AppTest) -> None:
    app.query_params["size"] = "100"
    app.query_params["overlap"] = "100"
    assert shown(app.run()) == "structure:100/0:tokens:label"
    assert "no chunk would ever end" in app.warning[0].value


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("size", "0"),
        ("size", "-5"),
        ("size", "1e9"),
        ("chunker", "<b>"),
        ("unit", ""),
        ("chunker", "imported:list:x"),
        ("chunker", "imported:"),
    ],
)
def test_a_link_with_an_impossible_value_gives_the_default(
    app: AppTest, key: str, value: str
) -> None:
    app.query_params[key] = value
    assert shown(app.run()) == str(ChunkingSettings())
