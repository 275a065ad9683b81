"""Questions in, changed, removed and brought back by a person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ragdebug.errors import RagDebugError
from ragdebug.questions import Need, Question, new_id
from ragdebug.store.clean import clean
from ragdebug.workbench.questions.asking import Asking
from ragdebug.workbench.questions.formats.fields import tags as as_tags
from ragdebug.workbench.questions.records import same_text_key

FIELDS = ("text", "tags", "notes", "needs", "not_answerable", "rejected", "level")


class Editing(Asking):
    """Use cases of a person who types."""

    def add_question(
        self,
        text: str,
        needs: Sequence[Need] = (),
        tags: Iterable[str] = (),
        notes: str = "",
        not_answerable: bool = False,
        origin: str = "typed",
    ) -> Question:
        """Put a question into the set. One of the same text gets what is new; there are not two.

        Raises:
            RagDebugError: the text is blank.
        """
        asked = _text(text)
        with self._editing:
            old = next((q for q in self.questions() if _key(q) == same_text_key(asked)), None)
            if old is not None:
                made = replace(
                    old,
                    needs=(*old.needs, *(n for n in needs if n not in old.needs)),
                    tags=as_tags([*old.tags, *tags]),
                    notes=notes or old.notes,
                    not_answerable=not_answerable or (old.not_answerable and not needs),
                )
                return self._save(f"change of {asked!r}", {old.id: old}, [made])[0]
            made = Question(
                id=self._free_id(asked),
                text=asked,
                tags=as_tags(list(tags)),
                notes=notes,
                needs=tuple(needs),
                not_answerable=not_answerable,
                origin=origin,
            )
            return self._save(f"adding {asked!r}", {}, [made])[0]

    def add_lines(self, text: str) -> list[Question]:
        """Questions from the lines of a log; blank lines, repeated and known ones are skipped.

        Returns:
            Those that were added, in the order of the lines.
        """
        with self._editing:
            known = {_key(q) for q in self.questions()}
            taken = self._taken()
            made: list[Question] = []
            for line in clean(text).splitlines():
                asked = line.strip()
                if not asked or same_text_key(asked) in known:
                    continue
                known.add(same_text_key(asked))
                question = Question(id=new_id(asked, taken), text=asked, origin="typed")
                taken.add(question.id)
                made.append(question)
            return self._save(f"adding {len(made)} lines", {}, made)

    def change_question(self, id: str, **fields: Any) -> Question:  # noqa: A002, ANN401
        """Change some of a question: text, tags, notes, needs, not_answerable, rejected, level.

        Raises:
            RagDebugError: there is no such question or field, or the text is blank.
        """
        unknown = [name for name in fields if name not in FIELDS]
        if unknown:
            raise RagDebugError(
                f"A question has no {unknown[0]} that could be changed.",
                hint=f"It has {', '.join(FIELDS)}.",
            )
        if "text" in fields:
            fields["text"] = _text(fields["text"])
        if "tags" in fields:
            fields["tags"] = as_tags(fields["tags"])
        for name in ("needs", "rejected"):
            if name in fields:
                fields[name] = tuple(fields[name])
        found = self.question(id)
        return self._edit(f"change of {found.text!r}", [id], lambda q: replace(q, **fields))[0]

    def remove_questions(self, ids: Iterable[str]) -> None:
        """Take questions out of the set; `restore_questions` puts them back."""
        wanted = list(ids)
        self._edit(f"removing {_some(wanted)}", wanted, lambda q: replace(q, removed=True))

    def restore_questions(self, ids: Iterable[str]) -> None:
        """Put removed questions back."""
        wanted = list(ids)
        self._edit(f"bringing back {_some(wanted)}", wanted, lambda q: replace(q, removed=False))

    def next_unlabelled(self, after: str | None = None) -> Question | None:
        """The next question that nobody has labelled yet, from the start again after the last."""
        questions = self.questions()
        at = next((i + 1 for i, q in enumerate(questions) if q.id == after), 0)
        turned = [*questions[at:], *questions[:at]]
        return next((q for q in turned if q.state == "unlabelled" and q.id != after), None)

    def _free_id(self, text: str) -> str:
        taken: set[str] = set()
        while self.store.questions.get([made := new_id(text, taken)]):
            taken.add(made)
        return made

    def _taken(self) -> set[str]:
        return {q.id for q in self.store.questions.all(removed=None)}


def _some(ids: Sequence[str]) -> str:
    return "a question" if len(ids) == 1 else f"{len(ids)} questions"


def _key(question: Question) -> str:
    return same_text_key(question.text)


def _text(text: str) -> str:
    if not text.strip():
        raise RagDebugError("The question is blank.", hint="Type what was asked.")
    return clean(text.strip())  # an id is made of it before the store sees it
