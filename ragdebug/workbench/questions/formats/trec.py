"""TREC topics, with judgments beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import unescape

from ragdebug.questions import Question
from ragdebug.records import Place
from ragdebug.workbench.questions.formats import fields, qrels
from ragdebug.workbench.questions.records import Given, Rows

_TOPIC = re.compile(r"<to?p(?:ic)?\b([^>]*)>(.*?)</to?p(?:ic)?>", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"<num(?:ber)?>\s*(?:Number:)?\s*([^\s<]+)", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"number\s*=\s*[\"']?([^\s\"'>]+)", re.IGNORECASE)
_FIELDS = ("query", "question", "title", "desc")


def read(files: Mapping[str, str]) -> Rows:
    """Rows of topics and judgments, in whichever files they stand.

    Topics are ``<top>`` elements (the title is the question) or lines of id, tab and text.
    """
    rows: list[Given] = []
    judgments: list[Given] = []
    problems: list[tuple[int, str]] = []
    for text in files.values():
        if _TOPIC.search(text):
            rows += _elements(text)
        elif qrels.looks_like(text):
            found = qrels.read(text)
            judgments += found.rows
            problems += found.problems
        else:
            made, wrong = _lines(text)
            rows += made
            problems += wrong
    return Rows((*rows, *judgments), tuple(problems))


def write(questions: Sequence[Question], name_of: Callable[[Place], str]) -> dict[str, str]:
    """``topics.tsv`` and ``qrels.txt``; only which documents answer is kept of the labels."""
    topics = "".join(f"{q.id}\t{' '.join(q.text.split())}\n" for q in questions)
    lines = (f"{q} 0 {document} {grade}\n" for q, document, grade in
             qrels.judged(questions, name_of))  # fmt: skip
    return {"topics.tsv": topics, "qrels.txt": "".join(lines)}


def _elements(text: str) -> list[Given]:
    rows = []
    for found in _TOPIC.finditer(text):
        number = _ATTRIBUTE.search(found[1]) or _NUMBER.search(found[2])
        asked = next((t for f in _FIELDS if (t := _field(found[2], f))), "")
        line = text.count("\n", 0, found.start()) + 1
        rows.append(Given(asked, fields.ident(number[1]) if number else "", line=line))
    return rows


def _field(body: str, name: str) -> str:
    found = re.search(rf"<{name}>(.*?)(?=<[a-z/]|\Z)", body, re.DOTALL | re.IGNORECASE)
    if not found:
        return ""
    text = re.sub(r"^\s*(?:Topic|Description):", "", found[1], flags=re.IGNORECASE)
    return unescape(" ".join(text.split()))


def _lines(text: str) -> tuple[list[Given], list[tuple[int, str]]]:
    rows, problems = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        name, tab, asked = line.partition("\t")
        if tab and asked.strip():
            rows.append(Given(asked.strip(), fields.ident(name), line=number))
        else:
            problems.append((number, "Not a line of id, tab and text."))
    return rows, problems
