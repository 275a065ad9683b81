"""The sample questions stand in the sample corpus, are what their tags say, and are hard."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragdebug import Workbench, places
from ragdebug.errors import QuoteNotFound
from ragdebug.questions import LABELLED, NOT_ANSWERABLE, PLACED, Need, Question
from ragdebug.records import Chunk, Place
from ragdebug.settings import DRAFT_EMBEDDER, ChunkingSettings
from ragdebug.workbench.questions.records import ImportReport

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "data" / "questions" / "questions.jsonl"
README = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
LISTS = ("vector", "bm25", "hybrid", "reranked")
TWO_NEEDS, TWO_PLACES, CUT = "two-needs", "two-places", "cut-by-fixed-size"
UNANSWERABLE = "not-answerable"
KINDS = {
    *("paraphrase", "identifier", "name", "number", "other-language"),
    *(TWO_NEEDS, TWO_PLACES, CUT, UNANSWERABLE),
}
LINES: list[dict[str, Any]] = [json.loads(x) for x in FILE.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Workbench, ImportReport]]:
    """A workspace with the sample corpus and its questions."""
    with Workbench(tmp_path_factory.mktemp("sample") / "workspace") as wb:
        wb.ingest([places.sample_folder()])
        yield wb, wb.import_questions(FILE)


@pytest.fixture(scope="module")
def sample(opened: tuple[Workbench, ImportReport]) -> Workbench:
    return opened[0]


# The file ----------------------------------------------------------------------------------------


def test_the_file_is_found_and_goes_into_the_wheel() -> None:
    assert places.sample_questions() == FILE
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    carried = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert carried["data/questions"] == "ragdebug/_app/data/questions"


def test_an_installation_without_them_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "ragdebug" / "_app").mkdir(parents=True)
    (tmp_path / "ragdebug" / "_app" / "app.py").write_text("")
    monkeypatch.setattr(places, "PACKAGE", tmp_path / "ragdebug")
    with pytest.raises(places.AppFilesMissing, match="no sample questions"):
        places.sample_questions()


def test_lines_of_one_id_are_one_question_and_ids_are_unique() -> None:
    about: dict[str, set[str]] = {}
    for line in LINES:
        same = [line[k] for k in ("question", "tags")] + [line.get("notes"), "source" in line]
        about.setdefault(line["id"], set()).add(json.dumps(same))
    assert all(len(said) == 1 for said in about.values())
    texts = {line["id"]: line["question"] for line in LINES}
    assert len(set(texts.values())) == len(texts) >= 60
    assert all((line.get("not_answerable") is True) != ("source" in line) for line in LINES)


def test_every_quote_stands_in_its_source_exactly_once(sample: Workbench) -> None:
    texts = {info.source: sample.document(info.id).text for info in sample.documents()}
    labels = [line for line in LINES if "source" in line]
    assert not [line for line in labels if texts[line["source"]].count(line["quote"]) != 1]
    kept = Counter(
        (q.id, place.source, place.start, place.end)
        for q in sample.questions()
        for need in q.needs
        for place in need.places
    )
    assert kept == Counter(
        (x["id"], x["source"], at, at + len(x["quote"]))
        for x in labels
        for at in [texts[x["source"]].index(x["quote"])]
    )


def test_all_are_taken_in_and_none_is_doubtful(opened: tuple[Workbench, ImportReport]) -> None:
    wb, report = opened
    assert report.added == len({line["id"] for line in LINES})
    assert report.placed == sum("source" in line for line in LINES)
    assert (report.folded, report.suggested, report.unplaced, report.problems) == (0, 0, (), ())
    questions = wb.questions()
    assert {x.status for q in questions for need in q.needs for x in need.labels} == {PLACED}
    # Too long a passage, or one that ends where chunks end, would favour a chunking.
    assert not [(q.text, w) for q in questions for w in wb.label_warnings(q)]


# Kinds -------------------------------------------------------------------------------------------


def test_every_kind_has_questions_enough(sample: Workbench) -> None:
    counts = Counter(tag for q in sample.questions() for tag in q.tags)
    assert set(counts) == KINDS
    assert min(counts.values()) >= 5
    assert all(q.tags for q in sample.questions())


def test_tags_that_speak_of_labels_agree_with_them(sample: Workbench) -> None:
    for q in sample.questions():
        assert q.state == (NOT_ANSWERABLE if UNANSWERABLE in q.tags else LABELLED), q.text
        assert (TWO_NEEDS in q.tags) == (len(q.needs) > 1), q.text
        assert (TWO_PLACES in q.tags) == any(len(n.places) > 1 for n in q.needs), q.text


def share(chunk: Chunk, place: Place) -> float:
    """Share of a place's non-blank characters inside a chunk."""
    inside = place.quote[max(0, chunk.start - place.start) : max(0, chunk.end - place.start)]
    return len("".join(inside.split())) / len("".join(place.quote.split()))


def held(wb: Workbench, need: Need, chunking: str) -> list[float]:
    """For each place of a need the most that a single chunk holds of it."""
    settings = ChunkingSettings.parse(chunking)
    return [
        max(share(c, place) for c in wb.chunk_document(place.document, settings))
        for place in need.places
    ]


