"""The last edits of questions by each person, to take back and to do again."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from ragdebug.questions import Question

KEEP = 50
PEOPLE = 200  # whose edits are remembered


@dataclass(frozen=True, slots=True)
class Edit:
    """One step: what a person did, in words, and its questions before (None: new) and after."""

    title: str
    before: Mapping[str, Question | None]
    after: Mapping[str, Question]


class Undo:
    """Steps back and forward of one person; a new step forgets those that were taken back."""

    def __init__(self) -> None:
        self.done: deque[Edit] = deque(maxlen=KEEP)
        self.undone: deque[Edit] = deque(maxlen=KEEP)

    def add(self, edit: Edit) -> None:
        """Remember a step."""
        self.done.append(edit)
        self.undone.clear()
