"""Where pieces stand: by offsets, letter by letter, folded, in order, by page."""

from __future__ import annotations

import pytest

from ragdebug.pieces import GivenPiece, PiecePlacement, place_pieces
from ragdebug.pieces.found import NO_BLANKS, NO_CASE
from ragdebug.pieces.order import SEVERAL, TOO_OFTEN
from ragdebug.pieces.place import BLANK, MISFIT, NOWHERE
from ragdebug.records import Page


def place(text: str, *pieces: str | GivenPiece, pages: tuple[Page, ...] = ()) -> list[str]:
    """``start-end how`` of each piece."""
    return [f"{p.start}-{p.end} {p.how}".strip() for p in placed(text, *pieces, pages=pages)]


def placed(
    text: str, *pieces: str | GivenPiece, pages: tuple[Page, ...] = ()
) -> list[PiecePlacement]:
    given = [p if isinstance(p, GivenPiece) else GivenPiece(p) for p in pieces]
    return place_pieces(text, given, pages)


def notes(text: str, *pieces: str | GivenPiece) -> list[str]:
    return [p.note for p in placed(text, *pieces)]


# By text ------------------------------------------------------------------------------------------


def test_exactly_and_trimmed() -> None:
    text = "One. Two two.\n\nThree.\n"
    assert place(text, "One. ", "\n Two two.\n\nThree.\n") == ["0-4 exact", "5-21 exact"]
    assert place(text, "One.", "Two two.\r\n\r\nThree.") == ["0-4 exact", "5-21 exact"]


@pytest.mark.parametrize(
    ("text", "piece", "span"),
    [
        ("a  b\n\nc d", "a b c d", "0-9"),
        ("- a\n\n  b\nc", "- a  \nb  \nc", "0-10"),
        ("x a\u00a0km\u200b y", "a km", "2-6"),
        ("x \u201ea\u201c \u2013 b\u2026 y", "\"a\" - b...", "2-10"),
        ("die Großhänd\u00adler hier", "Großhändler", "4-16"),
        ("der ﬁne Cafe\u0301", "fine Caf\u00e9", "4-13"),
        ("caf\u00e9 ＡＢ", "cafe\u0301 AB", "0-7"),
        ("日本\n語です", "日本語", "0-4"),
        ("a\tb\u00a0c", "abc", "0-5"),
    ],
)  # fmt: skip
def test_folded(text: str, piece: str, span: str) -> None:
    assert place(text, piece) == [f"{span} folded"]


def test_what_is_merely_alike_is_not_placed() -> None:
    text = "The therapist said: it's 10.5 km. Yes… a b. ﬁn"
    for piece in ("the rapist", "it's 10.6 km", "said it's", "km. a b", "ab.", "Yes.. a", "in", ""):
        assert placed(text, piece)[0].how == "", piece
    assert notes(text, "nothing", " \u200b\n") == [NOWHERE, BLANK]
    assert place("", "a", " ") == ["-1--1", "-1--1"]
    # Two passages in another order than the document has them.
    assert place("One. Two.", "Two. One.") == ["-1--1"]


def test_case_is_folded_last_and_said() -> None:
    assert place("A Word. a word.", "a word.") == ["8-15 exact"]
    found = placed("A Word\nhere", "a WORD", "a wordhere")
    assert [(p.start, p.end, p.how) for p in found] == [(0, 6, "folded"), (0, 11, "folded")]
    assert found[0].note == NO_CASE
    assert found[1].note == f"{NO_CASE} {NO_BLANKS}"


def test_the_very_text_comes_before_a_folded_one() -> None:
    assert place("‘x’ then 'x'", "'x'") == ["9-12 exact"]


# Order --------------------------------------------------------------------------------------------


def test_repeated_passages_in_order() -> None:
    text = "Q1\nYes.\nQ2\nNo.\nQ3\nYes.\nQ4\nYes."
    parts = text.split("\n")
    starts, at = [], 0
    for part in parts:
        starts.append(f"{at}-{at + len(part)} exact")
        at += len(part) + 1
    assert place(text, *parts) == starts
    # What cannot be placed moves nothing.
    with_more = [p for part in parts for p in (part, "not there")]
    assert place(text, *with_more)[::2] == starts
    # Without the first "Yes." the others stay.
    assert place(text, *parts[4:]) == starts[4:]


def test_a_piece_lies_between_its_neighbours() -> None:
    text = "x\nintro\nx\nx\nend\nx"
    assert place(text, "intro", "x", "end") == ["2-7 exact", "8-9 exact", "12-15 exact"]
    assert place(text, "x", "intro", "end", "x") == [
        "0-1 exact",
        "2-7 exact",
        "12-15 exact",
        "16-17 exact",
    ]


def test_pieces_that_cover_a_text_of_one_letter() -> None:
    assert place("aaaaaaaa", "aaa", "aaa", "aa") == ["0-3 exact", "3-6 exact", "6-8 exact"]


def test_overlapping_pieces_over_repeated_paragraphs() -> None:
    text = "A A A A A B"
    assert place(text, "A A", "A A", "A A", "A A", "A B") == [
        f"{2 * at}-{2 * at + 3} exact" for at in range(5)
    ]


