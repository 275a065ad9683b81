"""Runs one query that a person typed, on a copy of the facts, and writes the answer as JSON.

A program of its own, started by `console` and never imported: it knows nothing but its request
(JSON on standard input), may open no file but the copy, and ends itself when it takes too much.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",  # nothing goes to the disk
    "memory_limit": "512MB",
    "threads": "2",
}
ADDRESS_SPACE = 4_000_000_000  # bytes; what DuckDB does not count is limited too
ANSWER = 50_000_000  # characters
PORTION = 200  # rows read at a time


class Refused(Exception):
    """A query that is not run."""


def main() -> None:
    """Answer the request on standard input."""
    request = json.load(sys.stdin)
    _limit(int(request["seconds"]) * 4 + 20)
    try:
        answer = _answer(request)
    except MemoryError:
        answer = {"error": "The query needs more memory than it may have."}
    except Exception as error:
        answer = {"error": str(error) or type(error).__name__}
    json.dump(answer, sys.stdout)


def _limit(cpu_s: int) -> None:
    """Let the system end this process when it takes too much, even if nobody waits any more."""
    try:
        import resource
    except ImportError:
        return
    for kind, most in (
        (resource.RLIMIT_AS, ADDRESS_SPACE),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_CORE, 0),
    ):
        try:
            resource.setrlimit(kind, (most, most))
        except (OSError, ValueError):
            pass  # a lower limit is set already


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    import duckdb

    with duckdb.connect(request["database"], read_only=True, config=CONFIG) as connection:
        for name, query in request["views"].items():
            connection.execute(f"CREATE TEMP VIEW {name} AS {query}")
        connection.execute("SET lock_configuration = true")
        _check(connection, request["sql"])
        timer = threading.Timer(request["seconds"], connection.interrupt)
        timer.daemon = True
        timer.start()
        started = time.perf_counter()
        try:
            return _read(connection, request["sql"], request["rows"]) | {
                "elapsed_s": time.perf_counter() - started
            }
        except duckdb.InterruptException:
            raise Refused(f"The query took longer than {request['seconds']:g} seconds.") from None
        finally:
            timer.cancel()


def _check(connection: DuckDBPyConnection, sql: str) -> None:
    """Refuse what is not one query.

    Raises:
        Refused: there is no statement, more than one, or one that does not only read.
    """
    import duckdb

    statements = connection.extract_statements(sql)
    if not statements:
        raise Refused("There is no query.")
    if len(statements) > 1:
        raise Refused(f"These are {len(statements)} statements; one at a time is run.")
    kind = statements[0].type
    if kind not in (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN):
        raise Refused(
            f"{kind.name} is not allowed: only queries are run here (SELECT, FROM, WITH, VALUES, "
            "DESCRIBE, SUMMARIZE, SHOW, EXPLAIN)."
        )


def _read(connection: DuckDBPyConnection, sql: str, most: int) -> dict[str, Any]:
    """Read rows as they come, until there are enough of them."""
    cursor = connection.execute(sql)
    columns = [(str(c[0]), str(c[1])) for c in cursor.description or ()]
    rows: list[list[Any]] = []
    size, truncated = 0, False
    while portion := cursor.fetchmany(min(PORTION, most + 1 - len(rows))):
        made = [[_plain(value) for value in row] for row in portion]
        size += len(json.dumps(made))
        if size > ANSWER:
            truncated = True
            break
        rows += made
        if len(rows) > most:
            truncated = True
            break
    return {
        "columns": [c[0] for c in columns],
        "types": [c[1] for c in columns],
        "rows": rows[:most],
        "truncated": truncated,
    }


def _plain(value: Any) -> Any:  # noqa: ANN401 - any value of a database
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(x) for x in value]
    if isinstance(value, dict):
        return {str(key): _plain(x) for key, x in value.items()}
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if type(value).__name__ == "Decimal":
        return float(value)
    return str(value)


if __name__ == "__main__":
    main()
