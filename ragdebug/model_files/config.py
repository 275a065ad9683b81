"""What a model folder says of itself, read from its small files, without torch.

A sentence-transformers folder lists its modules in modules.json; the first one reads the text and
has its tokenizer and weights beside it, in the folder itself or in a folder of its own.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragdebug.errors import ModelError

# Lengths beyond this are the libraries' way to say "no limit".
NO_LIMIT = 1_000_000

# Families that were trained with prompts but carry none in their files, as their model cards say.
# First match of the last part of the name holds; the order matters.
_SEARCH = "Represent this sentence for searching relevant passages: "
_TASK = "Given a web search query, retrieve relevant passages that answer the query"
FAMILIES: tuple[tuple[str, str, str, str], ...] = (
    (r"\be5\b.*\binstruct", "E5 instruct", f"Instruct: {_TASK}\nQuery: ", ""),
    (r"\be5\b", "E5", "query: ", "passage: "),
    (r"\bbge\b.*\bzh\b", "BGE", "为这个句子生成表示以用于检索相关文章：", ""),
    (r"\bbge\b.*\ben\b", "BGE", _SEARCH, ""),
    (r"\bmxbai embed\b", "mxbai", _SEARCH, ""),
    (r"\barctic embed\b.*\bv2", "Arctic Embed 2", "query: ", ""),
    (r"\barctic embed\b", "Arctic Embed", _SEARCH, ""),
    (r"\bnomic embed text\b", "Nomic", "search_query: ", "search_document: "),
)
QUERY_NAMES = ("query", "search_query", "retrieval.query", "question")
PASSAGE_NAMES = ("passage", "document", "search_document", "retrieval.passage", "corpus", "doc")


@dataclass(frozen=True, slots=True)
class Prompts:
    """What is put in front of queries and passages, and where that comes from.

    `source` is "" (none), ``model`` (its own files) or the name of a family.
    """

    query: str = ""
    passage: str = ""
    source: str = ""


def read_json(path: Path) -> object:
    """A JSON file's value; None when there is no such file.

    Raises:
        ModelError: when it is there and cannot be read.
    """
    try:
        value: object = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as e:
        raise ModelError(
            f"The model file {path} cannot be read.", hint="Download or save the model again."
        ) from e
    return value


def _table(path: Path) -> dict[str, Any]:
    value = read_json(path)
    return value if isinstance(value, dict) else {}


def modules(folder: Path) -> list[tuple[str, Path]]:
    """(class name, folder) of each module in modules.json, in order; empty without that file.

    A folder may be missing, when its module has nothing to keep.
    """
    listed = read_json(folder / "modules.json")
    if not isinstance(listed, list):
        return []
    result = []
    for entry in listed:
        inner = (folder / str(entry.get("path", ""))).resolve()
        if not inner.is_relative_to(folder.resolve()):
            raise ModelError(f"{folder / 'modules.json'} points outside its folder.")
        result.append((str(entry.get("type", "")).rsplit(".", 1)[-1], inner))
    return result


def core(folder: Path) -> Path:
    """Where the module that reads the text keeps its files."""
    listed = modules(folder)
    return listed[0][1] if listed else folder


def weights(folder: Path) -> list[Path]:
    """Files of weights in a module's folder: safetensors, else what torch pickled."""
    for pattern in ("*.safetensors", "pytorch_model*.bin"):
        # A link of the hub's cache whose target was never fetched does not count.
        found = sorted(path for path in folder.glob(pattern) if path.exists())
        if found:
            return found
    return []


def is_complete(folder: Path) -> bool:
    """Whether a model's folder has its weights, with all the parts its index names."""
    first = core(folder)
    parts = _table(first / "model.safetensors.index.json").get("weight_map", {})
    return bool(weights(first)) and all((first / str(p)).exists() for p in set(parts.values()))


def is_reranker(folder: Path) -> bool:
    """Whether the folder holds a cross-encoder rather than an embedder."""
    model_type = _table(folder / "config_sentence_transformers.json").get("model_type")
    if model_type:
        return bool(model_type == "CrossEncoder")
    if (folder / "modules.json").exists():
        return False
    architectures = _table(folder / "config.json").get("architectures") or []
    return any(str(a).endswith("ForSequenceClassification") for a in architectures)


