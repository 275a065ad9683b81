import pytest

from ragdebug.chunk.measure import CharMeasure
from ragdebug.chunk.recursive import recursive
from ragdebug.records import ParsedDocument
from ragdebug.settings import ChunkingSettings


def test_the_strongest_separator_that_fits_is_taken(cut):
    text = "one two\n\nthree four\nfive six"
    assert cut(text, "recursive:6/0") == [text]
    assert cut(text, "recursive:5/0") == ["one two", "three four\nfive six"]
    assert cut(text, "recursive:3/0") == ["one two", "three four", "five six"]
    assert cut(text, "recursive:1/0") == ["one", "two", "three", "four", "five", "six"]


def test_sentences_come_before_blanks_and_keep_their_marks(cut):
    text = "The cock is open. The lamp is on. Is it full? Yes! Shut it."
    parts = cut(text, "recursive:20/0:chars")
    assert parts == ["The cock is open.", "The lamp is on.", "Is it full? Yes!", "Shut it."]


@pytest.mark.parametrize("separator", [".", "*", "|", "(", "$", "^", "[", "+", "\\d", "\\"])
def test_separators_are_literal_text(separator):
    text = separator.join(["xy4", "zw5", "qv6"])
    size = 3 + len(separator)
    settings = ChunkingSettings("recursive", size, 0, "chars", separators=(separator,))
    parsed = ParsedDocument(text, "text", "t/1")
    found = [text[p.start : p.end] for p in recursive(parsed, settings, CharMeasure(len(text)))]
    assert found == [f"xy4{separator}", f"zw5{separator}", "qv6"]


def test_a_piece_cut_inside_a_word_begins_with_no_blank(cut):
    parts = cut("so uncomplicatedly\nfar", "recursive:5/0:chars:separators=%0A,%20")
    assert parts == ["so", "uncom", "plica", "tedly", "far"]


def test_separators_that_are_not_there_leave_only_hard_cuts(cut):
    assert cut("aaabbb", "recursive:4/0:chars:separators=%7C") == ["aaab", "bb"]


def test_the_empty_separator_means_anywhere(cut):
    assert cut("aaabbb", "recursive:4/0:chars:separators=%7C,") == ["aaab", "bb"]


def test_an_accent_on_a_separator_stays_there(cut):
    parts = cut("aa.\u0301bb.cc", "recursive:7/0:chars:separators=.")
    assert parts == ["aa.\u0301bb.", "cc"]


def test_blanks_between_merged_parts_count(cut):
    assert cut("ee  rr  tt  uu", "recursive:4/2:chars") == ["ee", "rr", "tt", "uu"]
    assert cut("ee  rr  tt  uu", "recursive:6/0:chars") == ["ee  rr", "tt  uu"]


def test_blanks_and_tabs_glue_no_words(cut):
    text = "Mix  salt and bread in a bowl.   Bake our oat loaf.\n\n\tA tab.  \nBlanks above. "
    for size in range(1, len(text)):
        parts = cut(text, f"recursive:{size}/0:chars")
        assert "".join("".join(parts).split()) == "".join(text.split())
        assert not any(glued in p for p in parts for glued in ("saltand", "oatloaf", "bowl.Bake"))


def test_overlap_is_trailing_sentences(cut):
    text = "One two. Three four. Five six."
    assert cut(text, "recursive:4/2") == ["One two. Three four.", "Three four. Five six."]


def test_overlap_never_reaches_across_a_heading(build, cut):
    parsed = build("# A\n\nOne two three.\n\n# B\n\nFour five. Six seven eight.")
    assert cut(parsed, "recursive:9/4") == [
        "# A\n\nOne two three.\n\n# B",
        "# B\n\nFour five. Six seven eight.",
    ]
