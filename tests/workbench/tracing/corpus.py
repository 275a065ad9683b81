"""A small corpus on which every stage can lose an answer, and a reranker made of a rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragdebug import Workbench
from ragdebug.model_files import info as model_info
from ragdebug.protocols import ModelInfo
from ragdebug.records import Place
from ragdebug.settings import DEFAULT_RERANKER

CHUNKING = "fixed:40/0:chars:nolabel"
DRAFT = "model=wordllama-l2-supercat-256"  # embeds a small corpus in no time

ANIMALS = ("heron", "otter", "badger", "falcon", "salmon", "beetle", "marten", "weasel")
FACTS = ("eats fish at dawn", "sleeps in the reeds", "swims up the river", "hides from the rain")


class LongestFirst:
    """A reranker that puts the longest text first, and reads all of it."""

    score_kind = "maxsim"

    def __init__(self) -> None:
        self.info: ModelInfo = replace(model_info(DEFAULT_RERANKER), window=0)

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([float(len(text)) for text in texts])

    def score_pairs(
        self, queries: Sequence[str], texts: Sequence[str], wanted: Sequence[Sequence[int]]
    ) -> Iterator[NDArray[np.float64]]:
        for text, asked in zip(texts, wanted, strict=True):
            yield np.full(len(asked), float(len(text)))

    def lengths(self, query: str, texts: Sequence[str]) -> list[int]:
        return [0] * len(texts)


def strategy(preset: str, *options: str, chunking: str = CHUNKING) -> str:
    return "+".join([f"{preset}@{chunking}", DRAFT, *options])


def place(wb: Workbench, quote: str, source: str = "") -> Place:
    return wb.find_quote(quote, source)[0]


@contextmanager
def opened(at: Path) -> Iterator[Workbench]:
    """One document an animal, with a sentence a fact, half of them of another kingdom."""
    folder = at / "docs"
    for i, animal in enumerate(ANIMALS):
        file = folder / f"kingdom={'water' if i % 2 else 'wood'}" / f"{animal}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        sentences = [
            f"The {animal} {fact}{' and again' * ((i + j) % 3)}." for j, fact in enumerate(FACTS)
        ]
        file.write_text("\n\n".join(sentences), "utf-8")
    scorer = LongestFirst()
    with Workbench(at / "workspace") as wb:
        wb._scorer = lambda name: scorer  # type: ignore[method-assign,assignment]
        wb.ingest([folder])
        yield wb
