"""A row of questions by name of column: what CSV and JSONL share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ragdebug.workbench.questions.records import Given

# First what this program writes, then what other tools call the same.
ALIASES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "_id", "question_id", "query_id", "qid"),
    "question": ("question", "query", "q", "user_input"),
    "source": ("source", "doc", "document", "file", "filename"),
    "quote": ("quote", "evidence", "passage", "reference_contexts"),
    "need": ("need",),
    "start": ("start",),
    "end": ("end",),
    "page": ("page",),
    "section": ("section",),
    "region": ("region",),
    "grade": ("grade",),
    "rejected": ("rejected",),
    "status": ("status",),
    "origin": ("origin",),
    "given": ("given",),
    "tags": ("tags", "tag"),
    "notes": ("notes", "note"),
    "not_answerable": ("not_answerable",),
    "level": ("level",),
    "asked": ("asked",),
    "docs": ("docs",),
}
COLUMNS = tuple(name for name in ALIASES if name != "docs")
_YES = ("1", "true", "yes", "y", "x")
_NO = ("0", "false", "no", "n")


class BadRow(ValueError):
    """A row that cannot be read; its text says why."""


def names(present: Mapping[str, Any], chosen: Mapping[str, str] | None = None) -> dict[str, str]:
    """Our name of a column -> the file's name of it, for the columns that are there."""
    lower = {str(k).strip().casefold(): str(k) for k in reversed(list(present))}
    found = {
        ours: lower[alias]
        for ours, aliases in ALIASES.items()
        if (alias := next((a for a in aliases if a in lower), ""))
    }
    return {**found, **{k: v for k, v in (chosen or {}).items() if v}}


def given(values: Mapping[str, Any], names: Mapping[str, str], line: int) -> Iterator[Given]:
    """The rows that one object or line stands for: several where it lists quotes or documents.

    Raises:
        BadRow: a number, or yes or no, is none.
    """

    def value(name: str) -> Any:  # noqa: ANN401 - any JSON value
        found = values.get(names.get(name, ""))
        return "" if found is None else found

    row = Given(
        question=str(value("question")).strip(),
        id=ident(value("id")),
        need=str(value("need")).strip(),
        start=_whole(value("start"), "start"),
        end=_whole(value("end"), "end"),
        page=_whole(value("page"), "page"),
        section=str(value("section")).strip(),
        region=str(value("region")).strip(),
        tags=tags(value("tags")),
        notes=str(value("notes")),
        not_answerable=_bool(value("not_answerable"), "not_answerable"),
        grade=_number(value("grade")),
        level=str(value("level")).strip(),
        rejected=bool(_bool(value("rejected"), "rejected")),
        status=str(value("status")).strip(),
        origin=str(value("origin")),
        given=str(value("given")),
        asked=str(value("asked")),
        line=line,
    )
    documents = value("docs")
    if isinstance(documents, (list, tuple)):
        wanted = [ident(d) for d in documents if d is not None]
        if len(wanted) < len(documents):
            raise BadRow("A document in docs has no name.")
        for document in wanted:
            yield replace(row, source=document, region="document", level="document")
        if wanted:
            return
    sources, quotes = _list(value("source")), _list(value("quote"))
    if len(sources) not in (1, len(quotes)) and quotes != [""]:
        raise BadRow(f"There are {len(quotes)} quotes from {len(sources)} sources.")
    if quotes == [""]:
        quotes = quotes * len(sources)
    for at, quote in enumerate(quotes):
        yield replace(row, source=sources[at % len(sources)].strip(), quote=quote)


def values(row: Given) -> dict[str, Any]:
    """A row as JSON values by column, without what is empty or goes without saying."""
    made: dict[str, Any] = {name: getattr(row, name) for name in COLUMNS}
    made["tags"] = list(row.tags)
    if row.grade == 1:
        del made["grade"]
    if not row.not_answerable:
        del made["not_answerable"]
    # By kind, since 0 is a position and equals False.
    return {k: v for k, v in made.items() if v is not None and v is not False and v not in ("", [])}


def ident(value: object) -> str:
    """An id as text, without blanks, which qrels could not hold."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "_".join(str(value).split())


def tags(value: object) -> tuple[str, ...]:
    """Tags from text with commas or semicolons, or from a list; sorted, each once.

    A tag holds neither mark, so that a cell of a table can hold several.
    """
    parts = value if isinstance(value, (list, tuple)) else (value,)
    found = (" ".join(t.split()) for p in parts for t in str(p).replace(";", ",").split(","))
    return tuple(sorted({t for t in found if t}))


def _list(value: object) -> list[str]:
    if isinstance(value, (list, tuple)):
        return [str(v) for v in value if v is not None] or [""]
    return [str(value)]


def _whole(value: object, name: str) -> int | None:
    if value == "" or value is None:
        return None
    try:
        number = float(str(value).strip())
        if not number.is_integer():
            raise ValueError
    except (ValueError, OverflowError) as e:
        raise BadRow(f"{name} is {value!r}, not a whole number.") from e
    return int(number)


def _number(value: object) -> float:
    if value == "" or value is None:
        return 1.0
    try:
        number = float(str(value))
    except ValueError as e:
        raise BadRow(f"grade is {value!r}, not a number.") from e
    if not 0 < number < float("inf"):
        raise BadRow(f"grade is {value!r}; it must be above 0.")
    return number


def _bool(value: object, name: str) -> bool | None:
    text = str(value).strip().casefold()
    if text == "":
        return None
    if text in _YES:
        return True
    if text in _NO:
        return False
    raise BadRow(f"{name} is {value!r}, neither yes nor no.")
