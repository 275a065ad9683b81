"""Questions with spans: ``{id, doc, question, spans: [[start, end, quote], ...]}``, one a line.

Each span is a need of its own. `doc` is the stem of a file's name, or the key of a record.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ragdebug.questions import PLACED, SUGGESTED, Question
from ragdebug.records import Place
from ragdebug.workbench.questions.formats import fields, jsonl
from ragdebug.workbench.questions.records import Given, Rows


def read(text: str, questions: Mapping[str, str] | None = None) -> Rows:
    """Rows of a file of spans.

    Args:
        text: of the file.
        questions: id -> text, where another file holds them.
    """
    rows: list[Given] = []
    problems: list[tuple[int, str]] = []
    for line, value in jsonl.objects(text):
        if isinstance(value, str):
            problems.append((line, value))
            continue
        name = fields.ident(value.get("id", ""))
        asked = str(value.get("question") or (questions or {}).get(name, "")).strip()
        spans = value.get("spans") or []
        source = str(value.get("doc") or "").strip()
        if not spans:
            rows.append(Given(question=asked, id=name, line=line))
        for span in spans if isinstance(spans, list) else [None]:
            try:
                start, end, quote = _span(span)
            except (TypeError, ValueError):
                problems.append((line, f"{span!r} is not [start, end, quote]."))
                continue
            row = Given(asked, name, source, quote, start=start, end=end, line=line)
            rows.append(row)
    return Rows(tuple(rows), tuple(problems))


def write(questions: Sequence[Question], name_of: Callable[[Place], str]) -> str:
    """One line for each question and document; regions and tags have no place here.

    What only waits for a yes is written as the quote that was given, so that it waits again.
    """
    lines: list[str] = []
    for question in questions:
        by_document: dict[str, list[Any]] = {}
        for need in question.needs:
            for label in need.labels:
                p = label.place
                span = [p.start, p.end, p.quote]
                if label.status != PLACED:
                    span = [-1, -1, label.given if label.status == SUGGESTED else p.quote]
                if not p.region and span[2]:
                    by_document.setdefault(name_of(p), []).append(span)
        for name, spans in (by_document or {"": []}).items():
            value = {"id": question.id, "doc": name, "question": question.text, "spans": spans}
            lines.append(json.dumps(value, ensure_ascii=False) + "\n")
    return "".join(lines)


def _span(span: Any) -> tuple[int | None, int | None, str]:  # noqa: ANN401 - any JSON value
    start, end, *rest = span
    quote = str(rest[0]) if rest and rest[0] is not None else ""
    start, end = int(start), int(end)
    if not quote and not 0 <= start < end:
        raise ValueError
    return (start, end, quote) if start >= 0 else (None, None, quote)
