"""Exported runs hold the same rows in both formats, and CSV cells that no spreadsheet runs."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from ragdebug.errors import RunNotFound, StoreError
from ragdebug.runs import DONE
from ragdebug.store.workspace import Store
from tests.store.evaluations import lists, measured, place, question, run
from tests.store.helpers import text_document

FORMULAS = ["=1+1", "+1", "-cmd", "@SUM(A1)", "\tx", "\rx", "\nx", "'quoted"]
NAMES = ["evidence", "hits", "measures", "questions", "runs"]


@pytest.fixture
def full(store: Store) -> Store:
    texts = [f"{formula} and so on" for formula in FORMULAS]
    store.documents.save(
        [text_document(f"d{i}", text, source=f"{text}.txt") for i, text in enumerate(texts)]
    )
    asked = [
        replace(
            question(f"q{i}", place("d0", quote=text)),
            text=text,
            notes=text,
            tags=(f"{formula}1", "t"),
        )
        for i, (text, formula) in enumerate(zip(texts, FORMULAS, strict=True))
    ]
    store.questions.save(asked)
    store.runs.start(run(note="=note", label="-label", seconds={"search": 1.0}, taken_from=("a",)))
    store.runs.start(run("bbbb0001"))
    hits = lists(*([(f"d{i}", 0, len(t), -0.5)] for i, t in enumerate(texts)))
    hits = replace(hits, documents=tuple((d, v, f"={s}") for d, v, s in hits.documents))
    pairs = [(q.id, q.version) for q in asked]
    store.runs.add("aaaa0001", pairs, hits, np.full(len(pairs), 0.25), [""] * len(pairs))
    store.runs.finish("aaaa0001", DONE, 1.5, {"search": 1.0})
    values = [[-0.25, float("nan")]] * len(pairs)
    store.runs.save_measures("aaaa0001", measured([q for q, _ in pairs], ["x@1", "y@1"], values))
    return store


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_the_files_are_named_and_written_whole(full: Store, tmp_path: Path) -> None:
    for kind in ("csv", "parquet"):
        made = full.runs.export(["aaaa0001"], tmp_path / kind, kind)
        assert sorted(p.name for p in made) == [f"{n}.{kind}" for n in NAMES]
        assert sorted(p.name for p in (tmp_path / kind).iterdir()) == sorted(p.name for p in made)


def test_both_formats_hold_the_same_rows(full: Store, tmp_path: Path) -> None:
    full.runs.export(["aaaa0001", "bbbb0001"], tmp_path, "csv")
    full.runs.export(["aaaa0001", "bbbb0001"], tmp_path, "parquet")
    counts = {"evidence": 8, "hits": 8, "measures": 16, "questions": 8, "runs": 2}
    for name, count in counts.items():
        table = parquet.read_table(tmp_path / f"{name}.parquet")
        rows = read_csv(tmp_path / f"{name}.csv")
        assert table.num_rows == len(rows) == count
        assert list(rows[0]) == table.column_names


def test_no_text_cell_starts_as_a_formula_and_numbers_stay_numbers(
    full: Store, tmp_path: Path
) -> None:
    full.runs.export(["aaaa0001"], tmp_path, "csv")
    for name in NAMES:
        for row in read_csv(tmp_path / f"{name}.csv"):
            for column, cell in row.items():
                number = column in ("score", "value")
                assert number or not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")), cell
    asked = read_csv(tmp_path / "questions.csv")
    assert [r["text"] for r in asked] == [f"'{f} and so on" for f in FORMULAS]
    assert {float(r["score"]) for r in read_csv(tmp_path / "hits.csv")} == {-0.5}
    measures = read_csv(tmp_path / "measures.csv")
    assert {(r["measure"], r["value"], r["value_missing"]) for r in measures} == {
        ("x@1", "-0.25", ""),
        ("y@1", "", "not defined"),
    }


def test_parquet_keeps_texts_lists_and_nulls_as_they_are(full: Store, tmp_path: Path) -> None:
    full.runs.export(["aaaa0001"], tmp_path)
    (known,) = parquet.read_table(tmp_path / "runs.parquet").to_pylist()
    assert (known["note"], known["taken_from"], dict(known["seconds"])) == (
        "=note",
        ["a"],
        {"search": 1.0},
    )
    hits = parquet.read_table(tmp_path / "hits.parquet").to_pylist()
    assert [h["text"] for h in hits] == [f"{f} and so on" for f in FORMULAS]
    labels = parquet.read_table(tmp_path / "evidence.parquet").to_pylist()
    assert [x["quote"] for x in labels] == [f"{f} and so on" for f in FORMULAS]


def test_without_texts_nothing_that_people_or_documents_say_goes_along(
    full: Store, tmp_path: Path
) -> None:
    full.runs.export(["aaaa0001"], tmp_path, "csv", texts=False)
    full.runs.export(["aaaa0001"], tmp_path, "parquet", texts=False)
    for name in NAMES:
        table = parquet.read_table(tmp_path / f"{name}.parquet")
        rows = [*read_csv(tmp_path / f"{name}.csv"), *table.to_pylist()]
        assert rows
        assert "and so on" not in str(rows)
        assert "=note" not in str(rows)


def test_evidence_is_that_of_the_run_not_of_today(full: Store, tmp_path: Path) -> None:
    full.questions.save([replace(full.questions.get(["q0"])["q0"], needs=())])
    full.runs.export(["aaaa0001"], tmp_path)
    labels = parquet.read_table(tmp_path / "evidence.parquet").to_pylist()
    assert [x["question"] for x in labels] == [f"q{i}" for i in range(8)]


def test_an_unknown_run_or_format_writes_nothing(full: Store, tmp_path: Path) -> None:
    with pytest.raises(RunNotFound, match="none"):
        full.runs.export(["aaaa0001", "none"], tmp_path / "out")
    with pytest.raises(StoreError, match="xlsx"):
        full.runs.export(["aaaa0001"], tmp_path / "out", "xlsx")
    assert not list(tmp_path.glob("out/*"))


def test_a_folder_that_is_a_file_is_said(full: Store, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(StoreError, match="taken"):
        full.runs.export(["aaaa0001"], tmp_path / "taken")
