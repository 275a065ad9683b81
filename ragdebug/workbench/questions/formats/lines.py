"""Questions as plain lines, such as a log of queries."""

from __future__ import annotations

from collections.abc import Sequence

from ragdebug.questions import Question
from ragdebug.workbench.questions.records import Given, Rows, same_text_key


def read(text: str) -> Rows:
    """One question a line; blank lines and those that were there before are left out."""
    rows: dict[str, Given] = {}
    for number, line in enumerate(text.split("\n"), 1):
        question = line.strip()
        if question:
            rows.setdefault(same_text_key(question), Given(question=question, line=number))
    return Rows(tuple(rows.values()))


def write(questions: Sequence[Question]) -> str:
    """One question a line; line ends inside a question become blanks."""
    return "".join(" ".join(q.text.split()) + "\n" for q in questions)