def test_the_default_chunking_keeps_all_evidence_whole_and_fixed_pieces_cut_what_they_should(
    sample: Workbench,
) -> None:
    for q in sample.questions():
        assert all(min(held(sample, n, "structure:220/40")) == 1 for n in q.needs), q.text
        cut = any(max(held(sample, n, "fixed:220/0")) < 0.9 for n in q.needs)
        assert cut == (CUT in q.tags), q.text


def test_questions_in_german_are_answered_on_german_and_on_english_pages(sample: Workbench) -> None:
    language = {info.source: info.language for info in sample.documents()}
    answers = [
        {language[p.source] == "de" for n in q.needs for p in n.places}
        for q in sample.questions()
        if "other-language" in q.tags and q.needs
    ]
    assert {True, False} in answers  # on both
    assert {False} in answers  # the German page lacks it


@pytest.mark.parametrize("words", ["9.5 Nm", "6.0 Nm", "ERR_4103"])
def test_what_would_answer_the_unanswerable_stands_nowhere(sample: Workbench, words: str) -> None:
    with pytest.raises(QuoteNotFound):
        sample.find_quote(words)


def test_the_records_that_are_asked_for_in_vain_are_not_there(sample: Workbench) -> None:
    sources = {info.source for info in sample.documents()}
    assert {
        "parts/price-list.tsv#KW-VLV-0121",
        "releases/release-notes.json#firmware-3.4",
    } < sources
    assert "parts/price-list.tsv#KW-TOL-0009" not in sources
    assert "releases/release-notes.json#firmware-3.5" not in sources


# What the strategies find ------------------------------------------------------------------------


def readme_rows() -> dict[str, tuple[int, list[float]]]:
    """Kind -> number of questions and recall@5 of each list, from data/README.md."""
    rows = {}
    for line in README.partition("| kind |")[2].partition("\n\n")[0].splitlines()[2:]:
        kind, count, *cells = [cell.strip(" *") for cell in line.strip("|").split("|")][:6]
        rows[kind] = int(count), [float("nan" if c == "-" else c) for c in cells]
    return rows


def of_kind(questions: list[Question], kind: str) -> list[Question]:
    return [q for q in questions if kind in ("all", *q.tags)]


def test_the_readme_counts_the_questions_and_marks_the_best(sample: Workbench) -> None:
    rows = readme_rows()
    assert set(rows) == {*KINDS, "all"}
    for kind, (count, means) in rows.items():
        assert count == len(of_kind(sample.questions(), kind)), kind
        (line,) = re.findall(rf"^\| {kind} \| \d+ \|(.+?)\|[^|]*\|$", README, re.MULTILINE)
        marked = ["**" in cell for cell in line.split("|")]
        assert marked == [mean == max(means) for mean in means], kind
    assert f"{rows['all'][0]} questions as people type them" in README


@pytest.fixture(scope="module")
def recall(sample: Workbench) -> dict[str, dict[str, float]]:
    """List -> question -> recall@5, with the default settings."""
    found = {}
    for run in sample.evaluate(LISTS, yes=True).runs:
        table = sample.measures(run.id)
        column = table.values[:, table.names.index("recall@5")]
        found[run.strategy.partition("@")[0]] = dict(zip(table.questions, column, strict=True))
    return found


def mean(values: dict[str, float], questions: list[Question]) -> float:
    return float(np.mean([values[q.id] for q in questions if q.id in values] or [np.nan]))


@pytest.mark.model
@pytest.mark.slow
def test_no_strategy_finds_nine_in_ten_and_the_four_differ(
    sample: Workbench, recall: dict[str, dict[str, float]]
) -> None:
    means = {name: mean(recall[name], sample.questions()) for name in LISTS}
    assert all(0.5 < m <= 0.9 for m in means.values()), means
    assert all(abs(means[a] - means[b]) > 0.02 for a, b in combinations(LISTS, 2)), means


@pytest.mark.model
@pytest.mark.slow
def test_each_strategy_finds_what_no_other_does(recall: dict[str, dict[str, float]]) -> None:
    whole = {name: {q for q, value in recall[name].items() if value == 1} for name in LISTS}
    for name in LISTS:
        others = set.union(*(whole[other] for other in LISTS if other != name))
        assert whole[name] - others, name


@pytest.mark.model
@pytest.mark.slow
def test_the_readme_tells_what_is_measured(
    sample: Workbench, recall: dict[str, dict[str, float]]
) -> None:
    for kind, (count, told) in readme_rows().items():
        asked = of_kind(sample.questions(), kind)
        now = [mean(recall[name], asked) for name in LISTS]
        # Another processor may move one question over the edge.
        assert now == pytest.approx(told, abs=1 / count + 0.005, nan_ok=True), kind


@pytest.mark.model
@pytest.mark.slow
def test_they_are_hard_for_the_small_model_too(sample: Workbench) -> None:
    rows = [f"{preset}@structure:220/40+model={DRAFT_EMBEDDER}" for preset in ("vector", "hybrid")]
    for run in sample.evaluate(rows).runs:
        assert sample.mean(run.id, "recall@5").mean <= 0.9, run.label
