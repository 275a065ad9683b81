"""Lines and blocks that stand in many documents: indexed with each, telling none from another."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ragdebug.counting import many
from ragdebug.protocols import Progress, silent
from ragdebug.workbench.health.findings import (
    CORPUS,
    NOTE,
    WARNING,
    Finding,
    Where,
    finding,
    percent,
)
from ragdebug.workbench.health.sample import Sample

SHORTEST = 16  # non-blank characters of a line that counts
FEWEST, SHARE = 3, 0.05  # documents that a line must stand in, and which share of all
WARNING_SHARE = 0.1  # of all characters
SHOWN = 4


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that stand in the same documents (positions in the sample), in their order."""

    lines: tuple[str, ...]
    documents: tuple[int, ...]

    @property
    def chars(self) -> int:
        """Non-blank characters of all its repeats."""
        return sum(map(_solid, self.lines)) * len(self.documents)


def check(
    sample: Sample, text_of: Callable[[str, str], str], progress: Progress = silent
) -> list[Finding]:
    """Count the lines of the documents looked at; documents with the same text count once."""
    once = list({d.version: d for d in reversed(sample.documents)}.values())[::-1]
    standing: dict[str, list[int]] = {}
    solid = 0
    for at, info in enumerate(once):
        progress(at, len(once), "documents looked at for repeated lines")
        text = text_of(info.id, info.version)
        solid += _solid(text)
        for line in dict.fromkeys(" ".join(x.split()) for x in text.splitlines()):
            if _solid(line) >= SHORTEST:
                standing.setdefault(line, []).append(at)
    blocks = repeated(standing, len(once))
    if not blocks:
        return []
    chars = sum(b.chars for b in blocks)
    lines = sum(len(b.lines) for b in blocks)
    touched = len({at for b in blocks for at in b.documents})
    where = []
    for block in blocks[:SHOWN]:
        info = once[block.documents[0]]
        more = f" and {many(len(block.lines) - 1, 'more line')}" if len(block.lines) > 1 else ""
        start = text_of(info.id, info.version).find(block.lines[0])
        label = f"“{_short(block.lines[0])}”{more}, in {many(len(block.documents), 'document')}"
        where.append(Where(CORPUS, label, info.id, at=start if start >= 0 else None))
    return [
        finding(
            "boilerplate",
            WARNING if chars >= WARNING_SHARE * solid else NOTE,
            f"{many(lines, 'line')} in {many(len(blocks), 'block')} "
            f"{'stands' if lines == 1 else 'stand'} in {_least(len(once))} or more of "
            f"{many(len(once), 'document')}: {percent(chars, solid)} of all characters, in "
            f"{many(touched, 'document')}.{sample.said}",
            chars,
            solid,
            where,
        )
    ]


def repeated(standing: Mapping[str, list[int]], documents: int) -> list[Block]:
    """Blocks of lines that stand in many documents, those with most characters first."""
    least = _least(documents)
    blocks: dict[tuple[int, ...], list[str]] = {}
    for line, places in standing.items():
        if len(places) >= least:
            blocks.setdefault(tuple(places), []).append(line)
    made = [Block(tuple(lines), places) for places, lines in blocks.items()]
    return sorted(made, key=lambda b: (-b.chars, b.lines))


def _least(documents: int) -> int:
    return max(FEWEST, math.ceil(SHARE * documents))


def _solid(text: str) -> int:
    return sum(map(len, text.split()))


def _short(line: str) -> str:
    return line if len(line) <= 60 else line[:59] + "…"
