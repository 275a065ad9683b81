"""Text from outside as Markdown that means nothing but itself. The browser tests have the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ragdebug.ui import literal

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
words = st.text(alphabet="ab `*_~#[]()!<>&;:$\\|-+=.0123456789{}^\"'@/", max_size=60)


def seen(markdown: str) -> str:
    """What a reader of the rendered Markdown sees."""
    found = []
    for token in MARKDOWN.parse(markdown):
        assert token.type in ("paragraph_open", "paragraph_close", "inline"), token.type
        for child in token.children or ():
            assert child.type in ("text", "code_inline", "text_special"), child.type
            found.append(child.content)
    return "".join(found).replace("\u2060", "")


@given(words)
def test_plain_text_is_seen_as_it_was(text: str) -> None:
    assert seen("x " + literal.plain(text)).removeprefix("x").strip() == " ".join(text.split())


@given(words.filter(str.strip))
def test_code_is_seen_as_it_was(text: str) -> None:
    assert seen("x " + literal.code(text)).removeprefix("x").strip() == " ".join(text.split())


@pytest.mark.parametrize(
    "text", [":smile:", ":material/home:", "https://a.test", "www.a.test", "a@b.test", "-->"]
)
def test_what_is_read_after_parsing_is_broken_up(text: str) -> None:
    assert "\u2060" in literal.plain(text)


def test_times_and_paths_are_left_alone() -> None:
    assert "\u2060" not in literal.plain("12:30 handbook/refunds.md#3 a-b")


def test_long_text_is_cut_in_the_middle() -> None:
    shown = literal.one_line("a" * 50 + "z" * 50, limit=21)
    assert shown == "a" * 13 + "…" + "z" * 7
    assert len(shown) == 21


def test_lines_become_one_and_reordering_characters_get_a_name() -> None:
    assert literal.one_line("a\n\n b\u202ec") == "a b⟦RLO⟧c"


@pytest.mark.parametrize(
    ("value", "shown"), [(1234567, "1,234,567"), (0, "0"), (0.12345, "0.123"), (3.0, "3")]
)
def test_numbers(value: float, shown: str) -> None:
    assert literal.number(value) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.0123, "12 ms"), (3.44, "3.4 s"), (300, "5 min"), (9000, "2.5 h"), (-1, "0 ms")],
)
def test_durations(seconds: float, shown: str) -> None:
    assert literal.duration(seconds) == shown
