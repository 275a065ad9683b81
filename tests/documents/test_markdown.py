from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents.canonical import normalise
from ragdebug.documents.markdown import parse_markdown
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.errors import DocumentError, EmptyDocument
from ragdebug.records import ParsedDocument

Read = Callable[..., Any]


def headings(doc: ParsedDocument) -> list[tuple[int, str]]:
    return [(s.level, s.title) for s in doc.sections]


def blocks(doc: ParsedDocument) -> list[tuple[str, str]]:
    return [(b.kind, doc.text[b.start : b.end]) for b in doc.blocks]


def path_of(doc: ParsedDocument, words: str) -> list[str]:
    at = doc.text.index(words)
    return [s.title for s in doc.sections if s.start <= at < s.end]


def test_the_text_is_the_source_with_its_line_ends_normalised(read: Read) -> None:
    source = b"\xef\xbb\xbf# T\r\n\r\n*a*  b\rc\0d\r\n"
    assert read(parse_markdown, source, "a.md").text == "# T\n\n*a*  b\ncd\n"


# Fences -------------------------------------------------------------------------------------------


def test_comments_in_a_fence_are_no_headings(read: Read) -> None:
    doc = read(
        parse_markdown,
        "# Boat\n\n```sh\n# pull the rope\npull\n# let go\n```\n\n## Care\n\nDry it.\n",
        "a.md",
    )
    assert headings(doc) == [(1, "Boat"), (2, "Care")]
    assert ("code", "```sh\n# pull the rope\npull\n# let go\n```") in blocks(doc)
    assert [(s.start, s.end) for s in doc.sections] == [(0, 66), (49, 66)]


@pytest.mark.parametrize(
    "fence",
    [
        "````md\n```py\nx\n```\n# inside\n````",  # a longer fence holds a shorter one
        "~~~\n```\n# inside\n```\n~~~",  # another mark
        "```\n# inside\n`````",  # closed by a longer one
        "   ```\n   # inside\n   ```",  # indented up to three blanks
        "```\n# inside\n``` x\n# inside too\n```",  # text after it does not close it
        "    # inside, since four blanks are code",
    ],
)
def test_fences_of_any_shape_keep_what_is_in_them(read: Read, fence: str) -> None:
    doc = read(parse_markdown, f"# Before\n\n{fence}\n\n# After\n\nText.\n", "a.md")
    assert headings(doc) == [(1, "Before"), (1, "After")]
    assert ("code", fence.strip()) in blocks(doc)


def test_a_fence_never_closed_runs_to_the_end_and_is_reported(read: Read) -> None:
    doc = read(parse_markdown, "# Start\n\n```\n# inside\nlast line\n", "a.md")
    assert headings(doc) == [(1, "Start")]
    assert blocks(doc)[-1] == ("code", "```\n# inside\nlast line")
    assert [(w.code, w.line) for w in doc.warnings] == [("unclosed_fence", 3)]


def test_a_fence_in_a_list_is_kept_whole(read: Read) -> None:
    doc = read(parse_markdown, "- do this:\n\n  ```\n  # x\n  ```\n\n- then that\n", "a.md")
    assert blocks(doc) == [
        ("list_item", "- do this:"),
        ("code", "```\n  # x\n  ```"),
        ("list_item", "- then that"),
    ]
    assert not doc.sections and not doc.warnings


# Headings -----------------------------------------------------------------------------------------


def test_underlined_headings_count_and_rules_do_not(read: Read) -> None:
    doc = read(
        parse_markdown,
        "Boats\n=====\n\nAll kinds.\n\nSails\n-\n\nWhite.\n\n---\n\nAlso red.\n\nOars\n---\nOak.\n",
        "a.md",
    )
    assert headings(doc) == [(1, "Boats"), (2, "Sails"), (2, "Oars")]
    assert path_of(doc, "Also red") == ["Boats", "Sails"]


def test_text_before_the_first_heading_belongs_to_no_section(read: Read) -> None:
    doc = read(parse_markdown, "A lighthouse notice.\n\n# Rules\n\nKeep off.\n", "a.md")
    assert path_of(doc, "lighthouse") == []
    assert blocks(doc)[0] == ("paragraph", "A lighthouse notice.")


def test_headings_without_a_body_are_sections_too(read: Read) -> None:
    doc = read(parse_markdown, "# A\n## B\n### C\nDeep.\n## D\n", "a.md")
    assert path_of(doc, "Deep.") == ["A", "B", "C"]
    assert [(s.title, s.start, s.end, s.body) for s in doc.sections] == [
        ("A", 0, 26, 4),
        ("B", 4, 21, 9),
        ("C", 9, 21, 15),
        ("D", 21, 26, 26),
    ]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# **Bold** and `code` ##", "Bold and code"),
        ("# [A link](http://x.org/a_b) here", "A link here"),
        ("# ![logo](x.png) Name", "logo Name"),
        ("# Setup {#setup .wide}", "Setup"),
        ("# a &amp; b \\# c", "a & b # c"),
        ("#\tTab <a name='x'></a>", "Tab"),
        ("# snake_case_name", "snake_case_name"),
    ],
)
def test_titles_lose_their_marks(read: Read, line: str, title: str) -> None:
    assert headings(read(parse_markdown, line + "\n\nText.\n", "a.md")) == [(1, title)]


