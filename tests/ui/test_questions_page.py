"""The Questions page without a browser: ways in, list, labels, queues."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.questions import PLACED, STALE, SUGGESTED, UNPLACED, Label, Need, Question
from ragdebug.records import Place
from ragdebug.settings import fingerprint
from ragdebug.ui import indexing, workspaces
from ragdebug.ui.components.judge import Candidate
from ragdebug.ui.questions import narrowing, pool, queue, report, words
from ragdebug.ui.questions.listing import PAGE, frame

ROOT = Path(__file__).resolve().parents[2]
APP, PAGE_FILE = ROOT / "app.py", "pages/4_Questions.py"
TEXTS = {
    "refunds.md": "# Refunds\n\nMoney is paid back within thirty days of a cancelled order. "
    "The driver signs the slip. Ask the office for a copy.",
    "boats.md": "# Boats\n\nA green boat lies at the pier and waits for the tide.",
    "copy.md": "# Copy of the terms\n\nMoney is paid back within thirty days of a cancelled order.",
}
SENTENCE = "Money is paid back within thirty days of a cancelled order."
HOSTILE = "is it **bold** <b>or</b> :red[red] $x^2$ [a](http://b.invalid)?"


@pytest.fixture
def wb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """The workbench that the page opens, with three documents."""
    (tmp_path / "docs").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "docs" / name).write_text(text, "utf-8")
    monkeypatch.setattr(indexing, "offer", lambda *_: False)  # no job starts by itself
    monkeypatch.setenv("RAGDEBUG_WORKSPACE", str(tmp_path / "workspace"))
    monkeypatch.chdir(ROOT)
    opened = workspaces._open(str((tmp_path / "workspace").resolve()))
    opened.ingest([tmp_path / "docs"])
    yield opened
    workspaces._open.clear()


def page(**url: str) -> AppTest:
    test = AppTest.from_file(str(APP), default_timeout=120).switch_page(PAGE_FILE)
    for key, value in url.items():
        test.query_params[key] = value
    test.run()
    assert not test.exception
    return test


def button(test: AppTest, label: str) -> Any:
    return next(b for b in test.button if b.label.startswith(label))


def click(test: AppTest, label: str) -> AppTest:
    button(test, label).click().run()
    assert not test.exception
    return test


def said(test: AppTest) -> str:
    parts = [*test.markdown, *test.caption, *test.text, *test.subheader, *test.error, *test.warning]
    return "\n".join(str(p.value) for p in parts)


def place_of(wb: Workbench, source: str, quote: str) -> Place:
    return wb.find_quote(quote, source)[0]


# Ways in ------------------------------------------------------------------------------------------


def test_an_empty_page_leads_to_the_ways_in_and_takes_pasted_lines(wb: Workbench) -> None:
    test = page()
    assert "answered wrongly" in said(test)
    test.text_area(key="questions_lines").set_value("when is money paid?\n\nwho signs?\nwho signs?")
    click(test, "Add these lines")
    assert [q.text for q in wb.questions()] == ["when is money paid?", "who signs?"]
    assert "**2 questions** · 0 labelled · 2 not labelled" in said(test)
    assert list(test.dataframe[0].value["question"]) == ["when is money paid?", "who signs?"]


def test_an_import_says_what_stands_where_and_what_stands_nowhere(
    wb: Workbench, tmp_path: Path
) -> None:
    rows = [
        {"question": "when?", "source": "refunds.md", "quote": SENTENCE},
        {"question": "who?", "source": "refunds.md", "quote": "the  driver SIGNS the slip."},
        {"question": "colour?", "source": "boats.md", "quote": "A greem boat lays at the pier and"},
        {"question": "price?", "source": "boats.md", "quote": "nothing of the kind 4711 anywhere"},
    ]
    file = tmp_path / "set.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    test = page()
    test.text_input(key="_questions_path").set_value(str(file))
    click(test, "Import")
    text = said(test)
    assert "set\\.jsonl** · 4 questions added" in text
    assert ":green[1 placed exactly]" in text
    assert ":green[1 placed] with white space" in text
    assert ":orange[1 suggested]" in text
    assert ":red[1 not placed]" in text
    listed = test.dataframe[0].value
    assert list(listed["question"]) == ["colour?", "price?"]
    assert listed["in"][0] == "boats.md"
    click(test, "Look at 2 passages one by one")
    assert test.query_params["queue"] == "confirm"
    assert test.subheader[0].value == "colour\\?"


def test_a_file_that_is_not_there_is_named(wb: Workbench) -> None:
    test = page()
    test.text_input(key="_questions_path").set_value("/nowhere/questions.csv")
    click(test, "Import")
    assert "There is no file" in said(test)
    assert wb.questions() == []


def test_files_of_a_folder_that_were_uploaded_one_by_one_are_joined() -> None:
    files = [
        report.Joined("queries.jsonl", b'{"_id": "1", "text": "a?"}'),
        report.Joined("test.tsv", b"query-id\tcorpus-id\tscore\n1\td\t1\n"),
        report.Joined("other.csv", b"question\nb?\n"),
    ]
    other, joined = report.together(files)
    assert other.name == "other.csv"
    assert joined.name.endswith(".zip")
    assert report.together(files[:1]) == files[:1]


# The list -----------------------------------------------------------------------------------------


def labelled(number: int, *status: str, **fields: Any) -> Question:
    labels = tuple(Label(Place("d", "v", "a.md", 0, 4, "text"), s) for s in status)
    needs = (Need(labels),) if labels else ()
    return Question(f"q{number}", f"Question number {number}?", needs=needs, **fields)


QUESTIONS = [
    labelled(1, PLACED, tags=("x", "y"), created_at="2026-01-01"),
    labelled(2, tags=("x",), notes="Asked by the Office", created_at="2026-01-03"),
    labelled(3, STALE, UNPLACED, created_at="2026-01-02"),
    labelled(4, not_answerable=True, created_at="2026-01-04"),
    labelled(5, PLACED, SUGGESTED, created_at="2026-01-05"),
]


@pytest.mark.parametrize(
    ("text", "state", "tags", "order", "left"),
    [
        ("", "all", (), "as they came", "12345"),
        ("office asked", "all", (), "as they came", "2"),
        ("a.md number", "all", (), "as they came", "135"),
        ("", "labelled", (), "as they came", "15"),
        ("", "not labelled", (), "as they came", "2"),
        ("", "not answerable here", (), "as they came", "4"),
        ("", "unusable", (), "as they came", "3"),
        ("", "to confirm", (), "as they came", "35"),
        ("", "all", ("x",), "newest first", "21"),
        ("", "all", ("x", "y"), "as they came", "1"),
        ("", "all", (), "newest first", "54231"),
        ("", "all", (), "by state", "15243"),
    ],
)
def test_the_list_is_narrowed_by_words_state_and_tags(
    text: str, state: str, tags: tuple[str, ...], order: str, left: str
) -> None:
    found = narrowing.apply(QUESTIONS, text, state, tags, order)
    assert "".join(q.id[1:] for q in found) == left


def test_the_summary_counts_states_and_says_why_labels_cannot_be_used() -> None:
    text = words.summary(QUESTIONS)
    assert text.startswith("**5 questions** · 2 labelled · 1 not labelled · 1 not answerable here")
    assert ":red[**1 unusable**] :gray[(stale 1, not placed 1)]" in text


def test_a_table_leaves_out_columns_of_blanks_and_keeps_text_as_it_is() -> None:
    plain = frame([Question("a", HOSTILE)])
    assert list(plain) == ["question", "state"]
    assert plain["question"][0] == HOSTILE
    full = frame(QUESTIONS)
    assert full["answered by"][2].startswith("(stale) a.md +1 “text”")
    assert list(full["needs"].fillna(0)) == [1, 0, 1, 0, 1]


def test_a_long_list_comes_in_pages(wb: Workbench) -> None:
    wb.add_lines("\n".join(f"question {i}" for i in range(2 * PAGE + 7)))
    test = page()
    assert len(test.dataframe[0].value) == PAGE
    assert f"1–{PAGE} of {2 * PAGE + 7}" in said(test)
    ids = [q.id for q in wb.questions()]
    test.session_state[f"_questions_page_{fingerprint(ids)[:10]}"] = 3
    test.run()
    assert list(test.dataframe[0].value["question"])[-1] == f"question {2 * PAGE + 6}"
    assert len(test.dataframe[0].value) == 7


def test_what_is_typed_into_the_table_is_saved_on_purpose(wb: Workbench) -> None:
    one, two = wb.add_lines("first\nsecond")
    test = page()
    test.toggle(key="_questions_edit").set_value(True).run()
    rows = [[q.id, q.text, q.tags, q.notes] for q in (one, two)]
    key = f"_questions_editor_{fingerprint(rows)[:12]}"
    typed = {1: {"question": "the second", "tags": ["new", "b"], "notes": HOSTILE}}
    test.session_state[key] = {"edited_rows": typed, "added_rows": [], "deleted_rows": []}
    test.run()
    assert wb.question(two.id).text == "second"
    click(test, "Save 1 question")
    saved = wb.question(two.id)
    assert (saved.text, saved.tags, saved.notes) == ("the second", ("b", "new"), HOSTILE)
    assert wb.question(one.id) == one


def test_removed_questions_can_be_brought_back(wb: Workbench) -> None:
    (one,) = wb.add_lines("only one")
    test = page(question=one.id)
    click(test, "Take out")
    assert wb.questions() == []
    assert any(e.label == "Taken out · 1" for e in test.expander)
    click(test, "Undo")
    assert [q.id for q in wb.questions()] == [one.id]


def test_near_duplicates_are_pointed_out(wb: Workbench) -> None:
    wb.add_lines("how do I get a refund?\nHow do I get a refund ?!\nwhere is the boat?")
    test = page()
    assert any("Nearly the same · 1 group" in e.label for e in test.expander)


# One question -------------------------------------------------------------------------------------


def test_a_link_opens_a_question_with_its_labels_shown_literally(wb: Workbench) -> None:
    made = wb.add_question(HOSTILE, tags=["**t**"], notes="<i>note</i>")
    wb.label(made.id, [place_of(wb, "refunds.md", SENTENCE)])
    test = page(question=made.id)
    assert test.subheader[0].value.startswith("is it \\*\\*bold\\*\\* \\<b\\>or")
    assert ":gray-badge[\\*\\*t\\*\\*]" in said(test)
    assert f"“{SENTENCE}”" in said(test)
    assert any(b.label.startswith("refunds") for b in test.button)


def test_a_link_to_no_question_says_so_and_leads_back(wb: Workbench) -> None:
    test = page(question="gone")
    assert "There is no question gone" in test.error[0].value
    click(test, "All questions")
    assert "question" not in test.query_params


def test_not_answerable_and_undo_have_their_buttons(wb: Workbench) -> None:
    (one,) = wb.add_lines("what is the price of gold?")
    test = page(question=one.id)
    click(test, "Not answerable here")
    assert wb.question(one.id).not_answerable
    assert "not answerable here" in said(test)
    click(test, "Undo")
    assert not wb.question(one.id).not_answerable
    click(test, "Redo")
    assert wb.question(one.id).not_answerable
    click(test, "It is answerable")
    assert wb.question(one.id).state == "unlabelled"


def test_undo_says_what_it_takes_back_and_leaves_what_others_did(wb: Workbench) -> None:
    (one,) = wb.add_lines("what is the price of gold?")
    test = page(question=one.id)

    def told() -> str:
        return next(b.help for b in test.button if b.label == "Undo")

    assert "no change of yours" in told()
    click(test, "Undo")
    assert wb.questions() == [wb.question(one.id)]
    click(test, "Not answerable here")
    assert "Takes back your last change: change of" in told()
    click(test, "Undo")
    assert not wb.question(one.id).not_answerable


def test_the_same_text_elsewhere_is_offered_and_added_only_by_hand(wb: Workbench) -> None:
    made = wb.add_question("when is money paid back?")
    wb.label(made.id, [place_of(wb, "refunds.md", SENTENCE)])
    test = page(question=made.id)
    assert "The same text stands in 1 other place" in said(test)
    assert len(wb.question(made.id).needs[0].labels) == 1
    click(test, "It counts too")
    (need,) = wb.question(made.id).needs
    assert [x.place.source for x in need.labels] == ["refunds.md", "copy.md"]
    assert need.labels[1].origin == "same text"
    assert "The same text stands" not in said(test)


def test_a_rejected_copy_is_not_offered_again(wb: Workbench) -> None:
    made = wb.add_question("when is money paid back?")
    wb.label(made.id, [place_of(wb, "refunds.md", SENTENCE)])
    test = page(question=made.id)
    click(test, "Not this one")
    assert "The same text stands" not in said(test)
    assert [p.source for p in wb.question(made.id).rejected] == ["copy.md"]


def test_a_label_whose_text_has_changed_is_stale_until_someone_says_yes(
    wb: Workbench, tmp_path: Path
) -> None:
    made = wb.add_question("where is the boat?")
    wb.label(made.id, [place_of(wb, "boats.md", "A green boat lies at the pier")])
    file = tmp_path / "docs" / "boats.md"
    file.write_text(TEXTS["boats.md"].replace("green boat lies", "green boat lay"), "utf-8")
    wb.ingest([tmp_path / "docs"])
    test = page()
    assert "1 unusable" in said(test)
    click(test, "Confirm · 1")
    assert "Stale: the document has changed" in said(test)
    click(test, "That is it")
    (label,) = wb.question(made.id).needs[0].labels
    assert label.status == PLACED
    assert "green boat lay at the pier" in label.place.quote
    assert "queue" not in test.query_params  # nothing else waits


def test_a_label_that_waits_can_be_dropped_and_the_next_question_comes(wb: Workbench) -> None:
    rows = [
        {"question": f"q{i}?", "source": "boats.md", "quote": f"no such words {i} at all, never"}
        for i in (1, 2)
    ]
    wb.import_questions("\n".join(map(json.dumps, rows)).encode(), name="a.jsonl")
    first, second = wb.questions()
    test = page(question=first.id, queue="confirm")
    click(test, "Drop the label")
    assert wb.question(first.id).needs == ()
    assert test.query_params["question"] == second.id


# Queues -------------------------------------------------------------------------------------------


class Judge:
    """Stands in for the component: keeps what it was given, and presses one key when asked."""

    def __init__(self) -> None:
        self.candidates: list[Candidate] = []
        self.given: dict[str, Any] = {}
        self.press: Callable[[dict[str, Any], list[Candidate]], None] | None = None

    def __call__(self, candidates: list[Candidate], **given: Any) -> None:
        self.candidates, self.given = candidates, given
        if self.press is not None:
            press, self.press = self.press, None
            press(given, candidates)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    drawn = Judge()
    monkeypatch.setattr(queue, "judge", drawn)
    monkeypatch.setattr(pool, "judge", drawn)
    monkeypatch.setattr(queue, "LISTS", (queue.LISTS[0],))  # BM25 needs no model
    return drawn


def act(test: AppTest, judge: Judge, press: Callable[..., None]) -> None:
    """One key: in a browser it is handled before the run that draws what came of it."""
    judge.press = press
    test.run()
    test.run()
    assert not test.exception


@pytest.mark.usefixtures("judge")
def test_likely_passages_of_a_labelled_question_count_none_that_wait(wb: Workbench) -> None:
    needs = [Need((Label(wb.find_quote(SENTENCE)[0]),))]
    labelled = wb.add_question("when is money paid back?", needs)
    assert "No question waits for a label" in said(page(question=labelled.id, queue="next"))
    wb.add_question("where does the boat lie?")
    assert "1 question not labelled" in said(page(question=labelled.id, queue="next"))


def test_the_queue_marks_sentences_of_a_hit_and_never_all_of_it(
    wb: Workbench, judge: Judge
) -> None:
    one, two = wb.add_lines("when is money paid back?\nwhere does the boat lie?")
    test = page()
    click(test, "Label the next one · 2 left")
    assert test.query_params["queue"] == "next"
    hit = next(c for c in judge.candidates if c.source == "refunds.md")
    assert hit.text[slice(*hit.sentences[hit.first])] == SENTENCE
    assert hit.first == hit.last
    assert len(hit.sentences) > 2

    act(test, judge, lambda g, cs: g["on_answer"](hit.id, hit.first, hit.last, 0))
    (need,) = wb.question(one.id).needs
    assert need.labels[0].place.quote == SENTENCE
    assert need.labels[0].origin.startswith("list bm25")
    assert next(c for c in judge.candidates if c.id == hit.id).judged == "yes"
    # The copy of the sentence is offered beside it.
    assert [c.source for c in judge.candidates if c.note] == ["copy.md"]
    assert judge.given["targets"] == ["a further place of the same answer", "a need of its own"]

    act(test, judge, lambda g, cs: g["on_skip"]())
    assert test.query_params["question"] == two.id
    act(test, judge, lambda g, cs: g["on_reject"](cs[0].id))
    assert len(wb.question(two.id).rejected) == 1
    assert judge.candidates[0].judged == "no"
    act(test, judge, lambda g, cs: g["on_undo"](False))
    assert wb.question(two.id).rejected == ()
    act(test, judge, lambda g, cs: g["on_nothing"]())
    assert wb.question(two.id).not_answerable
    assert "queue" not in test.query_params  # that was the last one


def test_a_second_answer_is_a_further_place_or_a_need_of_its_own(
    wb: Workbench, judge: Judge
) -> None:
    (one,) = wb.add_lines("who signs the slip and asks the office?")
    test = page(question=one.id, queue="next")
    name = next(c.id for c in judge.candidates if c.source == "refunds.md")
    for sentence, target in ((2, 0), (3, 0), (1, 1)):
        act(
            test,
            judge,
            lambda g, cs, s=sentence, t=target: g["on_answer"](name, s, s, t),
        )
    assert [[x.place.quote for x in need.labels] for need in wb.question(one.id).needs] == [
        ["The driver signs the slip.", "Ask the office for a copy."],
        [SENTENCE],
    ]


def test_hits_of_runs_are_judged_without_the_name_of_their_list(
    wb: Workbench, judge: Judge
) -> None:
    made = wb.add_question("money paid back")
    wb.label(made.id, [place_of(wb, "refunds.md", SENTENCE)])
    wb.evaluate(["bm25", "bm25+k1=2"])
    test = page()
    click(test, "Judge hits of runs")
    assert [c.source for c in judge.candidates] == ["copy.md"]  # the other is labelled already
    assert "bm25" not in (said(test) + repr(judge.candidates)).lower()
    act(test, judge, lambda g, cs: g["on_answer"](cs[0].id, 1, 1, 0))
    (need,) = wb.question(made.id).needs
    assert [x.origin for x in need.labels] == ["marked", "judged"]
    act(test, judge, lambda g, cs: g["on_skip"]())
    assert "judged or skipped" in said(test)


def test_columns_of_other_names_are_told_apart_by_hand(wb: Workbench, tmp_path: Path) -> None:
    table = f"Frage;Datei;Stelle\nwann?;refunds.md;{SENTENCE}\n"
    (tmp_path / "fragen.csv").write_text(table, "utf-8")
    test = page()
    test.text_input(key="_questions_path").set_value(str(tmp_path / "fragen.csv"))
    click(test, "Import")
    assert "Frage" in said(test) and "Stelle" in said(test)  # what the file has
    columns = "question=Frage, source=Datei, quote=Stelle"
    test.text_input(key="_questions_path_columns").set_value(columns)
    click(test, "Import")
    assert [(q.text, q.state) for q in wb.questions()] == [("wann?", "labelled")]


def test_an_uploaded_table_of_other_names_asks_which_column_is_the_question(
    wb: Workbench,
) -> None:
    assert wb.unknown_columns(b"Frage;Datei\nwann?;a.md\n", "f.csv") == ("Frage", "Datei")
    assert wb.unknown_columns(b"question;Datei\nwann?;a.md\n", "f.csv") == ()
    assert wb.unknown_columns(b"query\nwann?\n", "f.csv") == ()
    assert wb.unknown_columns(b"Frage\nwann?\n", "f.txt") == ()
    assert wb.unknown_columns(b"\0\xff", "f.csv") == ()


def test_columns_chosen_for_an_upload_are_those_of_the_import(wb: Workbench) -> None:
    test = page()
    table = f"Frage;Datei;Stelle\nwann?;refunds.md;{SENTENCE}\n".encode()
    test.file_uploader[0].upload("fragen.csv", table, "text/csv").run()
    test.selectbox(key="_questions_column_source").select("Datei")
    test.selectbox(key="_questions_column_quote").select("Stelle").run()
    click(test, "Import 1 file")
    assert [(q.text, q.state) for q in wb.questions()] == [("wann?", "labelled")]


def test_saving_the_form_leaves_what_somebody_else_changed_meanwhile(wb: Workbench) -> None:
    question = wb.add_question("when?", tags=["a"])
    test = page(question=question.id)
    next(x for x in test.text_area if x.label == "Notes").set_value("mine")
    with Workbench(wb.path) as other:
        other.change_question(question.id, text="when exactly?")
    click(test, "Save")
    saved = wb.question(question.id)
    assert (saved.text, saved.tags, saved.notes) == ("when exactly?", ("a",), "mine")
