"""Relevance judgments: lines of question, document and grade, as TREC and BEIR write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ragdebug.questions import SUGGESTED, Question
from ragdebug.records import Place
from ragdebug.workbench.questions.formats import fields
from ragdebug.workbench.questions.records import Given, Rows

_LINE = re.compile(
    r"(?P<query>\S+)[ \t]+(?P<iteration>\S+)[ \t]+(?P<document>.*\S)[ \t]+"
    r"(?P<grade>-?\d+(?:\.\d+)?)"
)
_HEAD = ("query", "question", "corpus", "doc", "topic")


def read(text: str) -> Rows:
    """Rows of a file of judgments; those of grade 0 or below were judged as not answering."""
    rows: list[Given] = []
    problems: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        cells = [c.strip() for c in line.split("\t")]
        found = _LINE.fullmatch(line.strip())
        if len(cells) == 3:
            query, document, score = cells
        elif found:
            query, document, score = found["query"], found["document"], found["grade"]
        else:
            problems.append((number, "Not a line of question, document and grade."))
            continue
        try:
            grade = float(score)
        except ValueError:
            if number == 1 and any(w in query.casefold() for w in _HEAD):
                continue
            problems.append((number, f"The grade is {score!r}, not a number."))
            continue
        rows.append(
            Given(
                id=fields.ident(query),
                source=document,
                region="document",
                level="document",
                grade=grade if grade > 0 else 1.0,
                rejected=grade <= 0,
                line=number,
            )
        )
    return Rows(tuple(rows), tuple(problems))


def judged(
    questions: Sequence[Question], name_of: Callable[[Place], str]
) -> Iterator[tuple[str, str, str]]:
    """(question, document, grade) of every label but suggestions, each document once a question."""
    for question in questions:
        grades: dict[str, float] = {}
        for place in question.rejected:
            grades[name_of(place)] = 0.0
        for need in question.needs:
            for label in need.labels:
                if label.status == SUGGESTED:
                    continue
                name = name_of(label.place)
                grades[name] = max(grades.get(name, 0.0), need.grade)
        for name, grade in grades.items():
            if name:
                yield question.id, name, f"{grade:g}"


def looks_like(text: str) -> bool:
    """Whether the first lines are judgments; a line of id, tab and text is a topic."""
    lines = [x.strip() for x in text.split("\n", 20)[:20] if x.strip()]
    return bool(lines) and all(_LINE.fullmatch(x) and x.count("\t") != 1 for x in lines)
