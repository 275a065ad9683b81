"""Settings in which runs differ, a column each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragdebug.errors import RagDebugError
from ragdebug.runs import Run
from ragdebug.settings import StrategySettings
from ragdebug.ui.results import words

NOT_SHOWN = ("k", "depth", "model")  # lists are stored whole; the model has a column of its own


def columns(runs: Sequence[Run]) -> dict[str, list[str]]:
    """Name of a setting -> its value in each run; only those that are not the same everywhere."""
    plain: dict[str, Callable[[Run], str]] = {
        "chunking": words.chunking,
        "embedder": lambda r: r.embedder,
        "tag": lambda r: r.slice,
        "sample": lambda r: f"{r.sampled:,} (seed {r.seed})" if r.sampled else "",
    }
    made = {name: [read(r) for r in runs] for name, read in plain.items()}
    options = [_options(r) for r in runs]
    for name in dict.fromkeys(name for one in options for name in one):
        made[name] = [one.get(name, "") for one in options]
    made["corpus"] = [r.corpus[:6] for r in runs]
    made["questions"] = [r.questions[:6] for r in runs]
    for package in sorted({p for r in runs for p in r.packages}):
        made[package] = [r.packages.get(package, "") for r in runs]
    return {name: values for name, values in made.items() if _differ(name, values)}


def _differ(name: str, values: Sequence[str]) -> bool:
    if name == "embedder":  # BM25 has none
        values = [v for v in values if v]
    return len(set(values)) > 1


def _options(run: Run) -> dict[str, str]:
    try:
        options = StrategySettings.parse(run.strategy).options()
    except RagDebugError:  # of a version that knew other settings
        return {}
    return {name: value for name, value in options.items() if name not in NOT_SHOWN}
