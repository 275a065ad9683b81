"""Importing twice changes nothing, a better file changes only what it says, people's work stays."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import RagDebugError
from ragdebug.questions import PLACED, SUGGESTED
from ragdebug.workbench.questions import ImportReport

from .conftest import BRIDGE

TOLL = "The toll is four coins."
OPENS = "The bridge opens at six."
ROWS = (
    "id,question,source,quote,need,tags\n"
    f'q1,"When, and for how much?",bridge.txt,{OPENS},when,"time, two needs"\n'
    f"q1,,bridge.txt,{TOLL},price,\n"
    "q1,,refunds,The fee is due.,price,\n"
    "q2,Who waits?,bridge.txt,Boats must wait by the pier.,,time\n"
    "q3,What of snow?,,,,\n"
)


def take(wb: Workbench, text: str, name: str = "rows.csv") -> ImportReport:
    return wb.import_questions(text.encode(), name=name)


def test_rows_become_needs_with_places(wb: Workbench) -> None:
    report = take(wb, ROWS)
    assert (report.added, report.placed, report.suggested) == (3, 3, 1)
    one, two, three = wb.questions()
    assert (one.text, one.tags) == ("When, and for how much?", ("time", "two needs"))
    assert [[x.place.quote for x in n.labels] for n in one.needs] == [
        [OPENS],
        [TOLL, "The fee is due."],
    ]
    assert (two.state, three.state) == ("unusable", "unlabelled")
    assert one.origin == one.needs[0].labels[0].origin == "import rows.csv"


def test_a_second_import_changes_nothing(wb: Workbench) -> None:
    take(wb, ROWS)
    before = wb.questions()
    report = take(wb, ROWS)
    assert (report.added, report.changed, report.unchanged) == (0, 0, 3)
    assert wb.questions() == before


def test_without_need_each_row_is_its_own_and_the_text_joins_rows(wb: Workbench) -> None:
    take(wb, f"question,source,quote\nSame?,bridge,{OPENS}\nsame? ,bridge,{TOLL}\n")
    (question,) = wb.questions()
    assert [len(n.labels) for n in question.needs] == [1, 1]


def test_what_a_person_has_done_since_stays(wb: Workbench) -> None:
    take(wb, ROWS)
    wait = BRIDGE.index("In winter")
    wb.accept("q2", 0, 0, wb.place(wb.resolve("bridge.txt").id, wait, wait + 9))
    wb.label("q3", [wb.find_quote("In winter")[0]])
    wb.change_question("q1", tags=["mine"], notes="looked at")
    before = wb.questions()
    report = take(wb, ROWS)
    after = wb.questions()
    assert after[1:] == before[1:]
    assert report.changed == 1  # the file's own tags come back beside the person's
    assert after[0].tags == ("mine", "time", "two needs")
    assert after[0].notes == "looked at"
    assert take(wb, ROWS).changed == 0


def test_an_accepted_suggestion_is_not_suggested_again(wb: Workbench) -> None:
    take(wb, ROWS)
    wb.accept("q2", 0, 0)
    assert take(wb, ROWS).changed == 0
    assert wb.question("q2").needs[0].labels[0].status == PLACED


def test_a_corrected_quote_takes_the_place_of_the_one_that_waited(wb: Workbench) -> None:
    take(wb, ROWS)
    assert take(wb, ROWS.replace("by the pier", "by the buoy")).changed == 1
    (need,) = wb.question("q2").needs
    assert [(x.status, x.place.quote) for x in need.labels] == [
        (PLACED, "Boats must wait by the buoy.")
    ]


def test_quotes_find_their_places_once_the_document_is_here(wb: Workbench, folder: Path) -> None:
    rows = "question,source,quote\nq,ferry,The ferry is blue.\nr,ferry,\n"
    assert len(take(wb, rows).unplaced) == 2
    (folder / "ferry.txt").write_text("The ferry is blue.", "utf-8")
    wb.ingest([folder])
    report = take(wb, rows)
    assert (report.changed, report.placed, report.unplaced) == (2, 2, ())
    assert [len(q.needs) for q in wb.questions()] == [1, 1]
    assert {q.state for q in wb.questions()} == {"labelled"}
    assert take(wb, rows).changed == 0


def test_ids_that_count_from_one_twice_are_two_questions(wb: Workbench) -> None:
    first = '{"id": 1, "question": "When does it open?"}\n'
    other = '{"id": 1, "question": "Why are refunds slow?"}\n'
    take(wb, first, "a.jsonl")
    report = take(wb, other, "b.jsonl")
    assert report.added == 1
    assert "already" in report.problems[0][1]
    assert len(wb.questions()) == 2
    assert take(wb, other, "b.jsonl").unchanged == 1
    # A question that is only worded otherwise is the same one.
    changed = take(wb, first.replace("it open?", "it open up?"), "a2.jsonl")
    assert (changed.added, changed.changed) == (0, 1)


def test_a_bad_row_does_not_stop_the_others(wb: Workbench) -> None:
    rows = (
        f'{{"question": "a", "source": "bridge", "quote": "{TOLL}"}}\n'
        "not json\n[1]\n"
        '{"question": "b", "start": "many"}\n'
        '{"question": "c", "grade": -1}\n'
        '{"question": "d", "docs": ["bridge", null]}\n'
        '{"quote": "x"}\n'
    )
    report = take(wb, rows, "rows.jsonl")
    assert [q.text for q in wb.questions()] == ["a"]
    assert [line for line, _ in report.problems] == [2, 3, 4, 5, 6, 7]


def test_a_table_without_questions_is_refused_and_its_columns_named(wb: Workbench) -> None:
    with pytest.raises(RagDebugError, match="Frage, Stelle"):
        take(wb, f"Frage;Stelle\nWann?;{OPENS}\n")
    report = wb.import_questions(
        f"Frage;Stelle\nWann?;{OPENS}\n".encode(),
        name="x.csv",
        columns={"question": "Frage", "quote": "Stelle"},
    )
    assert report.placed == 1


def test_a_spreadsheets_file_is_read(wb: Workbench) -> None:
    data = f"question;quote\r\nWie teuer \u00fcber Nacht?;{TOLL}\r\n".encode("utf-8-sig")
    wb.import_questions(data, name="x.csv")
    assert wb.questions()[0].text == "Wie teuer \u00fcber Nacht?"


def test_spans_name_a_file_by_its_stem(wb: Workbench) -> None:
    at = BRIDGE.index(TOLL)
    row = {"id": "q000", "doc": "bridge", "question": "How much?",
           "spans": [[at, at + len(TOLL), TOLL], [0, 10, "The bridge"]]}  # fmt: skip
    report = take(wb, json.dumps(row) + "\n", "spans.jsonl")
    assert report.placed == 2
    (question,) = wb.questions()
    assert [(p.start, p.quote) for n in question.needs for p in n.places] == [
        (at, TOLL),
        (0, "The bridge"),
    ]


def beir(folder: Path) -> Path:
    (folder / "qrels").mkdir(parents=True)
    (folder / "queries.jsonl").write_text(
        '{"_id": "1", "text": "When?"}\n{"_id": "2", "text": "Who?"}\n', "utf-8"
    )
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t1\n1\tc\t0\n2\tmissing\t1\n9\ta\t1\n", "utf-8"
    )
    return folder


def test_a_beir_folder_gives_judged_documents(wb: Workbench, tmp_path: Path) -> None:
    records = "".join(f'{{"_id": "{i}", "text": "text of {i}"}}\n' for i in "abc")
    wb.ingest_files([("corpus.jsonl", records.encode())])
    report = wb.import_questions(beir(tmp_path / "set"))
    assert (report.added, report.placed) == (2, 2)
    assert [u.source for u in report.unplaced] == ["missing"]
    assert [text for _, text in report.problems] == [
        "1 judgments are of questions that are not listed."
    ]
    one, two = wb.questions()
    assert [(n.grade, n.labels[0].place.source) for n in one.needs] == [
        (2, "corpus.jsonl#a"),
        (1, "corpus.jsonl#b"),
    ]
    assert (one.level, [p.source for p in one.rejected]) == ("document", ["corpus.jsonl#c"])
    assert two.state == "unusable"
    assert wb.import_questions(tmp_path / "set").unchanged == 2


def test_a_zip_of_a_folder_is_the_folder(wb: Workbench, tmp_path: Path) -> None:
    root = beir(tmp_path / "set")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path in sorted(root.rglob("*.*")):
            archive.write(path, f"set/{path.relative_to(root)}")
        archive.writestr("set/corpus.jsonl", "{}")
    assert wb.import_questions(data.getvalue(), name="set.zip").added == 2


def test_judgments_add_documents_to_questions_without_passages_only(wb: Workbench) -> None:
    take(wb, f'{{"id": "7", "question": "a", "quote": "{TOLL}"}}\n{{"id": "8", "question": "b"}}\n',
         "q.jsonl")  # fmt: skip
    report = take(wb, "7 0 refunds 1\n8 0 bridge 2\n", "set.qrels")
    assert (report.changed, report.unchanged) == (1, 1)
    assert "left out" in report.problems[0][1]
    assert [(q.level, len(q.needs)) for q in wb.questions()] == [("passage", 1), ("document", 1)]


def test_topics_are_read_in_both_forms(wb: Workbench) -> None:
    old = "<top>\n<num> Number: 301\n<title> Boats &amp; buoys\n<desc> Description:\nx\n</top>\n"
    new = '<topics><topic number="2"><query>When?</query></topic></topics>'
    take(wb, old, "topics.txt")
    take(wb, new, "topics.xml")
    assert [(q.id, q.text) for q in wb.questions()] == [("301", "Boats & buoys"), ("2", "When?")]


def test_topics_that_end_in_a_number_are_no_judgments(wb: Workbench, tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text(
        "q1\thow do I reset model 5\nq2\twhat changed in version 14\n", "utf-8"
    )
    (tmp_path / "qrels.txt").write_text("q1 0 refunds 1\n", "utf-8")
    assert wb.import_questions(tmp_path, "trec").added == 2
    assert [(q.text, len(q.needs)) for q in wb.questions()] == [
        ("how do I reset model 5", 1),
        ("what changed in version 14", 0),
    ]


def test_lines_of_a_log(wb: Workbench) -> None:
    report = take(wb, "when does it open\n\n  When does it  open\nhow much\n", "log.txt")
    assert [q.text for q in wb.questions()] == ["when does it open", "how much"]
    assert report.added == 2


def test_a_dry_run_says_the_same_and_saves_nothing(wb: Workbench) -> None:
    said = wb.import_questions(ROWS.encode(), name="rows.csv", dry_run=True)
    assert wb.questions() == []
    assert said == take(wb, ROWS)


def test_an_import_is_one_step_back(wb: Workbench) -> None:
    take(wb, ROWS)
    assert wb.undo() == "import of rows.csv"
    assert wb.questions() == []
    assert len(wb.questions(removed=True)) == 3
    wb.redo()
    assert len(wb.questions()) == 3


def test_a_removed_question_comes_back_with_its_file(wb: Workbench) -> None:
    take(wb, ROWS)
    wb.remove_questions(["q1"])
    assert take(wb, ROWS).changed == 1
    assert wb.question("q1").removed is False


def test_a_suggestion_of_an_exported_file_is_still_one(wb: Workbench) -> None:
    take(wb, f'{{"question": "q", "source": "bridge", "quote": "{TOLL}", "status": "suggested"}}',
         "x.jsonl")  # fmt: skip
    assert wb.questions()[0].needs[0].labels[0].status == SUGGESTED


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01" * 20, b""])
def test_what_is_no_file_of_questions_is_refused_or_empty(wb: Workbench, data: bytes) -> None:
    try:
        report = wb.import_questions(data, name="x.csv")
    except RagDebugError as e:
        assert e.message
    else:
        assert report.ids == ()
    assert wb.questions() == []


def test_half_characters_and_nul_come_in_replaced_and_only_once(wb: Workbench) -> None:
    row = (
        b'{"question": "a\\ud800b\\u0000c?", "tags": ["x\\ud800"], "notes": "\\udfff",'
        b' "source": "bridge.txt\\ud800", "quote": "The toll\\ud800 is four coins."}'
    )
    assert wb.import_questions(row, name="odd.jsonl").added == 1
    assert wb.import_questions(b"[" + row + b"]", name="odd.jsonl").unchanged == 1
    (made,) = wb.questions()
    assert (made.text, made.tags, made.notes) == ("a\ufffdb\ufffdc?", ("x\ufffd",), "\ufffd")
    assert wb.add_question("a\ud800b\0c?").id == made.id
    assert wb.add_lines("a\ud800b\0c?\nd\udfffe?")[0].text == "d\ufffde?"


def test_another_text_under_the_same_id_is_told(wb: Workbench) -> None:
    rows = b"id,question\nx,How much?\nx,HOW  much?\nx,At what time?\nx,\n"
    report = wb.import_questions(rows, name="rows.csv")
    assert report.added == 1
    assert [line for line, _ in report.problems] == [4]
    assert "another text" in report.problems[0][1]


def test_two_ids_of_one_text_are_one_question_and_counted_as_one(wb: Workbench) -> None:
    rows = (
        f"id,question,source,quote\na,What of the bridge?,bridge.txt,{OPENS}\n"
        f"b,what of the bridge?,bridge.txt,{TOLL}\n"
    )
    report = take(wb, rows)
    assert (report.added, report.joined, report.placed, report.ids) == (1, 1, 2, ("a",))
    (question,) = wb.questions()
    assert [[x.place.quote for x in n.labels] for n in question.needs] == [[OPENS], [TOLL]]
    assert report.problems == (
        (3, "b asks the same as a, so that what answers it was added to a."),
    )
    again = take(wb, rows)
    assert (again.added, again.changed, again.unchanged, again.joined) == (0, 0, 1, 1)
