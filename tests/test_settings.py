"""Text forms are identities, and impossible settings are refused with their numbers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.errors import InvalidSetting
from ragdebug.settings import (
    CHUNKERS,
    OUTSIDE,
    AnalyzerSettings,
    BM25Settings,
    ChunkingSettings,
    FusionSettings,
    RerankSettings,
    StrategySettings,
    parse_pairs,
    parse_strategies,
)

names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=12)
stripped = names.map(str.strip).filter(bool)

chunkings = st.builds(
    lambda name, size, share, unit, label, sentences, separators: ChunkingSettings(
        strategy=name,
        size=size,
        overlap=int(share * (size - 1)),
        unit=unit,
        label=label,
        overlap_unit="sentences" if sentences else "",
        separators=tuple(separators),
    ),
    st.sampled_from([c for c in CHUNKERS if c != "document"]),
    st.integers(1, 5000),
    st.floats(0, 1),
    st.sampled_from(["tokens", "chars"]),
    st.booleans(),
    st.booleans(),
    st.lists(names, max_size=3),
)

searches = st.builds(
    lambda preset, chunking, k, rrf, minimum, pairs, weights, model: StrategySettings(
        preset=preset,
        chunking=chunking,
        embedder=model,
        k=k,
        fusion=FusionSettings(k=rrf, weights=(("vector", weights), ("bm25", 1.5))),
        rerank=RerankSettings(pool=k + 3),
        minimum=minimum,
        filter=tuple(pairs),
    ),
    st.sampled_from(["vector", "bm25", "hybrid", "reranked"]),
    chunkings,
    st.integers(1, 100),
    st.floats(0, 1000),
    st.none() | st.floats(-5, 5),
    st.lists(st.tuples(stripped, stripped), max_size=3),
    st.floats(0, 10),
    stripped,
)


@given(chunkings)
def test_text_form_of_a_chunking_gives_the_chunking_back(settings: ChunkingSettings) -> None:
    assert ChunkingSettings.parse(str(settings)) == settings


@given(searches)
def test_text_form_of_a_strategy_gives_the_strategy_back(settings: StrategySettings) -> None:
    assert StrategySettings.parse(str(settings)) == settings


def test_parts_of_a_chunking_may_be_left_out() -> None:
    assert str(ChunkingSettings.parse("structure")) == "structure:220/40:tokens:label"
    assert str(ChunkingSettings.parse("fixed:200")) == "fixed:200/0:tokens:label"
    assert ChunkingSettings.parse("structure:100/2s").overlap_unit == "sentences"
    assert str(ChunkingSettings.parse("document")) == "document:label"


@pytest.mark.parametrize(
    ("size", "overlap"), [(100, 100), (100, 150), (1, 1), (0, 0), (-5, 0), (10, -1)]
)
def test_sizes_that_cannot_end_are_refused_with_both_numbers(size: int, overlap: int) -> None:
    with pytest.raises(InvalidSetting) as refused:
        ChunkingSettings("fixed", size=size, overlap=overlap)
    assert str(size) in str(refused.value)
    if size > 0:
        assert str(overlap) in str(refused.value)


@pytest.mark.parametrize(
    "text",
    ["", "foo", "fixed:abc", "fixed:100/100", "fixed:100/0:words", "structure:220/40:bold"],
)
def test_chunkings_that_are_not_understood_are_refused(text: str) -> None:
    with pytest.raises(InvalidSetting):
        ChunkingSettings.parse(text)


@pytest.mark.parametrize(
    "text", ["hybrid+what=1", "hybrid+k=five", "hybrid+k=0", "best", "hybrid@foo", "bm25+b=2"]
)
def test_strategies_that_are_not_understood_are_refused(text: str) -> None:
    with pytest.raises(InvalidSetting):
        StrategySettings.parse(text)


@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf])
def test_a_weight_is_a_finite_number_not_below_zero(weight: float) -> None:
    with pytest.raises(InvalidSetting):
        FusionSettings(weights=(("vector", weight), ("bm25", 1.0)))


def test_all_weights_zero_would_rank_nothing() -> None:
    with pytest.raises(InvalidSetting):
        FusionSettings(weights=(("vector", 0.0), ("bm25", 0.0)))


def test_zero_is_a_value_of_k1_and_b() -> None:
    settings = StrategySettings.parse("bm25+k1=0+b=0")
    assert (settings.bm25.k1, settings.bm25.b) == (0, 0)
    assert BM25Settings(k1=0).fingerprint() != BM25Settings().fingerprint()


def test_the_pool_is_never_below_k() -> None:
    with pytest.raises(InvalidSetting, match="pool"):
        StrategySettings.parse("reranked+k=30")
    assert StrategySettings.parse("reranked+k=30+pool=30").rerank.pool == 30


def test_commas_part_strategies_but_not_weights() -> None:
    found = parse_strategies("vector,hybrid+weights=vector:2,bm25:1,bm25@fixed:200/0")
    assert [s.preset for s in found] == ["vector", "hybrid", "bm25"]
    assert found[1].fusion.weight("vector") == 2


@pytest.mark.parametrize("text", ["", " ", ",", " , "])
def test_no_strategy_at_all_is_refused(text: str) -> None:
    with pytest.raises(InvalidSetting, match="No strategy"):
        parse_strategies(text)


def test_a_weight_of_an_unknown_list_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="vectr"):
        StrategySettings.parse("hybrid+weights=vectr:2")


def test_analyzer_text_form() -> None:
    settings = AnalyzerSettings("de", stemming=False)
    assert str(settings) == "de-no_stemming"
    assert AnalyzerSettings.parse("de-no_stemming") == settings
    with pytest.raises(InvalidSetting):
        AnalyzerSettings.parse("de-loud")


def test_a_filter_needs_key_and_value() -> None:
    assert parse_pairs(["tenant=acme", "a=b=c"]) == (("tenant", "acme"), ("a", "b=c"))
    with pytest.raises(InvalidSetting):
        parse_pairs(["tenant"])


@pytest.mark.parametrize("budget", ["0", "-5"])
def test_a_budget_below_one_token_is_refused(budget: str) -> None:
    with pytest.raises(InvalidSetting, match="budget"):
        StrategySettings.parse(f"vector+budget={budget}")


# What other systems bring -------------------------------------------------------------------------


@given(stripped)
def test_any_name_of_something_imported_survives_the_text_form(name: str) -> None:
    chunking = ChunkingSettings(strategy="imported", name=name)
    assert ChunkingSettings.parse(str(chunking)) == chunking
    for preset in OUTSIDE:
        strategy = StrategySettings(preset=preset, outside=name, k=7, filter=(("tenant", "a"),))
        assert StrategySettings.parse(str(strategy)) == strategy
        assert parse_strategies(f"bm25,{strategy},vector")[1] == strategy


@pytest.mark.parametrize("name", ["ü", "退款 2024", "Erstattung (neu)!", "سياسة", "👩\u200d🚀"])
def test_a_name_stands_in_the_text_form_as_it_was_written(name: str) -> None:
    chunking = ChunkingSettings(strategy="imported", name=name)
    assert str(chunking) == f"imported:{name}"
    assert str(StrategySettings(preset="list", outside=name)) == f"list:{name}"
    model = StrategySettings(preset="vector", chunking=chunking, embedder=name)
    assert str(model) == f"vector@imported:{name}+model={name}"


@pytest.mark.parametrize("name", ["a:b", "a+b", "a@b", "a,vector", "50%", "\u202eab", "a\tb"])
def test_what_the_text_form_means_itself_or_nobody_sees_is_encoded_in_a_name(name: str) -> None:
    chunking = ChunkingSettings(strategy="imported", name=name)
    assert str(chunking) != f"imported:{name}"
    assert ChunkingSettings.parse(str(chunking)) == chunking


def test_text_forms_that_encode_every_letter_are_still_read() -> None:
    assert ChunkingSettings.parse("imported:%C3%BC").name == "ü"
    assert StrategySettings.parse("list:%C3%BC").outside == "ü"


def test_a_list_and_a_searcher_have_the_pieces_they_returned_and_no_chunking_of_their_own() -> None:
    strategy = StrategySettings.parse("list:prod")
    assert strategy.chunking == ChunkingSettings(strategy="imported", name="list:prod")
    assert not strategy.uses_vectors and not strategy.uses_bm25
    back = StrategySettings.parse("vector", base=strategy)
    assert back.chunking == ChunkingSettings() and back.outside == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("list", "needs the name of a list"),
        ("bm25:prod", "has no name of its own"),
        ("list:prod@fixed:200/0", "has the chunks it came with"),
        ("bm25@imported", "have no name"),
        ("bm25@imported:a:tokens", "not understood"),
    ],
)
def test_what_an_imported_list_cannot_have_is_refused(text: str, says: str) -> None:
    with pytest.raises(InvalidSetting, match=says):
        StrategySettings.parse(text)


def test_fingerprints_kept_before_there_was_anything_imported_stay_the_same() -> None:
    # Saved runs and chunks are found by them.
    assert ChunkingSettings().fingerprint() == "d7b0eb0e9f6e254e"
    assert StrategySettings().fingerprint() == "b6bd7fb133a3a99b"
