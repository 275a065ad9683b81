"""Vectors, scores and chunks: kept once, read back exactly, in bulk."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ragdebug.errors import ModelMismatch, StoreError
from ragdebug.protocols import ScoreCache, VectorCache
from ragdebug.records import Chunk
from ragdebug.store.rows import KeptModel
from ragdebug.store.workspace import Store
from ragdebug.table import DocumentChunks


def vectors(n: int, width: int = 4, seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal((n, width)).astype(np.float32)


# Vectors ------------------------------------------------------------------------------------------


def test_vectors_come_back_exactly_with_their_positions(store: Store) -> None:
    cache: VectorCache = store.vectors
    given_vectors = vectors(4)
    cache.put("m", ["a", "b", "c", "d"], given_vectors)
    at, found = cache.get("m", ["d", "unknown", "a", "a", "c"])
    assert at.tolist() == [0, 2, 3, 4]
    assert at.dtype == np.int64
    assert found.dtype == np.float32
    assert np.array_equal(found, given_vectors[[3, 0, 0, 2]])
    assert found.flags.c_contiguous


def test_models_do_not_mix(store: Store) -> None:
    store.vectors.put("one", ["a"], vectors(1, 3))
    store.vectors.put("two", ["a", "b"], vectors(2, 5))
    assert store.vectors.get("one", ["a", "b"])[0].tolist() == [0]
    assert store.vectors.get("two", ["a", "b"])[1].shape == (2, 5)
    assert store.vectors.get("three", ["a"])[1].shape == (0, 0)
    assert store.vectors.models() == [KeptModel("one", 3, 1), KeptModel("two", 5, 2)]
    assert store.vectors.count("two") == 2
    assert store.vectors.delete_model("two") == 2
    assert store.vectors.models() == [KeptModel("one", 3, 1)]


def test_nothing_asked_and_nothing_known_are_empty(store: Store) -> None:
    assert store.vectors.get("m", [])[0].shape == (0,)
    store.vectors.put("m", [], np.zeros((0, 4), np.float32))
    store.vectors.put("m", ["a"], vectors(1))
    at, found = store.vectors.get("m", ["x", "y"])
    assert at.shape == (0,)
    assert found.shape == (0, 4)


def test_a_vector_that_is_there_stays_and_one_given_twice_is_kept_once(store: Store) -> None:
    first, second = vectors(1), vectors(3, seed=1)
    store.vectors.put("m", ["a"], first)
    store.vectors.put("m", ["a", "b", "b"], second)
    assert store.vectors.count("m") == 2
    _, found = store.vectors.get("m", ["a", "b"])
    assert np.array_equal(found, np.stack([first[0], second[1]]))


def test_known_says_which_without_reading_vectors(store: Store) -> None:
    store.vectors.put("m", ["a", "b"], vectors(2))
    assert store.vectors.known("m", ["b", "x", "a", "b"]).tolist() == [True, False, True, True]
    assert store.vectors.known("m", []).tolist() == []


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused(store: Store, bad: float) -> None:
    given_vectors = vectors(3)
    given_vectors[1, 2] = bad
    with pytest.raises(StoreError, match="1 of 3"):
        store.vectors.put("m", ["a", "b", "c"], given_vectors)
    assert store.vectors.count("m") == 0


def test_another_width_under_the_same_model_is_refused(store: Store) -> None:
    store.vectors.put("m", ["a"], vectors(1, 4))
    with pytest.raises(ModelMismatch, match="5.*4"):
        store.vectors.put("m", ["b"], vectors(1, 5))
    assert store.vectors.count("m") == 1


def test_shapes_that_do_not_fit_are_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="2 texts"):
        store.vectors.put("m", ["a", "b"], vectors(3))
    with pytest.raises(StoreError, match="shape"):
        store.vectors.put("m", ["a"], np.ones(4, np.float32))


def test_vectors_are_deleted_by_text_from_all_models_or_one(store: Store) -> None:
    for model in ("one", "two"):
        store.vectors.put(model, ["a", "b"], vectors(2))
    assert store.vectors.delete(["a"], "one") == 1
    assert store.vectors.delete(["a", "b", "x"]) == 3
    assert store.vectors.models() == []


def test_large_puts_are_several_batches_and_large_gets_one_matrix(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragdebug.store.vectors.WRITE_BYTES", 4 * 8 * 700)
    monkeypatch.setattr("ragdebug.store.vectors.READ_ROWS", 512)
    given_vectors = vectors(5000, 8)
    names = [f"{n:032x}" for n in range(5000)]
    batches = []
    put = store.vectors._put
    monkeypatch.setattr(
        store.vectors, "_put", lambda m, h, v: batches.append(len(h)) or put(m, h, v)
    )
    store.vectors.put("m", names, given_vectors)
    assert batches == [700] * 7 + [100]
    order = np.random.default_rng(2).permutation(5000)
    at, found = store.vectors.get("m", [names[i] for i in order])
    assert at.tolist() == list(range(5000))
    assert np.array_equal(found, given_vectors[order])


@pytest.mark.slow
def test_a_hundred_thousand_vectors_come_back_exactly(store: Store) -> None:
    given_vectors = vectors(100_000, 384)
    names = [f"{n:032x}" for n in range(100_000)]
    store.vectors.put("m", names, given_vectors)
    at, found = store.vectors.get("m", names)
    assert len(at) == 100_000
    assert np.array_equal(found, given_vectors)


# Scores -------------------------------------------------------------------------------------------


def test_scores_come_back_by_model_and_query(store: Store) -> None:
    cache: ScoreCache = store.scores
    cache.put("m", "how?", {"a": 0.1 + 0.2, "b": -3.5})
    cache.put("m", "why?", {"a": 7.0})
    assert cache.get("m", "how?", ["a", "b", "x"]) == {"a": 0.1 + 0.2, "b": -3.5}
    assert cache.get("m", "why?", ["a", "b"]) == {"a": 7.0}
    assert cache.get("other", "how?", ["a"]) == {}
    assert cache.get("m", "how?", []) == {}


def test_a_score_that_is_there_stays(store: Store) -> None:
    store.scores.put("m", "q", {"a": 1.0})
    store.scores.put("m", "q", {"a": 2.0, "b": 3.0})
    assert store.scores.get("m", "q", ["a", "b"]) == {"a": 1.0, "b": 3.0}
    assert store.scores.count() == 2


def test_scores_that_are_not_finite_are_not_kept(store: Store) -> None:
    store.scores.put("m", "q", {"a": float("nan"), "b": float("inf"), "c": 1.0})
    store.scores.put("m", "q", {"d": float("nan")})
    assert store.scores.get("m", "q", list("abcd")) == {"c": 1.0}


def test_scores_are_deleted_by_text(store: Store) -> None:
    store.scores.put("m", "q", {"a": 1.0, "b": 2.0})
    store.scores.put("n", "r", {"a": 3.0})
    assert store.scores.delete(["a"]) == 2
    assert store.scores.count() == 1


# Chunks -------------------------------------------------------------------------------------------

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
CHUNK = st.builds(
    lambda start, length, text, label, context, section, page: Chunk(
        id="",
        document="d",
        version="v",
        source="s",
        start=start,
        end=start + length,
        index_text=f"{label}{context}{text}",
        text=text,
        label=label,
        context=context,
        section=section,
        page=page,
        page_label="iv" if page else "",
        size=length,
    ),
    st.integers(0, 10**6),
    st.integers(1, 500),
    WORDS,
    WORDS,
    WORDS,
    st.lists(WORDS.filter(bool), max_size=2).map(tuple),
    st.none() | st.integers(1, 50),
)


def same(a: DocumentChunks, b: DocumentChunks) -> bool:
    return a.strings == b.strings and all(
        np.array_equal(getattr(a, name), getattr(b, name))
        and getattr(a, name).dtype == getattr(b, name).dtype
        for name in DocumentChunks.COLUMNS
    )


def cut(*texts: str) -> DocumentChunks:
    return DocumentChunks.of(
        [
            Chunk("", "d", "v", "s", n, n + len(t), t, t, label="L", size=len(t))
            for n, t in enumerate(texts)
        ],
        [(n, n + 1) for n in range(len(texts))],
    )


@settings(max_examples=20)
@given(st.lists(CHUNK, max_size=5))
def test_chunks_come_back_as_they_were_cut(
    tmp_path_factory: pytest.TempPathFactory, chunks: list[Chunk]
) -> None:
    from ragdebug.store.chunks import _numbers, _read, _strings

    columns = DocumentChunks.of(chunks)
    back = _read(len(columns), _numbers(columns), columns.digests.tobytes(), _strings(columns))
    assert same(back, columns)


def test_chunks_are_kept_by_version_and_chunking(store: Store) -> None:
    one, two, none = cut("Pay.", "Wait."), cut("Go."), cut()
    store.chunks.put({("a", "v1"): one, ("a", "v2"): two, ("b", "v1"): none}, "fine")
    store.chunks.put({("a", "v1"): two}, "coarse")
    found = store.chunks.get([("a", "v1"), ("b", "v1"), ("b", "v2"), ("c", "v1")], "fine")
    assert found.keys() == {("a", "v1"), ("b", "v1")}
    assert same(found["a", "v1"], one)
    assert same(found["b", "v1"], none)
    assert same(store.chunks.get([("a", "v1")], "coarse")["a", "v1"], two)
    assert store.chunks.get([], "fine") == {}
    assert store.chunks.chunkings() == {"coarse": 1, "fine": 3}


def test_chunks_that_are_there_stay(store: Store) -> None:
    store.chunks.put({("a", "v1"): cut("first")}, "fine")
    store.chunks.put({("a", "v1"): cut("second", "third")}, "fine")
    assert store.chunks.chunkings() == {"fine": 1}


def test_a_chunking_and_a_document_can_be_dropped(store: Store) -> None:
    for chunking in ("fine", "coarse"):
        store.chunks.put({("a", "v1"): cut("x", "y"), ("b", "v1"): cut("z")}, chunking)
    store.chunks.drop("coarse")
    assert store.chunks.chunkings() == {"fine": 3}
    assert store.chunks.delete(["a", "nobody"]) == 2
    assert store.chunks.chunkings() == {"fine": 1}


def test_hashes_of_one_document_are_those_no_other_document_has(store: Store) -> None:
    from ragdebug.table import text_digest

    store.chunks.put({("a", "v1"): cut("mine", "ours"), ("b", "v1"): cut("ours")}, "fine")
    store.chunks.put({("a", "v1"): cut("mine again")}, "coarse")
    expected = {text_digest(t).hex() for t in ("mine", "mine again")}
    assert store.chunks.own_hashes(["a"]) == expected
    assert store.chunks.own_hashes(["a", "b"]) == expected | {text_digest("ours").hex()}
    assert store.chunks.own_hashes([]) == set()
