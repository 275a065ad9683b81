"""Numbers and names as they stand in tables, charts and sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ragdebug import figures
from ragdebug.runs import Interval, Run
from ragdebug.settings import OUTSIDE

STEMS = {
    "hit": "at least one passage is found",
    "recall": "share of the passages that are found",
    "rr": "1 / rank of the first passage found",
    "ndcg": "how high the passages stand, all of them",
    "ap": "how high each passage stands, averaged",
}
SIZED = ("p", "precision", "iou")  # what depends on the size of chunks


def stem(measure: str) -> str:
    """``recall`` of ``recall@5``."""
    return measure.partition("@")[0]


def upright(measure: str) -> bool:
    """Whether it runs from 0 to 1."""
    return stem(measure) != "tokens"


def value(number: float, measure: str, sign: str = "") -> str:
    """A mean or a difference; a dash where there is none."""
    if not math.isfinite(number):
        return "–"
    return f"{number:{sign},.{2 if upright(measure) else 0}f}"


def mean(interval: Interval, measure: str, n: int | None = None) -> str:
    """``0.78 (0.67–0.88)``; how many questions it is over where that is not `n`."""
    if not interval.n:
        return "–"
    low, high = (value(x, measure) for x in (interval.low, interval.high))
    others = f" n {interval.n:,}" if n is not None and interval.n != n else ""
    return f"{value(interval.mean, measure)} ({low}–{high}){others}"


def when(run: Run) -> str:
    """Day and time of a run, UTC."""
    return run.created_at[:16].replace("T", " ")


def names(runs: Sequence[Run]) -> dict[str, str]:
    """Run id -> a name that is its alone among these; a chunking that all share is left out."""
    labels = [r.label or r.strategy for r in runs]
    if len(runs) > 1 and len({_chunking(x) for x in labels}) == 1:
        labels = [x.replace(f" {_chunking(x)}", "", 1) for x in labels]
    return {
        r.id: label if labels.count(label) == 1 else f"{label} · {r.id}"
        for r, label in zip(runs, labels, strict=True)
    }


def _chunking(label: str) -> str:
    """``structure:220/40`` of ``hybrid structure:220/40 rrf_k=30``."""
    return label.split(" ")[1] if " " in label else ""


def colours(runs: Sequence[Run]) -> dict[str, int]:
    """Run id -> place in the palette: the presets' own colours first, then the spare ones."""
    made: dict[str, int] = {}
    spare = len(figures.PRESETS)
    for run in runs:
        preset = run.strategy.partition("@")[0]
        own = figures.PRESETS.index(preset) if preset in figures.PRESETS else spare
        if own in made.values():
            own, spare = spare, spare + 1
        made[run.id] = own
    return made


def chunking(run: Run) -> str:
    """How a run's documents were cut; hits of another system are as it returned them."""
    outside = run.strategy.partition(":")[0] in OUTSIDE
    return "as returned" if outside else run.chunking.removesuffix(":tokens:label")


def several_chunkings(runs: Sequence[Run]) -> bool:
    """Whether measures that depend on the size of chunks cannot be compared between them."""
    return len({r.chunking for r in runs}) > 1


def titles(measures: Sequence[str], runs: Sequence[Run]) -> Mapping[str, str]:
    """Measure -> heading of its column."""
    warned = " · depends on chunk size" if several_chunkings(runs) else ""
    return {m: f"{m}{warned if stem(m) in SIZED else ''}" for m in measures}
