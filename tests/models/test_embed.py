from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ragdebug import embed
from ragdebug.embed import embed_missing, plan, text_hash
from ragdebug.errors import Cancelled, ModelMismatch
from ragdebug.protocols import ModelInfo, Vectors

INFO = ModelInfo("toy", "embedder", "toy-1", dimension=2, texts_per_s=10)


class Toy:
    """Embeds a text as its length and its first letter; keeps what it was given."""

    def __init__(self, info: ModelInfo = INFO) -> None:
        self.info = info
        self.calls: list[list[str]] = []

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        return np.array([vector(text) for text in texts], np.float32)

    def embed_query(self, query: str) -> Vectors:
        return np.array(vector(query), np.float32)

    @property
    def seen(self) -> list[str]:
        return [text for call in self.calls for text in call]


def vector(text: str) -> tuple[float, float]:
    return (len(text), ord(text[0]) if text else 0)


class Memory:
    """A vector cache in memory."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], Vectors] = {}
        self.puts: list[int] = []

    def get(self, model: str, hashes: Sequence[str]) -> tuple[NDArray[np.int64], Vectors]:
        raise AssertionError("planning and embedding read no vectors")

    def known(self, model: str, hashes: Sequence[str]) -> NDArray[np.bool_]:
        return np.array([(model, h) in self.kept for h in hashes], bool)

    def put(self, model: str, hashes: Sequence[str], vectors: Vectors) -> None:
        self.puts.append(len(hashes))
        for h, v in zip(hashes, vectors, strict=True):
            self.kept.setdefault((model, h), v)


def test_the_hash_is_32_hex_digits_of_the_utf_8() -> None:
    assert text_hash("") == "cae66941d9efbd404e4d88758ea67670"
    assert text_hash("é") != text_hash("e\u0301")
    assert len(text_hash("a\ud800")) == 32


def test_each_distinct_text_is_embedded_once() -> None:
    model, cache = Toy(), Memory()
    stats = embed_missing(["one", "two", "one", "three", "two"], model, cache)
    assert sorted(model.seen) == ["one", "three", "two"]
    assert (stats.texts, stats.distinct, stats.embedded, stats.left) == (5, 3, 3, 0)


def test_each_text_gets_its_own_vector() -> None:
    cache = Memory()
    texts = [f"{chr(97 + n % 26)}{'x' * (n * 7 % 90)}" for n in range(500)]
    embed_missing(texts, Toy(), cache)
    for text in texts:
        assert cache.kept["toy-1", text_hash(text)].tolist() == list(vector(text))


def test_what_is_there_is_never_embedded_again() -> None:
    model, cache = Toy(), Memory()
    embed_missing(["one", "two"], model, cache)
    model.calls.clear()
    stats = embed_missing(["two", "one"], model, cache)
    assert model.calls == []
    assert stats.embedded == 0
    embed_missing(["two", "new"], model, cache)
    assert model.seen == ["new"]


def test_another_model_of_the_same_width_has_its_own_vectors() -> None:
    cache = Memory()
    embed_missing(["one"], Toy(), cache)
    other = Toy(ModelInfo("toy-b", "embedder", "toy-2", dimension=2))
    embed_missing(["one"], other, cache)
    assert other.seen == ["one"]
    assert {model for model, _ in cache.kept} == {"toy-1", "toy-2"}


def test_the_plan_counts_what_embedding_would_do() -> None:
    cache = Memory()
    embed_missing(["a", "b"], Toy(), cache)
    hashes = [text_hash(text) for text in ["a", "c", "c", "d", "e", "f"]]
    planned = plan(hashes, INFO, cache)
    assert (planned.texts, planned.distinct, planned.new) == (6, 5, 4)
    assert planned.estimate_s == pytest.approx(0.4)
    assert plan([], INFO, cache).new == 0


@given(st.lists(st.text(max_size=4), max_size=80))
def test_the_plan_and_the_work_agree(texts: list[str]) -> None:
    cache = Memory()
    embed_missing(texts[::2], Toy(), cache)
    planned = plan([text_hash(text) for text in texts], INFO, cache)
    stats = embed_missing(texts, Toy(), cache)
    assert (planned.texts, planned.distinct, planned.new) == (
        stats.texts,
        stats.distinct,
        stats.embedded,
    )
    assert {h for _, h in cache.kept} == {text_hash(text) for text in texts}


def test_progress_counts_the_new_texts_up_to_all() -> None:
    told: list[tuple[int, int, str]] = []
    texts = [str(n) for n in range(200)]
    embed_missing(texts, Toy(), Memory(), lambda *now: told.append(now))
    assert told[0] == (0, 200, "texts")
    assert told[-1] == (200, 200, "texts")
    assert [n for n, _, _ in told] == sorted(n for n, _, _ in told)


def test_nothing_new_reports_no_progress() -> None:
    told: list[object] = []
    embed_missing([], Toy(), Memory(), lambda *now: told.append(now))
    assert told == []


def test_stopping_keeps_what_is_done_and_goes_on_from_there() -> None:
    model, cache = Toy(), Memory()
    texts = [str(n) for n in range(300)]

    def stop(done: int, total: int, what: str) -> None:
        if done >= 100:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        embed_missing(texts, model, cache, stop)
    kept = len(cache.kept)
    assert 100 <= kept < 300
    assert len(model.seen) == kept
    model.calls.clear()
    assert embed_missing(texts, model, cache).embedded == 300 - kept
    assert len(cache.kept) == 300


def test_a_failing_model_keeps_what_was_done_before() -> None:
    class Fails(Toy):
        def embed_passages(self, texts: Sequence[str]) -> Vectors:
            if len(self.calls) == 2:
                raise ZeroDivisionError
            return super().embed_passages(texts)

    model, cache = Fails(), Memory()
    with pytest.raises(ZeroDivisionError):
        embed_missing([str(n) for n in range(300)], model, cache)
    assert len(cache.kept) == len(model.seen) > 0


def test_vectors_of_the_wrong_length_are_not_kept() -> None:
    cache = Memory()
    model = Toy(ModelInfo("wide", "embedder", "w", dimension=3))
    with pytest.raises(ModelMismatch, match="length 3"):
        embed_missing(["a"], model, cache)
    assert not cache.kept


def test_a_budget_of_time_leaves_the_rest_for_later() -> None:
    model, cache = Toy(), Memory()
    stats = embed_missing([str(n) for n in range(100)], model, cache, budget_s=0)
    assert (stats.embedded, stats.left) == (0, 100)


def test_texts_of_like_length_share_a_batch() -> None:
    texts = [f"{n:03}" + "x" * (n % 40) for n in range(320)]
    batches = embed._batches([text_hash(t) for t in texts], {text_hash(t): t for t in texts})
    by_hash = {text_hash(t): t for t in texts}
    assert [len(b) for b in batches] == [embed.BATCH] * 10
    spread = [max(len(by_hash[h]) for h in b) - min(len(by_hash[h]) for h in b) for b in batches]
    assert max(spread) <= 4
    longest = [max(len(by_hash[h]) for h in b) for b in batches]
    assert longest != sorted(longest, reverse=True)


def test_calls_grow_where_the_model_is_quick_and_stay_small_where_it_is_slow() -> None:
    assert embed._next_call(1, 0.001) == 2
    assert embed._next_call(8, 1.6) == 2
    assert embed._next_call(1, 3.0) == 1
    assert embed._next_call(64, 0.001) == 64


def test_what_is_done_is_kept_about_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(float(n) for n in range(100_000))
    monkeypatch.setattr(embed.time, "perf_counter", lambda: next(clock))
    cache = Memory()
    embed_missing([str(n) for n in range(160)], Toy(), cache)
    assert cache.puts == [embed.BATCH] * 5


def test_two_builds_at_once_end_with_every_vector() -> None:
    cache = Memory()
    texts = [str(n) for n in range(400)]
    threads = [
        threading.Thread(target=lambda: embed_missing(texts, Toy(), cache)) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cache.kept) == 400
