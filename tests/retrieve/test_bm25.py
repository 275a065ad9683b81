from __future__ import annotations

import math

import numpy as np
import pytest

from ragdebug.retrieve import BM25Index
from ragdebug.settings import AnalyzerSettings


def hits(index: BM25Index, query: str, k: int = 10) -> list[int]:
    return index.search(query, k)[0].tolist()


# What is a hit ------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["lucene", "okapi"])
def test_only_chunks_that_hold_a_term_are_hits(build, variant: str) -> None:
    # In half of the chunks: Okapi's idf is 0 there, and a hit it is all the same.
    index = build(
        ["iron gate at noon", "iron bolt in oil", "a dry field", "one more hill"], variant
    )
    rows, scores = index.search("iron", 10)
    assert rows.tolist() == [0, 1]
    if variant == "lucene":
        # N 4, n 2: idf = ln(1 + 2.5 / 2.5); length 4, average 14 / 4
        expected = math.log(2) / (1 + 1.5 * (0.25 + 0.75 * 4 / 3.5))
        assert scores == pytest.approx([expected, expected])


def test_terms_in_most_chunks_never_count_against_a_chunk(build) -> None:
    texts = ["boats leave the old harbour", "six boats of the old harbour are painted every may"]
    rows, scores = build(texts).search(texts[1], 10)
    assert rows.tolist() == [1, 0]
    assert np.all(scores > 0)


def test_a_term_in_one_of_two_chunks_scores(build) -> None:
    # idf = ln(1 + 1.5 / 1.5), each of four words: the tf part is 2.5 / 2.5 over k1 + 1
    rows, scores = build(["cold rain on slates", "warm bread with butter"]).search(
        "bread butter", 5
    )
    assert rows.tolist() == [1]
    assert scores * 2.5 == pytest.approx([2 * math.log(2)])


@pytest.mark.parametrize("query", ["tin", "Tin", "TIN", "(Tin)", '"tin,"', "tin?", "»Tin«"])
def test_case_and_punctuation_of_the_query_change_nothing(build, query: str) -> None:
    rows, scores = build(["Tin cup.", "wood cup", "tin; lid"]).search(query, 10)
    assert rows.tolist() == [0, 2]  # equal scores: the order of the corpus
    assert scores * 2.5 == pytest.approx([math.log(1 + 1.5 / 2.5)] * 2)


@pytest.mark.parametrize("variant", ["lucene", "okapi"])
def test_an_empty_corpus_and_an_empty_query_give_an_empty_list(build, variant: str) -> None:
    for texts in ([], ["", " \n"]):
        index = build(texts, variant)
        assert hits(index, "word") == []
        assert index.terms("word")[0].frequency == 0
        assert index.explain("word", 0)[0].share == 0.0 if texts else True
    index = build(["word"], variant)
    assert [hits(index, q) for q in ("", " ", "?!", "🙂", "other")] == [[]] * 5


@pytest.mark.parametrize("variant", ["lucene", "okapi"])
def test_blank_chunks_change_no_score_and_are_never_a_hit(build, variant: str) -> None:
    texts = ["jade ring", "jade box of a very old house", "glass ring", "green door"]
    blank = ["", *texts[:2], " ", "\n\n", *texts[2:], "--"]
    rows, scores = build(texts, variant).search("jade ring", 10)
    blank_rows, blank_scores = build(blank, variant).search("jade ring", 10)
    assert [blank[r] for r in blank_rows] == [texts[r] for r in rows]
    assert blank_scores.tolist() == scores.tolist()


def test_k_may_be_larger_than_the_corpus(build) -> None:
    index = build(["oak desk", "oak stool", "pine shelf"])
    assert hits(index, "oak", 1000) == [0, 1]
    assert hits(index, "oak", 0) == []


