"""Checks on texts and chunks: counts worked out by hand."""

from __future__ import annotations

from dataclasses import replace

from ragdebug.protocols import ModelInfo
from ragdebug.records import DocumentInfo, ParseWarning
from ragdebug.table import ChunkTable
from ragdebug.workbench.health import (
    boilerplate,
    duplicates,
    languages,
    parses,
    sample,
    uncovered,
    window,
)
from ragdebug.workbench.health.findings import CHECKS, clean, graded, ordered, percent
from tests.workbench.health.corpus import info, table, text_of


class Words:
    """A tokenizer whose tokens are words."""

    name = "words"

    def count(self, text: str) -> int:
        return len(text.split())

    def count_many(self, texts: list[str]) -> list[int]:
        return [self.count(t) for t in texts]


def whole(*infos: DocumentInfo) -> sample.Sample:
    return sample.Sample(infos, len(infos))


# Sample -------------------------------------------------------------------------------------------


def test_a_small_corpus_is_looked_at_whole_and_a_large_one_in_part() -> None:
    infos = [info(f"{n:03}.txt") for n in range(50)]  # of 100 characters each
    assert sample.draw(infos, 5_000).whole
    part = sample.draw(infos, 1_050)
    assert len(part.documents) == 10
    assert [d.source for d in part.documents] == sorted(d.source for d in part.documents)
    assert part.said == " Looked at in 10 of 50 documents, drawn at random."
    assert sample.draw(infos, 1_050) == part
    assert sample.draw(infos, 1_050, seed=1) != part


def test_where_every_document_is_too_long_the_shortest_is_looked_at() -> None:
    infos = [info("long", "x" * 900), info("longer", "x" * 1_000)]
    assert [d.source for d in sample.draw(infos, 100).documents] == ["long"]


# Parses -------------------------------------------------------------------------------------------


def test_failed_files_bare_documents_and_pages_without_text_are_counted() -> None:
    scan = info("scan.pdf", "some words " * 20, pages=4, warnings=(
        ParseWarning("no_text_layer", "", page=2), ParseWarning("no_text_layer", "", page=4),
        ParseWarning("columns_suspected", "", page=1),
    ))  # fmt: skip
    thin = info("thin.pdf", "x" * 59, pages=2)
    failed = DocumentInfo("", "", "locked.pdf", "failed", error="asks for a password")
    found = {f.code: f for f in parses.check([scan, thin, info("note.txt", "x" * 30), failed])}
    assert set(found) == {"failed_files", "empty_parses", "pages_without_text"}
    assert (found["failed_files"].count, found["failed_files"].of) == (1, 4)
    assert found["failed_files"].severity == "serious"
    assert (found["empty_parses"].count, found["empty_parses"].of) == (1, 3)
    assert "thin.pdf" in found["empty_parses"].sentence
    assert (found["pages_without_text"].count, found["pages_without_text"].of) == (2, 6)
    assert found["pages_without_text"].where[0].label == "scan.pdf, pages 2, 4"


def test_thirty_characters_are_enough() -> None:
    assert parses.check([info("note.txt", "x" * 30)]) == []
    assert [f.code for f in parses.check([info("note.txt", "x" * 29)])] == ["empty_parses"]


# Gaps and windows ---------------------------------------------------------------------------------


def test_characters_outside_all_chunks_are_counted_without_blanks() -> None:
    one, two = info("a", "abc def  ghi"), info("b", "xyz")
    (found,) = uncovered.check(table([one, two], [[(0, 3)], [(0, 3)]]), whole(one, two), text_of)
    assert (found.count, found.of) == (6, 12)
    assert found.severity == "serious"
    assert (found.where[0].document, found.where[0].at) == ("a", 4)


def test_a_document_without_any_chunk_is_all_gap_and_a_covered_one_none() -> None:
    one, two = info("a", "  word  "), info("b", "two words")
    (found,) = uncovered.check(table([one, two], [[], [(0, 9)]]), whole(one, two), text_of)
    assert (found.count, found.of) == (4, 12)
    assert uncovered.check(table([two], [[(0, 5), (4, 9)]]), whole(two), text_of) == []


def test_chunks_longer_than_the_window_less_its_special_tokens() -> None:
    doc = info("a", "one two three four five six")
    cut = table([doc], [[(0, 13), (0, 18), (0, 27)]])  # 3, 4 and 6 words
    model = ModelInfo("m", "embedder", "f", window=6, special_tokens=2)
    (found,) = window.check(cut, model, Words(), whole(doc))  # type: ignore[arg-type]
    assert (found.count, found.of) == (1, 3)
    assert "the longest 6: vector search does not see 15% of the tokens" in found.sentence  # 2 / 13
    assert found.where[0].chunk == cut.chunk_id(2)
    unlimited = ModelInfo("m", "embedder", "f")
    assert window.check(cut, unlimited, Words(), whole(doc)) == []  # type: ignore[arg-type]


def test_a_rerankers_window_is_a_finding_of_its_own() -> None:
    doc = info("a", "one two three four five six")
    model = ModelInfo("r", "reranker", "f", window=5, special_tokens=0)
    (found,) = window.check(table([doc], [[(0, 27)]]), model, Words(), whole(doc))  # type: ignore[arg-type]
    assert found.code == "beyond_reranker"
    assert "the 5 tokens that r reads of query and text, the longest 6" in found.sentence
    # Late interaction reads a text by itself.
    late = replace(model, name="late-interaction")
    (found,) = window.check(table([doc], [[(0, 27)]]), late, Words(), whole(doc))  # type: ignore[arg-type]
    assert "late-interaction reads of a text, apart from the query, the longest" in found.sentence


# Repeats ------------------------------------------------------------------------------------------

RULE = "The pump is rinsed with fresh water after every day at sea and left to dry in the shade."


