"""One import: rows to questions, their passages placed, joined to what is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rapidfuzz import fuzz

from ragdebug.questions import PLACED, STATUSES, SUGGESTED, UNPLACED, Label, Question, new_id
from ragdebug.records import Place
from ragdebug.workbench.questions import joining
from ragdebug.workbench.questions.joining import Draft
from ragdebug.workbench.questions.placing import Placing
from ragdebug.workbench.questions.records import (
    Given,
    ImportReport,
    Placement,
    Rows,
    Unplaced,
    same_text_key,
)

_REWORDED = 60.0  # two texts of one id that are less alike are two questions


@dataclass(slots=True)
class Import:
    """Takes the rows of one file in.

    Args:
        name: of the file, for the origin of what comes from it.
        known: all questions by id, removed ones among them.
        placing: places passages.
    """

    name: str
    known: Mapping[str, Question]
    placing: Placing
    made: dict[str, Question] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    unplaced: list[Unplaced] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)
    coarse: int = 0  # questions whose judgments of documents say less than their passages

    def run(self, rows: Rows) -> tuple[dict[str, Question], ImportReport]:
        """The questions that are new or differ, by id, and what there is to say.

        Nothing is saved. Taking the same file in again gives no questions.
        """
        self.problems += rows.problems
        by_text = {same_text_key(q.text): q.id for q in self.known.values() if not q.removed}
        for draft in joining.drafts(rows.rows):
            question = self._question(draft, by_text)
            if question is None:
                continue
            if question.id in self.made:
                self._joined(draft, question.id)
            self.made[question.id] = question
            by_text[same_text_key(question.text)] = question.id
        changed: dict[str, Question] = {}
        for question in self.made.values():
            old = self.known.get(question.id)
            self._one_more(
                "added" if old is None else "unchanged" if question == old else "changed"
            )
            if question != old:
                changed[question.id] = question
        if self.coarse:
            what = f"Judgments of {self.coarse} questions were left out: they have passages already"
            self.problems.append((0, f"{what}, which say more than documents do."))
        return changed, ImportReport(
            **self.counts,
            unplaced=tuple(self.unplaced),
            problems=tuple(self.problems),
            ids=tuple(self.made),
        )

    def _joined(self, draft: Draft, name: str) -> None:
        """Say that two of the file's questions are one."""
        self._one_more("joined")
        if draft.id and draft.id != name:
            what = (
                f"{draft.id} asks the same as {name}, so that what answers it was added to {name}."
            )
            self.problems.append((draft.rows[0].line, what))

    def _one_more(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def _question(self, draft: Draft, by_text: Mapping[str, str]) -> Question | None:
        old = self._old(draft, by_text)
        text = draft.text or (old.text if old else "")
        if not text:
            line = draft.rows[0].line
            what = f"No question is called {draft.id}" if draft.id else "The question is blank"
            self.problems.append((line, f"{what}."))
            return None
        self.problems += [
            (line, f"{draft.id} has another text in a row before; that one was taken.")
            for line in draft.reworded
        ]
        name = old.id if old else self._free_id(draft, text)
        labels = [self._label(row, text, name) if row.has_place else None for row in draft.rows]
        given = Question(
            id=name,
            text=text,
            tags=tuple(sorted({t for row in draft.rows for t in row.tags})),
            notes=next((r.notes for r in draft.rows if r.notes), ""),
            needs=joining.needs(draft, labels),
            not_answerable=any(r.not_answerable for r in draft.rows),
            rejected=self._rejected(draft.rows, labels),
            level=next((r.level for r in draft.rows if r.level), "passage"),
            origin=next((r.asked for r in draft.rows if r.asked), f"import {self.name}"),
        )
        if old and old.needs and (old.level, given.level) == ("passage", "document"):
            self.coarse += 1
            given = replace(given, needs=(), rejected=())
        return joining.merged(old, given) if old else given

    # Which question -------------------------------------------------------------------------------

    def _old(self, draft: Draft, by_text: Mapping[str, str]) -> Question | None:
        """The question that a draft means: of its id, unless that is another's, or of its text."""
        found = self._all(draft.id)
        if found and self._is_same(draft, found):
            return found
        return self._all(by_text.get(same_text_key(draft.text), ""))

    def _all(self, name: str) -> Question | None:
        return self.made.get(name) or self.known.get(name)

    def _is_same(self, draft: Draft, found: Question) -> bool:
        """Two sets of questions may both count from 1: an id alone does not make them the same."""
        if not draft.text or found.origin == f"import {self.name}":
            return True
        one, other = same_text_key(draft.text), same_text_key(found.text)
        return one == other or fuzz.ratio(one, other) >= _REWORDED

    def _free_id(self, draft: Draft, text: str) -> str:
        if draft.id and self._all(draft.id) is None:
            return draft.id
        taken: set[str] = set()
        while self._all(made := new_id(text, taken)) is not None:
            taken.add(made)
        if draft.id:
            self.problems.append(
                (
                    draft.rows[0].line,
                    f"Another question is called {draft.id} already; this one is {made}.",
                )
            )
        return made

    # Labels ---------------------------------------------------------------------------------------

    def _label(self, row: Given, text: str, name: str) -> Label:
        found = self.placing.place(row)
        waits = found.status == PLACED and row.status == SUGGESTED
        status = SUGGESTED if waits else found.status
        if not row.rejected:
            self._count(row, found, status, text, name)
        given = row.quote.strip() or row.source.strip()
        same = given in (found.place.quote, found.place.source) or status == UNPLACED
        origin = row.origin or f"import {self.name}"
        return Label(found.place, status, origin, row.given or ("" if same else given))

    def _count(self, row: Given, found: Placement, status: str, text: str, name: str) -> None:
        assert status in STATUSES
        if status == PLACED:
            what = "folded" if found.how == "folded" else "placed"
            if found.note:
                self.problems.append((row.line, found.note))
        elif status == SUGGESTED:
            what = "suggested"
        else:
            what = ""
        if what:
            self._one_more(what)
        if found.status != PLACED:
            self.unplaced.append(
                Unplaced(
                    text, row.quote, found.nearest, found.similarity, name, row.source, found.note
                )
            )

    @staticmethod
    def _rejected(rows: Sequence[Given], labels: Sequence[Label | None]) -> tuple[Place, ...]:
        return tuple(
            dict.fromkeys(
                label.place
                for row, label in zip(rows, labels, strict=True)
                if row.rejected and label is not None and label.status == PLACED
            )
        )
