"""Found means: the first k chunks together cover the share of non-blank characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragdebug.evidence import Coverage, holders
from ragdebug.records import Chunk, Place
from ragdebug.table import ChunkTable, DocumentChunks, DocumentRef

TEXT = "abcde fghij klmno pqrst"
VERSION = "v" * 16


def table_of(spans: list[tuple[int, int]], text: str = TEXT) -> ChunkTable:
    chunks = [Chunk(f"d:{s}", "d", VERSION, "d.txt", s, e, text[s:e], text[s:e]) for s, e in spans]
    return ChunkTable(
        "fp", "x", [DocumentRef("d", VERSION, "d.txt")], [DocumentChunks.of(chunks)],
        lambda d, v: text, lambda label, context, t: t,
    )  # fmt: skip


def place(start: int, end: int, region: str = "", version: str = VERSION) -> Place:
    return Place("d", version, "d.txt", start, end, TEXT[start:end], region)


def test_one_whole_chunk_holds_it_at_its_own_rank() -> None:
    coverage = Coverage(table_of([(0, 11), (12, 23)]), place(12, 17), TEXT)
    assert coverage.of(0) == 0
    assert coverage.of(1) == 1
    assert coverage.rank({0: 1, 1: 7}.get) == 7


def test_an_answer_cut_in_two_is_found_when_both_pieces_are() -> None:
    # "fghij klmno" has ten letters, five on each side of the cut
    coverage = Coverage(table_of([(0, 11), (12, 23)]), place(6, 17), TEXT)
    assert (coverage.of(0), coverage.of(1)) == (0.5, 0.5)
    assert coverage.rank({0: 2, 1: 9}.get) == 9
    assert coverage.rank({0: 2}.get) is None


def test_nine_tenths_are_enough_and_blanks_do_not_count() -> None:
    # nine of the ten letters of "abcde fghij"
    coverage = Coverage(table_of([(0, 10), (10, 23)]), place(0, 11), TEXT)
    assert coverage.of(0) == 0.9
    assert coverage.rank({0: 1}.get) == 1
    strict = Coverage(table_of([(0, 10), (10, 23)]), place(0, 11), TEXT, found_share=1.0)
    assert strict.rank({0: 1}.get) is None


def test_a_region_is_matched_by_more_than_half_of_the_shorter() -> None:
    coverage = Coverage(table_of([(0, 11), (12, 23)]), place(0, 23, "document"), TEXT)
    assert coverage.rank({1: 3}.get) == 3
    page = Coverage(table_of([(0, 11), (12, 23)]), place(6, 17, "page"), TEXT)
    assert page.rank({0: 1, 1: 2}.get) is None  # each shares five of eleven


def test_a_place_of_another_version_is_held_by_no_chunk() -> None:
    coverage = Coverage(table_of([(0, 23)]), place(0, 5, version="w" * 16), TEXT)
    assert coverage.rank({0: 1}.get) is None


def test_holders_come_best_first() -> None:
    made = table_of([(0, 8), (6, 17), (12, 23)])
    assert holders([Coverage(made, place(6, 17), TEXT)]) == [(1, 1.0), (2, 0.5), (0, 0.2)]


@given(
    st.lists(st.tuples(st.integers(0, 22), st.integers(1, 12)), min_size=1, max_size=6),
    st.integers(0, 20),
    st.integers(1, 20),
    st.permutations(range(6)),
    st.sampled_from([0.5, 0.8, 0.9, 1.0]),
)
def test_rank_is_what_counting_characters_gives(
    raw: list[tuple[int, int]], start: int, length: int, order: list[int], share: float
) -> None:
    spans = sorted({(s, min(len(TEXT), s + n)) for s, n in raw})
    end = min(len(TEXT), start + length)
    wanted = {i for i in range(start, end) if not TEXT[i].isspace()}
    ranking = [i for i in order if i < len(spans)]
    seen: set[int] = set()
    by_hand = None
    for r, row in enumerate(ranking, 1):
        seen |= wanted & set(range(*spans[row]))
        if wanted and len(seen) >= share * len(wanted) - 1e-9:
            by_hand = r
            break
    ranks = {row: r for r, row in enumerate(ranking, 1)}
    coverage = Coverage(table_of(spans), place(start, end), TEXT, share)
    assert coverage.rank(ranks.get) == by_hand