def test_documents_with_the_same_text() -> None:
    (found,) = duplicates.documents([info("b", "same"), info("a", "same"), info("c", "other")])
    assert (found.count, found.of) == (1, 3)
    assert found.where[0].label == "b = a"
    assert duplicates.documents([info("a", "x"), info("b", "y")]) == []


def test_chunks_with_the_same_and_with_nearly_the_same_text() -> None:
    texts = [RULE, RULE.replace(" ", "  "), RULE + " Always.", "The mast is checked in spring."]
    infos = [info(f"{n}.txt", t) for n, t in enumerate(texts)]
    cut = table(infos, [[(0, len(t))] for t in texts])
    found = {f.code: f for f in duplicates.chunks(cut, whole(*infos), text_of)}
    assert (found["duplicate_chunks"].count, found["duplicate_chunks"].of) == (1, 4)
    assert found["duplicate_chunks"].where[0].label == "1.txt = 0.txt"
    assert (found["near_duplicates"].count, found["near_duplicates"].of) == (1, 4)
    assert "1 chunk of 4 (25%) shares 80% or more of its word seq" in (
        found["near_duplicates"].sentence
    )
    assert found["near_duplicates"].where[0].label == "2.txt ≈ 0.txt"


def test_in_a_sample_repeats_are_told_as_a_least() -> None:
    infos = [info("a", RULE), info("b", RULE + " ")]
    cut = table(infos, [[(0, len(RULE))]] * 2)
    (found,) = duplicates.chunks(cut, sample.Sample(tuple(infos), 900), text_of)
    assert found.sentence.startswith("At least 1 chunk of 2")
    assert found.sentence.endswith("Looked at in 2 of 900 documents, drawn at random.")


def test_lines_that_many_documents_share_are_one_block_each() -> None:
    foot = "Printed by the harbour office\n  All times are local summer time"
    infos = [info(f"{n}", f"Berth {n} lies at pier number {n}.\n{foot}") for n in range(4)]
    infos.append(info("4", "Nothing of this kind stands here at all."))
    (found,) = boilerplate.check(whole(*infos), text_of)
    solid = len("".join(foot.split()))
    assert found.count == 4 * solid
    assert found.of == sum(len("".join(d.version.split())) for d in infos)
    assert "2 lines in 1 block stand in 3 or more of 5 documents" in found.sentence
    assert found.where[0].at == infos[0].version.find("Printed")


def test_two_documents_are_no_boilerplate_and_copies_count_once() -> None:
    foot = "Printed by the harbour office"
    two = [info("a", f"One pier.\n{foot}"), info("b", f"Another pier.\n{foot}")]
    copies = [info(f"copy{n}", f"Another pier.\n{foot}") for n in range(5)]
    assert boilerplate.check(whole(*two, *copies), text_of) == []


def test_in_a_large_corpus_a_line_must_stand_in_a_twentieth_of_it() -> None:
    standing = {"line": [0, 1, 2, 3]}
    assert boilerplate.repeated(standing, 80)
    assert not boilerplate.repeated(standing, 81)


# Languages ----------------------------------------------------------------------------------------

SPOKEN = {"a": "en", "b": "de", "c": "zh", "d": ""}


def spoken() -> ChunkTable:
    """Two English chunks, one German, one Chinese, one unknown."""
    infos = [info(name, "0123456789") for name in SPOKEN]
    return table(infos, [[(0, 5), (5, 10)], [(0, 10)], [(0, 10)], [(0, 10)]])


def test_chunks_that_a_model_was_not_made_for() -> None:
    english = ModelInfo("m", "embedder", "f", languages=("en",))
    (found,) = languages.of_model(spoken(), SPOKEN, english)
    assert (found.count, found.of) == (2, 5)
    assert "de (1), zh (1)" in found.sentence
    assert languages.of_model(spoken(), SPOKEN, ModelInfo("m", "embedder", "f")) == []


def test_the_analyzer_counts_what_it_treats_as_another_language() -> None:
    (found,) = languages.of_analyzer(spoken(), SPOKEN, "en", "auto")
    assert (found.count, found.of) == (1, 5)  # Chinese is cut into pairs in any language
    assert [w.document for w in found.where] == ["b"]
    assert languages.of_analyzer(spoken(), SPOKEN, "none", "none") == []
    (german,) = languages.of_analyzer(spoken(), SPOKEN, "de", "de")
    assert german.count == 2


def test_a_language_without_an_analyzer_is_named() -> None:
    doc = info("a", "0123456789")
    (found,) = languages.of_analyzer(table([doc], [[(0, 10)]]), {"a": "is"}, "none", "auto")
    assert "There is no analyzer for is." in found.sentence


# Findings -----------------------------------------------------------------------------------------


def test_the_worst_comes_first_then_the_path_of_the_data() -> None:
    doc = info("a", "  word  ")
    gap = uncovered.check(table([doc], [[]]), whole(doc), text_of)
    repeat = duplicates.documents([info(f"{n}", "same") for n in range(30)])
    thin = parses.check([info("t", "x"), *(info(f"{n}") for n in range(99))])
    assert [f.code for f in ordered([*thin, *repeat, *gap])] == [
        "duplicate_documents", "in_no_chunk", "empty_parses",
    ]  # fmt: skip
    assert set(clean(gap)) == set(CHECKS) - {"in_no_chunk"}


def test_shares_are_graded_and_never_rounded_to_all_or_nothing() -> None:
    assert [graded(x) for x in (0.0499, 0.05, 0.5)] == ["note", "warning", "serious"]
    assert [percent(n, 1000) for n in (0, 1, 500, 999, 1000)] == [
        "0%", "less than 1%", "50%", "99%", "100%",
    ]  # fmt: skip
