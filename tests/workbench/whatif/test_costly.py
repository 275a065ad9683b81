"""Knobs that search or compute anew tell what a real run with that setting finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragdebug import Workbench, models
from ragdebug.errors import IndexIncomplete
from ragdebug.questions import Label, Need
from tests.workbench.whatif.test_reranked import SharedLetters
from tests.workbench.whatif.test_what_if import really_delivered

DRAFT = "model=wordllama-l2-supercat-256"
CUT = "structure:16/0:tokens:nolabel"
LABELLED = "structure:16/0:tokens:label"
PLANTS = ("oak", "elm", "ash", "fir", "yew", "box", "bay", "fig", "hop", "pea", "rye", "oat")
WRITTEN = "This page was written by a gardener of the town, who planted trees and herbs."

KNOBS: list[tuple[str, dict[str, object]]] = [
    ("hybrid", {"chunking": LABELLED}),
    ("hybrid", {"chunking": "fixed:12/4:tokens:nolabel"}),
    ("bm25", {"chunking": "document"}),
    ("hybrid", {"filter": "kind=tree"}),
    ("bm25", {"filter": "kind=tree&kind=herb&source=*o*"}),
    ("vector", {"filter": "kind=nothing"}),
    ("hybrid", {"analyzer": "none"}),
    ("bm25", {"analyzer": "en-no_stop_words-no_stemming-no_parts"}),
    ("hybrid", {"model": "all-MiniLM-L6-v2"}),
    ("bm25", {"preset": "vector"}),
    ("hybrid", {"preset": "reranked", "reranker": "identity"}),
    ("hybrid", {"preset": "reranked", "pool": 9}),
    ("reranked", {"pool": 15}),
    ("reranked", {"filter": "kind=herb", "analyzer": "none", "chunking": LABELLED, "k": 2}),
]


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """Twelve short documents of two kinds, whose headings hold what their passages lack."""
    folder = tmp_path_factory.mktemp("costly")
    _write(folder / "docs")
    with Workbench(folder / "w") as wb:
        wb.ingest([folder / "docs"])
        for at, plant in enumerate(PLANTS):
            place = wb.find_quote(f"It reaches {at + 11} metres")[0]
            wb.add_question(f"size and flowers of the {plant}", [Need((Label(place),))])
        yield wb


def _write(folder: Path) -> None:
    folder.mkdir()
    for at, plant in enumerate(PLANTS):
        kind = "tree" if at < 8 else "herb"
        text = (
            f"---\nkind: {kind}\n---\n# The {plant}\n\n{WRITTEN}\n\n"
            f"It reaches {at + 11} metres and flowered in spring.\n"
        )
        (folder / f"{plant}.md").write_text(text, "utf-8")


@pytest.mark.model
@pytest.mark.parametrize(("preset", "knobs"), KNOBS)
def test_what_if_is_a_real_run(
    garden: Workbench,
    preset: str,
    knobs: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = models.load_reranker
    monkeypatch.setattr(
        "ragdebug.models.load_reranker",
        lambda name: real(name) if name == "identity" else SharedLetters(),
    )
    before = f"{preset}@{CUT}+{DRAFT}+k=3"
    garden.compute_what_if(before, knobs)
    assert garden.plan_what_if(before, knobs).instant
    told = garden.what_if(before, knobs)
    assert not told.left_out
    after, today = really_delivered(garden, told.after), really_delivered(garden, told.before)
    assert dict(zip(told.questions, told.values.tolist(), strict=True)) == after
    assert set(told.rescued) == {q for q in after if after[q] > today[q]}
    assert set(told.harmed) == {q for q in after if after[q] < today[q]}


@pytest.mark.model
def test_what_was_computed_is_there_after_a_restart(tmp_path: Path) -> None:
    _write(tmp_path / "docs")
    before, knobs = f"hybrid@{CUT}+{DRAFT}+k=3", {"chunking": LABELLED}
    with Workbench(tmp_path / "w") as wb:
        wb.ingest([tmp_path / "docs"])
        place = wb.find_quote("It reaches 11 metres")[0]
        wb.add_question("size of the oak", [Need((Label(place),))])
        cost = wb.plan_what_if(before, knobs)
        # Neither cut is embedded yet: all texts of both.
        texts = sum(wb.plan(cut, DRAFT.removeprefix("model=")).new for cut in (CUT, LABELLED))
        assert (cost.texts, cost.passages) == (texts, 0)
        with pytest.raises(IndexIncomplete):
            wb.what_if(before, knobs)
        wb.compute_what_if(before, knobs)
    with Workbench(tmp_path / "w") as wb:
        assert wb.plan_what_if(before, knobs).instant
        assert wb.what_if(before, knobs).questions == (wb.questions()[0].id,)


@pytest.mark.model
def test_a_filter_and_an_analyzer_cost_nothing(garden: Workbench) -> None:
    before = f"hybrid@{CUT}+{DRAFT}+k=3"
    garden.compute_what_if(before, {})
    assert garden.plan_what_if(before, {"filter": "kind=herb", "analyzer": "de"}).instant
    assert garden.let_through((("kind", "herb"),)) == (4, 12)
    assert garden.let_through(()) == (12, 12)


def test_a_purge_leaves_nothing_of_the_document_in_what_is_asked_next(tmp_path: Path) -> None:
    with Workbench(tmp_path / "w") as wb:
        wb.ingest_files([("elm.md", b"# elm\n\nThe elm is tall."), ("oak.md", b"The oak is old.")])
        for tree in ("elm is tall", "oak is old"):
            wb.add_question(f"is the {tree}", [Need((Label(wb.find_quote(f"The {tree}")[0]),))])
        assert len(wb.what_if("bm25", {"k": 7}).questions) == 2
        assert wb.is_what_if_held("bm25", {"k": 7})
        wb.purge([wb.resolve("elm.md").id])
        assert not wb.is_what_if_held("bm25", {"k": 7})
        assert len(wb.what_if("bm25", {"k": 7}).questions) == 1
