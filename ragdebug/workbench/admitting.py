"""What would let a chunk among the first of a fused list, in words that page and file share."""

from __future__ import annotations

from ragdebug.explain import Change
from ragdebug.workbench.explanations import FusionExplanation

LISTS = {"vector": "Vector", "bm25": "BM25"}
_SETTINGS = {"rrf_k": "RRF k", "depth": "depth of the lists", "k": "hits shown", "pool": "pool"}
_TRIED = {"rrf_k": "RRF k", "weight": "one weight", "depth": "the depth"}
_MORE = ("k", "pool")  # they change no rank, and admit more of them


def setting(change: Change) -> str:
    """``RRF k``, ``weight of BM25``, ``depth of the lists``, ``hits shown`` or ``pool``."""
    return _SETTINGS.get(change.knob) or f"weight of {LISTS.get(change.list, change.list)}"


def goal(made: FusionExplanation) -> str:
    """``first 5``, or ``pool of 20``."""
    return f"pool of {made.admitted}" if made.goal == "pool" else f"first {made.admitted}"


def helping(made: FusionExplanation) -> tuple[Change, ...]:
    """Changes that rank it among those admitted."""
    return tuple(c for c in made.changes if c.after is not None and c.knob not in _MORE)


def no_change(made: FusionExplanation) -> str:
    """Where no change of the ranking helps: which were tried, and how many more would have it."""
    tried = list(dict.fromkeys(_TRIED[c.knob] for c in made.changes if c.knob in _TRIED))
    named = " or ".join([", ".join(tried[:-1]), tried[-1]] if len(tried) > 1 else tried)
    said = f"No change of {named} lets it into the {goal(made)}"
    more = next((c for c in made.changes if c.knob in _MORE and c.after is not None), None)
    if more is None:
        return f"{said}."
    if more.knob == "pool":
        return f"{said}; a pool of {more.after:,g} instead of {more.before:,g} admits it."
    return f"{said}; showing {more.after:,g} hits instead of {more.before:,g} admits it."


def sentence(made: FusionExplanation) -> str:
    """Whether it is admitted, else the smallest changes that would do it."""
    if made.inside:
        return f"Within the {goal(made)}, which go on."
    if not made.changes:
        return "What would admit it is unknown."
    if not helping(made):
        return no_change(made)
    said = [
        f"{setting(c)} {c.before:g} → {c.after:.10g}" for c in made.changes if c.after is not None
    ]
    return f"Smallest changes that admit it, one at a time: {'; '.join(said)}."
