from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ragdebug.errors import ModelError
from ragdebug.models import load_reranker

QUERY = "how warm is the room"
TEXTS = ["the red room is warm.", "a red door", "refund days"]


def logits(folder: Path, texts: list[str]) -> np.ndarray:
    """The model's own output without any library of ours or sentence-transformers'."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    rows = []
    for text in texts:
        with torch.inference_mode():
            pair = tokenizer(QUERY, text, return_tensors="pt", truncation=True, max_length=64)
            rows.append(model(**pair).logits[0].double().numpy())
    return np.array(rows)


def test_scores_are_the_raw_logits_in_float64(pairs: Path) -> None:
    scorer = load_reranker(str(pairs))
    scores = scorer.score(QUERY, TEXTS)
    assert scorer.score_kind == "cross-encoder"
    assert scores.dtype == np.float64
    assert scores == pytest.approx(logits(pairs, TEXTS)[:, 0], abs=1e-6)


def test_a_sigmoid_in_the_models_files_is_not_applied(
    pairs: Path, copy_of: Callable[[Path], Path]
) -> None:
    from safetensors.numpy import load_file, save_file

    folder = copy_of(pairs)
    weights = load_file(folder / "model.safetensors")
    # Logits of a hundred and more: a sigmoid makes 1.0 of all of them.
    weights["classifier.weight"] = weights["classifier.weight"] * 10
    weights["classifier.bias"] = weights["classifier.bias"] + 1000
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    path = folder / "config.json"
    own = {"sentence_transformers": {"activation_fn": "torch.nn.modules.activation.Sigmoid"}}
    path.write_text(json.dumps(json.loads(path.read_text()) | own))
    scores = load_reranker(str(folder)).score(QUERY, TEXTS)
    assert (scores > 100).all()
    assert len(set(scores.tolist())) == 3


def test_one_text_and_none_are_scored_too(pairs: Path) -> None:
    scorer = load_reranker(str(pairs))
    one = scorer.score(QUERY, TEXTS[:1])
    assert one == pytest.approx(scorer.score(QUERY, TEXTS)[:1], abs=1e-6)
    assert scorer.score(QUERY, []).shape == (0,)


def test_lengths_are_those_of_uncut_pairs(pairs: Path) -> None:
    # h-o-w warm i-s the room: 8 tokens of the query, 3 special ones, and the text's own.
    assert load_reranker(str(pairs)).lengths(QUERY, ["warm", "", "warm " * 100]) == [12, 11, 111]


def test_two_classes_score_by_the_log_of_the_odds(make_reranker: Callable[..., Path]) -> None:
    folder = make_reranker("two", labels=("LABEL_0", "LABEL_1"))
    expected = logits(folder, TEXTS)
    scores = load_reranker(str(folder)).score(QUERY, TEXTS)
    assert scores == pytest.approx(expected[:, 1] - expected[:, 0], abs=1e-5)


def test_of_two_named_classes_the_relevant_one_counts(make_reranker: Callable[..., Path]) -> None:
    folder = make_reranker("two-named", labels=("relevant", "other"))
    expected = logits(folder, TEXTS)
    scores = load_reranker(str(folder)).score(QUERY, TEXTS)
    assert scores == pytest.approx(expected[:, 0] - expected[:, 1], abs=1e-5)


def test_three_classes_are_no_score(make_reranker: Callable[..., Path]) -> None:
    folder = make_reranker("three", labels=("contradiction", "entailment", "neutral"))
    with pytest.raises(ModelError, match="3 classes") as caught:
        load_reranker(str(folder))
    assert "one output" in caught.value.hint


def test_a_head_that_is_not_in_the_files_is_not_made_up(
    pairs: Path, copy_of: Callable[[Path], Path]
) -> None:
    from safetensors.numpy import load_file, save_file

    folder = copy_of(pairs)
    path = folder / "model.safetensors"
    kept = {k: v for k, v in load_file(path).items() if "classifier" not in k}
    save_file(kept, path, metadata={"format": "pt"})
    with pytest.raises(ModelError, match="incomplete"):
        load_reranker(str(folder))


def test_a_folder_saved_by_sentence_transformers_loads(pairs: Path, tmp_path: Path) -> None:
    from sentence_transformers import CrossEncoder

    saved = tmp_path / "saved"
    CrossEncoder(str(pairs), device="cpu").save_pretrained(str(saved))
    expected = load_reranker(str(pairs)).score(QUERY, TEXTS)
    assert load_reranker(str(saved)).score(QUERY, TEXTS) == pytest.approx(expected, abs=1e-6)
