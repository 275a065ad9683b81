"""A folder in BEIR's layout: ``queries.jsonl``, ``qrels/*.tsv`` and, for passages, ``spans.jsonl``.

Judgments there are about whole documents, so the questions are measured by documents; spans of a
question take the place of its judgments.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ragdebug.questions import Question
from ragdebug.records import Place
from ragdebug.workbench.questions.formats import fields, jsonl, qrels, spans
from ragdebug.workbench.questions.records import Given, Rows


def read(files: Mapping[str, str]) -> Rows:
    """Rows of the folder's files by name."""
    problems: list[tuple[int, str]] = []
    queries: dict[str, Given] = {}
    for line, value in jsonl.objects(_one(files, "queries.jsonl")):
        if isinstance(value, str):
            problems.append((line, f"queries.jsonl: {value}"))
            continue
        more = value.get("metadata")
        more = more if isinstance(more, dict) else {}
        name = fields.ident(value.get("_id", value.get("id", "")))
        queries[name] = Given(
            question=str(value.get("text") or "").strip(),
            id=name,
            tags=fields.tags(more.get("tags") or ()),
            notes=str(more.get("notes") or ""),
            not_answerable=True if more.get("not_answerable") is True else None,
            line=line,
        )
    passages = spans.read(
        _one(files, "spans.jsonl"), {name: row.question for name, row in queries.items()}
    )
    with_spans = {row.id for row in passages.rows if row.has_place}
    rows = [*queries.values(), *(r for r in passages.rows if r.has_place)]
    problems += [(n, f"spans.jsonl: {m}") for n, m in passages.problems]
    for name, text in files.items():
        if name.endswith(".tsv"):
            found = qrels.read(text)
            problems += [(n, f"{name}: {m}") for n, m in found.problems]
            rows += [r for r in found.rows if r.id not in with_spans]
    known = {name for name, row in queries.items() if row.question}
    unknown = [r for r in rows if not r.question and r.id not in known]
    if unknown:
        problems.append((0, f"{len(unknown)} judgments are of questions that are not listed."))
        rows = [r for r in rows if r.question or r.id in known]
    return Rows(tuple(replace(r, line=0) if not r.question else r for r in rows), tuple(problems))


def write(questions: Sequence[Question], name_of: Callable[[Place], str]) -> dict[str, str]:
    """The files by name; of a label only its document and grade are kept, and spans if any."""
    queries = []
    for q in questions:
        more = {"tags": list(q.tags), "notes": q.notes, "not_answerable": q.not_answerable}
        value = {"_id": q.id, "text": q.text, "metadata": {k: v for k, v in more.items() if v}}
        queries.append(json.dumps(value, ensure_ascii=False) + "\n")
    lines = ["query-id\tcorpus-id\tscore\n"]
    lines += ["\t".join(row) + "\n" for row in qrels.judged(questions, name_of)]
    files = {"queries.jsonl": "".join(queries), "qrels/test.tsv": "".join(lines)}
    marked = [q for q in questions if any(not x.place.region for n in q.needs for x in n.labels)]
    if marked:
        files["spans.jsonl"] = spans.write(marked, name_of)
    return files


def _one(files: Mapping[str, str], name: str) -> str:
    return next((text for path, text in files.items() if path.rpartition("/")[2] == name), "")
