"""Settings files: what is written reads back the same, and what is wrong is said by its key."""

from __future__ import annotations

import tomllib
from dataclasses import fields as fields_of
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.errors import InvalidSetting
from ragdebug.settings import (
    CHUNKERS,
    MAX_DEPTH,
    PRESETS,
    AnalyzerSettings,
    BM25Settings,
    ChunkingSettings,
    DenseSettings,
    FusionSettings,
    RerankSettings,
    StrategySettings,
)
from ragdebug.workbench.sharing.fields import TABLES
from ragdebug.workbench.sharing.reading import read_settings
from ragdebug.workbench.sharing.writing import settings_toml

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
some = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
numbers = st.floats(0, 1e300)

sizes = st.integers(1, 10**12).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1)))
chunkings = st.builds(
    lambda name, size, unit, overlap_unit, tokenizer, label, separators: ChunkingSettings(
        name, *size, unit, overlap_unit, tokenizer, label, tuple(separators)
    ),
    st.sampled_from(CHUNKERS),
    sizes,
    st.sampled_from(["tokens", "chars"]),
    st.sampled_from(["", "sentences"]),
    texts,
    st.booleans(),
    st.lists(texts, max_size=3),
) | st.builds(lambda name: ChunkingSettings("imported", name=name), some)
analyzers = st.builds(
    AnalyzerSettings,
    st.sampled_from(["auto", "none", "en", "de", "no", "ja"]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
weights = st.tuples(st.sampled_from(["vector", "bm25"]), st.floats(0, 1e6))
fusions = st.builds(
    FusionSettings,
    st.sampled_from(["rrf", "weighted"]),
    numbers,
    st.lists(weights, max_size=3).filter(lambda w: len(w) < 2 or any(x for _, x in w)).map(tuple),
)
whole = st.integers(1, MAX_DEPTH)
anything = st.builds(
    lambda preset, k, rerank, **rest: StrategySettings(
        preset, k=min(k, rerank.pool), rerank=rerank, **rest
    ),
    st.sampled_from(PRESETS),
    whole,
    st.builds(RerankSettings, texts, whole, st.booleans()),
    chunking=chunkings,
    embedder=texts,
    dense=st.builds(
        DenseSettings,
        st.sampled_from(["exact", "hnsw"]),
        st.integers(2, 512),
        st.integers(1, 10**5),
    ),
    bm25=st.builds(
        BM25Settings,
        st.sampled_from(["lucene", "okapi"]),
        numbers,
        st.floats(0, 1),
        numbers,
        analyzers,
    ),
    fusion=fusions,
    depth=whole,
    minimum=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    filter=st.lists(st.tuples(texts, texts), max_size=3).map(tuple),
    budget=st.none() | st.integers(1, 10**15),
)
outside = st.builds(
    lambda preset, name, k, minimum: StrategySettings(preset, k=k, minimum=minimum, outside=name),
    st.sampled_from(["list", "searcher"]),
    some,
    whole,
    st.none() | st.floats(-5, 5),
)


@given(st.dictionaries(texts, anything | outside, min_size=1, max_size=3))
def test_every_strategy_comes_back_as_it_was(strategies: dict[str, StrategySettings]) -> None:
    text = settings_toml(strategies)
    assert read_settings(text.encode()).strategies == strategies
    windows = text.replace("\n", "\r\n").encode("utf-8-sig")
    assert read_settings(windows).strategies == strategies
    assert all(line == line.rstrip() or '"' in line for line in text.splitlines())


def test_every_setting_there_is_has_a_key_and_a_word_on_it() -> None:
    for table in TABLES:
        nested = {
            other.path[-1] for other in TABLES if other.path and other.path[:-1] == table.path
        }
        assert {f.name for f in table.fields} | nested == {f.name for f in fields_of(table.record)}
        assert all(f.about for f in table.fields)


def test_the_file_is_read_by_people() -> None:
    made = StrategySettings.parse("hybrid@fixed:200/0+weights=bm25:2+filter=kind=pdf&kind=html")
    text = settings_toml({"for manuals": made})
    written: dict[str, Any] = tomllib.loads(text)
    table = written["strategies"]["for manuals"]
    assert written["version"] == 1
    assert (table["preset"], table["k"], table["minimum"], table["budget"]) == (
        "hybrid", 5, "none", "none",
    )  # fmt: skip
    assert table["chunking"] == {
        "strategy": "fixed", "size": 200, "overlap": 0, "unit": "tokens", "overlap_unit": "",
        "tokenizer": "all-MiniLM-L6-v2", "label": True, "separators": [],
    }  # fmt: skip
    assert table["fusion"]["weights"] == [{"list": "bm25", "weight": 2.0}]
    assert table["filter"] == [{"key": "kind", "value": "pdf"}, {"key": "kind", "value": "html"}]
    assert f"# {made}" in text
    for line in text.splitlines():
        assert not line or line.startswith(("#", "[", "version")) or "  # " in line


def test_what_is_left_out_has_its_default() -> None:
    read = read_settings(
        b'version = 1\n[strategies.a]\npreset = "bm25"\n[strategies.a.bm25]\nk1 = 2'
    )
    assert read.strategies == {"a": StrategySettings.parse("bm25+k1=2")}


def said(text: str | bytes, head: str = "version = 1\n") -> str:
    data = text if isinstance(text, bytes) else (head + text).encode()
    with pytest.raises(InvalidSetting) as refused:
        read_settings(data, "mine.toml")
    assert refused.value.title == "Settings not read"
    return refused.value.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[strategies.a]\nk = 5\n", "strategies.a.preset is missing."),
        ("[strategies.a]\npreset = 'best'", "strategies.a.preset: No strategy is called 'best'."),
        ("[strategies.a]\npreset = 'bm25'\nk = '5'", "strategies.a.k is '5'; it must be a whole"),
        ("[strategies.a]\npreset = 'bm25'\nk = true", "strategies.a.k is true; it must be a whole"),
        ("[strategies.a]\npreset = 'bm25'\nk = 0", "strategies.a.k: k is 0; it must be a number"),
        ("[strategies.a]\npreset = 'bm25'\nmodle = 'x'", "a.modle is not known; is model meant?"),
        ("[strategies.a]\npreset = 'bm25'\nminimum = nan", "strategies.a.minimum: The minimum"),
        ("[strategies.a]\npreset = 'bm25'\nfilter = [['a', 'b']]", "strategies.a.filter is"),
        ("[strategies.a]\npreset = 'bm25'\nbm25 = 3", "strategies.a.bm25 must be a table."),
        ("[strategies.a]\npreset = 'reranked'\nk = 30", "strategies.a: A rerank pool of 20 is"),
        ("[strategies.'a b'.chunking]\nsize = 0", 'strategies."a b".chunking.size: Size is 0;'),
        ("[strategies.a.chunking]\nsize = 9\noverlap = 9", "a.chunking: Overlap 9 is not smaller"),
        ("[strategies.a.bm25]\nb = 2", "strategies.a.bm25.b: b is 2; it must be a number from 0"),
        ("[strategies.a]\npreset='bm25'\n[strategies.a.bm25.analyzer]\nlanguage='xx'",
         "strategies.a.bm25.analyzer.language: There is no analyzer for the language 'xx'."),
        ("[strategies.a.fusion]\nweights = [{list = 'web', weight = 1}]\n[strategies.b]\n",
         "strategies.b.preset is missing."),
        ("[strategies]\na = 3", "strategies.a must be a table."),
        ("[strategy.a]\npreset = 'bm25'", "holds no strategies"),
        ("", "holds no strategies"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_key(text: str, words: str) -> None:
    assert words in said(text)


def test_all_that_is_wrong_is_said_at_once() -> None:
    message = said(
        "colour = 1\n[strategies.a]\npreset = 'bm25'\nk = 0.5\n"
        "[strategies.b]\npreset = 'vector'\n[strategies.b.dense]\nindex = 'ivf'\nef_search = []\n"
    )
    assert [line.split(" ")[0] for line in message.splitlines()] == [
        "colour", "strategies.a.k", "strategies.b.dense.ef_search",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"version = 1\n[strategies.a\npreset = 1", "mine.toml is not TOML: line 2, column 14"),
        (b"version = 1\nversion = 1", "mine.toml is not TOML: line 2"),
        (b"version = 1\na = [", "mine.toml is not TOML: line 2, its end"),
        (b"a = 1\nb = '\xe9'", "mine.toml is not UTF-8 text: line 2"),
        (b"a = " + b"[" * 100_000, "mine.toml is not TOML"),
        (b"a = " + b"9" * 5_000, "mine.toml is not TOML"),
        (b"", "mine.toml has no version; a settings file says version = 1."),
        (b"version = 'x'", "says version = 'x'; a settings file says version = 1."),
        (b"version = 2", "mine.toml says version = 2; this program reads up to 1."),
    ],
)
def test_a_damaged_or_newer_file_is_said_with_its_line(data: bytes, words: str) -> None:
    assert words in said(data)


def test_half_a_character_cannot_be_written() -> None:
    with pytest.raises(InvalidSetting, match="half of a character"):
        settings_toml({"a": StrategySettings(filter=(("kind", "\ud800"),))})
