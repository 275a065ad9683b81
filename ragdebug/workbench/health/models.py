"""Several embedding models in one comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragdebug.settings import StrategySettings
from ragdebug.workbench.health.findings import NOTE, SEARCH, WARNING, Finding, Where, finding


def check(strategies: Sequence[StrategySettings]) -> list[Finding]:
    """Say so where lists of different models stand side by side, and whether more differs."""
    dense = [s for s in strategies if s.uses_vectors]
    names = list(dict.fromkeys(s.embedder for s in dense))
    if len(names) < 2:
        return []
    # What is left of each strategy without its model: with the model alone different, the
    # comparison is one of models.
    rest: dict[str, set[str]] = {name: set() for name in names}
    for one in dense:
        rest[one.embedder].add(str(replace(one, embedder=names[0])))
    mixed = len({frozenset(r) for r in rest.values()}) > 1
    listed = " and ".join([", ".join(names[:-1]), names[-1]])
    made = finding(
        "several_models",
        WARNING if mixed else NOTE,
        f"{len(names)} embedding models in {len(dense)} strategies: {listed}. "
        + (
            "More than the model differs between them: what makes one list better cannot be told."
            if mixed
            else "Their cosines are of different kinds; compare ranks, not scores."
        ),
        len(names),
        len(dense),
        [
            Where(
                SEARCH,
                f"Lists of {name}",
                strategy=str(next(s for s in dense if s.embedder == name)),
            )
            for name in names[:4]
        ],
    )
    return [replace(made, strategies=tuple(map(str, dense)))]
