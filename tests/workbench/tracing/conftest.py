"""A small corpus on which every stage can lose an answer, and a reranker made of rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
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


def strategy(preset: str, *options: str) -> str:
    return "+".join([f"{preset}@{CHUNKING}", DRAFT, *options])


def place(wb: Workbench, quote: str) -> Place:
    return wb.find_quote(quote)[0]


@pytest.fixture
def wb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """One document an animal, with a sentence a fact; every document has its kingdom."""
    folder = tmp_path / "docs"
    for at, animal in enumerate(ANIMALS):
        file = folder / f"kingdom={'water' if at % 2 else 'wood'}" / f"{animal}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        sentences = [f"The {animal} {fact}{' and again' * ((at + i) % 3)}." for i, fact in
                     enumerate(FACTS)]  # fmt: skip
        file.write_text("\n\n".join(sentences), "utf-8")
    scorer = LongestFirst()
    with Workbench(tmp_path / "workspace") as opened:
        monkeypatch.setattr(opened, "_scorer", lambda name: scorer)
        opened.ingest([folder])
        yield opened
