"""Measures of small lists, worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ragdebug.errors import InvalidSetting, RagDebugError
from ragdebug.evaluate import measure
from ragdebug.questions import STALE, SUGGESTED, Label, Need
from tests.evaluate.lists import (
    TEXTS,
    Span,
    measured,
    need,
    only,
    place,
    question,
    results_of,
    text_of,
)

# "green", "tea", "steeps", "degrees", "black" of the first text; "Warm" of the second
GREEN, TEA, STEEPS, DEGREES, BLACK = [
    ("tea", 0, 5), ("tea", 6, 9), ("tea", 10, 16), ("tea", 23, 30), ("tea", 32, 37)
]  # fmt: skip
WARM = ("pot", 0, 4)
OTHER = [("pot", 10 + i, 12 + i) for i in range(20)]  # hold nothing that is asked for


def test_recall_divides_by_all_needs_and_hit_rate_does_not() -> None:
    four = question("four", need(GREEN), need(TEA), need(STEEPS), need(BLACK))
    one = question("one", need(WARM))
    table = measured([four, one], {"four": [OTHER[0], TEA], "one": [WARM]})
    assert table.column("recall@3").tolist() == [1 / 4, 1]
    assert table.column("hit@3").tolist() == [1, 1]


def test_recall_is_out_of_all_needs_not_of_those_seen_so_far() -> None:
    asked = question("q", *(need(x) for x in (GREEN, TEA, STEEPS, DEGREES, BLACK)))
    table = measured([asked], {"q": [GREEN, TEA, *OTHER[:3]]}, ks=range(1, 6))
    assert [only(table, f"recall@{k}") for k in range(1, 6)] == [0.2, 0.4, 0.4, 0.4, 0.4]


def test_k_cuts_the_list_and_may_go_beyond_its_end() -> None:
    table = measured([question("q", need(WARM))], {"q": [*OTHER[:4], WARM]})
    assert [only(table, f"recall@{k}") for k in (1, 3, 5, 10)] == [0, 0, 1, 1]


def test_an_empty_list_counts_zero_in_every_mean() -> None:
    asked = [question(name, need(WARM)) for name in ("first", "empty", "second")]
    table = measured(asked, {"first": [WARM], "empty": [], "second": [OTHER[0], WARM]})
    assert table.column("recall@5").mean() == pytest.approx(2 / 3)
    assert table.column("rr@10").mean() == pytest.approx((1 + 0 + 1 / 2) / 3)


def test_a_failed_search_counts_zero_and_is_named() -> None:
    asked = [question("fine", need(WARM)), question("broken", need(WARM))]
    table = measured(asked, {"fine": [WARM], "broken": []}, errors={"broken": "The model stopped."})
    assert table.column("recall@5").tolist() == [1, 0]
    assert table.errors == (("broken", "The model stopped."),)


def test_nothing_retrieved_is_zero_by_every_measure() -> None:
    table = measured([question("q", need(WARM)), question("r", need(WARM))], {"q": [], "r": []})
    assert not table.values.any()
    assert [f.tolist() for f in table.found] == [[0], [0]]


def test_questions_that_cannot_be_measured_are_left_out_and_counted() -> None:
    asked = [
        question("labelled", need(WARM)),
        question("bare"),
        question("bare too"),
        question("nowhere", not_answerable=True),
        question("stale", Need((Label(place(*WARM), STALE), Label(place(*TEA), SUGGESTED)))),
    ]
    table = measured(asked, {q.id: [WARM] for q in asked} | {"deleted": [WARM]})
    assert table.questions == ("labelled",)
    assert (table.unlabelled, table.unanswerable) == (2, 1)
    assert [id_ for id_, _ in table.unusable] == ["stale", "deleted"]
    assert table.unusable[0][1] == "need 1: its labels are stale or suggested"


def test_a_label_in_no_document_of_the_corpus_is_no_failure_of_the_search() -> None:
    asked = [question("q", need(WARM)), question("typo", need(("pott", 0, 4)))]
    table = measured(asked, {"q": [WARM], "typo": [WARM]})
    assert table.column("recall@5").tolist() == [1]
    assert table.unusable == (("typo", "need 1: pott.txt is not in the corpus"),)

    def refuses(document: str, version: str) -> str:
        raise RagDebugError("That document was purged.")

    results = results_of({"q": [OTHER[0]]})
    purged = measure(results, {"q": asked[0]}, refuses)
    assert purged.unusable == (("q", "need 1: pot.txt is not in the corpus"),)


def test_a_question_with_one_broken_label_is_measured_on_the_others_and_says_so() -> None:
    asked = question("q", need(WARM), need(("pott", 0, 4)), need(("tea", 60, 90)))
    table = measured([asked], {"q": [OTHER[0], WARM]})
    assert (only(table, "recall@2"), only(table, "rr@10")) == (1, 0.5)
    ((id_, why),) = table.partial
    assert id_ == "q"
    assert why == ("need 2: pott.txt is not in the corpus; need 3: tea.txt does not reach to 60-90")


def test_precision_divides_by_k_also_where_fewer_came() -> None:
    asked = [question("q", need(WARM)), question("r", need(WARM))]
    table = measured(asked, {"q": [OTHER[0], WARM], "r": [WARM]})
    assert table.column("p@5").tolist() == [1 / 5, 1 / 5]


def test_the_ideal_list_has_what_was_never_found() -> None:
    asked = question("q", need(GREEN), need(TEA), need(STEEPS))
    table = measured([asked], {"q": [GREEN, *OTHER[:2]]})
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert only(table, "ndcg@3") == pytest.approx(1 / ideal)
    assert only(table, "ap@3") == pytest.approx(1 / 3)


def test_grades_are_gains() -> None:
    asked = question("q", need(GREEN, grade=3), need(TEA, grade=1))
    table = measured([asked], {"q": [TEA, GREEN]})
    gained, ideal = 1 + 3 / math.log2(3), 3 + 1 / math.log2(3)
    assert only(table, "ndcg@5") == pytest.approx(gained / ideal)
    assert only(table, "ndcg@1") == pytest.approx(1 / 3)


def test_two_needs_in_one_hit_are_both_found_there_and_no_measure_exceeds_one() -> None:
    asked = question("q", need(GREEN), need(TEA))
    together = measured([asked], {"q": [("tea", 0, 30)]})
    assert [only(together, f"{m}@1") for m in ("recall", "ndcg", "ap", "p")] == [1, 1, 1, 1]
    second = measured([asked], {"q": [OTHER[0], ("tea", 0, 30)]})
    assert only(second, "ap@5") == pytest.approx((1 / 2 + 2 / 2) / 2)


def test_the_list_is_taken_in_the_order_it_was_shown() -> None:
    asked = question("q", need(WARM))
    shown = measured([asked], {"q": [OTHER[0], WARM, OTHER[1]]})
    assert (only(shown, "rr@10"), only(shown, "recall@1")) == (0.5, 0)


def test_a_need_is_found_by_any_of_its_places() -> None:
    asked = question("q", need(GREEN, WARM))
    table = measured([asked], {"q": [OTHER[0], WARM, GREEN]})
    assert [f.tolist() for f in table.found] == [[2]]
    assert only(table, "p@3") == pytest.approx(2 / 3)


def test_an_answer_cut_in_two_is_found_when_both_pieces_came() -> None:
    # "green tea" without its blank has eight characters, five before the cut
    asked = question("q", need(("tea", 0, 9)))
    table = measured([asked], {"q": [("tea", 0, 5), OTHER[0], ("tea", 5, 12)]})
    assert [f.tolist() for f in table.found] == [[3]]
    assert only(table, "p@3") == pytest.approx(1 / 3)  # the piece that completes it
    assert only(table, "coverage@2") == pytest.approx(5 / 9)
    half = measured([asked], {"q": [("tea", 0, 5), OTHER[0], ("tea", 5, 12)]}, share=0.5)
    assert [f.tolist() for f in half.found] == [[1]]


@pytest.mark.parametrize(("size", "overlap"), [(8, 0), (12, 3), (20, 5), (80, 0)])
def test_a_label_outlives_every_new_chunking(size: int, overlap: int) -> None:
    asked = question("q", need(DEGREES))
    text = TEXTS["tea"]
    chunks: list[Span] = [
        ("tea", at, min(at + size, len(text)))
        for at in range(0, len(text) - overlap, size - overlap)
    ]
    table = measured([asked], {"q": chunks}, ks=(20,))
    covering = [i for i, (_, s, e) in enumerate(chunks, 1) if s < 30 and e > 23]
    alone = [i for i in covering if chunks[i - 1][1] <= 23 and chunks[i - 1][2] >= 30]
    assert only(table, "recall@20") == 1
    assert only(table, "rr@20") == 1 / min([*alone, covering[-1]])


def test_characters_by_hand() -> None:
    # evidence 5 + 3 characters, in the list 5, then 2 of the other 3; hits of 9 and 8 characters
    asked = question("q", need(GREEN), need(TEA))
    ranked = [("pot", 30, 39), ("tea", 0, 8)]
    table = measured([asked], {"q": ranked})
    assert only(table, "coverage@1") == only(table, "precision@1") == only(table, "iou@1") == 0
    assert only(table, "coverage@2") == pytest.approx(7 / 8)
    assert only(table, "precision@2") == pytest.approx(7 / 17)
    assert only(table, "iou@2") == pytest.approx(7 / (17 + 1))


def test_overlap_is_paid_for_each_time_and_evidence_is_counted_once() -> None:
    asked = question("q", need(GREEN))
    table = measured([asked], {"q": [("tea", 0, 10), ("tea", 0, 20)]})
    assert only(table, "precision@2") == pytest.approx(5 / 30)
    assert only(table, "coverage@2") == 1


def test_characters_of_a_region_are_not_known() -> None:
    asked = [
        question("page", Need((Label(place("pot", 0, 70, "page")),))),
        question("span", need(WARM)),
    ]
    table = measured(asked, {"page": [WARM], "span": [WARM]})
    for stem in ("coverage", "precision", "iou"):
        assert np.isnan(table.column(f"{stem}@5")).tolist() == [True, False]
    assert table.column("recall@5").tolist() == [1, 1]
    assert table.column("p@1").tolist() == [1, 1]


def test_a_budget_takes_whole_chunks_in_order_until_one_does_not_fit() -> None:
    # 40 + 30 fit into 75, the next 20 do not; the small one behind them is not taken instead
    asked = question("q", need(GREEN), need(WARM))
    ranked = [OTHER[0], GREEN, OTHER[1], WARM]
    table = measured(
        [asked], {"q": ranked}, budgets=(39, 69, 70, 75, 95), tokens={"q": [40, 30, 20, 5]}
    )
    budgets = [only(table, f"recall@{b}t") for b in (39, 69, 70, 75, 95)]
    assert budgets == [0, 0, 0.5, 0.5, 1]
    assert [only(table, f"tokens@{k}") for k in (1, 2, 5)] == [40, 70, 95]
    assert [t.tolist() for t in table.tokens] == [[70, 95]]


def test_judged_hits_are_those_near_a_label_or_a_rejected_place() -> None:
    asked = question("q", need(WARM), rejected=[("tea", 32, 45)])
    table = measured([asked], {"q": [("tea", 30, 50), WARM, OTHER[5]]})
    assert [only(table, f"judged@{k}") for k in (1, 2, 3, 10)] == [1, 1, 2 / 3, 2 / 3]


def test_what_lies_beyond_the_stored_lists_is_not_a_number() -> None:
    asked = [question("q", need(WARM)), question("r", need(GREEN))]
    lists = {"q": [OTHER[0], WARM, OTHER[1]], "r": [OTHER[0]]}
    table = measured(asked, lists, depth=3, budgets=(10, 30, 40))
    assert (table.most_k, table.most_tokens) == (3, None)  # all that is asked for came in time
    assert np.isnan(table.column("recall@5")).all()
    assert np.isnan(table.column("tokens@10")).all()
    assert table.column("recall@3").tolist() == [1, 0]
    assert table.column("recall@40t").tolist() == [1, 0]
    missing = measured([question("q", need(GREEN))], {"q": lists["q"]}, depth=3, budgets=(30, 31))
    assert missing.most_tokens == 30
    assert missing.column("recall@30t").tolist() == [0]
    assert np.isnan(missing.column("recall@31t")).all()


def test_a_run_without_questions_is_a_table_without_rows() -> None:
    table = measured([], {})
    assert table.values.shape == (0, len(table.names))


def test_shares_ks_and_budgets_that_mean_nothing_are_refused() -> None:
    results = results_of({})
    for share, ks, budgets in ((0.0, [5], [10]), (1.1, [5], [10]), (0.9, [0], [10]), (1, [5], [0])):
        with pytest.raises(InvalidSetting):
            measure(results, {}, text_of, share, ks, budgets)


def test_evidence_within_evidence_is_counted_once() -> None:
    # "green tea steeps" holds "green"; "tea steeps at" shares ten of its thirteen characters
    asked = question("q", need(("tea", 0, 16)), need(GREEN), need(("tea", 6, 19)))
    table = measured([asked], {"q": [("tea", 0, 25)]})
    assert only(table, "precision@1") == pytest.approx(19 / 25)
    assert only(table, "coverage@1") == 1
