"""SQL typed by a person: on a copy of the facts, in a process of its own, limited."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragdebug.errors import SqlRefused
from ragdebug.store.clean import clean
from ragdebug.store.ready_queries import VIEWS

if TYPE_CHECKING:
    from ragdebug.store.workspace import Store

MAX_ROWS = 100_000
MAX_SECONDS = 60.0
MAX_SQL = 100_000  # characters
_GRACE_S = 5.0  # to start, and to notice that time is up
_CHILD = Path(__file__).with_name("console_child.py")


@dataclass(frozen=True, slots=True)
class SqlResult:
    """Answer to a query.

    Attributes:
        columns: names, not always different ones.
        types: of the columns, in DuckDB's words.
        rows: plain values: numbers, texts, dates, moments, lists, mappings, None. A decimal is a
            float, a blob hexadecimal text, anything else its text.
        truncated: whether there were more rows.
        elapsed_s: seconds of the query alone.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool
    elapsed_s: float


def run_sql(store: Store, sql: str, rows: int = 10_000, seconds: float = 10) -> SqlResult:
    """Run one query on a read-only copy of the facts, with the views of `ready_queries` in it.

    Args:
        store: the workspace.
        sql: one statement that only reads.
        rows: most rows in the answer, up to 100,000.
        seconds: longest time, up to 60.

    Raises:
        SqlRefused: it is not allowed, is wrong (in DuckDB's words), or went over a limit.
        StoreError: the database cannot be read.
    """
    if len(sql) > MAX_SQL:
        raise SqlRefused(f"The query has {len(sql):,} characters; {MAX_SQL:,} is the most.")
    seconds = min(max(seconds, 0.1), MAX_SECONDS)
    request = {
        "database": str(store.console_copy.fresh()),
        "views": VIEWS,
        "sql": clean(sql),
        "rows": min(max(rows, 1), MAX_ROWS),
        "seconds": seconds,
    }
    answer = _ask(request, seconds)
    if "error" in answer:
        raise _refusal(str(answer["error"]))
    types = tuple(answer["types"])
    readers = [_READERS.get(t) for t in types]
    return SqlResult(
        columns=tuple(answer["columns"]),
        types=types,
        rows=tuple(
            tuple(v if read is None else read(v) for v, read in zip(row, readers, strict=True))
            for row in answer["rows"]
        ),
        truncated=answer["truncated"],
        elapsed_s=answer["elapsed_s"],
    )


def _ask(request: dict[str, Any], seconds: float) -> dict[str, Any]:
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(_CHILD)],
            input=json.dumps(request),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds + _GRACE_S,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
    except subprocess.TimeoutExpired:
        return {"error": f"The query took longer than {seconds:g} seconds."}
    try:
        answer = json.loads(done.stdout)
    except ValueError:  # the system ended it
        return {"error": "The query needed more memory or time than it may have, and was ended."}
    assert isinstance(answer, dict)
    return answer


def _refusal(words: str) -> SqlRefused:
    words = words.split("\n\nLINE 1:")[0] if words.startswith("Permission Error") else words
    hint = ""
    if "file system operations are disabled" in words or "external" in words:
        hint = "Queries see the workspace's tables only: no files, no network, no extensions."
    elif words.startswith("Out of Memory"):
        hint = "Ask for fewer rows or columns, or add a WHERE."
    elif "longer than" in words or "was ended" in words:
        hint = "Add a condition or a LIMIT."
    return SqlRefused(words, hint=hint)


def _reader(parse: Callable[[str], Any]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:  # noqa: ANN401 - any value of a database
        try:
            return parse(value) if isinstance(value, str) else value
        except ValueError:
            return value  # beyond what Python's dates reach

    return read


_READERS: dict[str, Callable[[Any], Any]] = {
    "DATE": _reader(date.fromisoformat),
    "TIMESTAMP": _reader(datetime.fromisoformat),
    "TIMESTAMP WITH TIME ZONE": _reader(datetime.fromisoformat),
}
