"""Rows of a file joined to questions, and those to the questions that are there already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from ragdebug.questions import PLACED, STALE, SUGGESTED, UNPLACED, Label, Need, Question
from ragdebug.workbench.questions.records import Given, same_text_key

_OPEN = (UNPLACED, STALE)

At = tuple[int, int]  # number of a need, and of a label in it


@dataclass(slots=True)
class Draft:
    """The rows of one question, in order; `reworded` are lines whose text is another one."""

    id: str
    text: str
    rows: list[Given] = field(default_factory=list)
    reworded: list[int] = field(default_factory=list)


def drafts(rows: Iterable[Given]) -> list[Draft]:
    """Rows of the same id, else of the same text, are one question."""
    made: list[Draft] = []
    by_id: dict[str, Draft] = {}
    by_text: dict[str, Draft] = {}
    for row in rows:
        key = same_text_key(row.question)
        draft = by_id.get(row.id) if row.id else by_text.get(key)
        if draft is None:
            draft = Draft(row.id, row.question)
            made.append(draft)
        draft.text = draft.text or row.question
        if key and key != same_text_key(draft.text):
            draft.reworded.append(row.line)
        if row.id:
            by_id.setdefault(row.id, draft)
        if key:
            by_text.setdefault(key, draft)
        draft.rows.append(row)
    return made


def needs(draft: Draft, labels: Sequence[Label | None]) -> tuple[Need, ...]:
    """The needs of a draft; `labels` are those of its rows, None where a row has none."""
    grouped: dict[object, tuple[list[Label], float]] = {}
    for at, (row, label) in enumerate(zip(draft.rows, labels, strict=True)):
        if label is None or row.rejected:
            continue
        together, _ = grouped.setdefault(row.need or at, ([], row.grade))
        if label not in together:
            together.append(label)
    return tuple(Need(tuple(together), grade) for together, grade in grouped.values())


def merged(old: Question, given: Question) -> Question:
    """A question as it is, with what an import says of it.

    Labels are added, and those that had no place get theirs; what a person has marked, accepted or
    judged stays. Labels of the same import that still wait for a yes, and that the file no longer
    has, are dropped.
    """
    known = {(n, at): x for n, need in enumerate(old.needs) for at, x in enumerate(need.labels)}
    found = _pairs(known, given.needs)
    kept = {there: _better(known[there], given.needs[n].labels[at])
            for (n, at), there in found.items()}  # fmt: skip
    origins = {x.origin for need in given.needs for x in need.labels}
    result: list[Need | None] = []
    for number, need in enumerate(old.needs):
        labels = tuple(
            kept.get((number, at), label)
            for at, label in enumerate(need.labels)
            if (number, at) in kept or label.status == PLACED or label.origin not in origins
        )
        result.append(replace(need, labels=labels))
    for n, need in enumerate(given.needs):
        new = [
            x
            for at, x in enumerate(need.labels)
            if (n, at) not in found and not (x.status != PLACED and x.place in old.rejected)
        ]
        home = next((found[n, at][0] for at in range(len(need.labels)) if (n, at) in found), None)
        before = result[home] if home is not None else None
        if before is None:
            result.append(Need(tuple(new), need.grade))
        else:
            assert home is not None
            result[home] = Need((*before.labels, *new), need.grade)
    reworded = given.text.split() != old.text.split()  # line formats keep no blanks
    return replace(
        old,
        text=given.text if reworded else old.text,
        tags=tuple(sorted({*old.tags, *given.tags})),
        notes=given.notes or old.notes,
        needs=tuple(need for need in result if need and need.labels),
        not_answerable=given.not_answerable or old.not_answerable,
        rejected=tuple(dict.fromkeys((*old.rejected, *given.rejected))),
        level=given.level if given.needs and not old.needs else old.level,
        removed=False,
    )


def _pairs(known: dict[At, Label], given: Sequence[Need]) -> dict[At, At]:
    """Which known label each of an import's labels is: by place, by its words, or by overlap."""
    found: dict[At, At] = {}
    taken: set[At] = set()
    same: Callable[[Label, Label], bool]
    for same in (_same_place, _same_words, _overlap):
        for n, need in enumerate(given):
            for at, label in enumerate(need.labels):
                if (n, at) in found:
                    continue
                free = (k for k, x in known.items() if k not in taken and same(x, label))
                there = next(free, None)
                if there is not None:
                    found[n, at] = there
                    taken.add(there)
    return found


def _better(old: Label, new: Label) -> Label:
    """Which of two labels of one passage stays."""
    if new.status == UNPLACED:
        return old
    if old.status in _OPEN or (old.status == SUGGESTED and new.status == PLACED):
        return new
    if old.status == new.status and old.origin == new.origin:
        return new  # the file has corrected its own
    return old


def _same_place(old: Label, new: Label) -> bool:
    return old.place == new.place


def _same_words(old: Label, new: Label) -> bool:
    kinds = {x.place.region.partition(" ")[0] for x in (old, new)}
    return len(kinds) == 1 and words(old) == words(new)


def words(label: Label) -> str:
    """What a file said of a label: its quote, or the name of its document."""
    return label.given or label.place.quote or label.place.source


def _overlap(old: Label, new: Label) -> bool:
    a, b = old.place, new.place
    if a.document != b.document or not a.document or a.region or b.region:
        return False
    return min(a.end, b.end) > max(a.start, b.start)
