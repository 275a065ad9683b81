"""Which column holds what: the names that people and libraries use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import islice

from ragdebug.errors import ColumnNotFound, InvalidSetting
from ragdebug.pieces.vectors import is_vector

Row = Mapping[str, object]

# Role -> names, the likeliest first. Also looked for inside of `WRAPPERS`.
NAMES: Mapping[str, tuple[str, ...]] = {
    "text": tuple(
        "text page_content content chunk chunk_text text_content chunk_content node_text contents "
        "body passage paragraph segment snippet raw_text full_text document".split()
    ),
    "source": tuple(
        "source file_path filepath path file file_name filename source_file source_document "
        "document_name doc_name document_id doc_id docid ref_doc_id url uri source_url doc "
        "document parent_id title relationships.1.node_id".split()
    ),
    "id": tuple("id chunk_id _id id_ node_id uuid point_id passage_id pk key".split()),
    "page": tuple("page page_number page_no page_num pagenumber page_index page_label".split()),
    "start": tuple(
        "start start_index start_char_idx start_char start_offset char_start start_pos "
        "start_position offset begin".split()
    ),
    "end": tuple(
        "end end_index end_char_idx end_char end_offset char_end end_pos end_position stop".split()
    ),
    "vector": tuple(
        "vector embedding embeddings vectors dense_vector values text_vector text_embedding "
        "vectors.default vector.default".split()
    ),
}
# What records are packed into.
WRAPPERS = frozenset(
    "metadata meta payload properties attributes entity fields kwargs data record node chunk "
    "document extra_info cmetadata _source __data__".split()
)
SAMPLE = 200  # rows that are looked at before the columns are chosen
MOST_PAGES = 1_000_000_000
_LOOKED_AT = 10
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def choose_columns(
    name: str, sample: Sequence[Row], chosen: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Role -> column for a file, and all columns seen.

    Args:
        name: the file, for messages.
        sample: its first rows.
        chosen: what a person said; "" for no column.

    Raises:
        InvalidSetting: a role that there is not.
        ColumnNotFound: a column that there is not, or none that holds text.
    """
    seen = tuple(dict.fromkeys(c for row in sample for c in row))
    if unknown := [role for role in chosen if role not in NAMES]:
        raise InvalidSetting(
            f"{unknown[0]!r} is nothing a column of pieces can hold.",
            hint=f"There are {', '.join(NAMES)}.",
        )
    columns: dict[str, str] = {}
    for role in NAMES:
        if role in chosen:
            column = _named(name, chosen[role], seen) if chosen[role] else ""
        else:
            free = [c for c in seen if c not in columns.values()]
            column = likeliest(NAMES[role], FITS.get(role, is_scalar), sample, free)
        if column:
            columns[role] = column
    if "text" not in columns:
        raise ColumnNotFound(
            f"No column of {name} holds the text of pieces. Its columns are {_listed(seen)}.",
            hint="Say which one it is.",
        )
    return columns, seen


def _named(name: str, column: str, seen: Sequence[str]) -> str:
    if column in seen:
        return column
    same = [c for c in seen if plain_name(c) == plain_name(column)]
    if len(same) != 1:
        raise ColumnNotFound(
            f"{name} has no column {column!r}. Its columns are {_listed(seen)}.",
            hint="Choose one of these.",
        )
    return same[0]


def likeliest(
    names: Iterable[str],
    fits: Callable[[object], bool],
    rows: Sequence[Row],
    seen: Iterable[str],
    wrappers: Set[str] = WRAPPERS,
) -> str:
    """The column that has the first of some names and holds what fits; "" where none does."""
    bare: dict[str, list[str]] = {}
    for column in sorted(seen, key=lambda c: c.count(".")):  # what lies outside comes first
        bare.setdefault(bare_name(column, wrappers), []).append(column)
    columns = (c for name in names for c in bare.get(name, ()))
    return next((c for c in columns if _holds(c, rows, fits)), "")


def _holds(column: str, sample: Iterable[Row], fits: Callable[[object], bool]) -> bool:
    """Whether most of the first values that are there are of the right kind."""
    there = (row[column] for row in sample if not is_nothing(row.get(column)))
    first = list(islice(there, _LOOKED_AT))
    return bool(first) and 2 * sum(map(fits, first)) >= len(first)


def is_nothing(value: object) -> bool:
    """Whether a cell is empty: missing, blank, or the NaN of a table."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, float) and value != value)


def is_text(value: object) -> bool:
    """Whether it is words, and no vector that is written as text."""
    return isinstance(value, str) and not is_vector(value)


def is_scalar(value: object) -> bool:
    """Whether it is a text or a number."""
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def as_position(value: object) -> int | None:
    """A whole number, not negative, or None: 12, 12.0, "12"."""
    if isinstance(value, str):
        value = value.strip().removesuffix(".0")
        return int(value) if value.isdecimal() and len(value) < 19 else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    whole = isinstance(value, int) or value.is_integer()
    return int(value) if whole and 0 <= value < 1 << 62 else None


def as_page(value: object) -> int | None:
    """The same for the number of a page; what no document has pages for is a name or an id."""
    number = as_position(value)
    return number if number is not None and number < MOST_PAGES else None


def _is_position(value: object) -> bool:
    # LangChain's -1 says that it did not find the place.
    return as_position(value) is not None or value in (-1, "-1")


FITS: Mapping[str, Callable[[object], bool]] = {
    "text": is_text,
    "page": is_scalar,
    "start": _is_position,
    "end": _is_position,
    "vector": is_vector,
}


def _listed(columns: Sequence[str]) -> str:
    shown = ", ".join(columns[:30]) or "none"
    return f"{shown} and {len(columns) - 30} more" if len(columns) > 30 else shown


def plain_name(column: str) -> str:
    """A column's name in small letters, its words joined by underscores."""
    return _HUMP.sub("_", column.strip()).lower().replace(" ", "_").replace("-", "_")


def bare_name(column: str, wrappers: Set[str] = WRAPPERS) -> str:
    """A column's name without what it is packed into."""
    parts = plain_name(column).split(".")
    while len(parts) > 1 and parts[0] in wrappers:
        del parts[0]
    return ".".join(parts)
