"""When a document changes its labels move with their quotes, or say that they are stale."""

from __future__ import annotations

from ragdebug import Workbench
from ragdebug.questions import PLACED, STALE, SUGGESTED, UNPLACED, Label, Need

from .conftest import BRIDGE, REFUNDS, Again

TOLL = "The toll is four coins."


def ask(wb: Workbench, quote: str = TOLL, source: str = "bridge.txt") -> str:
    return wb.add_question(
        "q", [Need((Label(wb.find_quote(quote, source)[0], origin="marked"),))]
    ).id


def label(wb: Workbench) -> Label:
    return wb.questions()[0].needs[0].labels[0]


def test_a_label_moves_with_its_quote(wb: Workbench, again: Again) -> None:
    ask(wb)
    before = wb.questions()[0]
    again(bridge="A new first line.\n\n" + BRIDGE)
    moved = label(wb)
    text = wb.document(moved.place.document).text
    assert (moved.status, moved.origin) == (PLACED, "marked")
    assert moved.place.start == before.needs[0].labels[0].place.start + 19
    assert text[moved.place.start : moved.place.end] == moved.place.quote == TOLL
    assert moved.place.version == wb.info(moved.place.document).version
    # Both the old and the new form are known to runs.
    after = wb.questions()[0]
    pairs = [(q.id, q.version) for q in (before, after)]
    assert len(wb.store.questions.versions(pairs)) == 2


def test_a_quote_that_is_gone_is_stale_and_back_when_it_is_back(
    wb: Workbench, again: Again
) -> None:
    ask(wb)
    again(bridge=BRIDGE.replace("four", "nine"))
    assert (label(wb).status, label(wb).place.quote) == (STALE, TOLL)
    assert wb.questions()[0].state == "unusable"
    again(bridge="Back again. " + BRIDGE)
    assert (label(wb).status, label(wb).place.start) == (PLACED, BRIDGE.index(TOLL) + 12)


def test_a_stale_label_is_repaired_by_what_is_nearest_or_by_hand(
    wb: Workbench, again: Again
) -> None:
    name = ask(wb)
    again(bridge=BRIDGE.replace("four", "nine"))
    near = wb.nearest_place(label(wb))
    assert near is not None
    assert near[0].quote == "The toll is nine coins."
    wb.accept(name, 0, 0)
    assert (label(wb).status, label(wb).place.quote) == (PLACED, "The toll is nine coins.")
    wb.undo()
    hand = wb.find_quote("Children pass free of charge.")[0]
    wb.accept(name, 0, 0, hand)
    assert (label(wb).status, label(wb).place) == (PLACED, hand)


def test_of_equal_quotes_the_surroundings_tell(wb: Workbench, again: Again) -> None:
    last = REFUNDS.rindex("The fee is due.")
    document = wb.resolve("handbook/refunds.md").id
    wb.add_question("q", [Need((Label(wb.place(document, last, last + 15)),))])
    again(refunds="# New title\n" + REFUNDS)
    assert (label(wb).status, label(wb).place.start) == (PLACED, last + 12)
    again(refunds="# New title\n\nThe fee is due. The fee is due. And so on.\n")
    assert label(wb).status == STALE


def test_a_removed_document_makes_its_labels_stale_until_it_is_back(wb: Workbench) -> None:
    ask(wb)
    document = wb.resolve("bridge.txt").id
    wb.remove([document])
    assert label(wb).status == STALE
    assert "not in the corpus" in wb.label_warnings(wb.questions()[0])[0]
    wb.restore([document])
    assert label(wb).status == PLACED


def test_a_moved_file_takes_its_labels_along(wb: Workbench, folder: object) -> None:
    from pathlib import Path

    ask(wb)
    root = Path(str(folder))
    (root / "bridge.txt").rename(root / "ferry.txt")
    wb.ingest([root], yes=True)
    assert (label(wb).status, label(wb).place.source) == (PLACED, "ferry.txt")


def test_sections_follow_their_titles(wb: Workbench, again: Again) -> None:
    document = wb.resolve("handbook/refunds.md").id
    wb.add_question("q", [Need((Label(wb.region(document, section="Fees")),))])
    again(refunds=REFUNDS.replace("## Fees", "## Before\n\nNew.\n\n## Fees"))
    place = label(wb).place
    assert label(wb).status == PLACED
    assert wb.document(document).text[place.start : place.start + 7] == "## Fees"
    again(refunds=REFUNDS.replace("## Fees", "## Costs"))
    assert label(wb).status == STALE


def test_whole_documents_stay_whole(wb: Workbench, again: Again) -> None:
    document = wb.resolve("bridge.txt").id
    wb.add_question("q", [Need((Label(wb.region(document)),))])
    again(bridge="short")
    assert (label(wb).status, label(wb).place.end) == (PLACED, 5)


def test_a_suggestion_never_becomes_a_label_by_itself(wb: Workbench, again: Again) -> None:
    wb.import_questions(b"question,source,quote\nq,bridge,The tol is for coins\n", name="r.csv")
    assert label(wb).status == SUGGESTED
    again(bridge="Before. " + BRIDGE)
    assert label(wb).status == SUGGESTED
    again(bridge="All of it is new.")
    assert label(wb).status == UNPLACED
    again(bridge=BRIDGE)
    assert label(wb).status == UNPLACED


def test_judgments_move_too(wb: Workbench, again: Again) -> None:
    question = wb.add_question("q")
    wb.reject(question.id, wb.find_quote(TOLL)[0])
    again(bridge="Before. " + BRIDGE)
    (place,) = wb.questions()[0].rejected
    assert place.start == BRIDGE.index(TOLL) + 8
