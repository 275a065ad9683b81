"""Typing, marking, judging; every step can be taken back and done again."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import ChangedMeanwhile, RagDebugError
from ragdebug.questions import SUGGESTED, Label, Need
from ragdebug.records import Place


@pytest.fixture
def toll(wb: Workbench) -> Place:
    return wb.find_quote("The toll is four coins.")[0]


@pytest.fixture
def opens(wb: Workbench) -> Place:
    return wb.find_quote("The bridge opens at six.")[0]


def test_a_question_is_added_once(wb: Workbench, toll: Place) -> None:
    first = wb.add_question("  How much? ", tags=["b", " a ", "b"], notes="n")
    assert (first.text, first.tags, first.state) == ("How much?", ("a", "b"), "unlabelled")
    assert first.created_at == first.updated_at != ""
    again = wb.add_question("how  much?", [Need((Label(toll),))], tags=["fails"], origin="search")
    assert (again.id, again.tags, again.origin) == (first.id, ("a", "b", "fails"), "typed")
    assert [q.state for q in wb.questions()] == ["labelled"]
    with pytest.raises(RagDebugError, match="blank"):
        wb.add_question(" \n")


def test_lines_of_a_log_skip_what_is_blank_or_known(wb: Workbench) -> None:
    wb.add_question("one")
    added = wb.add_lines("two\n\nONE\r\n  two \nthree\u2028four")
    assert [q.text for q in added] == ["two", "three", "four"]
    assert len({q.id for q in wb.questions()}) == 4
    wb.undo()
    assert [q.text for q in wb.questions()] == ["one"]


def test_labels_make_needs_and_places(wb: Workbench, toll: Place, opens: Place) -> None:
    q = wb.add_question("q", not_answerable=True)
    assert q.state == "not answerable"
    q = wb.label(q.id, [toll])
    assert (q.state, q.not_answerable) == ("labelled", False)
    q = wb.label(q.id, [opens, toll], need=0, origin="same text")
    assert [[(x.place, x.origin) for x in n.labels] for n in q.needs] == [
        [(toll, "marked"), (opens, "same text")]
    ]
    assert wb.label(q.id, [toll]) == q
    q = wb.unlabel(q.id, 0, 0)
    assert [n.places for n in q.needs] == [(opens,)]
    assert wb.unlabel(q.id, 0, 0).needs == ()
    for wrong in (lambda: wb.unlabel(q.id, 0, 0), lambda: wb.label(q.id, [toll], need=3)):
        with pytest.raises(RagDebugError, match="no need"):
            wrong()


def test_a_judgment_against_a_place_takes_its_label_and_a_label_the_judgment(
    wb: Workbench, toll: Place, opens: Place
) -> None:
    q = wb.add_question("q", [Need((Label(toll), Label(opens)))])
    q = wb.reject(q.id, toll)
    assert (q.rejected, [n.places for n in q.needs]) == ((toll,), [(opens,)])
    assert wb.reject(q.id, toll) == q
    q = wb.label(q.id, [toll], need=0)
    assert (q.rejected, q.needs[0].places) == ((), (opens, toll))


def test_a_suggestion_with_another_place_counts_as_judged(wb: Workbench, opens: Place) -> None:
    wb.import_questions(
        b"id,question,source,quote\nq,q,bridge,The tol is for coins\n", name="r.csv"
    )
    suggested = wb.question("q").needs[0].labels[0].place
    q = wb.accept("q", 0, 0, opens)
    assert (q.needs[0].places, q.rejected) == ((opens,), (suggested,))
    report = wb.import_questions(
        b"id,question,source,quote\nq,q,bridge,The tol is for coins\n", name="r.csv"
    )
    assert report.unchanged == 1


def test_fields_change_and_unknown_ones_are_refused(wb: Workbench) -> None:
    q = wb.add_question("q", tags=["a"])
    q = wb.change_question(q.id, text=" r ", tags="x, y", notes="z", not_answerable=True)
    assert (q.text, q.tags, q.notes, q.state) == ("r", ("x", "y"), "z", "not answerable")
    with pytest.raises(RagDebugError, match="colour"):
        wb.change_question(q.id, colour="red")
    with pytest.raises(RagDebugError, match="blank"):
        wb.change_question(q.id, text=" ")
    with pytest.raises(RagDebugError, match="no question zzz"):
        wb.change_question("zzz", notes="")


def test_removal_can_be_taken_back(wb: Workbench) -> None:
    one, two = wb.add_question("1"), wb.add_question("2")
    wb.remove_questions([one.id])
    assert [q.id for q in wb.questions()] == [two.id]
    assert [q.id for q in wb.questions(removed=True)] == [one.id]
    wb.restore_questions([one.id])
    assert [q.text for q in wb.questions()] == ["1", "2"]


def test_every_step_goes_back_and_forth(wb: Workbench, toll: Place) -> None:
    seen = []
    q = wb.add_question("q0")
    for step in range(24):
        seen.append(wb.questions())
        if step == 5:
            wb.label(q.id, [toll])
        elif step == 9:
            wb.remove_questions([q.id])
        elif step == 10:
            wb.restore_questions([q.id])
        else:
            wb.change_question(q.id, text=f"q{step + 1}")
    last = wb.questions()
    for state in reversed(seen):
        assert wb.undo()
        assert wb.questions() == state
    assert wb.undo() == "adding 'q0'"
    assert wb.questions() == []
    assert wb.undo() == ""
    for state in seen:
        assert wb.redo()
        assert wb.questions() == state
    assert wb.redo()
    assert wb.questions() == last
    assert wb.redo() == ""


def test_each_person_takes_back_what_is_theirs(tmp_path: Path) -> None:
    asks = ["ann"]
    with Workbench(tmp_path / "shared", whose=lambda: asks[0]) as wb:
        mine, other = wb.add_question("a"), wb.add_question("b")
        asks[0] = "bob"
        assert (wb.undoable(), wb.undo()) == ("", "")
        wb.change_question(mine.id, notes="bob's")
        asks[0] = "ann"
        assert wb.undoable() == "adding 'b'"
        assert wb.undo() == wb.redoable() == "adding 'b'"
        assert [q.text for q in wb.questions()] == ["a"]
        # The other question is no longer as she left it.
        with pytest.raises(ChangedMeanwhile, match="somebody else"):
            wb.undo()
        assert wb.questions()[0].notes == "bob's"
        asks[0] = "bob"
        assert wb.undo() == "change of 'a'"
        assert wb.redoable() == "change of 'a'"
        assert other.id not in {q.id for q in wb.questions()}


def test_a_new_step_forgets_what_was_taken_back(wb: Workbench) -> None:
    q = wb.add_question("a")
    wb.change_question(q.id, notes="b")
    wb.undo()
    wb.change_question(q.id, notes="c")
    assert wb.redo() == ""
    assert wb.questions()[0].notes == "c"


def test_a_change_that_changes_nothing_is_no_step(wb: Workbench) -> None:
    q = wb.add_question("a")
    wb.change_question(q.id, notes="")
    assert wb.undo() == "adding 'a'"


def test_what_somebody_else_changed_is_not_overwritten_by_undo(
    wb: Workbench, tmp_path: Path
) -> None:
    q = wb.add_question("a")
    wb.change_question(q.id, notes="mine")
    other = wb.store.questions.get([q.id])[q.id]
    wb.store.questions.save([type(other)(**{**_fields(other), "notes": "theirs"})])
    with pytest.raises(ChangedMeanwhile, match="somebody else"):
        wb.undo()
    assert wb.questions()[0].notes == "theirs"


def _fields(question: object) -> dict[str, object]:
    return {name: getattr(question, name) for name in type(question).__dataclass_fields__}  # type: ignore[attr-defined]


def test_undo_brings_no_purged_text_back(wb: Workbench, toll: Place) -> None:
    q = wb.add_question("a", [Need((Label(toll),))])
    wb.unlabel(q.id, 0, 0)
    wb.remove([toll.document])
    wb.purge([toll.document])
    wb.undo()
    assert wb.questions()[0].needs == ()


def test_the_next_unlabelled_question_goes_round(wb: Workbench, toll: Place) -> None:
    one, two, three = (wb.add_question(str(n)) for n in range(3))
    wb.label(two.id, [toll])

    def after(name: str | None) -> str | None:
        found = wb.next_unlabelled(name)
        return found.id if found else None

    assert (after(None), after(one.id), after(two.id), after(three.id)) == (
        one.id, three.id, three.id, one.id,
    )  # fmt: skip
    wb.label(one.id, [toll])
    assert after(three.id) is None


def test_a_label_that_somebody_else_moved_away_is_not_mistaken_for_another(
    wb: Workbench, toll: Place, opens: Place
) -> None:
    q = wb.add_question("a", [Need((Label(toll),)), Need((Label(opens, SUGGESTED),))])
    seen, kept = q.needs[0].labels[0], q.needs[1].labels[0]
    wb.unlabel(q.id, 0, 0, seen)
    with pytest.raises(ChangedMeanwhile, match="somebody else"):
        wb.unlabel(q.id, 0, 0, seen)
    with pytest.raises(ChangedMeanwhile, match="somebody else"):
        wb.accept(q.id, 0, 0, toll, seen)
    assert wb.question(q.id).needs == (Need((kept,)),)


def test_a_step_that_cannot_be_taken_back_does_not_bar_those_before(wb: Workbench) -> None:
    first, second = wb.add_question("a"), wb.add_question("b")
    wb.change_question(first.id, notes="mine")
    wb.change_question(second.id, notes="mine")
    with Workbench(wb.path) as other:
        other.change_question(second.id, notes="theirs")
    with pytest.raises(ChangedMeanwhile):
        wb.undo()
    assert wb.undo() == "change of 'a'"
    assert [q.notes for q in wb.questions()] == ["", "theirs"]
    assert wb.redo() == "change of 'a'"