def test_chunks_of_equal_length_with_the_same_word_score_the_same(build) -> None:
    rows, scores = build(["harp", "lute", "viol", "zinc pail", "zinc roof"]).search("zinc", 10)
    # N 5, n 2, length 2, average 7 / 5
    expected = math.log(1 + 3.5 / 2.5) / (1 + 1.5 * (0.25 + 0.75 * 2 / 1.4))
    assert rows.tolist() == [3, 4]
    assert scores == pytest.approx([expected, expected])


@pytest.mark.parametrize("variant", ["lucene", "okapi"])
def test_zero_for_a_constant_means_zero(build, variant: str) -> None:
    texts = ["plum", "plum plum with a very long tail of words", "pear", "fig", "nut"]
    _, scores = build(texts, variant, b=0).search("plum", 2)
    once, twice = (2.5 * tf / (tf + 1.5) for tf in (1, 2))
    assert scores[0] / scores[1] == pytest.approx(twice / once)  # no length
    _, scores = build(texts, variant, k1=0).search("plum", 2)
    assert scores[0] == scores[1]  # no count either
    if variant == "lucene":
        assert scores[0] == pytest.approx(math.log(1 + 3.5 / 2.5))


def test_a_term_counts_as_often_as_the_query_has_it(build) -> None:
    index = build(["red fox", "grey owl", "red owl"])
    once, thrice = index.search("owl", 1)[1][0], index.search("owl owl owl", 1)[1][0]
    assert thrice == pytest.approx(3 * once)


def test_the_cut_at_k_goes_through_a_tie_by_row(build) -> None:
    index = build(["moss"] * 30 + ["moss moss", "fern"])
    assert hits(index, "moss", 4) == [30, 0, 1, 2]


# Filter -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["lucene", "okapi"])
def test_the_mask_acts_before_ranking_and_leaves_scores_alone(build, variant: str) -> None:
    texts = [f"lamp {'lamp ' * (i % 7)}{'shade ' * (i % 3)}" for i in range(50)]
    index = build(texts, variant)
    mask = np.arange(50) % 5 == 0
    rows, scores = index.search("lamp shade", 6, mask)
    every, every_scores = index.search("lamp shade", 50)
    allowed = [i for i, row in enumerate(every) if mask[row]][:6]
    assert rows.tolist() == every[allowed].tolist()
    assert scores.tolist() == every_scores[allowed].tolist()
    assert hits(index, "lamp") != []
    assert index.search("lamp", 5, np.zeros(50, bool))[0].tolist() == []


# Identifiers --------------------------------------------------------------------------------------

SETTINGS = [AnalyzerSettings(), AnalyzerSettings(language="none")]


@pytest.mark.parametrize("analyzer", SETTINGS)
@pytest.mark.parametrize(
    ("query", "texts"),
    [
        ("ERR_4021", ["err err 4021 4021", "4021 err", "saw ERR_4021 and " + "much else " * 40]),
        ("err_4021", ["err err 4021 4021", "4021 err", "saw ERR_4021 and " + "much else " * 40]),
        ("AB-1200-X", ["ab 1200 x", "AB-1200-Y ab x", "part AB-1200-X of " + "the list " * 40]),
        ("a.b@example.com", ["a b example com", "b@example.com", "to a.b@example.com " * 2]),
        (
            "loadProfile",
            ["load the profile", "profile load load", "def loadProfile(x): " + "y " * 90],
        ),
        ("C++", ["plan C and C again", "C", "written in C++ by " + "many hands " * 40]),
        ("10.2.1", ["10 2 1", "10.1.2", "since 10.2.1 it " + "works well " * 40]),
        ("v10.2.1", ["v 10 2 1", "10.1.2", "since 10.2.1 it " + "works well " * 40]),
        ("src/app.py", ["src app py", "app.py src", "look into src/app.py for " + "more " * 90]),
    ],
)
def test_the_chunk_with_the_identifier_comes_before_chunks_with_its_parts(
    build, analyzer: AnalyzerSettings, query: str, texts: list[str]
) -> None:
    assert hits(build(texts, analyzer=analyzer), query)[0] == 2


