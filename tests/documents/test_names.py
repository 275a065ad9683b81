from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents.names import is_outside, safe_name


@pytest.mark.parametrize(
    ("given_name", "safe"),
    [
        ("notes/a b.txt", "notes/a b.txt"),
        ("../a.txt", "a.txt"),
        ("..\\a.txt", "a.txt"),
        ("x/../../a.txt", "x/a.txt"),
        ("/a.txt", "a.txt"),
        ("C:\\docs\\a.txt", "docs/a.txt"),
        ("a\0.txt", "a.txt"),
        ("con.txt", "_con.txt"),
        ("AUX", "_AUX"),
        ("console.txt", "console.txt"),
        ("a?.txt", "a_.txt"),
        ("trailing. ", "trailing"),
        ("evil\u202egpj.exe", "evilgpj.exe"),
        ("half\ud800.txt", "half.txt"),
        ("", "unnamed"),
        ("../..", "unnamed"),
        ("日本.txt", "日本.txt"),
    ],
)
def test_names_are_made_safe(given_name: str, safe: str) -> None:
    assert safe_name(given_name) == safe


def test_long_names_are_cut_and_keep_their_suffix() -> None:
    name = safe_name("ü" * 300 + ".txt")
    assert name.endswith("ü.txt")
    assert 140 < len(name.encode()) <= 150


@given(
    st.text(st.characters(exclude_categories=[]), max_size=40) | st.from_regex(r"[./\\:a]{0,12}")
)
def test_no_name_leads_out_of_its_folder(name: str) -> None:
    safe = safe_name(name)
    assert safe and not is_outside(safe)
    safe.encode()
    assert not PurePosixPath(safe).is_absolute() and not PureWindowsPath(safe).anchor
    assert safe_name(safe) == safe