def test_what_only_looks_like_a_heading_is_none(read: Read) -> None:
    doc = read(parse_markdown, "#hashtag\n\n####### seven\n\n\\# escaped\n\n> # quoted\n", "a.md")
    assert doc.sections == ()


def test_the_first_heading_is_the_title(read: Read) -> None:
    assert read(parse_markdown, "Hello.\n\n## Second *level*\n", "a.md").title == "Second level"
    assert read(parse_markdown, "Hello.\n", "a.md").title == ""


# Blocks -------------------------------------------------------------------------------------------


def test_a_table_knows_its_rows_and_the_header_to_repeat(read: Read) -> None:
    doc = read(
        parse_markdown,
        "Prices:\n\n| item | price |\n|:--|--:|\n| oar | 9 |\n| sail \\| big | 80 |\n\nEnd.\n",
        "a.md",
    )
    table = next(b for b in doc.blocks if b.kind == "table")
    assert [doc.text[r.start : r.end] for r in table.rows] == [
        "| item | price |\n|:--|--:|",
        "| oar | 9 |",
        "| sail \\| big | 80 |",
    ]
    assert table.header == table.rows[0]
    assert blocks(doc)[-1] == ("paragraph", "End.")


def test_list_items_keep_their_depth_and_their_text(read: Read) -> None:
    doc = read(parse_markdown, "1. one\n\n   more of one\n   - inner\n2. two\n", "a.md")
    assert [(b.kind, b.level) for b in doc.blocks] == [("list_item", n) for n in (1, 2, 1)]
    assert blocks(doc)[0][1] == "1. one\n\n   more of one"


def test_a_quote_is_one_block(read: Read) -> None:
    assert blocks(read(parse_markdown, "> a\n> b\n>\n> c\n\nd\n", "a.md")) == [
        ("quote", "> a\n> b\n>\n> c"),
        ("paragraph", "d"),
    ]


def test_what_markdown_does_not_show_is_not_lost(read: Read) -> None:
    source = "[ref]: http://example.org 'A title'\n\n<!-- a note -->\n\n***\n\nText [ref].\n"
    doc = read(parse_markdown, source, "a.md")
    assert [text for _, text in blocks(doc)] == [
        "[ref]: http://example.org 'A title'",
        "<!-- a note -->",
        "***",
        "Text [ref].",
    ]


# Front matter -------------------------------------------------------------------------------------


def test_front_matter_is_metadata_and_stays_out_of_the_sections(read: Read) -> None:
    source = "---\ntitle: Oars\ntenant: north\nversion: 1.10\n---\n# Head\n\nText.\n"
    doc = read(parse_markdown, source, "a.md")
    assert doc.text == source
    assert doc.metadata == {"title": "Oars", "tenant": "north", "version": "1.10"}
    assert doc.title == "Oars"
    assert headings(doc) == [(1, "Head")]
    assert doc.sections[0].start == source.index("# Head")
    assert blocks(doc)[0] == ("code", source[: source.index("\n# Head")])


# Size and hostility -------------------------------------------------------------------------------


def test_work_grows_with_the_text_and_not_with_its_square(
    calls: Callable[[Callable[[], object]], int],
) -> None:
    part = (
        "# H\n\ntext\n\n- a\n  - b\n\n> q\n\n| a |\n|---|\n| 1 |\n\n```\nx\n```\n\n[r]: x\n\n---\n"
    )

    def work(times: int) -> int:
        data = (part * times).encode()
        return calls(lambda: parse_markdown(data, "a.md", ParseOptions(), Limits()))

    assert work(200) < 2.2 * work(100)


@pytest.mark.parametrize(
    "part", ["> ", "- ", "* a\n", "[a\n", "```\n", "<div>\n", "| a ", "a\n=\n", "1. ", "[a]: b\n"]
)
def test_endless_repetition_is_read_in_step_with_its_length(
    read: Read, calls: Callable[[Callable[[], object]], int], part: str
) -> None:
    def work(times: int) -> int:
        return calls(lambda: read(parse_markdown, part * times, "a.md"))

    work(10)
    assert work(800) < 2.5 * work(400)


def test_an_empty_file_is_refused_by_name(read: Read) -> None:
    for nothing in ("", " \n\t\n", "\ufeff\n", "\0\0"):
        with pytest.raises(EmptyDocument, match=r"void\.md"):
            read(parse_markdown, nothing, "void.md")


PIECES = st.sampled_from(
    ["# ", "## ", "=", "---", "```", "~~~", "> ", "- ", "1. ", "|", "| a | b |", "|---|---|", "\n"]
    + ["\n\n", "    ", "\t", "word", "[a]: b", "<div>", "<!--", "\r\n", "\\", "*", "{#i}", "\u2028"]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_markdown_keeps_its_text_and_its_spans(read: Read, source: str) -> None:
    if not normalise(source).strip():
        return
    doc = read(parse_markdown, source, "a.md")
    assert doc.text == normalise(source)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(read: Read, data: bytes) -> None:
    try:
        read(parse_markdown, data, "a.md")
    except DocumentError as e:
        assert "a.md" in e.message
