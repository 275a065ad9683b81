"""Small models with random weights, made once a run: a few thousand numbers each."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = ["the", "refund", "boiler", "room", "warm", "query", "passage", "door", "red", "days"]
VOCABULARY = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ":", ".", "?"),
    *LETTERS,
    *(f"##{letter}" for letter in LETTERS),
    *WORDS,
]


def _tokenizer(window: int) -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    words = models.WordPiece({w: i for i, w in enumerate(VOCABULARY)}, unk_token="[UNK]")
    inner = Tokenizer(words)
    inner.normalizer = normalizers.BertNormalizer(lowercase=True)
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    inner.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(mark, VOCABULARY.index(mark)) for mark in ("[CLS]", "[SEP]")],
    )
    marks = {f"{m}_token": f"[{m.upper()}]" for m in ("pad", "unk", "cls", "sep", "mask")}
    return PreTrainedTokenizerFast(tokenizer_object=inner, model_max_length=window, **marks)


def _config(labels: int = 2) -> Any:
    from transformers import BertConfig

    return BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        num_labels=labels,
        # Larger than usual, so that different texts get clearly different vectors.
        initializer_range=0.4,
    )


@pytest.fixture(scope="session")
def make_embedder(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Write a sentence-transformers folder: 1 layer, 32 dimensions."""

    def make(
        name: str = "tiny",
        seed: int = 0,
        window: int = 16,
        prompts: dict[str, str] | None = None,
        pooling: str = "mean",
    ) -> Path:
        import torch
        from transformers import BertModel

        folder = tmp_path_factory.mktemp("models") / name
        folder.mkdir()
        torch.manual_seed(seed)
        BertModel(_config()).save_pretrained(folder)
        _tokenizer(window).save_pretrained(folder)
        modules = [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {
                "idx": 1,
                "name": "1",
                "path": "1_Pooling",
                "type": "sentence_transformers.models.Pooling",
            },
        ]
        (folder / "1_Pooling").mkdir()
        pool = {"word_embedding_dimension": 32, f"pooling_mode_{pooling}_tokens": True}
        write_json(folder / "1_Pooling" / "config.json", pool)
        write_json(folder / "modules.json", modules)
        write_json(folder / "sentence_bert_config.json", {"max_seq_length": window})
        config = {"prompts": prompts if prompts is not None else {"query": "", "document": ""}}
        write_json(folder / "config_sentence_transformers.json", config)
        return folder

    return make


@pytest.fixture(scope="session")
def make_reranker(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Write a cross-encoder folder with a number of classes."""

    def make(
        name: str = "tiny-pairs", seed: int = 0, labels: tuple[str, ...] = ("LABEL_0",)
    ) -> Path:
        import torch
        from transformers import BertForSequenceClassification

        folder = tmp_path_factory.mktemp("models") / name
        folder.mkdir()
        torch.manual_seed(seed)
        config = _config(len(labels))
        config.id2label = dict(enumerate(labels))
        config.label2id = {label: i for i, label in enumerate(labels)}
        BertForSequenceClassification(config).save_pretrained(folder)
        _tokenizer(64).save_pretrained(folder)
        return folder

    return make


@pytest.fixture(scope="session")
def tiny(make_embedder: Callable[..., Path]) -> Path:
    """An embedder that reads 16 tokens and needs no prompts."""
    return make_embedder("tiny", seed=1)


@pytest.fixture(scope="session")
def pairs(make_reranker: Callable[..., Path]) -> Path:
    """A cross-encoder with one output that reads 64 tokens."""
    return make_reranker("tiny-pairs", seed=2)


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Path], Path]:
    """Copy a model's folder, to damage the copy."""

    def copy(folder: Path) -> Path:
        return Path(shutil.copytree(folder, tmp_path / "copy" / folder.name))

    return copy


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Empty caches of the hub and of hashes."""
    from ragdebug.model_files import hashes

    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.delenv("SENTENCE_TRANSFORMERS_HOME", raising=False)
    monkeypatch.setenv("RAGDEBUG_CACHE", str(tmp_path / "own"))
    monkeypatch.setattr(hashes, "_known", {})
    monkeypatch.setattr(hashes, "_read_from", None)
    yield tmp_path


def write_json(path: Path, value: object) -> None:
    """Write a JSON file; its folder exists."""
    path.write_text(json.dumps(value), encoding="utf-8")
