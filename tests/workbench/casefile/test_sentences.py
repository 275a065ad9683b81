"""The three sentences say what the facts say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragdebug.workbench.casefile.markdown import markdown
from ragdebug.workbench.casefile.page import case_page
from ragdebug.workbench.casefile.records import Answer, Side
from ragdebug.workbench.casefile.sentences import sentences, where
from tests.workbench.casefile.cases import case, fix, proposed, why


def test_what_was_asked_and_where_the_answer_stands() -> None:
    assert sentences(case())[0] == (
        "“how do refunds work” was asked; the answer stands in refunds.md, page 3, under "
        "“Billing > Refunds”."
    )


def test_where_it_was_lost_names_rank_and_number_of_chunks() -> None:
    assert sentences(case())[1] == (
        "bm25 searches 1,240 chunks and loses it – it stands at rank 41, and 5 are returned."
    )


def test_a_filter_is_said_with_the_chunks() -> None:
    made = case()
    few = replace(made.today.why, allowed=30)
    told = sentences(replace(made, today=replace(made.today, why=few)))[1]
    assert told.startswith("bm25 searches 30 allowed of 1,240 chunks and loses it")


def test_a_stage_beyond_ranks_is_said_in_its_own_words() -> None:
    lost = why("beyond_window", ("beyond_window", {"tokens": 300, "window": 256, "read": 0.25}))
    told = sentences(case(today=replace(case().today, why=lost)))[1]
    assert told == (
        "bm25 searches 1,240 chunks and loses it – the model reads 256 of the chunk's 300 tokens, "
        "and 25% of the passage."
    )


def test_without_a_fix_there_is_no_third_sentence() -> None:
    assert len(sentences(case())) == 2


def test_a_fix_says_what_it_does_here_and_to_the_others() -> None:
    assert sentences(case(proposed=proposed(), effect=fix()))[2] == (
        "hybrid brings it back at rank 2; of 120 other questions it rescues 4 and harms 3 "
        "(not distinguishable: p 0.70, n 120)."
    )


def test_a_fix_that_does_not_help_says_so() -> None:
    told = sentences(case(proposed=also_lost(), effect=fix(helps=False)))[2]
    assert told.startswith(
        "hybrid does not find it either: it stands at rank 12, and 5 are returned; of 120 other"
    )


def test_a_second_strategy_that_loses_it_too_is_no_proposal() -> None:
    made = case(proposed=also_lost())
    assert sentences(made)[2] == (
        "hybrid does not find it either: it stands at rank 12, and 5 are returned."
    )
    page = case_page(made)
    assert "Two strategies" in page and "Also tried: hybrid" in page
    assert "**Also tried:**" in markdown(made)
    assert "Proposed" not in page and "proposed<" not in page
    brings = case_page(case(proposed=proposed()))
    assert "Today against proposed" in brings and "Proposed: hybrid" in brings


def also_lost() -> Side:
    lost = why("below_k", ("below_k", {"rank": 12, "admitted": 5}))
    return replace(proposed(), why=lost)


@pytest.mark.parametrize(("distinguishable", "said"), [(True, True), (False, False)])
def test_harm_is_claimed_only_with_a_test_behind_it(distinguishable: bool, said: bool) -> None:
    effect = fix(rescued=1, harmed=30, distinguishable=distinguishable)
    told = sentences(case(proposed=proposed(), effect=effect))[2]
    assert ("harms more than it helps" in told) is said


def test_a_proposal_that_was_not_measured_says_so() -> None:
    told = sentences(case(proposed=proposed()))[2]
    assert told == (
        "Instead, hybrid searches 1,240 chunks – it is delivered at rank 1, and 5 are returned; "
        "what that does to other questions was not measured."
    )


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Answer("d", "v", "a.pdf", 0, 5, 8, "6"), "in a.pdf, page 8 (printed 6)"),
        (Answer("d", "v", "a.md", 1200, 1300), "in a.md, characters 1,200–1,300"),
        (Answer("d", "v", "a.md", 0, 9, region="section Fees"), "in a.md, section Fees"),
        (Answer("", "", "a.md", -1, -1, quote="x"), "nowhere in the text that was read of a.md"),
    ],
)
def test_a_place_is_said_by_the_best_that_is_known(answer: Answer, expected: str) -> None:
    assert where(answer) == expected


def test_several_needs_are_counted() -> None:
    one = case().answers[0]
    told = sentences(case(answers=(one, one)))[0]
    assert "it has 2 answers, which stand in refunds.md, page 3" in told


def test_ranks_of_several_needs_are_listed() -> None:
    told = sentences(case(proposed=proposed(), effect=fix(ranks=(4, 1))))[2]
    assert told.startswith("hybrid brings it back at ranks 4 and 1; of 120")
    told = sentences(case(proposed=proposed(), effect=fix(ranks=(4, 1, 1007))))[2]
    assert told.startswith("hybrid brings it back at ranks 4, 1 and 1,007; of 120")


def test_each_answer_that_is_delivered_has_its_rank() -> None:
    first, second = (
        why("delivered", ("delivered", {"rank": rank, "k": 5})).needs[0] for rank in (4, 1)
    )
    made = why("delivered", ("delivered", {"rank": 4, "k": 5}))
    told = sentences(case(today=replace(case().today, why=replace(made, needs=(first, second)))))
    assert told[1] == (
        "bm25 searches 1,240 chunks – its 2 answers are delivered at ranks 4 and 1, and 5 are "
        "returned."
    )
