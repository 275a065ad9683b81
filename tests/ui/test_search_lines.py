"""Lines between the query and the lists: always there, and one line each, so that nothing jumps."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug.ui.health import beside


@pytest.mark.parametrize(
    ("terms", "said"), [("None", "looking up the words …"), ("()", "No words to look up.")]
)
def test_the_line_of_terms_is_there_before_they_are_known(terms: str, said: str) -> None:
    app = AppTest.from_string(f"from ragdebug.ui.search import terms\nterms.draw({terms})").run()
    assert [c.value for c in app.caption] == [said]


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (["a" * 40, "b" * 40, "c" * 40, "d"], 3),
        (["a" * 60, "b" * 60, "c" * 60], 2),
        (["a" * 300, "b"], 1),
        ([], 0),
    ],
)
def test_the_line_of_health_shows_what_fits_on_it(parts: list[str], shown: int) -> None:
    assert beside.fitting(parts) == parts[:shown]
