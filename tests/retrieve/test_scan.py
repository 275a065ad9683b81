from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.retrieve.scan import is_run, pairs, pattern, singles


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The valve (Marlin), closed.", ["The", "valve", "Marlin", "closed"]),
        ('"quoted" [link] <tag> {x}; end!', ["quoted", "link", "tag", "x", "end"]),
        ("wait...then", ["wait", "then"]),
        ("C++ and C#, .NET; F#.", ["C++", "and", "C#", ".NET", "F#"]),
        ("C++17 or g++", ["C++17", "or", "g++"]),
        ("mail ops.desk@example.com!", ["mail", "ops.desk@example.com"]),
        ("see https://docs.example.com/a/b.", ["see", "https://docs.example.com/a/b"]),
        ("AB-1200-X/ERR_4021", ["AB-1200-X/ERR_4021"]),
        ("10.2.1, 1,000 and 5%", ["10.2.1", "1,000", "and", "5"]),
        ("don't l’eau", ["don't", "l’eau"]),
        ("e\u0301te\u0301 हिन्दी", ["e\u0301te\u0301", "हिन्दी"]),
        ("iPhoneを2024年度に", ["iPhone", "を", "2024", "年度に"]),
        ("C++の本", ["C++", "の本"]),
        ("온도를 คนไทย", ["온도를", "คนไทย"]),
        ("— – … 🙂", []),
        ("", []),
    ],
)
def test_tokens_are_words_without_punctuation_stuck_to_them(text: str, tokens: list[str]) -> None:
    assert pattern().findall(text) == tokens


@given(st.text())
def test_no_token_begins_or_ends_with_a_blank_and_every_letter_is_in_one(text: str) -> None:
    found = [m.span() for m in pattern().finditer(text)]
    assert all(text[a:b].strip() == text[a:b] for a, b in found)
    covered = {i for a, b in found for i in range(a, b)}
    missed = {c for i, c in enumerate(text) if i not in covered and c.isalpha() and c < "\uffff"}
    assert not missed


def test_pairs_overlap_and_count_marks_with_their_letter() -> None:
    assert [("仓库温度")[a:b] for a, b in pairs("仓库温度")] == ["仓库", "库温", "温度"]
    assert pairs("猫") == [(0, 1)]
    # half-width katakana with its voiced-sound mark is one character to a reader
    assert pairs("ｶﾞｷﾞ") == [(0, 4)]
    # a Thai vowel and tone mark above a consonant
    assert pairs("ที่นี่") == [(0, 6)]


def test_single_characters_are_given_for_chinese_and_korean_only() -> None:
    assert singles("温度の") == [(0, 1), (1, 2)]
    assert singles("온도") == [(0, 1), (1, 2)]
    assert singles("かな") == []
    assert singles("猫") == []  # its own pair already


def test_runs_are_told_from_clusters() -> None:
    assert is_run("温度")
    assert is_run("ไทย")
    assert not is_run("ERR_4021")
    assert not is_run("١٢")


@pytest.mark.parametrize(
    ("unit", "tokens"),
    [("a.", 1), ("a-", 1), ("@", 0), (".", 0), ("a", 1), ("://", 0), ("1,", 1), ("_", 1), ("温", 1)]
    + [("a+", 1), ("\u0301", 0)],
)
def test_a_giant_line_is_read_in_one_go(unit: str, tokens: int) -> None:
    # work that grows with the square of the length would never end here
    assert len(pattern().findall(unit * 300_000)) == tokens
