"""Judging on the Search page: hits become labels of the query's question, the query is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.ui import indexing, workspaces
from ragdebug.ui.components import hit_board
from ragdebug.ui.components.judge import Candidate
from ragdebug.ui.questions import candidates
from ragdebug.ui.search import answering

ROOT = Path(__file__).resolve().parents[2]
APP, PAGE = ROOT / "app.py", "pages/3_Search.py"
LEXICAL = "bm25,bm25+k1=2"  # needs no model
SENTENCE = "Money is paid back within thirty days of a cancelled order."
TEXTS = {
    "refunds.md": f"# Refunds\n\n{SENTENCE} The driver signs the slip. Ask the office for a copy.",
    "boats.md": "# Boats\n\nA green boat costs money and waits for the tide.",
}


class Parts:
    """Stands in for the board and the choice of sentences: keeps what they were given."""

    def __init__(self) -> None:
        self.columns: Sequence[hit_board.Column] = ()
        self.board: dict[str, Any] = {}
        self.choice: list[Candidate] = []
        self.given: dict[str, Any] = {}
        self.press: Callable[[], None] | None = None

    def draw_board(
        self, columns: Sequence[hit_board.Column], **options: Any
    ) -> hit_board.BoardEvent:
        self.columns, self.board, self.choice = columns, options, []
        return hit_board.BoardEvent()

    def draw_choice(self, candidates: list[Candidate], **given: Any) -> None:
        self.choice, self.given = candidates, given
        if self.press is not None:
            press, self.press = self.press, None
            press()

    def card(self, source: str, column: str = "bm25") -> hit_board.Card:
        cards = next(c.cards for c in self.columns if c.name == column)
        return next(c for c in cards if c.source == source)


@pytest.fixture
def wb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    (tmp_path / "docs").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "docs" / name).write_text(text, "utf-8")
    monkeypatch.setattr(indexing, "offer", lambda *_: False)
    monkeypatch.setenv("RAGDEBUG_WORKSPACE", str(tmp_path / "workspace"))
    monkeypatch.chdir(ROOT)
    opened = workspaces._open(str((tmp_path / "workspace").resolve()))
    opened.ingest([tmp_path / "docs"])
    yield opened
    workspaces._open.clear()


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> Parts:
    drawn = Parts()
    monkeypatch.setattr(hit_board, "hit_board", drawn.draw_board)
    monkeypatch.setattr(answering, "judge_view", drawn.draw_choice)
    return drawn


def search(parts: Parts, query: str = "money back", **url: str) -> AppTest:
    test = AppTest.from_file(str(APP), default_timeout=120).switch_page(PAGE)
    for key, value in {"q": query, "columns": LEXICAL, **url}.items():
        test.query_params[key] = value
    test.run()
    for _ in range(200):
        if not any(c.pending for c in parts.columns):
            break
        time.sleep(0.05)
        test.run()
    assert not test.exception
    return test


def judged(test: AppTest, column: str, card: hit_board.Card, answers: bool) -> None:
    """What `on_judge` does, before the run that it causes."""
    test.session_state["_search_judged"] = (column, card.id, answers)
    test.run()
    assert not test.exception


def click(test: AppTest, label: str) -> None:
    next(b for b in test.button if b.label == label).click().run()
    assert not test.exception


def test_yes_opens_the_sentences_of_the_hit_and_marks_what_is_taken(
    wb: Workbench, parts: Parts
) -> None:
    test = search(parts)
    assert parts.board["on_judge"] is answering.judge
    before = parts.board["grab"]
    judged(test, "bm25", parts.card("refunds.md"), True)
    assert wb.questions() == []  # nothing is kept before something is said
    (one,) = parts.choice
    assert one.text[slice(*one.sentences[one.first])] == SENTENCE
    assert parts.given["choosing"] == one.id

    parts.press = lambda: parts.given["on_answer"](one.id, one.first, one.last + 1, 0)
    test.run()
    test.run()
    (question,) = wb.questions()
    assert (question.text, question.origin) == ("money back", "search")
    (label,) = question.needs[0].labels
    assert label.place.quote == f"{SENTENCE} The driver signs the slip."
    assert label.origin.startswith("list bm25")
    assert parts.choice == []
    assert parts.board["grab"] != before  # the lists have the keyboard again
    assert [parts.card("refunds.md", c.name).judged for c in parts.columns] == ["yes", "yes"]
    assert parts.card("boats.md").judged == ""


def test_no_is_kept_with_the_question(wb: Workbench, parts: Parts) -> None:
    test = search(parts)
    judged(test, "bm25", parts.card("boats.md"), False)
    (question,) = wb.questions()
    assert [p.source for p in question.rejected] == ["boats.md"]
    assert question.state == "unlabelled"
    assert parts.card("boats.md").judged == "no"


def test_a_choice_that_is_left_changes_nothing(wb: Workbench, parts: Parts) -> None:
    test = search(parts)
    judged(test, "bm25", parts.card("refunds.md"), True)
    parts.press = lambda: parts.given["on_leave"]()
    test.run()
    test.run()
    assert parts.choice == []
    assert wb.questions() == []


def test_a_failing_query_is_kept_with_one_click_and_its_expected_passage(
    wb: Workbench, parts: Parts
) -> None:
    (place,) = wb.find_quote(SENTENCE)
    link = f"{place.document}@{place.version[:8]}:{place.start}-{place.end}"
    test = search(parts, expect=link)
    click(test, "Keep as failing")
    (question,) = wb.questions()
    assert (question.text, question.tags) == ("money back", ("failing",))
    assert [x.place for x in question.needs[0].labels] == [place]
    labels = [b.label for b in test.button]
    assert "Keep as failing" not in labels
    assert "Expect its label" not in labels  # it is expected already


def test_a_failing_query_without_an_expected_passage_waits_for_its_label(
    wb: Workbench, parts: Parts
) -> None:
    test = search(parts)
    click(test, "Keep as failing")
    (question,) = wb.questions()
    assert (question.state, question.tags) == ("unlabelled", ("failing",))


def test_the_label_of_a_known_question_is_expected_with_one_click(
    wb: Workbench, parts: Parts
) -> None:
    made = wb.add_question("Money  BACK")  # the same but for blanks and case
    wb.label(made.id, wb.find_quote("The driver signs the slip."))
    test = search(parts)
    click(test, "Expect its label")
    found = parts.card("refunds.md")
    assert found.held == 1
    click(test, "Tag as failing")
    assert wb.question(made.id).tags == ("failing",)


def test_two_needs_have_a_button_each(wb: Workbench, parts: Parts) -> None:
    made = wb.add_question("money back")
    wb.label(made.id, wb.find_quote("The driver signs the slip."))
    wb.label(made.id, wb.find_quote("A green boat costs money"))
    test = search(parts)
    click(test, "Expect need 2")
    assert parts.card("boats.md").held == 1
    assert parts.card("refunds.md").held == 0
    assert [b.label for b in test.button if b.label.startswith("Expect need")] == ["Expect need 1"]


def test_a_hit_that_holds_too_little_of_an_answer_is_not_said_to_answer(wb: Workbench) -> None:
    (whole,) = wb.find_quote(f"{SENTENCE} The driver signs the slip.")
    wb.label(wb.add_question("money back?").id, [whole])
    (question,) = wb.questions()

    def standing(share: float) -> str:
        end = whole.start + round(share * (whole.end - whole.start))
        return candidates.judged(question, replace(whole, end=end))

    assert [standing(x) for x in (1, 0.95, 0.73)] == ["yes", "yes", "part"]
    elsewhere = replace(whole, start=whole.end, end=whole.end + 10)
    assert candidates.judged(question, elsewhere) == ""
