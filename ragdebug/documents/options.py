"""What a person may choose about reading files, and the limits nobody may pass."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from ragdebug.errors import InvalidSetting
from ragdebug.settings import fingerprint

ROWS = ("documents", "table")
MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """Choices for one call of `parse`.

    Attributes:
        text_columns: columns (CSV, TSV, JSON, JSONL) that make up a record's text; empty for a
            guess. With several, the text is one ``column: value`` line each.
        id_column: column whose value names the record; "" for a guess, else the row number.
        metadata_columns: columns kept as metadata; None for all that are not text or id.
        rows: ``documents`` (each record is a document) or ``table`` (the file is one table).
        password: for PDF and other protected files.
        encoding: a Python codec name; "" for a guess.
        language: ISO 639-1 code given to every document; "" to have it detected.
    """

    text_columns: tuple[str, ...] = ()
    id_column: str = ""
    metadata_columns: tuple[str, ...] | None = None
    rows: str = "documents"
    password: str = ""
    encoding: str = ""
    language: str = ""

    def __post_init__(self) -> None:
        if self.rows not in ROWS:
            raise InvalidSetting(
                f"Rows cannot be read as {self.rows!r}.",
                hint=f"Use {' or '.join(ROWS)}.",
            )
        if self.encoding:
            try:
                "".encode(self.encoding)
            except LookupError as e:
                raise InvalidSetting(
                    f"No encoding is called {self.encoding!r}.",
                    hint="Write it like utf-8, cp1252 or utf-16.",
                ) from e

    def fingerprint(self) -> str:
        """Identity of the options.

        The password is left out: it decides whether a file is read, never what its text is.
        """
        values = asdict(self)
        del values["password"]
        return fingerprint(values)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a file may cost at most; passing one raises `DocumentTooLarge` or `UnsafeArchive`.

    Attributes:
        max_bytes: size of one file as it lies there.
        max_inflated_bytes: real bytes that come out of a compressed file, all members together.
        max_ratio: inflated bytes per compressed byte; looked at above `ratio_floor_bytes` only,
            since small files of blanks compress beyond any reason and harm nobody.
        ratio_floor_bytes: see `max_ratio`.
        max_members: files inside one archive.
        max_pages: pages of a paged file.
        max_line_chars: characters of one line of a text file.
        max_records: records (rows, JSON objects) of one file.
        max_depth: nesting of elements, JSON values, or source code.
    """

    max_bytes: int = 100 * MB
    max_inflated_bytes: int = 200 * MB
    max_ratio: float = 200.0
    ratio_floor_bytes: int = 10 * MB
    max_members: int = 10_000
    max_pages: int = 20_000
    max_line_chars: int = 10_000_000
    max_records: int = 500_000
    max_depth: int = 200
