"""Nothing in the user interface can turn text from outside into markup, or fetch anything."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = [
    *(ROOT / "ragdebug" / "ui").rglob("*.py"),
    *(ROOT / "pages").glob("*.py"),
    ROOT / "app.py",
]
SCRIPTS = [*(ROOT / "ragdebug" / "ui").rglob("*.js")]
STYLES = [*(ROOT / "ragdebug" / "ui").rglob("*.css")]


@pytest.mark.parametrize(
    "call",
    [
        r"unsafe_allow_html\s*=",
        r"\bst\.write\(",
        r"\bst\.table\(",
        r"\bst\.html\(",
        r"\bst\.iframe\(",
        r"components\.v1",
        r"\bst\.navigation\(",
        r"""page_icon\s*=\s*["']""",
    ],
)
def test_python_uses_no_call_that_reads_markup_or_fetches_icons(call: str) -> None:
    docstring = re.compile(r'"""(?:.|\n)*?"""')
    for path in PYTHON:
        if path.exists():
            code = docstring.sub("", path.read_text(encoding="utf-8"))
            assert not re.search(call, code), f"{path.name} uses {call}"


@pytest.mark.parametrize(
    "word",
    [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "createContextualFragment",
        "document.write",
        "eval(",
        "new Function",
        "fetch(",
        "XMLHttpRequest",
        "http:",
        "https:",
    ],
)
def test_scripts_of_components_only_make_elements_and_text(word: str) -> None:
    assert SCRIPTS
    for path in SCRIPTS:
        assert word not in path.read_text(encoding="utf-8"), f"{path.name} has {word}"


def test_styles_of_components_fetch_nothing() -> None:
    assert STYLES
    for path in STYLES:
        text = path.read_text(encoding="utf-8")
        assert "url(" not in text
        assert "@import" not in text
