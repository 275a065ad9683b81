"""Counting tokens, and knowing where each stands, with `tokenizers` alone.

A counter never truncates, pads or adds special tokens, whatever the model's own file says.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import DownloadNotAllowed, ModelError, ModelNotFound
from ragdebug.model_files import info, locate, well_formed
from ragdebug.protocols import TokenCounter
from ragdebug.settings import is_remote

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# Texts a batch: an encoding takes some hundred bytes a token, so not all at once.
BATCH = 512
# Longer texts are cut at line ends where that changes nothing, to use all cores.
BLOCK_CHARS = 20_000


class FileCounter:
    """A `TokenCounter` over one tokenizer.json. Threads may share it."""

    def __init__(self, name: str, path: Path) -> None:
        """Read the tokenizer; ModelError when the file is damaged."""
        from tokenizers import Tokenizer

        try:
            self._tokenizer: Tokenizer = Tokenizer.from_file(str(path))
        except Exception as e:  # the library raises bare Exception
            raise ModelError(
                f"The tokenizer of {name} cannot be read: {path}.",
                hint="Install or download the model again.",
            ) from e
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.name = name
        # BERT's pre-tokenizer ends a word at every line end: the parts give the same tokens.
        self._separable = type(self._tokenizer.pre_tokenizer).__name__ == "BertPreTokenizer"

    def count(self, text: str) -> int:
        """Number of tokens, without special tokens, never truncated."""
        if self._separable and len(text) > BLOCK_CHARS:
            return sum(self.count_many(list(_blocks(text))))
        return len(self._tokenizer.encode(well_formed(text), add_special_tokens=False))

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """`count` of each text."""
        counts: list[int] = []
        for start in range(0, len(texts), BATCH):
            batch = [well_formed(text) for text in texts[start : start + BATCH]]
            encodings = self._tokenizer.encode_batch_fast(batch, add_special_tokens=False)
            counts.extend(len(encoding) for encoding in encodings)
        return counts

    def offsets(self, text: str) -> NDArray[np.int64]:
        """Shape (n, 2): code point range of each token, in order, never truncated.

        Tokens of one character's bytes share its range.
        """
        text = well_formed(text)
        blocks = list(_blocks(text)) if self._separable else [text]
        parts: list[NDArray[np.int64]] = []
        start = 0
        for at in range(0, len(blocks), BATCH):
            batch = blocks[at : at + BATCH]
            encodings = self._tokenizer.encode_batch(batch, add_special_tokens=False)
            for block, encoding in zip(batch, encodings, strict=True):
                part = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
                parts.append(part + start)
                start += len(block)
        return np.concatenate(parts) if parts else np.empty((0, 2), np.int64)

    def special(self, pair: bool = False) -> int:
        """How many special tokens the tokenizer adds to a text, or to a pair of texts."""
        return int(self._tokenizer.num_special_tokens_to_add(pair))


def _blocks(text: str) -> Iterator[str]:
    """Consecutive parts of a text that end after a line end, about `BLOCK_CHARS` long."""
    start = 0
    while len(text) - start > BLOCK_CHARS:
        end = text.find("\n", start + BLOCK_CHARS)
        if end < 0:
            break
        yield text[start : end + 1]
        start = end + 1
    if start < len(text):
        yield text[start:]


_counters: dict[tuple[str, Path, int], FileCounter] = {}
_lock = threading.Lock()


def file_counter(name: str) -> FileCounter:
    """The counter of a model that is on this machine; see `counter`."""
    if is_remote(name):
        name = info(name).tokenizer
    try:
        files = locate(name)
    except DownloadNotAllowed as e:
        raise ModelNotFound(
            f"The tokenizer of {name} is not on this machine.",
            hint="Use an embedded model's, or load the model first.",
        ) from e
    if files.tokenizer is None:
        raise ModelNotFound(
            f"The model {name} has no tokenizer.json.",
            hint="Save its tokenizer again with a fast (Rust) tokenizer.",
        )
    key = (files.name, files.tokenizer, files.tokenizer.stat().st_mtime_ns)
    with _lock:
        if key not in _counters:
            _counters[key] = FileCounter(files.name, files.tokenizer)
        return _counters[key]


def counter(name: str) -> TokenCounter:
    """The counter for a model's tokenizer: embedded, a folder, or in the hub's local cache.

    A model behind an address is counted for by the local tokenizer it was registered with.

    Raises:
        ModelNotFound: when the tokenizer is not on this machine. Nothing is downloaded here.
        ModelError: when it is there and cannot be read.
    """
    return file_counter(name)
