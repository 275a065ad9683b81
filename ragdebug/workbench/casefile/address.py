"""The addresses of views, as the app reads them from a link."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from ragdebug.records import Place
from ragdebug.settings import StrategySettings

MOST_COLUMNS = 6
LONGEST = 1800  # characters; longer ones are kept in the workspace
BESIDE = "bm25"  # a search shows at least two columns


def place(one: Place) -> str:
    """``document@version:start-end``, and for a region ``!page 3``."""
    region = f"!{quote(one.region, safe=' ')}" if one.region else ""
    document = quote(one.document, safe="/ ._-#")
    return f"{document}@{one.version[:8]}:{one.start}-{one.end}{region}"


def search(query: str, strategies: Sequence[StrategySettings], places: Sequence[Place]) -> str:
    """Path and parameters of a search with these columns and expected places."""
    first = strategies[0]
    columns = [str(s) for s in strategies][:MOST_COLUMNS]
    if len(columns) < 2:
        beside = BESIDE if first.preset != BESIDE else "vector"
        columns.append(beside if first.is_outside else f"{beside}@{first.chunking}")
    pairs = [("q", query), ("k", str(first.k)), ("columns", ",".join(columns))]
    pairs += [("filter", f"{key}={value}") for key, value in first.filter]
    if places:
        pairs.append(("expect", ",".join(map(place, places))))
    return f"Search?{urlencode(pairs)}"


def trace(question: str, query: str, strategy: StrategySettings, places: Sequence[Place]) -> str:
    """Path and parameters of a question followed through the stages."""
    if question:
        return f"Trace?{urlencode([('question', question), ('strategy', str(strategy))])}"
    expected = ",".join(map(place, places))
    return f"Trace?{urlencode([('q', query), ('expect', expected), ('strategy', str(strategy))])}"
