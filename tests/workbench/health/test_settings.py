"""Checks on models and settings: prompts, several models, minimum scores, rerankers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ragdebug.protocols import ModelInfo
from ragdebug.questions import Question
from ragdebug.records import RankedList, ResultList, Trace
from ragdebug.runs import RankedSpans, Run, RunResults
from ragdebug.settings import StrategySettings
from ragdebug.workbench.health import minimum, models, prompts, reranker

parse = StrategySettings.parse

# Prompts ------------------------------------------------------------------------------------------

PLAIN = ModelInfo("mine", "embedder", "f")
BOTH = replace(PLAIN, query_prompt="query: ", passage_prompt="passage: ")


def model(folder: Path, card: str = "", **files: object) -> Path:
    for name, value in files.items():
        (folder / f"{name}.json").write_text(json.dumps(value), "utf-8")
    if card:
        (folder / "README.md").write_text(card, "utf-8")
    return folder


@pytest.mark.parametrize(
    "card",
    [
        "---\nbase_model: intfloat/e5-small-v2\n---\nA model.",
        "---\ntags:\n- a\nbase_model:\n- intfloat/e5-small-v2\n---\n",
    ],
)
def test_a_model_trained_from_a_family_needs_the_familys_prompts(tmp_path: Path, card: str) -> None:
    (found,) = prompts.check(model(tmp_path, card), "mine", PLAIN)
    assert "E5 (it was trained from intfloat/e5-small-v2)" in found.sentence
    assert "“query:” in front of a query and “passage:” in front of a passage" in found.sentence
    assert prompts.check(tmp_path, "mine", BOTH) == []


def test_the_base_may_stand_in_the_configuration(tmp_path: Path) -> None:
    folder = model(tmp_path, config={"_name_or_path": "nomic-ai/nomic-embed-text-v1"})
    (found,) = prompts.check(folder, "mine", replace(PLAIN, query_prompt="search_query: "))
    assert "a prompt for queries only" in found.sentence
    assert "“search_document:” in front of a passage" in found.sentence


def test_prompts_under_names_that_nobody_uses_are_told(tmp_path: Path) -> None:
    own = {"prompts": {"s2p": "find: ", "blank": ""}}
    (found,) = prompts.check(model(tmp_path, config_sentence_transformers=own), "mine", PLAIN)
    assert "its files name s2p, and none of them is used" in found.sentence


@pytest.mark.parametrize("name", ["e5-base-v2", "bge-small-en", "nomic-embed-text-v1.5"])
def test_a_family_is_known_by_name(tmp_path: Path, name: str) -> None:
    assert len(prompts.check(tmp_path, f"org/{name}", PLAIN)) == 1


def test_models_that_need_none_are_fine(tmp_path: Path) -> None:
    card = "---\nbase_model: sentence-transformers/all-mpnet-base-v2\n---\n"
    assert prompts.check(model(tmp_path, card), "mine", PLAIN) == []


# Several models -----------------------------------------------------------------------------------

DRAFT = "model=wordllama-l2-supercat-256"


def test_a_comparison_of_models_is_a_note_and_a_mixed_one_a_warning() -> None:
    pure = [parse("vector"), parse(f"vector+{DRAFT}"), parse("hybrid"), parse(f"hybrid+{DRAFT}")]
    assert [(f.severity, f.count, f.of) for f in models.check(pure)] == [("note", 2, 4)]
    mixed = [parse("vector"), parse(f"vector@fixed:200/0+{DRAFT}"), parse("bm25")]
    (found,) = models.check(mixed)
    assert found.severity == "warning"
    assert found.strategies == tuple(map(str, mixed[:2]))
    assert models.check([parse("vector"), parse("hybrid"), parse(f"bm25+{DRAFT}")]) == []


# Minimum score ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strategy", "removed"),
    [
        ("hybrid+minimum=0.0328", True),  # 2 / 61 = 0.03279
        ("hybrid+minimum=0.0327", False),
        ("hybrid+rrf_k=9+weights=vector:3,bm25:1+minimum=0.41", True),  # 4 / 10
        ("hybrid+rrf_k=9+weights=vector:3,bm25:1+minimum=0.4", False),
        ("hybrid+fusion=weighted+minimum=2.1", True),
        ("hybrid+fusion=weighted+minimum=2", False),
        ("vector+minimum=1.01", True),
        ("vector+minimum=1", False),
        ("bm25+minimum=900", False),
        ("reranked+minimum=900", False),
        ("vector", False),
    ],
)
def test_a_minimum_above_the_highest_score_there_is(strategy: str, removed: bool) -> None:
    found = minimum.of_settings(parse(strategy))
    assert [f.severity for f in found] == (["serious"] if removed else [])


def results(lengths: list[int], strategy: str, errors: tuple[str, ...] = ()) -> RunResults:
    """A run whose question i has so many hits: characters 0-1, 1-2, ... of one document."""
    first = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    start = np.concatenate([np.arange(n) for n in lengths]).astype(np.int64)
    n, m = len(lengths), int(first[-1])
    return RunResults(
        Run("r1", "f", strategy, "", "", "corpus", "questions"),
        tuple((f"q{at}", "v") for at in range(n)),
        RankedSpans((("d", "v", "d.txt"),), first, np.zeros(m, np.int32), start, start + 1,
                    np.ones(m, np.int32), np.zeros(m), np.full(n, m, np.int32)),
        np.zeros(n),
        errors or ("",) * n,
    )  # fmt: skip


def ask(question: str) -> Question:
    return Question(question, f"text of {question}")


def test_questions_of_a_run_that_a_minimum_silences() -> None:
    made = results([0, 3, 0, 0], "vector+minimum=0.9", ("", "", "failed", ""))
    strategy = parse("vector+minimum=0.9")
    (found,) = minimum.of_run(made, strategy, ask, lambda query: query != "text of q3")
    # The third failed, and the fourth finds nothing without a minimum either.
    assert (found.count, found.of, found.runs) == (1, 4, ("r1",))
    assert [w.query for w in found.where if w.page == "search"] == ["text of q0"]
    assert minimum.of_run(made, parse("vector"), ask, lambda _: True) == []
    assert minimum.of_run(results([2], "vector+minimum=0.9"), strategy, ask, lambda _: True) == []


# Rerankers ----------------------------------------------------------------------------------------


def test_a_run_whose_reranker_kept_every_order_is_told() -> None:
    strategy = parse("reranked+k=2")
    made = results([3, 3], str(strategy))
    same = [("d", at, at + 1) for at in range(3)]
    (found,) = reranker.of_run(made, strategy, ask, lambda queries: [same] * len(queries))
    assert (found.count, found.of, found.runs) == (2, 2, ("r1",))
    assert "changed the first 2 hits of none" in found.sentence
    alone = parse("reranked+k=1")
    (first,) = reranker.of_run(made, alone, ask, lambda queries: [same] * len(queries))
    assert "changed the first hit of none" in first.sentence
    below = [same[0], same[1], ("d", 9, 10)]  # below k, where nobody looks
    assert reranker.of_run(made, strategy, ask, lambda _: [same, below])
    swapped = [same[1], same[0], same[2]]
    assert reranker.of_run(made, strategy, ask, lambda _: [same, swapped]) == []


def test_of_many_questions_some_are_drawn() -> None:
    asked: list[str] = []

    def before(queries: list[str]) -> list[list[reranker.Place]]:
        asked.extend(queries)
        return [[("d", 0, 1), ("d", 1, 2)]] * len(queries)

    made = results([2] * 90, "reranked")
    (found,) = reranker.of_run(made, parse("reranked"), ask, before)  # type: ignore[arg-type]
    assert len(set(asked)) == reranker.SAMPLE
    assert "none of 20 questions, drawn of 90" in found.sentence


def test_identity_is_named() -> None:
    assert len(reranker.of_settings(parse("reranked+reranker=identity"))) == 1
    assert reranker.of_settings(parse("reranked")) == []
    assert reranker.of_settings(parse("hybrid+reranker=identity")) == []


# One search ---------------------------------------------------------------------------------------


def shown(strategy: str, before: list[int], after: list[int], hits: int = 1) -> ResultList:
    """A list whose pool of three went in as `before` and came out as `after`."""

    def ranked(name: str, rows: list[int]) -> RankedList:
        scores = np.linspace(0.9, 0.5, len(rows))
        return RankedList(name, "rrf", np.array(rows, np.int64), scores, 3, 9)

    stages = (ranked("fused", before), ranked("reranked", after), ranked("final", after[:hits]))
    trace = Trace("q", strategy, stages, extras={"pool": 3})
    return ResultList("x", strategy, "", "", 9, 9, 0.1, ("hit",) * hits, trace)  # type: ignore[arg-type]


def test_a_search_shows_whether_its_reranker_moved_anything() -> None:
    strategy = str(parse("reranked"))
    # Below the pool nothing moves, whatever the reranker does.
    assert len(reranker.of_list(shown(strategy, [4, 2, 7, 1], [4, 2, 7, 1]))) == 1
    assert reranker.of_list(shown(strategy, [4, 2, 7, 1], [4, 7, 2, 1])) == []


def test_a_search_whose_minimum_left_nothing_says_the_best_score() -> None:
    strategy = str(parse("reranked+minimum=2"))
    (found,) = minimum.of_list(shown(strategy, [4, 2, 7], [4, 2, 7], hits=0))
    assert "removed all 3 candidates; the best has 0.9 (rrf)" in found.sentence
    assert minimum.of_list(shown(strategy, [4, 2, 7], [4, 2, 7], hits=1)) == []
    assert minimum.of_list(shown(str(parse("reranked")), [4], [4], hits=0)) == []
