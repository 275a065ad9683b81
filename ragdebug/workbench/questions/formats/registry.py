"""Which formats there are, and which of them a file is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ragdebug.errors import RagDebugError
from ragdebug.questions import Question
from ragdebug.records import Place
from ragdebug.workbench.questions.formats import beir, csv_rows, jsonl, lines, qrels, spans, trec
from ragdebug.workbench.questions.records import Given, Rows

FORMATS: Mapping[str, str] = {
    "jsonl": "rows of question, source, quote, ... as JSON; keeps everything",
    "csv": "the same as a table",
    "spans": "{id, doc, question, spans: [[start, end, quote], ...]}, one a line",
    "beir": "folder of queries.jsonl and qrels/*.tsv",
    "trec": "topics and qrels",
    "lines": "one question a line",
}
_TABLES = (".csv", ".tsv", ".tab")


def detect(files: Mapping[str, str]) -> str:
    """The format of a file, or of the files of a folder, by their names and first lines."""
    names = [n.rpartition("/")[2].casefold() for n in files]
    if "queries.jsonl" in names:
        return "beir"
    (name, text) = (names[0], next(iter(files.values()))) if len(files) == 1 else ("", "")
    if len(files) > 1 or "<top" in text[:2000].casefold() or qrels.looks_like(text):
        return "trec"
    if name.endswith(_TABLES):
        return "csv"
    first = next((v for _, v in jsonl.objects(text) if isinstance(v, dict)), None)
    if first is None:
        return "lines"
    if isinstance(first.get("spans"), list):
        return "spans"
    return "beir" if "_id" in first and "text" in first and "question" not in first else "jsonl"


def read(files: Mapping[str, str], format_: str, columns: Mapping[str, str] | None) -> Rows:
    """Rows of a file, or of a folder's files.

    Raises:
        RagDebugError: there is no such format, or the file is not of it.
    """
    known(format_)
    if format_ == "trec":
        return trec.read(files)
    name, text = next(iter(files.items()))
    if format_ == "beir":
        return beir.read(files if len(files) > 1 else {"queries.jsonl": text})
    if format_ == "csv":
        return csv_rows.read(text, columns, "." + name.rpartition(".")[2].casefold())
    if format_ == "spans":
        return spans.read(text)
    return lines.read(text) if format_ == "lines" else jsonl.read(text, columns)


def write(
    format_: str,
    questions: Sequence[Question],
    rows: Sequence[Given],
    name_of: Callable[[Place], str],
) -> dict[str, str]:
    """Files by name; a format of one file gives it the name "".

    Raises:
        RagDebugError: there is no such format.
    """
    known(format_)
    if format_ == "beir":
        return beir.write(questions, name_of)
    if format_ == "trec":
        return trec.write(questions, name_of)
    if format_ == "csv":
        return {"": csv_rows.write(rows)}
    if format_ == "spans":
        return {"": spans.write(questions, name_of)}
    return {"": lines.write(questions) if format_ == "lines" else jsonl.write(rows)}


def known(format_: str) -> None:
    """Raise RagDebugError when there is no such format."""
    if format_ not in FORMATS:
        raise RagDebugError(
            f"No format of questions is called {format_!r}.",
            title="Unknown format",
            hint=f"Use {', '.join(FORMATS)}.",
        )