def prompts(folder: Path, name: str) -> Prompts:
    """A model's prompts: its own, else those of its family by the last part of its name.

    Empty prompts in the files count as none: sentence-transformers writes them by default.
    """
    config = _table(folder / "config_sentence_transformers.json")
    own = config.get("prompts")
    own = {str(k): str(v) for k, v in own.items() if v} if isinstance(own, dict) else {}
    if own:
        default = own.get(str(config.get("default_prompt_name")), "")
        query = next((own[n] for n in QUERY_NAMES if n in own), default)
        passage = next((own[n] for n in PASSAGE_NAMES if n in own), default)
        if query or passage:
            return Prompts(query, passage, "model")
    words = re.sub(
        r"[^a-z0-9]+", " ", name.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1].lower()
    )
    for pattern, family, query, passage in FAMILIES:
        if re.search(pattern, words):
            return Prompts(query, passage, family)
    return Prompts()


def window(folder: Path) -> int:
    """Most tokens the model reads, special tokens included; 0 for no limit.

    The rule of sentence-transformers: its own setting, else the tokenizer's, never more than the
    positions the model has.
    """
    first = core(folder)
    listed = modules(folder)
    if listed and listed[0][0] == "StaticEmbedding":
        return 0
    # Named after the architecture in older models: sentence_roberta_config.json.
    named = sorted(first.glob("sentence_*_config.json"))
    own = _table(named[0]).get("max_seq_length") if named else None
    limits = [
        own or _table(first / "tokenizer_config.json").get("model_max_length"),
        _table(first / "config.json").get("max_position_embeddings"),
    ]
    known = [int(n) for n in limits if isinstance(n, (int, float)) and 0 < n < NO_LIMIT]
    return min(known, default=0)


def dimension(folder: Path) -> int:
    """Length of the vectors, from the last module that sets it; 0 when the files do not say."""
    config = _table(core(folder) / "config.json")
    keys = ("hidden_size", "d_model", "dim", "n_embd")
    size = next((int(config[k]) for k in keys if isinstance(config.get(k), int)), 0)
    for kind, path in modules(folder):
        own = _table(path / "config.json")
        if kind == "Pooling":
            width = int(
                own.get("word_embedding_dimension") or own.get("embedding_dimension") or size
            )
            mode = own.get("pooling_mode")
            old = [k for k, on in own.items() if k.startswith("pooling_mode_") and on is True]
            size = width * max(1, len(mode) if isinstance(mode, list) else len(old))
        elif kind == "Dense":
            size = int(own.get("out_features") or size)
        elif kind == "StaticEmbedding":
            size = _static_dimension(path)
    return size


def _static_dimension(path: Path) -> int:
    """Width of the only matrix in a safetensors file, from its header."""
    header = safetensors_header(path / "model.safetensors")
    shapes = [v["shape"] for k, v in header.items() if "embedding" in k and "shape" in v]
    return int(shapes[0][-1]) if shapes else 0


def safetensors_header(path: Path) -> dict[str, Any]:
    """Names, shapes and types of a safetensors file, without its numbers; {} if there is none."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            value = json.loads(file.read(min(length, 100_000_000)))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def languages(folder: Path) -> tuple[str, ...]:
    """Languages the model card names; empty when it names none, or so many that all will do."""
    try:
        head = (folder / "README.md").read_text(encoding="utf-8", errors="replace")[:20_000]
    except OSError:
        return ()
    front = re.match(r"---\s*\n(.*?)\n---", head, re.DOTALL)
    found = front and re.search(r"^language:[ \t]*(.*(?:\n[ \t]*-.*)*)", front[1], re.MULTILINE)
    codes = re.findall(r"[a-zA-Z]+", found[1]) if found else []
    codes = [c.lower() for c in codes]
    if len(codes) > 10 or any(len(c) != 2 for c in codes):
        return ()
    return tuple(codes)
