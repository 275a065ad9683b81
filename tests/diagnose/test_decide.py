"""The first stage of the strategy that applies, from facts written by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.diagnose import (
    LABELS,
    STAGES,
    PlaceFacts,
    applies,
    decide,
    earliest,
    furthest,
    stages_of,
)
from ragdebug.settings import StrategySettings

# Everything went well: third of five.
FOUND = PlaceFacts(
    in_corpus=True,
    whole=True,
    candidate=True,
    lists={"vector": 2, "bm25": None},
    in_pool=True,
    ranked=3,
    admitted=3,
    tokens=300,
)
PARSE = StrategySettings.parse


@pytest.mark.parametrize(
    ("strategy", "changes", "stage"),
    [
        ("hybrid", {}, "delivered"),
        ("hybrid", {"in_corpus": False, "admitted": None}, "not_in_corpus"),
        ("hybrid", {"in_corpus": False, "seen": True, "admitted": None}, "lost_in_parsing"),
        ("hybrid+filter=a=b", {"allowed": False, "admitted": None}, "filtered_out"),
        ("hybrid", {"whole": False, "admitted": 6, "ranked": 6}, "cut"),
        # All pieces came in: nothing is lost although no chunk holds it.
        ("hybrid", {"whole": False}, "delivered"),
        ("vector", {"read": False, "ranked": 9, "admitted": 9}, "beyond_window"),
        # Delivered by luck, although the model never read it.
        ("vector", {"read": False}, "delivered"),
        # BM25 reads all of it.
        ("hybrid", {"read": False, "ranked": 9, "admitted": 9}, "lost_in_fusion"),
        ("hybrid+weights=bm25:0", {"read": False, "ranked": 9, "admitted": 9}, "beyond_window"),
        ("bm25", {"candidate": False, "ranked": None, "admitted": None}, "not_retrieved"),
        # Second in the vector list, ninth after fusion.
        ("hybrid", {"ranked": 9, "admitted": 9}, "lost_in_fusion"),
        # No list had it in the first five either.
        ("hybrid", {"lists": {"vector": 6}, "ranked": 9, "admitted": 9}, "below_k"),
        ("reranked", {"in_pool": False, "ranked": 30, "admitted": 30}, "lost_in_fusion"),
        ("reranked", {"ranked": 6, "admitted": 6}, "lost_in_rerank"),
        ("bm25", {"ranked": 6, "admitted": 6}, "below_k"),
        ("bm25+minimum=2", {"admitted": None}, "below_minimum_score"),
        ("bm25+minimum=2", {"ranked": 6, "admitted": None}, "below_k"),
        ("bm25+budget=299", {}, "over_budget"),
        ("bm25+budget=300", {}, "delivered"),
    ],
)
def test_the_first_stage_that_applies_is_named(
    strategy: str, changes: dict[str, object], stage: str
) -> None:
    facts = replace(FOUND, **changes)  # type: ignore[arg-type]
    assert decide(facts, PARSE(strategy)) == stage


@pytest.mark.parametrize(
    ("strategy", "missing"),
    [
        ("vector", {"lost_in_fusion", "lost_in_rerank"}),
        ("bm25", {"beyond_window", "lost_in_fusion", "lost_in_rerank"}),
        ("hybrid", {"lost_in_rerank"}),
        ("reranked", {"below_k"}),
    ],
)
def test_a_strategy_has_the_stages_of_its_settings(strategy: str, missing: set[str]) -> None:
    always = {"filtered_out", "below_minimum_score", "over_budget"}
    assert stages_of(PARSE(strategy)) == tuple(s for s in STAGES if s not in missing | always)
    whole = PARSE(f"{strategy}+filter=a=b+minimum=0+budget=9")
    assert stages_of(whole) == tuple(s for s in STAGES if s not in missing)


def test_every_stage_has_a_label_of_its_own() -> None:
    assert list(LABELS) == list(STAGES) and len(set(LABELS.values())) == len(STAGES)


def test_any_place_of_a_need_is_enough_and_every_need_is_asked_for() -> None:
    assert furthest(["cut", "below_k", "not_retrieved"]) == "below_k"
    assert furthest(["cut", "delivered"]) == "delivered"
    assert earliest(["delivered", "below_k", "cut"]) == "cut"


ranks = st.none() | st.integers(1, 12)


@given(
    strategy=st.sampled_from(
        ["vector", "bm25+budget=100", "hybrid+minimum=1", "reranked", "hybrid+filter=a=b"]
    ),
    facts=st.builds(
        PlaceFacts,
        in_corpus=st.booleans(),
        seen=st.booleans(),
        allowed=st.booleans(),
        whole=st.booleans(),
        read=st.booleans(),
        candidate=st.booleans(),
        lists=st.dictionaries(st.sampled_from(["vector", "bm25"]), ranks),
        in_pool=st.booleans(),
        ranked=ranks,
        admitted=ranks,
        tokens=st.integers(-1, 200),
    ),
)
def test_whatever_the_facts_one_stage_of_the_strategy_is_named(
    strategy: str, facts: PlaceFacts
) -> None:
    one = PARSE(strategy)
    if facts.allowed is False and not one.filter:
        facts = replace(facts, allowed=True)
    if facts.admitted is not None:  # a minimum only takes away
        facts = replace(facts, ranked=facts.admitted)
    if facts.admitted is None and one.minimum is None:
        facts = replace(facts, ranked=None)
    stage = decide(facts, one)
    assert stage in stages_of(one)
    if stage != "delivered":
        earlier = stages_of(one)[: stages_of(one).index(stage)]
        assert applies(stage, facts, one)
        assert not any(applies(s, facts, one) for s in earlier)
