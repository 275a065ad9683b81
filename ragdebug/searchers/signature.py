"""How somebody's function wants query, k and filter: by the names and the order it has them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ragdebug.errors import SearcherFailed

QUERIES = frozenset("query q question text query_text query_str search_query prompt".split())
KS = frozenset(
    "k top_k topk limit n size num top top_n num_results n_results max_results count n_hits"
    " num_hits similarity_top_k".split()
)
FILTERS = frozenset(
    "filter filters filter_ where metadata_filter metadata_filters conditions".split()
)


@dataclass(frozen=True, slots=True)
class Wants:
    """What a function takes.

    Attributes:
        names: parameter -> query, k or filter, of those that go by name.
        order: query, k, filter of those that go by position.
    """

    order: tuple[str, ...]
    names: tuple[tuple[str, str], ...] = ()

    @property
    def takes(self) -> frozenset[str]:
        """Which of query, k and filter it takes."""
        return frozenset([*self.order, *(role for _, role in self.names)])

    def call(self, function: Callable[..., Any], values: dict[str, Any]) -> Any:  # noqa: ANN401
        """Call it."""
        given = {name: values[role] for name, role in self.names}
        return function(*(values[role] for role in self.order), **given)


def wants(name: str, function: Callable[..., Any]) -> Wants:
    """Find out what a function takes; parameters with a default that nobody knows are left alone.

    Raises:
        SearcherFailed: it takes no query, or needs something that nobody gives.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return Wants(("query", "k", "filter"))  # made in C: it does not say
    order: list[str] = []
    names: list[tuple[str, str]] = []
    left = ["query", "k", "filter"]
    by_position = True
    for p in parameters:
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            by_position = by_position and p.kind != p.VAR_POSITIONAL
            continue
        needed = p.default is p.empty
        role = _role(p.name, left, needed and p.kind != p.KEYWORD_ONLY)
        if not role:
            if needed:
                raise SearcherFailed(
                    f"{name} needs {p.name}, and nobody gives it.",
                    title="Searcher refused",
                    hint="Write search(query), search(query, k) or search(query, k, filter).",
                )
            by_position = by_position and p.kind == p.KEYWORD_ONLY
            continue
        left.remove(role)
        if p.kind == p.KEYWORD_ONLY or not by_position:
            names.append((p.name, role))
        else:
            order.append(role)
    if "query" in left:
        raise SearcherFailed(
            f"{name} takes no query.",
            title="Searcher refused",
            hint="Write search(query), search(query, k) or search(query, k, filter).",
        )
    return Wants(tuple(order), tuple(names))


def _role(name: str, left: list[str], by_order: bool) -> str:
    """What a parameter is: by its name, else what comes next where it has to be given."""
    for role, known in (("query", QUERIES), ("k", KS), ("filter", FILTERS)):
        if role in left and name.lower() in known:
            return role
    return left[0] if by_order and left else ""
