"""What goes out comes in again, equal, where the same documents are."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug import Workbench
from ragdebug.errors import RagDebugError
from ragdebug.questions import PLACED, SUGGESTED, UNPLACED, Label, Need, Question
from ragdebug.records import Place
from ragdebug.workbench.questions.formats import fields, registry
from ragdebug.workbench.questions.formats.fields import tags
from ragdebug.workbench.questions.records import Given

from .conftest import BRIDGE, REFUNDS

TOLL = "The toll is four coins."


@pytest.fixture
def copy(wb: Workbench, tmp_path: Path) -> Iterator[Workbench]:
    """A workspace of the same documents without questions."""
    wb.close()
    shutil.copytree(tmp_path / "workspace", tmp_path / "copy")
    with Workbench(tmp_path / "copy") as opened:
        yield opened


def plain(questions: list[Question]) -> list[Question]:
    """Without the moments at which they were saved."""
    return [replace(q, created_at="", updated_at="") for q in questions]


def fill(wb: Workbench) -> None:
    """A question of every kind."""
    bridge, refunds = wb.resolve("bridge.txt").id, wb.resolve("handbook/refunds.md").id
    wb.add_question("nobody knows", notes="=1+1", not_answerable=True, tags=["x", "+y z"])
    wb.add_question('not yet\u2028labelled, with "quotes"\nand lines')
    fees = [
        wb.place(refunds, s, s + 15) for s in (REFUNDS.index("The fee"), REFUNDS.rindex("The f"))
    ]
    wb.add_question(
        "@two needs",
        [
            Need(tuple(Label(p, origin="marked") for p in fees), grade=2.5),
            Need((Label(wb.place(bridge, 0, 10), origin="list hybrid@fixed:60/10"),)),
            Need((Label(wb.region(refunds, section="Fees"), origin="marked"),)),
            Need((Label(wb.region(bridge), origin="same text"),)),
        ],
    )
    q = wb.add_question("judged", origin="search")
    wb.reject(q.id, wb.place(bridge, 5, 20))
    rows = (
        f"question,source,quote,section\nplaced,bridge,{TOLL},\n"
        "alike,bridge,The tol is for coins.,\n"
        "lost,bridge,Zebras eat kelp at noon.,\nlost too,refunds,,Taxes\ngone,no such file,,\n"
    )
    wb.import_questions(rows.encode(), name="rows.csv")
    records = '{"id": "d", "question": "documents", "docs": ["bridge", "refunds"]}'
    wb.import_questions(records.encode(), name="docs.jsonl")


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_every_kind_of_question_comes_back_equal(
    wb: Workbench, copy: Workbench, tmp_path: Path, kind: str
) -> None:
    fill(wb)
    statuses = {x.status for q in wb.questions() for n in q.needs for x in n.labels}
    assert statuses == {PLACED, SUGGESTED, UNPLACED}
    path = wb.export_questions(kind, tmp_path / f"out.{kind}")
    copy.import_questions(path)
    assert plain(copy.questions()) == plain(wb.questions())
    report = wb.import_questions(path)
    assert (report.added, report.changed) == (0, 0)
    assert copy.question_file(kind) == wb.question_file(kind)


text = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=30)
number = st.none() | st.integers(0, 10**9)
given_rows = st.builds(
    Given,
    question=text.map(str.strip),
    id=st.text("abc-1", max_size=5),
    source=text.map(str.strip),
    quote=text,
    need=st.sampled_from(["", "1", "price"]),
    start=number,
    end=number,
    page=number,
    section=text.map(str.strip),
    tags=st.lists(text).map(tags),
    notes=text,
    not_answerable=st.sampled_from([None, True]),
    grade=st.floats(0.001, 1e6),
    rejected=st.booleans(),
    origin=text,
    given=text,
    asked=text,
)


@given(st.lists(given_rows, max_size=5))
@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_any_rows_come_back_equal(kind: str, rows: list[Given]) -> None:
    rows = [r for r in rows if any(fields.values(r).values())]
    written = registry.write(kind, [], rows, lambda place: place.source)[""]
    back = registry.read({f"x.{kind}": written}, kind, None)
    assert back.problems == ()
    assert [replace(r, line=0) for r in back.rows] == rows


def test_no_cell_of_a_table_is_a_formula(wb: Workbench) -> None:
    for asked in ("=HYPERLINK(1)", "+1", "-2", "@x", "'quoted", "'=x"):
        wb.add_question(asked, notes="\t=1", tags=["=t"])
    _, data = wb.question_file("csv")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))[1:]
    assert len(rows) == 6
    assert not [c for row in rows for c in row if c.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert wb.import_questions(data, name="q.csv").unchanged == 6


def passages(wb: Workbench) -> list[Question]:
    at = BRIDGE.index(TOLL)
    bridge, refunds = wb.resolve("bridge.txt").id, wb.resolve("handbook/refunds.md").id
    wb.add_question("a", [Need((Label(wb.place(bridge, at, at + 23)),)),
                          Need((Label(wb.place(refunds, 2, 9)),))])  # fmt: skip
    wb.add_question("b")
    return wb.questions()


def test_spans_keep_ids_texts_and_spans(wb: Workbench, copy: Workbench) -> None:
    given = passages(wb)
    _, data = wb.question_file("spans")
    assert b'"doc": "bridge"' in data
    copy.import_questions(data, name="spans.jsonl")
    assert [(q.id, q.text, [n.places for n in q.needs]) for q in copy.questions()] == [
        (q.id, q.text, [n.places for n in q.needs]) for q in given
    ]


@pytest.mark.parametrize("kind", ["beir", "trec"])
def test_judged_documents_come_back(
    wb: Workbench, copy: Workbench, tmp_path: Path, kind: str
) -> None:
    rows = (
        '{"id": "d", "question": "documents", "docs": ["bridge", "refunds"], "grade": 2}\n'
        '{"id": "e", "question": "none yet"}\n'
    )
    wb.import_questions(rows.encode(), name="docs.jsonl")
    wb.reject("e", wb.region(wb.resolve("bridge.txt").id))
    path = wb.export_questions(kind, tmp_path / "folder")
    copy.import_questions(path)

    def facts(one: Workbench) -> list[object]:
        return [
            (q.id, q.text, [(n.grade, n.places) for n in q.needs], q.rejected)
            for q in one.questions()
        ]

    assert facts(copy) == facts(wb)
    assert wb.import_questions(path).changed == 0
    name, data = wb.question_file(kind)
    assert wb.import_questions(data, name=name).changed == 0


def test_lines_keep_texts(wb: Workbench) -> None:
    wb.add_question("a\nb")
    assert wb.question_file("lines") == ("questions.txt", b"a b\n")
    assert wb.import_questions(b"a b\n", name="q.txt").unchanged == 1


def test_some_of_the_questions_can_go_out(wb: Workbench) -> None:
    one, _ = wb.add_question("a"), wb.add_question("b")
    assert wb.question_file("lines", [one.id])[1] == b"a\n"


def test_an_unknown_format_is_named(wb: Workbench, tmp_path: Path) -> None:
    with pytest.raises(RagDebugError, match="xml"):
        wb.export_questions("xml", tmp_path / "x")
    with pytest.raises(RagDebugError, match="xml"):
        wb.import_questions(b"a", "xml")


def test_a_document_whose_stem_is_not_its_own_goes_out_by_its_whole_name(
    wb: Workbench, folder: Path
) -> None:
    (folder / "bridge.md").write_text("Another bridge.", "utf-8")
    wb.ingest([folder])
    at = wb.find_quote("Another bridge.")[0]
    wb.add_question("which?", [Need((Label(at),))])
    assert b'"doc": "bridge.md"' in wb.question_file("spans")[1]
    assert isinstance(at, Place)
