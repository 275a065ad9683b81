from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ragdebug.errors import ModelError
from ragdebug.models import forget, load_embedder
from ragdebug.models.embedder import SentenceEmbedder, Turns, unit
from ragdebug.protocols import Embedder, Vectors

QUERY = "how many days for the refund"
PASSAGE = "the refund takes days."


def bare(folder: Path, text: str) -> Vectors:
    """The library's own vector of a text, scaled to length 1."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    vector: Vectors = model.encode(text, normalize_embeddings=True, show_progress_bar=False)
    return vector


def test_vectors_are_those_of_the_library_at_length_one(tiny: Path) -> None:
    model = load_embedder(str(tiny))
    assert isinstance(model, Embedder)
    vectors = model.embed_passages([PASSAGE, "a red door", PASSAGE])
    assert vectors.shape == (3, 32)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)
    assert vectors[0] == pytest.approx(bare(tiny, PASSAGE), abs=1e-6)
    assert vectors[2] == pytest.approx(vectors[0], abs=1e-6)


def test_a_model_that_needs_no_prompt_gets_the_text_unchanged(tiny: Path) -> None:
    assert load_embedder(str(tiny)).embed_query(QUERY) == pytest.approx(bare(tiny, QUERY), abs=1e-6)


def test_e5_gets_query_and_passage_in_front_exactly(make_embedder: Callable[..., Path]) -> None:
    folder = make_embedder("e5-like", seed=3, window=40)
    model = load_embedder(str(folder))
    query, passage = model.embed_query(QUERY), model.embed_passages([PASSAGE])[0]
    assert query == pytest.approx(bare(folder, f"query: {QUERY}"), abs=1e-6)
    assert passage == pytest.approx(bare(folder, f"passage: {PASSAGE}"), abs=1e-6)
    for other in (QUERY, f"passage: {QUERY}", f"query:: {QUERY}"):
        assert abs(query - bare(folder, other)).max() > 1e-3


def test_prompts_of_the_files_are_used_and_a_default_one_is_not_added(
    make_embedder: Callable[..., Path], copy_of: Callable[[Path], Path]
) -> None:
    folder = copy_of(make_embedder("own", seed=3, prompts={"query": "warm ", "other": "red "}))
    path = folder / "config_sentence_transformers.json"
    own = json.loads(path.read_text())
    path.write_text(json.dumps(own | {"default_prompt_name": "query"}))
    model = load_embedder(str(folder))
    plain = copy_of(make_embedder("plain", seed=3))
    assert model.embed_query("door") == pytest.approx(bare(plain, "warm door"), abs=1e-6)
    # The default prompt is what the model's author wants for whatever has no prompt of its own.
    assert model.info.passage_prompt == "warm "


def test_what_stands_beyond_the_window_is_not_read(tiny: Path) -> None:
    model = load_embedder(str(tiny))
    inside = "warm " * 14
    vectors = model.embed_passages([inside, f"{inside}red door", f"{'warm ' * 13}red"])
    assert vectors[0] == pytest.approx(vectors[1], abs=1e-6)
    assert abs(vectors[0] - vectors[2]).max() > 1e-3


@pytest.mark.parametrize("name", ["tiny", "wordllama-l2-supercat-256"])
def test_texts_without_a_word_give_no_nan(name: str, tiny: Path) -> None:
    model = load_embedder(str(tiny) if name == "tiny" else name)
    for texts in ([""], ["", "  \n"], ["", "door", "\u200b"]):
        vectors = model.embed_passages(texts)
        lengths = np.linalg.norm(vectors, axis=1)
        assert np.isfinite(vectors).all()
        assert (np.isclose(lengths, 1) | (lengths == 0)).all()
    assert np.isfinite(model.embed_query("")).all()


def test_no_texts_give_no_rows(tiny: Path) -> None:
    assert load_embedder(str(tiny)).embed_passages([]).shape == (0, 32)


def test_a_lone_surrogate_does_not_stop_the_rest(tiny: Path) -> None:
    model = load_embedder(str(tiny))
    broken, replaced = model.embed_passages(["red \ud83d door", "red \ufffd door"])
    assert broken == pytest.approx(replaced, abs=1e-6)


def test_token_vectors_leave_out_special_tokens_and_padding(tiny: Path) -> None:
    model = load_embedder(str(tiny))
    assert isinstance(model, SentenceEmbedder)
    texts = ["the red door", "", "warm", "warm " * 30, "é"]
    vectors = model.token_vectors(texts)
    assert [len(v) for v in vectors] == [3, 0, 1, 14, 1]
    for one in vectors:
        assert np.linalg.norm(one, axis=1) == pytest.approx(1, abs=1e-6)
    alone = model.token_vectors(["the red door"])[0]
    assert vectors[0] == pytest.approx(alone, abs=1e-5)
    assert model.token_vectors([]) == []
    assert model.token_counts(texts) == [3, 0, 1, 30, 1]


def test_a_static_model_has_no_token_vectors() -> None:
    model = load_embedder("wordllama-l2-supercat-256")
    assert isinstance(model, SentenceEmbedder)
    with pytest.raises(ModelError, match="no token vectors"):
        model.token_vectors(["a"])


def test_many_threads_get_the_vectors_of_one(tiny: Path) -> None:
    model = load_embedder(str(tiny))
    texts = [f"the {word} door {'warm ' * n}" for n, word in enumerate(["red", "warm", "the"] * 4)]
    alone = model.embed_passages(texts)
    found: dict[int, Vectors] = {}

    def work(n: int) -> None:
        found[n] = model.embed_passages(texts) if n % 2 else model.embed_query(texts[n])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n, vectors in found.items():
        assert vectors == pytest.approx(alone if n % 2 else alone[n], abs=1e-5)


def test_a_query_goes_before_the_next_turn_of_a_long_build() -> None:
    turns, order = Turns(), []
    started, asked = threading.Event(), threading.Event()

    def build() -> None:
        for n in range(3):
            with turns.take():
                order.append(f"build {n}")
                started.set()
                if n == 0:
                    asked.wait(5)
                    while not turns.waiting:
                        pass

    def ask() -> None:
        started.wait(5)
        asked.set()
        with turns.take(urgent=True):
            order.append("query")

    threads = [threading.Thread(target=build), threading.Thread(target=ask)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert order == ["build 0", "query", "build 1", "build 2"]


def test_numbers_that_are_none_are_refused() -> None:
    vectors = np.array([[1, 0], [np.nan, 0]], np.float32)
    with pytest.raises(ModelError, match="1 of 2"):
        unit(vectors, "m")


def test_rows_of_zeros_stay_and_unit_rows_are_not_touched() -> None:
    vectors = np.array([[3, 4], [0, 0], [0.6, 0.8]], np.float32)
    scaled = unit(vectors, "m")
    assert scaled.tolist() == [
        [pytest.approx(0.6), pytest.approx(0.8)],
        [0, 0],
        [np.float32(0.6), np.float32(0.8)],
    ]
    assert vectors[0].tolist() == [3, 4]


# What cannot be loaded ----------------------------------------------------------------------------


def test_missing_weights_are_not_made_up(tiny: Path, copy_of: Callable[[Path], Path]) -> None:
    from safetensors.numpy import load_file, save_file

    folder = copy_of(tiny)
    path = folder / "model.safetensors"
    kept = {k: v for k, v in load_file(path).items() if "attention" not in k}
    save_file(kept, path, metadata={"format": "pt"})
    with pytest.raises(ModelError, match="incomplete") as caught:
        load_embedder(str(folder))
    assert "attention" in caught.value.message


def test_a_missing_pooler_does_not_matter(tiny: Path, copy_of: Callable[[Path], Path]) -> None:
    from safetensors.numpy import load_file, save_file

    folder = copy_of(tiny)
    path = folder / "model.safetensors"
    kept = {k: v for k, v in load_file(path).items() if "pooler" not in k}
    save_file(kept, path, metadata={"format": "pt"})
    made = load_embedder(str(folder)).embed_query(QUERY)
    assert made == pytest.approx(load_embedder(str(tiny)).embed_query(QUERY), abs=1e-6)


@pytest.mark.parametrize("content", [b"", b"not weights", b"\xff" * 1000])
def test_damaged_weights_give_one_sentence(
    content: bytes, tiny: Path, copy_of: Callable[[Path], Path]
) -> None:
    folder = copy_of(tiny)
    (folder / "model.safetensors").write_bytes(content)
    with pytest.raises(ModelError, match="could not be loaded") as caught:
        load_embedder(str(folder))
    assert "\n" not in caught.value.message
    assert caught.value.hint


def test_weights_of_another_shape_give_one_sentence(
    tiny: Path, copy_of: Callable[[Path], Path]
) -> None:
    folder = copy_of(tiny)
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"intermediate_size": 99}))
    with pytest.raises(ModelError, match="could not be loaded"):
        load_embedder(str(folder))


def test_code_that_comes_with_a_model_is_not_run(
    tiny: Path, copy_of: Callable[[Path], Path]
) -> None:
    folder = copy_of(tiny)
    mark = folder / "ran"
    (folder / "own.py").write_text(f"open({str(mark)!r}, 'w')\nclass Own: pass\n")
    path = folder / "config.json"
    own = {"model_type": "own", "auto_map": {"AutoModel": "own.Own", "AutoConfig": "own.Own"}}
    path.write_text(json.dumps(json.loads(path.read_text()) | own))
    with pytest.raises(ModelError, match="never run"):
        load_embedder(str(folder))
    assert not mark.exists()


def test_vectors_of_another_length_than_the_files_say_are_refused(
    tiny: Path, copy_of: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ragdebug.model_files import config

    forget()
    monkeypatch.setattr(config, "dimension", lambda folder: 31)
    with pytest.raises(ModelError, match="31 dimensions, but its vectors have 32"):
        load_embedder(str(copy_of(tiny)))
