"""Records of a file, and the documents that are made of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ragdebug.documents.canonical import REPLACEMENT, one_line
from ragdebug.documents.columns import ColumnGuess, find, guess
from ragdebug.documents.options import ParseOptions
from ragdebug.documents.text import plain_blocks
from ragdebug.errors import CorruptDocument, DocumentError, EmptyDocument
from ragdebug.records import Block, ParsedDocument, ParseWarning, Section

MAX_KEY_CHARS = 200
MAX_WARNINGS = 100


@dataclass(frozen=True, slots=True)
class Row:
    """One record.

    Attributes:
        number: position among the records, from 1.
        line: line of the file where it starts, from 1; 0 when unknown.
        values: column -> value as canonical text; columns a record lacks are missing.
        key: name the file itself gives to the record, or "".
        replaced: characters that could not be stored and became U+FFFD.
    """

    number: int
    line: int
    values: Mapping[str, str]
    key: str = ""
    replaced: int = 0


@dataclass(frozen=True, slots=True)
class Rows:
    """All records of one file.

    Attributes:
        name: the file.
        parser: name and version of the parser.
        columns: names in order of appearance.
        rows: the records.
        warnings: of the whole file: broken rows, encoding.
        text: the canonical text of the file itself.
        single: the file is one record, and not one of several.
    """

    name: str
    parser: str
    columns: tuple[str, ...]
    rows: Sequence[Row]
    warnings: tuple[ParseWarning, ...]
    text: str
    single: bool = False


def documents(found: Rows, options: ParseOptions) -> list[ParsedDocument]:
    """One document a record; what is wrong with the file as a whole rides on the first.

    Records without text are left out with a warning that names their line.

    Raises:
        CorruptDocument: there are rows, and none of them can be read.
        EmptyDocument: there are no rows.
        DocumentError: a chosen column is not there.
    """
    columns = choose(found, options)
    warnings = list(found.warnings)
    result: list[ParsedDocument] = []
    keys = _Keys()
    for row in found.rows:
        text = text_of(row.values, columns)
        if not text.strip():
            wanted = " or ".join(columns.text[:3])
            message = f"no text in {wanted}; the record was left out."
            warnings.append(_warning("broken_row", found, row, message))
            continue
        own: list[ParseWarning] = []
        if row.replaced:
            message = f"{row.replaced} unreadable characters became {REPLACEMENT}."
            own.append(_warning("replaced_characters", found, row, message))
        key, again = keys.name(row, row.values.get(columns.id, ""))
        if again:
            message = f"the id {again!r} was used before; this record is called {key!r}."
            own.append(_warning("duplicate_id", found, row, message))
        language = re.split("[-_]", row.values.get(columns.language, "").strip().lower())[0]
        result.append(
            ParsedDocument(
                text=text,
                kind="record",
                parser=found.parser,
                key="" if found.single else key,
                title=one_line(row.values.get(columns.title, "")),
                sections=_sections(text, heading_of(row.values, columns)),
                blocks=_blocks(text),
                metadata={c: row.values[c] for c in columns.metadata if row.values.get(c)},
                language=language if re.fullmatch("[a-z]{2}", language) else "",
                warnings=tuple(own),
            )
        )
    if not result:
        if warnings:
            raise CorruptDocument(
                f"{found.name}: none of its rows could be read. {warnings[0].message}"
            )
        raise EmptyDocument(f"{found.name} has no rows.")
    first = result[0]
    result[0] = replace(first, warnings=(*shorten(warnings), *first.warnings))
    return result


def choose(found: Rows, options: ParseOptions) -> ColumnGuess:
    """The guess, with what a person chose in its place.

    Raises:
        DocumentError: a chosen column is not there.
    """
    columns = guess(found.columns, [r.values for r in found.rows])
    text, id_column = columns.text, columns.id
    if options.text_columns:
        text = tuple(_must_find(c, found) for c in options.text_columns)
    if options.id_column:
        id_column = _must_find(options.id_column, found)
    if options.metadata_columns is not None:
        metadata = tuple(_must_find(c, found) for c in options.metadata_columns)
    elif options.text_columns or options.id_column:
        metadata = tuple(c for c in found.columns if c not in (*text, id_column))
    else:
        metadata = columns.metadata
    title = "" if columns.title in text and len(text) == 1 else columns.title
    return replace(columns, text=text, id=id_column, metadata=metadata, title=title)


def text_of(values: Mapping[str, str], columns: ColumnGuess) -> str:
    """A record's text: the value of its text column, or ``column: value`` lines."""
    if len(columns.text) == 1:
        return values.get(columns.text[0], "")
    return "\n".join(f"{c}: {v}" for c in columns.text if (v := values.get(c, "")).strip())


def heading_of(values: Mapping[str, str], columns: ColumnGuess) -> str:
    """Codes and title of a record, as far as its text does not say them: ``ZX-4411 · Reel``."""
    text = text_of(values, columns)
    named = (one_line(values.get(c, "")) for c in (*columns.codes, columns.title) if c)
    return " · ".join(dict.fromkeys(part for part in named if part and part not in text))


def shorten(warnings: Sequence[ParseWarning]) -> Iterator[ParseWarning]:
    """The warnings, the many of a broken file summed up after the first hundred."""
    yield from warnings[:MAX_WARNINGS]
    if len(warnings) > MAX_WARNINGS:
        more = len(warnings) - MAX_WARNINGS
        yield ParseWarning("broken_row", f"... and {more:,} more warnings of this file.")


def _warning(code: str, found: Rows, row: Row, message: str) -> ParseWarning:
    where = f"line {row.line}" if row.line else f"record {row.number}"
    return ParseWarning(code, f"{found.name}, {where}: {message}", line=row.line or None)


class _Keys:
    """Gives every record of a file a key of its own."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def name(self, row: Row, given: str) -> tuple[str, str]:
        """The key, and the id that was given twice (else "")."""
        key = one_line(given) or one_line(row.key)
        if not key or len(key) > MAX_KEY_CHARS:
            key = str(row.number)
        wanted = key
        while key in self._taken:
            self._next[wanted] = self._next.get(wanted, 1) + 1
            key = f"{wanted}~{self._next[wanted]}"
        self._taken.add(key)
        return key, "" if key == wanted else wanted


def _sections(text: str, heading: str) -> tuple[Section, ...]:
    """The record as a section under its heading, so that its chunks are labelled with it."""
    return (Section(0, len(text), 1, heading, 0),) if heading else ()


def _blocks(text: str) -> tuple[Block, ...]:
    if "\n" in text:
        return plain_blocks(text)
    stripped = text.strip()
    start = text.index(stripped)
    return (Block("paragraph", start, start + len(stripped)),)


def _must_find(name: str, found: Rows) -> str:
    column = find(name, found.columns)
    if column is None:
        raise DocumentError(
            f"{found.name} has no column {name!r}.",
            title="No such column",
            hint=f"Its columns: {', '.join(found.columns[:50])}.",
        )
    return column
