"""The questions of a workspace as they stand now, and the one door for changing them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragdebug.errors import ChangedMeanwhile, RagDebugError
from ragdebug.questions import Question
from ragdebug.records import Place
from ragdebug.settings import DEFAULT_WORKSPACE
from ragdebug.store.clean import clean
from ragdebug.workbench.kept import Kept
from ragdebug.workbench.places import Places
from ragdebug.workbench.questions.following import follow
from ragdebug.workbench.questions.placing import Placing
from ragdebug.workbench.questions.undo import PEOPLE, Edit, Undo


class Asking(Places):
    """Reading questions; saving, taking back and doing again what was changed."""

    def __init__(
        self,
        path: str | Path = DEFAULT_WORKSPACE,
        *,
        whose: Callable[[], str] = str,
        **options: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(path, **options)
        self._whose = whose
        self._undos: Kept[Undo] = Kept(PEOPLE)
        self._editing = threading.RLock()
        # Both are of the corpus of that fingerprint; the first also of that revision of the store.
        self._followed: tuple[int, str, list[Question]] | None = None
        self._placing: tuple[str, Placing] | None = None

    def questions(self, removed: bool = False) -> list[Question]:
        """All questions in the order they came, or only those that were removed.

        Labels of documents that have changed are moved along with their quotes, and saved; those
        whose quote is gone are stale.
        """
        if removed:
            return self.store.questions.all(removed=True)
        with self._editing:
            corpus, revision = self.corpus().fingerprint, self.store.questions.revision()
            known = self._followed
            if known is None or known[:2] != (revision, corpus):
                known = self._followed = (revision, corpus, self._present())
            return list(known[2])

    def question(self, id: str) -> Question:  # noqa: A002 - what everybody calls it
        """One question, removed or not.

        Raises:
            RagDebugError: there is none of that id.
        """
        found = self.store.questions.get([id]).get(id)
        if found is None:
            raise RagDebugError(
                f"There is no question {id}.",
                title="No such question",
                hint="List them with: ragdebug questions list",
            )
        return found if found.removed else self._follow(found)

    @property
    def _undo(self) -> Undo:
        return self._undos.get(self._whose(), Undo)

    def undoable(self) -> str:
        """What `undo` would take back, "" when there is nothing."""
        done = self._undo.done
        return done[-1].title if done else ""

    def redoable(self) -> str:
        """What `redo` would do again, "" when there is nothing."""
        undone = self._undo.undone
        return undone[-1].title if undone else ""

    def undo(self) -> str:
        """Take back the last change of questions by who asks; says which, "" when there is none.

        Raises:
            ChangedMeanwhile: somebody else has changed one of its questions since; the step is
                forgotten, so that those before it can still be taken back.
        """
        with self._editing:
            if not self._undo.done:
                return ""
            edit = self._undo.done[-1]
            gone = {i: replace(q, removed=True) for i, q in edit.after.items()}
            before = {i: q or gone[i] for i, q in edit.before.items()}
            self._swap(edit.after, before, self._undo.done)
            self._undo.undone.append(self._undo.done.pop())
            return edit.title

    def redo(self) -> str:
        """Do again what `undo` took back last; says what, "" when there is nothing.

        Raises:
            ChangedMeanwhile: somebody else has changed one of its questions since; the step is
                forgotten.
        """
        with self._editing:
            if not self._undo.undone:
                return ""
            edit = self._undo.undone[-1]
            gone = {i: replace(q, removed=True) for i, q in edit.after.items()}
            before = {i: q or gone[i] for i, q in edit.before.items()}
            self._swap(before, edit.after, self._undo.undone)
            self._undo.done.append(self._undo.undone.pop())
            return edit.title

    # For the other use cases ----------------------------------------------------------------------

    def _edit(
        self, title: str, ids: Iterable[str], change: Callable[[Question], Question]
    ) -> list[Question]:
        """Change some questions, as one step that can be taken back."""
        with self._editing:
            old = [self.question(i) for i in dict.fromkeys(ids)]
            return self._save(title, {q.id: q for q in old}, [change(q) for q in old])

    def _save(
        self, title: str, before: Mapping[str, Question], questions: Sequence[Question]
    ) -> list[Question]:
        """Save those that differ from before (new ones are not in there), as one step."""
        moment = datetime.now(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")
        made = []
        for q in questions:
            new = replace(
                q, text=clean(q.text), notes=clean(q.notes), tags=tuple(clean(t) for t in q.tags)
            )
            if new != before.get(q.id):
                made.append(replace(new, created_at=q.created_at or moment, updated_at=moment))
        if made:
            revision = self.store.questions.revision()
            self.store.questions.save(made)
            saved = self.store.questions.get([q.id for q in made])
            self._refresh(revision, before, saved)
            self._undo.add(Edit(title, {i: before.get(i) for i in saved}, saved))
            return [saved.get(q.id, q) for q in questions]
        return list(questions)

    def _refresh(
        self, revision: int, before: Mapping[str, Question], saved: Mapping[str, Question]
    ) -> None:
        """Put what was just saved into the list at hand, where nobody else has saved meanwhile.

        Reading 5,000 questions again after every key would be felt.
        """
        known = self._followed
        if known is None or known[0] != revision:
            return
        corpus = self.corpus().fingerprint
        if self.store.questions.revision() != revision + 1 or known[1] != corpus:
            return
        active = self._by_id()
        present = {i: follow(q, active, self.document) for i, q in saved.items()}
        listed = [present.pop(q.id, q) for q in known[2]]
        if any(i in before for i in present):
            return  # brought back: its position is for the store to say
        listed = [q for q in (*listed, *present.values()) if not q.removed]
        self._followed = (revision + 1, corpus, listed)

    def _swap(
        self,
        present: Mapping[str, Question],
        wanted: Mapping[str, Question],
        steps: deque[Edit],
    ) -> None:
        """Put questions back as they were, unless they are no longer what this person left.

        Then the last of the steps can never be taken again, and is forgotten.
        """
        found = self.store.questions.get(present)
        changed = [q for i, q in present.items() if i not in found or not _same(found[i], q)]
        if changed:
            steps.pop()
            raise ChangedMeanwhile(
                f"The question {changed[0].text!r} has been changed since by somebody else.",
                hint="Look at it as it is now.",
            )
        self.store.questions.save([self._without_purged(q) for q in wanted.values()])

    def _without_purged(self, question: Question) -> Question:
        """The question without labels in documents that were deleted for good meanwhile."""
        used = {p.document for p in places(question) if p.document}
        here = {d.id for d in self.store.documents.infos(removed=True, ids=sorted(used))}
        if used <= here:
            return question
        return replace(
            question,
            needs=tuple(
                replace(need, labels=labels)
                for need in question.needs
                if (labels := tuple(x for x in need.labels if x.place.document in {"", *here}))
            ),
            rejected=tuple(p for p in question.rejected if p.document in here),
        )

    def _place_finder(self) -> Placing:
        """Finds passages in the corpus as it is now."""
        corpus = self.corpus().fingerprint
        with self._editing:
            if self._placing is None or self._placing[0] != corpus:
                self._placing = (corpus, Placing(self._active(), self.document))
            return self._placing[1]

    def _present(self) -> list[Question]:
        stored = self.store.questions.all()
        active = self._by_id()
        followed = [follow(q, active, self.document) for q in stored]
        moved = [new for old, new in zip(stored, followed, strict=True) if new is not old]
        if moved:
            self.store.questions.save(moved)
        return followed

    def _follow(self, question: Question) -> Question:
        active = self._by_id()
        return follow(question, active, self.document)


def places(question: Question) -> list[Place]:
    """All places of a question, those of its labels and those judged as not answering."""
    return [*(x.place for need in question.needs for x in need.labels), *question.rejected]


def _same(one: Question, other: Question) -> bool:
    """Whether two are equal but for when they were saved and where their labels moved."""
    return (one.text, one.tags, one.notes, one.removed, one.not_answerable, _labels(one)) == (
        other.text,
        other.tags,
        other.notes,
        other.removed,
        other.not_answerable,
        _labels(other),
    )


def _labels(question: Question) -> object:
    return [
        [(x.place.document, x.place.quote, x.place.region, x.origin) for x in need.labels]
        for need in question.needs
    ]
