"""Rows of a file as pieces: one at a time, so that the file is never held twice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from ragdebug.errors import CorruptDocument, EmptyDocument
from ragdebug.pieces.flat import metadata
from ragdebug.pieces.names import SAMPLE, as_page, as_position, choose_columns, is_nothing
from ragdebug.pieces.records import GivenPiece, PieceFile, RowProblem
from ragdebug.pieces.vectors import VectorRows
from ragdebug.protocols import Progress

Line = tuple[int, dict[str, object] | str]  # line, and its row or what is wrong with it
_OFTEN = 1_000  # rows between two calls of `progress`
_HALVES = re.compile("[\ud800-\udfff]")


def collect(
    lines: Iterable[Line], name: str, chosen: Mapping[str, str], progress: Progress, total: int = 0
) -> PieceFile:
    """Pieces of a file's rows.

    Raises:
        EmptyDocument: there are no rows.
        CorruptDocument: no row could be read.
        ColumnNotFound: see `choose_columns`.
    """
    rest = iter(lines)
    first = list(islice(rest, SAMPLE))
    sample = [row for _, row in first if not isinstance(row, str)]
    while first and not sample:
        more = next(rest, None)
        if more is None:
            number, message = first[0]
            raise CorruptDocument(
                f"No line of {name} could be read. Line {number}: {message}",
                hint="Check what kind of file it is.",
            )
        sample = [row for row in (more[1],) if not isinstance(row, str)]
        first.append(more)
    if not sample:
        raise EmptyDocument(f"{name} holds no pieces.")
    columns, seen = choose_columns(name, sample, chosen)
    reader = _Reader(columns)
    for done, (line, row) in enumerate(chain(_given(first), rest), start=1):
        reader.add(line, row)
        if done % _OFTEN == 0:
            progress(done, total, "pieces")
    progress(len(reader.pieces), len(reader.pieces), "pieces")
    return reader.file(seen)


def _given(first: list[Line]) -> Iterator[Line]:
    """Lines, each let go once it was given."""
    first.reverse()
    while first:
        yield first.pop()


class _Reader:
    """Makes pieces of rows."""

    def __init__(self, columns: Mapping[str, str]) -> None:
        self.columns = columns
        self.taken = frozenset(columns.values())
        self.pieces: list[GivenPiece] = []
        self.problems: list[RowProblem] = []
        self.vectors = VectorRows()
        self._known: dict[str, str] = {}  # each distinct name and value once

    def add(self, line: int, row: dict[str, object] | str) -> None:
        if isinstance(row, str):
            self.problems.append(RowProblem(line, row))
            return
        text = row.get(self.columns["text"])
        if is_nothing(text):
            self.problems.append(RowProblem(line, "This row has no text; it was left out."))
            return
        text = text if isinstance(text, str) else str(text)
        whole, halves = _HALVES.subn("\ufffd", text) if not text.isascii() else (text, 0)
        if halves:
            message = f"Its text holds {halves} half characters, which became \ufffd."
            self.problems.append(RowProblem(line, message))
        vector = self._value(row, "vector")
        if not is_nothing(vector) and (not hasattr(vector, "__len__") or len(vector)):
            problem = self.vectors.add(len(self.pieces), line, vector)
            if problem:
                self.problems.append(problem)
        numbers = {role: self._position(line, role, row) for role in ("page", "start", "end")}
        rest = metadata(row, self.taken)
        if numbers["page"] is None and not is_nothing(page := self._value(row, "page")):
            rest["page"] = str(page)  # "iv", or "12 to 14"
        self.pieces.append(
            GivenPiece(
                text=whole,
                source=self._once(self._name(row, "source")),
                id=self._name(row, "id"),
                metadata={self._once(k): self._once(v) for k, v in rest.items()},
                **numbers,
            )
        )

    def file(self, seen: Sequence[str]) -> PieceFile:
        """All that was added."""
        pieces = self.pieces
        if any(p.page == 0 for p in pieces):
            pieces = [replace(p, page=p.page + 1) if p.page is not None else p for p in pieces]
            message = "Its pages count from 0; each number was made one larger."
            self.problems.append(RowProblem(0, message))
        matrix, ragged = self.vectors.matrix(len(pieces))
        problems = sorted((*self.problems, *ragged), key=lambda p: p.line)
        return PieceFile(tuple(pieces), matrix, dict(self.columns), tuple(problems), tuple(seen))

    def _value(self, row: Mapping[str, object], role: str) -> object:
        return row.get(self.columns[role]) if role in self.columns else None

    def _name(self, row: Mapping[str, object], role: str) -> str:
        value = self._value(row, role)
        if is_nothing(value):
            return ""
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # a table made a number of an id because one is missing
        return _HALVES.sub("\ufffd", str(value))

    def _position(self, line: int, role: str, row: Mapping[str, object]) -> int | None:
        value = self._value(row, role)
        number = as_page(value) if role == "page" else as_position(value)
        unknown = is_nothing(value) or str(value) in ("-1", "-1.0")
        if number is None and not unknown and role != "page":  # a page may be called "iv"
            self.problems.append(RowProblem(line, f"Its {role} {str(value)[:40]!r} is no number."))
        return number

    def _once(self, text: str) -> str:
        if len(text) > 200:
            return text
        return self._known.setdefault(text, _HALVES.sub("\ufffd", text))
