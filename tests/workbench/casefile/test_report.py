"""A report says the numbers of the workbench, and nothing of questions, documents or machines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.errors import RagDebugError
from ragdebug.questions import Label, Need
from ragdebug.workbench.casefile.curves import HEIGHT, LEFT, RIGHT, TOP, WIDTH, chart
from ragdebug.workbench.evaluation.reports import Curve
from tests.workbench.casefile.test_page import Reader
from tests.workbench.conftest import write

ANIMALS = ("heron", "otter", "badger", "falcon", "salmon", "beetle", "marten", "weasel", "owl",
           "fox", "hare", "toad")  # fmt: skip


@pytest.fixture
def measured(wb: Workbench, folder: Path) -> Workbench:
    """Twelve questions and two runs."""
    for animal in ANIMALS:
        write(folder, **{f"{animal}_md": f"# {animal}\n\nThe {animal} sleeps by day.\n"})
    wb.ingest([folder])
    for animal in ANIMALS:
        quote = f"The {animal} sleeps by day"
        needs = [Need(tuple(Label(p) for p in wb.find_quote(quote)))]
        wb.add_question(f"when does the {animal} sleep <b>", needs)
    wb.evaluate(["bm25+k=5", "bm25+k=5+b=0.1"], yes=True)
    return wb


def test_it_says_the_numbers_of_the_workbench(measured: Workbench, tmp_path: Path) -> None:
    runs = [r.id for r in measured.runs()]
    document = measured.runs_html(runs, "recall@1").decode()
    read = Reader(document)
    mean = measured.mean(runs[0], "recall@1")
    assert f"{mean.mean:.2f} ({mean.low:.2f}–{mean.high:.2f})" in read.text
    (compared,) = measured.compare_with(runs[0], runs[1:], "recall@1")
    assert compared.verdict in read.text
    names = [tag for tag, _ in read.tags]
    assert names.count("polyline") == 4 and "script" not in names
    for part in ("when does", "heron", str(tmp_path), "://"):
        assert part not in document


def test_no_runs_and_too_many_are_refused(measured: Workbench) -> None:
    with pytest.raises(RagDebugError):
        measured.runs_html([])


def test_a_curve_goes_from_corner_to_corner(measured: Workbench) -> None:
    run = measured.runs()[0]
    x, y = np.array([1, 2]), np.array([0.0, 1.0])
    read = Reader(str(chart([Curve(run, x, y, y, y, 5)], "k", "recall")))
    (line,) = [held for tag, held in read.tags if tag == "polyline"]
    assert line["points"] == f"{LEFT}.0,{HEIGHT - 40}.0 {WIDTH - RIGHT}.0,{TOP}.0"


def test_values_that_nobody_has_are_left_out(measured: Workbench) -> None:
    run = measured.runs()[0]
    x, y = np.array([1, 2, 3]), np.array([0.5, np.nan, 0.5])
    read = Reader(str(chart([Curve(run, x, y, y, y, 5)], "k", "recall")))
    (line,) = [held for tag, held in read.tags if tag == "polyline"]
    assert len(str(line["points"]).split()) == 2 and "nan" not in str(line)
