"""Sentences instead of chunks, the same text elsewhere, near-duplicates, warnings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.questions import SUGGESTED, Label, Need
from ragdebug.records import Place
from ragdebug.settings import BM25Settings
from ragdebug.workbench.questions import sentences

from .conftest import BRIDGE, REFUNDS


def bridge(wb: Workbench, start: int, end: int) -> Place:
    return wb.place(wb.resolve("bridge.txt").id, start, end)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("how much is the toll", "The toll is four coins."),
        ("is it free for children", "Children pass free of charge."),
        ("is it shut in winter?", "In winter the bridge stays shut on Mondays."),
    ],
)
def test_the_likeliest_sentence_is_chosen_and_never_the_chunk(
    wb: Workbench, query: str, sentence: str
) -> None:
    choice = wb.sentence_choice(bridge(wb, 0, len(BRIDGE) - 1), query)
    place = wb.chosen_place(choice)
    assert place.quote == sentence
    assert len(choice.spans) == len(choice.scores) == 5


def test_a_model_has_its_say_beside_the_words(wb: Workbench) -> None:
    document = wb.document(wb.resolve("bridge.txt").id)
    spans = sentences.sentences(document, 0, len(BRIDGE))
    analyzer = wb.indexes.analyzer(BM25Settings())

    def likes(word: str) -> Callable[[str, Sequence[str]], list[float]]:
        return lambda query, texts: [0.3 + 0.5 * (word in t) for t in texts]

    def chosen(query: str, word: str) -> str:
        choice = sentences.choose(document, spans, query, analyzer, likes(word))
        return BRIDGE[choice.start : choice.end]

    assert chosen("what does it cost", "coins") == "The toll is four coins."
    assert chosen("Mondays", "Mondays") == "In winter the bridge stays shut on Mondays."


def test_a_sentence_that_the_chunk_cuts_is_whole(wb: Workbench) -> None:
    at = BRIDGE.index("toll is")
    choice = wb.sentence_choice(bridge(wb, at, at + 10), "toll")
    assert wb.chosen_place(choice).quote == "The toll is four coins."


def test_the_choice_widens_and_narrows_within_the_hit(wb: Workbench) -> None:
    choice = wb.sentence_choice(bridge(wb, 0, BRIDGE.index("\n\n")), "opens")
    assert [BRIDGE[a:b] for a, b in choice.spans] == [
        "The bridge opens at six.", "Boats must wait by the buoy.",
    ]  # fmt: skip
    assert (choice.first, choice.last) == (0, 0)
    wide = choice.changed(last=1)
    assert BRIDGE[wide.start : wide.end] == "The bridge opens at six. Boats must wait by the buoy."
    assert wide.changed(last=5) == wide.changed(first=-9) == wide
    narrow = wide.changed(first=1)
    assert (narrow.first, narrow.last) == (1, 1)
    assert (narrow.changed(first=1).first, choice.changed(last=-1).last) == (1, 0)


def test_headings_rows_and_lines_count_as_sentences(wb: Workbench, folder: Path) -> None:
    table = "| what | fee |\n|---|---|\n| boat | 4 |\n| cart | 9 |\n"
    text = f"# Fees of a cart\n\n{table}\n```\na = 1\nb = 2\n```\n"
    (folder / "fees.md").write_text(text, "utf-8")
    wb.ingest([folder])
    choice = wb.sentence_choice(wb.place(wb.resolve("fees.md").id, 0, len(text)), "cart fee")
    assert wb.chosen_place(choice).quote.strip() == "| cart | 9 |"
    assert [text[a:b] for a, b in choice.spans][-4:] == ["```", "a = 1", "b = 2", "```"]


def test_a_blank_query_chooses_one_sentence_too(wb: Workbench) -> None:
    choice = wb.sentence_choice(bridge(wb, 0, 60), "")
    assert choice.first == choice.last


def test_the_same_passage_elsewhere_is_offered_and_not_added(wb: Workbench, folder: Path) -> None:
    (folder / "copy.txt").write_text(f"Copied.\n{BRIDGE}", "utf-8")
    (folder / "near.txt").write_text(BRIDGE.replace("coins", "coin"), "utf-8")
    (folder / "loose.txt").write_text("THE  TOLL is four coins.", "utf-8")
    wb.ingest([folder])
    at = BRIDGE.index("The toll")
    place = bridge(wb, at, at + 23)
    question = wb.add_question("q", [Need((Label(place),))])
    found = wb.same_text(place)
    assert [(p.source, p.quote) for p in found] == [
        ("copy.txt", "The toll is four coins."),
        ("loose.txt", "THE  TOLL is four coins."),
        ("near.txt", "The toll is four coin."),
    ]
    assert wb.question(question.id).needs[0].places == (place,)
    refunds = wb.resolve("handbook/refunds.md").id
    first, last = REFUNDS.index("The fee is"), REFUNDS.rindex("The fee is")
    same = wb.same_text(wb.place(refunds, first, first + 15))
    assert [(p.document, p.start) for p in same] == [(refunds, last)]


def test_near_duplicates_are_grouped_and_numbers_tell_apart(wb: Workbench) -> None:
    texts = [
        "How long do refunds take?", "what is the fee in 2023", "refunds take how long",
        "Who waits?", "What is the fee in 2024?", "how long do refunds take",
    ]  # fmt: skip
    for asked in texts:
        wb.add_question(asked)
    groups = [[q.text for q in g] for g in wb.similar_questions(80)]
    assert groups == [[texts[0], texts[2], texts[5]]]
    assert [[q.text for q in g] for g in wb.similar_questions(100)] == [[texts[0], texts[5]]]


def test_long_evidence_is_flagged(wb: Workbench, folder: Path) -> None:
    (folder / "long.txt").write_text("word " * 81, "utf-8")
    wb.ingest([folder])
    document = wb.resolve("long.txt").id
    short = wb.add_question("short", [Need((Label(wb.place(document, 0, 399)),))])
    long = wb.add_question("long", [Need((Label(wb.place(document, 0, 404)),))])
    assert wb.label_warnings(short) == []
    assert "81 tokens" in wb.label_warnings(long)[0]


def test_evidence_on_chunk_borders_is_flagged_for_its_own_strategy_only(wb: Workbench) -> None:
    document = wb.resolve("bridge.txt").id
    chunk = wb.chunk_document(document, "fixed:60/0:chars")[1]
    whole = wb.place(document, chunk.start, chunk.end)
    for origin, flagged in [
        ("list bm25@fixed:60/0:chars", True),
        ("list bm25@fixed:70/0:chars", False),
        ("list no such strategy!", False),
        ("marked", False),
    ]:
        question = wb.add_question(origin, [Need((Label(whole, origin=origin),))])
        assert bool(wb.label_warnings(question)) is flagged, origin
    part = wb.place(document, chunk.start, chunk.end - 5)
    inner = wb.add_question("in", [Need((Label(part, origin="list bm25@fixed:60/0:chars"),))])
    assert wb.label_warnings(inner) == []


def test_what_waits_or_is_lost_is_flagged_with_its_need(wb: Workbench) -> None:
    rows = (
        "question,source,quote\nq,bridge,The tol is for coins\nq,bridge,Zebras eat kelp\n"
        "q,nowhere.txt,Zebras eat kelp\n"
    )
    wb.import_questions(rows.encode(), name="r.csv")
    (question,) = wb.questions()
    assert question.needs[0].labels[0].status == SUGGESTED
    first, second, third = wb.label_warnings(question)
    assert first.startswith("Need 1: the passage in bridge.txt is only suggested")
    assert second == "Need 2: the passage stands nowhere in bridge."
    assert third == "Need 3: the passage stands nowhere in nowhere.txt."


def test_strategies_that_labels_came_from_are_named(wb: Workbench) -> None:
    place = bridge(wb, 0, 10)
    one = wb.add_question("1", [Need((Label(place, origin="list hybrid@fixed:60/10"),))])
    two = wb.add_question("2", [Need((Label(place, origin="list bm25"), Label(place)))])
    assert wb.labels_taken_from([one, two, two]) == ("bm25", "hybrid@fixed:60/10")
    assert wb.labels_taken_from([]) == ()
