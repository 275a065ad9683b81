"""Rows of a BM25 score against the formulas worked out by hand."""

from __future__ import annotations

import math

import pytest

from ragdebug.explain import bm25_rows
from ragdebug.retrieve.analyzer import Analyzer
from ragdebug.retrieve.bm25 import BM25Index
from ragdebug.settings import AnalyzerSettings, BM25Settings

TEXTS = ["the green boat boat", "a green tea", "bread", "water and bread and a stone"]


def index(variant: str) -> BM25Index:
    settings = BM25Settings(variant, 1.2, 0.5, 0.25, AnalyzerSettings("en"))
    return BM25Index.build(TEXTS, Analyzer(settings.analyzer), settings)


def test_lucene_rows_are_the_formula() -> None:
    made = bm25_rows(index("lucene"), "the green boats of a boat", 0)
    # Without stop words: boat boat green; green tea; bread; water bread stone. 9 terms in all.
    assert (made.length, made.average_length, made.chunks) == (3, 2.25, 4)
    factor = 1 - 0.5 + 0.5 * 3 / 2.25
    assert made.length_factor == pytest.approx(factor)
    green, boat = made.rows
    assert (green.surface, green.term, green.times, green.tf, green.frequency) == (
        *("green", "green"),
        *(1, 1, 2),
    )
    assert (boat.surface, boat.term, boat.times, boat.tf, boat.frequency) == (
        *("boats", "boat"),
        *(2, 2, 1),
    )
    assert green.idf == pytest.approx(math.log(1 + 2.5 / 2.5))
    assert green.contribution == pytest.approx(math.log(2) / (1 + 1.2 * factor))
    by_hand = 2 * math.log(1 + 3.5 / 1.5) * 2 / (2 + 1.2 * factor)
    assert boat.contribution == pytest.approx(by_hand)
    assert made.score == pytest.approx(green.contribution + boat.contribution)
    assert made.stop_words == ("the", "of", "a")


@pytest.mark.parametrize("variant", ["lucene", "okapi"])
def test_every_row_is_times_idf_tf_part_and_all_add_up_to_the_score(variant: str) -> None:
    built = index(variant)
    for query in ("green boat", "bread bread water", "boats", "stone tea nothing"):
        rows, scores = built.scores(query)
        for row, score in zip(rows.tolist(), scores.tolist(), strict=True):
            made = bm25_rows(built, query, row)
            assert made.score == pytest.approx(score, abs=1e-9)
            for one in made.rows:
                product = one.times * one.idf * one.tf_part
                assert one.contribution == pytest.approx(product, abs=1e-9)


def test_a_term_that_the_chunk_lacks_adds_nothing_and_is_named() -> None:
    made = bm25_rows(index("lucene"), "green whales", 1)
    assert [(r.term, r.tf, r.frequency, r.contribution) for r in made.missing] == [
        ("whale", 0, 0, 0.0)
    ]


def test_the_formula_names_the_constants() -> None:
    assert "1.2 + 1" in bm25_rows(index("okapi"), "green", 0).formula
    assert "+ 1)" not in bm25_rows(index("lucene"), "green", 0).formula
