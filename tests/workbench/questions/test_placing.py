"""A quote goes where it stands; what is uncertain waits for a person, and nothing is dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.questions import PLACED, SUGGESTED, UNPLACED
from ragdebug.workbench.questions import ImportReport

from .conftest import BRIDGE, REFUNDS


def take(wb: Workbench, text: str, name: str = "rows.csv") -> ImportReport:
    return wb.import_questions(text.encode(), name=name)


def only(wb: Workbench) -> tuple[str, int, int, str]:
    """Source, start, end and status of the one label there is."""
    ((label,),) = [n.labels for q in wb.questions() for n in q.needs]
    return label.place.source, label.place.start, label.place.end, label.status


def test_an_exact_quote_stands_where_it_stands(wb: Workbench) -> None:
    report = take(wb, "question,source,quote\nHow much?,bridge.txt,The toll is four coins.\n")
    assert (report.added, report.placed, report.unplaced) == (1, 1, ())
    start = BRIDGE.index("The toll")
    assert only(wb) == ("bridge.txt", start, start + 23, PLACED)


@pytest.mark.parametrize(
    "quote",
    ['refunds TAKE ten days - "always" by', "Refunds take\tten  days \u2014 \u00abalways\u00bb by"],
)
def test_blanks_case_and_typography_are_folded(wb: Workbench, quote: str) -> None:
    cell = quote.replace('"', '""')
    report = take(wb, f'question,quote\nHow long?,"{cell}"\n')
    assert (report.placed, report.folded, report.suggested) == (0, 1, 0)
    start = REFUNDS.index("Refunds take")
    assert only(wb) == ("handbook/refunds.md", start, REFUNDS.index(" bank"), PLACED)
    ((label,),) = [n.labels for n in wb.questions()[0].needs]
    assert label.place.quote == REFUNDS[start : label.place.end]
    assert label.given == quote


def test_a_quote_that_is_only_alike_is_suggested(wb: Workbench) -> None:
    report = take(wb, "question,source,quote\nq,bridge.txt,Chidren may pass free of charge\n")
    assert (report.placed, report.suggested) == (0, 1)
    (waiting,) = report.unplaced
    assert waiting.nearest is not None
    assert waiting.nearest.quote.startswith("Children pass free of charge")
    assert 85 <= waiting.similarity < 100
    assert only(wb)[3] == SUGGESTED
    assert wb.questions()[0].state == "unusable"


def test_what_stands_nowhere_is_listed_with_the_nearest_passage(wb: Workbench) -> None:
    report = take(wb, "question,source,quote\nq,bridge.txt,The toll was raised to nine dollars\n")
    (lost,) = report.unplaced
    assert lost.quote == "The toll was raised to nine dollars"
    assert lost.nearest is not None
    assert lost.nearest.source == "bridge.txt"
    assert "toll" in lost.nearest.quote
    assert lost.similarity < 85
    assert only(wb) == ("bridge.txt", -1, -1, UNPLACED)


def test_a_document_that_is_not_here_is_named_and_its_question_unusable(wb: Workbench) -> None:
    rows = (
        '{"id": "q1", "question": "Where is the map?", "docs": ["bridge.txt"]}\n'
        '{"id": "q2", "question": "Where is the vault?", "docs": ["corpus_vault.txt"]}\n'
    )
    report = take(wb, rows, "golden.jsonl")
    assert [u.note for u in report.unplaced] == ["corpus_vault.txt is not in the corpus."]
    assert [(q.id, q.state) for q in wb.questions()] == [("q1", "labelled"), ("q2", "unusable")]
    assert wb.questions()[0].level == "document"


def test_a_quote_whose_document_has_another_name_is_suggested_there(wb: Workbench) -> None:
    report = take(wb, "question,source,quote\nq,ferry.txt,Children pass free of charge.\n")
    assert only(wb)[0] == "bridge.txt"
    assert only(wb)[3] == SUGGESTED
    assert "ferry.txt is not in the corpus" in report.unplaced[0].note


def test_the_same_words_in_two_documents_wait_for_a_yes(wb: Workbench, folder: Path) -> None:
    (folder / "copy.txt").write_text(BRIDGE, "utf-8")
    wb.ingest([folder])
    assert take(wb, "question,quote\nq,The toll is four coins.\n").suggested == 1
    assert take(wb, "question,source,quote\nr,copy,The toll is four coins.\n").placed == 1


def test_of_several_places_in_one_document_start_or_section_decides(wb: Workbench) -> None:
    first, last = REFUNDS.index("The fee"), REFUNDS.rindex("The fee")
    report = take(wb, "question,source,quote\nq,refunds,The fee is due.\n")
    assert only(wb)[1] == first
    assert [text for _, text in report.problems if "2 times" in text]
    wb.remove_questions([wb.questions()[0].id])
    assert take(wb, f"question,source,quote,start\nr,refunds,The fee is due.,{last}\n").placed == 1
    assert only(wb)[1] == last


@pytest.mark.parametrize(
    "name", ["refunds", "refunds.md", "handbook/refunds.md", "handbook/refunds"]
)
def test_a_document_is_known_by_stem_name_and_path(wb: Workbench, name: str) -> None:
    take(wb, f"question,source,quote\nq,{name},Pay monthly.\n")
    assert only(wb)[0] == "handbook/refunds.md"


def test_another_folder_of_the_same_name_is_another_document(wb: Workbench) -> None:
    take(wb, "question,source,quote\nq,acme/refunds.md,Pay monthly.\n")
    assert only(wb)[3] == SUGGESTED


def test_sections_and_whole_documents_are_regions(wb: Workbench) -> None:
    take(wb, "question,source,section\nq,refunds.md,Fees\n")
    ((label,),) = [n.labels for n in wb.questions()[0].needs]
    assert (label.place.region, label.place.quote) == ("section", "")
    assert label.place.start == REFUNDS.index("## Fees")
    take(wb, "question,source\nr,bridge\n")
    ((label,),) = [n.labels for n in wb.questions()[1].needs]
    assert (label.place.start, label.place.end) == (0, len(BRIDGE))
    assert label.place.region == "document"


def test_a_section_that_is_not_there_is_not_placed(wb: Workbench) -> None:
    report = take(wb, "question,source,section\nq,refunds.md,Taxes\n")
    assert "has no section 'Taxes'" in report.unplaced[0].note


def test_a_bare_span_gets_its_words(wb: Workbench) -> None:
    take(wb, "question,source,start,end\nq,bridge,4,23\nr,bridge,9000,9001\n")
    first, second = wb.questions()
    assert first.needs[0].labels[0].place.quote == BRIDGE[4:23]
    assert second.state == "unusable"


def test_a_quote_of_marks_and_of_another_script_is_found(wb: Workbench, folder: Path) -> None:
    text = (
        "\u4eca\u5929\u6865\u5173\u95ed\u4e86\u3002\u660e\u5929\u516d\u70b9\u5f00\u653e\u3002 a.*b"
    )
    (folder / "zh.txt").write_text(text, "utf-8")
    wb.ingest([folder])
    assert take(wb, "question,quote\nq,a.*b\n").placed == 1
    near = wb._place_finder().nearest("\u660e\u5929\u4e03\u70b9\u5f00\u653e")
    assert near is not None
    assert near[0].quote == "\u660e\u5929\u516d\u70b9\u5f00\u653e"
