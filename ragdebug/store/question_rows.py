"""Questions as rows of tables and as JSON, and back again, equal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ragdebug.errors import StoreError
from ragdebug.questions import STALE, Label, Need, Question
from ragdebug.records import Place
from ragdebug.store.clean import dump, finite

if TYPE_CHECKING:
    import pyarrow as pa

_PLACE = ("document", "version", "source", "start", "end", "quote", "region")

Row = tuple[Any, ...]


def cleaned(question: Question) -> Question:
    """The question without half characters and NUL, as the tables keep it.

    Raises:
        StoreError: a grade is no finite number.
    """
    for need in question.needs:
        if finite(need.grade)[0] is None:
            raise StoreError(f"The question {question.id} has a grade that is no number.")
    return decode(encode(question))


def encode(question: Question) -> str:
    """JSON of a question."""
    needs = [
        {"labels": [{**_fields(x), "place": _fields(x.place)} for x in n.labels], "grade": n.grade}
        for n in question.needs
    ]
    rejected = [_fields(p) for p in question.rejected]
    return dump({**_fields(question), "needs": needs, "rejected": rejected})


def _fields(record: Question | Label | Place) -> dict[str, Any]:
    # dataclasses.asdict copies all that is inside, which takes ten times as long.
    return {name: getattr(record, name) for name in record.__slots__}


def decode(record: str) -> Question:
    """The question that `encode` was given."""
    value = json.loads(record)
    return Question(
        **{
            **value,
            "tags": tuple(value["tags"]),
            "needs": tuple(
                Need(
                    tuple(Label(**{**x, "place": Place(**x["place"])}) for x in need["labels"]),
                    need["grade"],
                )
                for need in value["needs"]
            ),
            "rejected": tuple(Place(**p) for p in value["rejected"]),
        }
    )


def moment(text: str) -> datetime:
    """A moment in UTC as the tables keep it, from ISO 8601.

    Raises:
        StoreError: it is none.
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise StoreError(f"{text!r} is no moment in ISO 8601.") from error
    return found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found


# Tables -------------------------------------------------------------------------------------------


def head(question: Question, number: int, removed_at: datetime | None) -> Row:
    """A row of `questions`."""
    first = moment(question.created_at)
    return (
        *(question.id, number, question.text, list(question.tags), question.notes),
        *(question.state, question.level, question.origin, question.version),
        *(encode(question), removed_at, first, moment(question.updated_at) or first),
    )


def heads_table(heads: Sequence[Row]) -> pa.Table:
    """Rows of `questions`."""
    import pyarrow as pa

    text, when = pa.string(), pa.timestamp("us")
    names = (
        "id", "number", "text", "tags", "notes", "state", "level", "origin", "version", "record",
        "removed_at", "created_at", "updated_at",
    )  # fmt: skip
    types = (text, pa.int64(), text, pa.list_(text), *(text,) * 6, when, when, when)
    return table(heads, names, types)


def versions_table(heads: Sequence[Row]) -> pa.Table:
    """Rows of `question_versions`, without the moment, from those of `questions`."""
    columns = ("id", "version", "text", "record")
    return heads_table(heads).select(columns).rename_columns(["question", *columns[1:]])


def needs_table(questions: Sequence[Question]) -> pa.Table:
    """Rows of `needs`."""
    import pyarrow as pa

    rows = [(q.id, at, n.grade) for q in questions for at, n in enumerate(q.needs)]
    names = ("question", "need", "grade")
    types = (pa.string(), pa.int32(), pa.float64())
    return table(rows, names, types)


def labels_table(questions: Sequence[Question]) -> pa.Table:
    """Rows of `labels`."""
    import pyarrow as pa

    rows = [
        (q.id, at, n, *_place_row(x.place), x.status, x.origin, x.given)
        for q in questions
        for at, need in enumerate(q.needs)
        for n, x in enumerate(need.labels)
    ]
    names = ("question", "need", "label", *_PLACE, "status", "origin", "given")
    types = (pa.string(), pa.int32(), pa.int32(), *_place_types(), *(pa.string(),) * 3)
    return table(rows, names, types)


def rejected_table(questions: Sequence[Question]) -> pa.Table:
    """Rows of `rejected_places`."""
    import pyarrow as pa

    rows = [(q.id, at, *_place_row(p)) for q in questions for at, p in enumerate(q.rejected)]
    return table(
        rows, ("question", "position", *_PLACE), (pa.string(), pa.int32(), *_place_types())
    )


def table(rows: Sequence[Row], names: Sequence[str], types: Sequence[Any] = ()) -> pa.Table:
    """Rows as an Arrow table, of texts where no types are given; none of them is a table too."""
    import pyarrow as pa

    columns: Iterable[Sequence[Any]] = zip(*rows, strict=True) if rows else ((),) * len(names)
    arrays = [
        pa.array(list(column), kind)
        for column, kind in zip(columns, types or (pa.string(),) * len(names), strict=True)
    ]
    return pa.table(arrays, names=list(names))


def _place_row(place: Place) -> Row:
    return tuple(getattr(place, name) for name in _PLACE)


def _place_types() -> tuple[Any, ...]:
    import pyarrow as pa

    return tuple(pa.int64() if name in ("start", "end") else pa.string() for name in _PLACE)


# Purging ------------------------------------------------------------------------------------------


def sources(question: Question, purged: Mapping[str, str]) -> list[str]:
    """Sources of those of some documents (id -> source) that a question has places in."""
    places = [x.place for need in question.needs for x in need.labels] + list(question.rejected)
    return sorted({p.source for p in places if _gone(p, purged)})


def without_quotes(question: Question, purged: Mapping[str, str]) -> Question:
    """The question with the quotes of some documents (id -> source) taken out of it.

    Labels there become stale: nobody can say any more what stood at that place.
    """

    def blank(place: Place) -> Place:
        return replace(place, quote="") if _gone(place, purged) else place

    def label(old: Label) -> Label:
        if not _gone(old.place, purged):
            return old
        return replace(old, place=blank(old.place), status=STALE, given="")

    return replace(
        question,
        needs=tuple(replace(n, labels=tuple(map(label, n.labels))) for n in question.needs),
        rejected=tuple(map(blank, question.rejected)),
    )


def _gone(place: Place, purged: Mapping[str, str]) -> bool:
    # A quote that stands nowhere knows only the source it was given for.
    return place.document in purged if place.document else place.source in purged.values()