def test_one_stray_does_not_carry_the_others_away() -> None:
    text = "T1 x T2 x T3 x T4 x unique end"
    pieces = ["T1", "x", "unique end", "T2", "x", "T3", "x", "T4", "x"]
    assert place(text, *pieces) == [
        "0-2 exact", "3-4 exact", "20-30 exact", "5-7 exact", "8-9 exact",
        "10-12 exact", "13-14 exact", "15-17 exact", "18-19 exact",
    ]  # fmt: skip


def test_a_shuffled_file_uses_each_place_once() -> None:
    parts = [f"p{n} x" if n % 3 else "same" for n in range(30)]
    text = "\n".join(parts)
    shuffled = parts[::-1]
    found = placed(text, *shuffled)
    assert all(text[p.start : p.end] == part for p, part in zip(found, shuffled, strict=True))
    assert len({p.start for p in found}) == 30
    assert SEVERAL in {p.note for p in found}


def test_more_often_than_it_stands() -> None:
    found = placed("- x - y -", "-", "-", "-", "-", "-")
    assert [p.start for p in found] == [0, 4, 8, 8, 8]
    assert [p.note for p in found[3:]] == [TOO_OFTEN, TOO_OFTEN]


def test_a_file_given_twice() -> None:
    text = "one two three four"
    found = placed(text, *text.split(), *text.split())
    assert [p.start for p in found] == [0, 4, 8, 14] * 2
    assert {p.note for p in found[:4]} == {""}


def test_parents_before_their_children() -> None:
    text = "a x b x c x d x"
    found = place(text, text, "a x b x", "a x", "b x", "c x d x", "c x", "d x")
    assert [f.split()[0] for f in found] == ["0-15", "0-7", "0-3", "4-7", "8-15", "8-11", "12-15"]


def test_a_page_chooses() -> None:
    text = "same\none\nsame\ntwo\nsame\n"
    pages = (Page(1, 0, 9), Page(2, 9, 18), Page(3, 18, 23))
    given = [GivenPiece("same", page=n) for n in (3, 2, 1, 9, None)]
    assert place(text, *given, pages=pages)[:3] == ["18-22 exact", "9-13 exact", "0-4 exact"]
    alone = GivenPiece("same", page=2)
    assert place(text, alone, pages=pages) == ["9-13 exact"]
    assert place(text, GivenPiece("one", page=3), pages=pages) == ["5-8 exact"]


# Offsets ------------------------------------------------------------------------------------------

TEXT = "Café 😀\nsame\nmore 😀\nsame\nlast\n"


def given(text: str, unit: str, pieces: list[tuple[int, int]]) -> list[GivenPiece]:
    """Pieces of `TEXT` with the offsets another system would give."""
    measure = {
        "points": len,
        "utf16": lambda t: len(t.encode("utf-16-le")) // 2,
        "bytes": lambda t: len(t.encode()),
    }[unit.split()[0]]
    lead = "\ufeff" if "bom" in unit else ""

    def spelled(part: str) -> str:
        return lead + (part.replace("\n", "\r\n") if "crlf" in unit else part)

    return [
        GivenPiece(text[s:e], start=measure(spelled(text[:s])), end=measure(spelled(text[:e])))
        for s, e in pieces
    ]


@pytest.mark.parametrize("unit", ["points", "utf16", "bytes"])
@pytest.mark.parametrize("more", ["", " crlf", " bom", " crlf bom"])
def test_offsets_in_whatever_they_count(unit: str, more: str) -> None:
    spans = [(19, 23), (7, 11), (24, 28), (0, 4)]
    assert [TEXT[s:e] for s, e in spans] == ["same", "same", "last", "Café"]
    found = placed(TEXT, *given(TEXT, unit + more, spans))
    assert [(p.start, p.end, p.how) for p in found] == [(s, e, "offsets") for s, e in spans]
    plain = unit == "points" and not more
    assert all((p.note == "") == plain for p in found)


def test_offsets_of_a_folded_text_and_without_end() -> None:
    found = placed("x\n\n a  b\nx", GivenPiece(" a b\n", start=2), GivenPiece("x", start=9))
    assert [(p.start, p.end, p.how) for p in found] == [(4, 8, "offsets"), (9, 10, "offsets")]


def test_offsets_that_fit_nothing_are_ignored() -> None:
    found = placed(
        TEXT,
        GivenPiece("last", start=3, end=7),
        GivenPiece("Café", start=0, end=4),
        GivenPiece("same", start=-1),
        GivenPiece("more", start=10**30),
        GivenPiece("none", start=0, end=4),
    )
    assert [(p.start, p.how) for p in found] == [
        (24, "exact"), (0, "offsets"), (7, "exact"), (12, "exact"), (-1, ""),
    ]  # fmt: skip
    assert found[0].note.startswith(MISFIT)
    assert found[1].note == ""


def test_offsets_from_the_start_of_a_page() -> None:
    pages = (Page(1, 0, 10), Page(2, 10, 20))
    text = "aa bb cc\n\nbb aa aa\n\n"
    pieces = [
        GivenPiece("aa", page=2, start=6),
        GivenPiece("aa", page=1, start=0),
        GivenPiece("aa", page=2, start=3),
    ]
    found = place_pieces(text, pieces, pages)
    assert [(p.start, p.how) for p in found] == [(16, "offsets"), (0, "offsets"), (13, "offsets")]
