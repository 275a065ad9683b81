"""What is said of a stage, word by word."""

from __future__ import annotations

from typing import Any

import pytest

from ragdebug.workbench.tracing.reports import STAGES, PathStep
from ragdebug.workbench.tracing.sentences import said, short

SAID: dict[str, tuple[dict[str, Any], str, str]] = {
    "not_in_corpus": (
        {"why": "a.md is not in the corpus."},
        "It is not in the corpus. a.md is not in the corpus.",
        "",
    ),
    "lost_in_parsing": (
        {"reader": "pypdf", "page": 3, "source": "a.pdf"},
        "The parser lost it: pypdf sees it on page 3 in a.pdf, the text that is searched does not "
        "have it.",
        "",
    ),
    "filtered_out": (
        {"allowed": 12, "chunks": 1409},
        "The filter keeps its document out; 12 of 1,409 chunks are let through.",
        "12 of 1,409 chunks",
    ),
    "cut": (
        {"pieces": [{"coverage": 0.61, "rank": 2}, {"coverage": 0.39, "rank": None}]},
        "It is cut: no chunk holds it whole; 61% stands at rank 2, 39% did not come in.",
        "61% | 39%",
    ),
    "beyond_window": (
        {"tokens": 612, "window": 254, "beyond": 358, "read": 0.25},
        "The model reads 254 of the chunk's 612 tokens, and 25% of the passage.",
        "reads 25%",
    ),
    "not_retrieved": (
        {"ranks": {"vector": 1287, "bm25": None}, "depth": 50},
        "It is not among the candidates: vector 1,287 · BM25 not at all; each list gives 50.",
        "vector 1,287 · BM25 \u2013",
    ),
    "lost_in_fusion": (
        {"rank": 9, "admitted": 5, "lists": {"vector": 2, "bm25": 41}, "short": 4, "gap": 0.0007},
        "Fusion lost it: rank 9 where 5 go on; alone vector 2 · BM25 41. 4 places and 0.0007 "
        "short.",
        "#9",
    ),
    "lost_in_rerank": (
        {"rank": 6, "admitted": 5, "pool": 20, "before": 3, "short": 1, "gap": 0.5},
        "The reranker lost it: rank 6 of 20, rank 3 before. 1 place and 0.5 short.",
        "#6",
    ),
    "below_k": (
        {"rank": 7, "admitted": 5, "short": 2, "gap": None},
        "It stands at rank 7, and the first 5 are shown. 2 places short.",
        "#7",
    ),
    "below_minimum_score": (
        {"score": 0.25, "minimum": 0.3},
        "It stands at 0.25, below the minimum score of 0.3.",
        "0.25",
    ),
    "over_budget": (
        {"tokens": 1200, "budget": 1000},
        "The context would need 1,200 tokens to hold it; the budget is 1,000.",
        "1,200 of 1,000",
    ),
    "delivered": ({"rank": 2, "k": 5}, "It is delivered: rank 2 of 5.", "#2"),
}


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_is_said_in_a_sentence_and_in_a_few_words(stage: str) -> None:
    facts, sentence, few = SAID[stage]
    step = PathStep(stage, "lost", facts)
    assert (said(step), short(step)) == (sentence, few)


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_of_which_nothing_is_known_has_no_words(stage: str) -> None:
    assert short(PathStep(stage, "later")) == ""


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        (3, "The reranker lost it: rank 6 of 20, rank 3 before."),
        (6, "The reranker did not bring it up: rank 6 of 20, as before."),
        (9, "The reranker did not bring it up far enough: rank 6 of 20, rank 9 before."),
    ],
)
def test_a_reranker_loses_only_what_stood_better_before(before: int, sentence: str) -> None:
    facts = {"rank": 6, "admitted": 5, "pool": 20, "before": before}
    assert said(PathStep("lost_in_rerank", "lost", facts)) == sentence


def test_a_tie_is_said_as_one() -> None:
    facts = {"rank": 2, "admitted": 1, "short": 1, "gap": 0.0}
    assert said(PathStep("below_k", "lost", facts)) == (
        "It stands at rank 2, and only the first is shown. 1 place short; its score ties with the "
        "last one shown."
    )