def test_an_identifier_is_found_by_its_parts(build) -> None:
    index = build(["def read_order_header(line)", "class JsonRowWriter", "square pictures"])
    assert hits(index, "writer") == [1]
    assert hits(index, "header") == [0]
    assert hits(index, "order header") == [0]


def test_an_identifier_that_stands_nowhere_stands_for_its_parts(build) -> None:
    index = build(["the err list, code 77", "nothing here", "ERR_4021 again"])
    assert [(t.term, t.frequency) for t in index.terms("ERR_77")] == [
        *[("err_77", 0), ("err", 2), ("77", 1)]
    ]
    assert hits(index, "ERR_77") == [0, 2]
    assert [(t.term, t.frequency) for t in index.terms("ERR_4021")] == [("err_4021", 1)]
    assert hits(index, "ERR_4021") == [2]


def test_another_version_of_the_same_line_is_found_but_no_stray_numbers(build) -> None:
    texts = ["Release 7.3.1 mends the printer", "Release 7.1.3", "7 desks, 3 lamps and 1 cat"]
    index = build(texts)
    assert hits(index, "7.3.1") == hits(index, "v7.3.1") == hits(index, "7.3.9") == [0]
    assert hits(index, "7.1.3") == [1]
    assert hits(index, "15.0.1") == []


def test_chinese_and_japanese_queries_find_their_chunk(build) -> None:
    index = build(["河边仓库的湿度每天记录", "学校图书馆周日不开", "倉庫の湿度を毎朝測る"])
    assert hits(index, "仓库湿度")[0] == 0
    assert hits(index, "图书馆") == [1]
    assert hits(index, "倉庫の湿度")[0] == 2
    assert hits(index, "河") == [0]


# Explaining ---------------------------------------------------------------------------------------


def test_terms_show_stop_words_as_empty_and_unknown_ones_with_frequency_zero(build) -> None:
    index = build(["refunds arrive", "no refund"], analyzer=AnalyzerSettings())
    assert [(t.term, t.surface, t.frequency) for t in index.terms("the Refunds of zebras")] == [
        *[("", "the", 0), ("refund", "Refunds", 2), ("", "of", 0), ("zebra", "zebras", 0)]
    ]


@pytest.mark.parametrize("variant", ["lucene", "okapi"])
def test_shares_of_the_terms_add_up_to_the_score(build, variant: str) -> None:
    texts = ["gate code gate", "code of the ERR_77 gate", "door", "gate door door", "wall", "roof"]
    index = build(texts, variant)
    query = "gate gate code ERR_77 roof"
    for row, score in zip(*index.scores(query), strict=True):
        shares = index.explain(query, int(row))
        assert sum(s.share for s in shares) == pytest.approx(score)
        for s in shares:
            length = 0.25 + 0.75 * index.length(int(row)) / index.average_length
            factor = 2.5 if variant == "okapi" else 1
            assert s.share == pytest.approx(s.times * s.idf * s.tf * factor / (s.tf + 1.5 * length))
    first = index.explain(query, 0)
    assert [(s.term, s.times, s.tf, s.frequency) for s in first] == [
        *[("gate", 2, 2, 3), ("code", 1, 1, 2), ("err_77", 1, 0, 1), ("roof", 1, 0, 1)]
    ]


def test_the_ingredients_of_the_formula_can_be_asked_for(build) -> None:
    index = build(["sun sun moon", "", "moon"])
    assert (index.total, index.n, index.average_length) == (3, 2, 2.0)
    assert (index.frequency("moon"), index.frequency("star")) == (2, 0)
    assert (index.tf("sun", 0), index.tf("sun", 2), index.tf("star", 0)) == (2, 0, 0)
    assert [index.length(r) for r in range(3)] == [3, 0, 1]
    assert index.idf("sun") == pytest.approx(math.log(1 + 1.5 / 1.5))
    assert index.idf("star") == 0.0
