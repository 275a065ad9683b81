"""Files of many result lists: a TREC run, JSON Lines or JSON, CSV or TSV."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ragdebug.documents.encoding import decode
from ragdebug.documents.inflate import GZIP, inflate_gzip
from ragdebug.documents.options import MB, Limits
from ragdebug.errors import (
    DocumentError,
    DocumentTooLarge,
    EmptyDocument,
    InvalidSetting,
    MissingFile,
    UnsupportedFormat,
)
from ragdebug.pieces import GivenPiece, RowProblem
from ragdebug.pieces.hit_lists import ARRAYS, find_hits
from ragdebug.pieces.hit_names import field_of, number, roles
from ragdebug.pieces.hit_rows import rows_of, usable
from ragdebug.workbench.outside.answers import Answer, ReturnedHit
from ragdebug.workbench.outside.fields import hits_of, kind_of, read_hits
from ragdebug.workbench.outside.pasted import DISTANCES

FORMATS = ("trec", "jsonl", "csv")
LIMITS = Limits(max_bytes=1024 * MB, max_inflated_bytes=4096 * MB, max_line_chars=1 << 31)
_QUERIES = tuple(
    "query question query_text question_text q search user_query prompt input topic".split()
)
_IDS = tuple("query_id question_id qid queryid query-id query_no topic_id qno number".split())
_SECONDS: Mapping[str, float] = {
    "elapsed_s": 1.0, "seconds": 1.0, "elapsed_ms": 1e-3, "latency_ms": 1e-3, "milliseconds": 1e-3,
    "took": 1e-3,
}  # fmt: skip
_COUNTED = 200  # problems that are kept


@dataclass(frozen=True, slots=True)
class ListFile:
    """What a file of result lists holds.

    Attributes:
        answers: one a query, in the order of first appearance, each query once.
        format: one of `FORMATS`.
        kind: ``score``, ``distance``, or "" where there are neither.
        notes: what to say about it as a whole.
        problems: lines that were left out or repaired.
    """

    answers: tuple[Answer, ...]
    format: str
    kind: str = ""
    notes: tuple[str, ...] = ()
    problems: tuple[RowProblem, ...] = ()


def read_list_file(source: str | Path | bytes, name: str = "", format_: str = "auto") -> ListFile:
    """Read lists of many queries.

    Args:
        source: a path, or the bytes of a file; gzipped or not.
        name: what the file is called; a path brings its own.
        format_: one of `FORMATS`, or ``auto``.

    Raises:
        DocumentError: nothing is there, it is empty, damaged or of another form.
        InvalidSetting: there is no such format.
    """
    if format_ not in ("auto", *FORMATS):
        raise InvalidSetting(
            f"No form of result lists is called {format_!r}.", hint=f"Known: {', '.join(FORMATS)}."
        )
    if not isinstance(source, bytes):
        path = Path(source)
        name, source = path.name, _bytes(path)
    if source.startswith(GZIP):
        source = inflate_gzip(source, name, LIMITS)
    text = decode(source, name, limits=LIMITS, declared=False).text
    if not text.strip():
        raise EmptyDocument(f"{name or 'The file'} is empty.")
    if format_ == "auto":
        format_ = _detect(text, name)
    made = {"trec": _trec, "jsonl": _json, "csv": _csv}[format_](text, name or "the file")
    if not made.answers:
        first = (
            f" Line {made.problems[0].line}: {made.problems[0].message}" if made.problems else ""
        )
        raise UnsupportedFormat(
            f"{name or 'The file'} holds no result lists that can be read as {format_}.{first}",
            title="No lists",
            hint="A list needs a query or a question's id, and hits with a text or an id.",
        )
    return made


def _bytes(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise MissingFile(f"There is no file {path}.")
        if (size := path.stat().st_size) > LIMITS.max_bytes:
            raise DocumentTooLarge(
                f"{path.name} has {size:,} bytes; the limit is {LIMITS.max_bytes:,}."
            )
        return path.read_bytes()
    except OSError as e:
        raise DocumentError(f"{path} cannot be read: {e.strerror or e}.") from e


def _detect(text: str, name: str) -> str:
    first = next(line for line in text.splitlines() if line.strip())
    if first.lstrip().startswith(("{", "[")):
        return "jsonl"
    suffix = Path(name.lower().removesuffix(".gz")).suffix
    if suffix in (".csv", ".tsv"):
        return "csv"
    return "trec" if len(first.split()) in (5, 6) and _is_trec(first.split()) else "csv"


# TREC ---------------------------------------------------------------------------------------------


def _is_trec(cells: Sequence[str]) -> bool:
    return len(cells) >= 5 and not math.isnan(number(cells[4]))


def _trec(text: str, name: str) -> ListFile:
    """``qid Q0 docid rank score tag``.

    The order is trec_eval's: by the score as a 32-bit number, highest first, equal ones by the
    document's id, last in the alphabet first. The rank column decides nothing.
    """
    found: dict[str, dict[str, tuple[float, str]]] = {}
    problems: list[RowProblem] = []
    for line, row in enumerate(text.splitlines(), 1):
        cells = row.split()
        if not cells:
            continue
        if not _is_trec(cells):
            problems.append(
                RowProblem(line, f"{row[:60]!r} is no line of query, Q0, document, rank, score.")
            )
            continue
        query, _, document, rank, score = cells[:5]
        listed = found.setdefault(query, {})
        if document in listed:
            problems.append(
                RowProblem(line, f"{document} stands twice for {query}; its first line counts.")
            )
            continue
        listed[document] = (number(score), rank)
    answers, otherwise = [], 0
    for query, listed in found.items():
        documents = list(listed)
        order = _trec_order(documents, [listed[d][0] for d in documents])
        ranks = [number(listed[d][1]) for d in order]
        otherwise += any(a >= b for a, b in zip(ranks, ranks[1:], strict=False))
        hits = tuple(ReturnedHit(GivenPiece("", id=d), listed[d][0]) for d in order)
        answers.append(Answer("", hits, query))
    notes = ()
    if otherwise:
        notes = (
            f"The rank column says another order for {otherwise:,} of {len(answers):,} queries; the"
            " scores decide, as in trec_eval, and equal scores go by the document's id.",
        )  # type: ignore[assignment]
    return ListFile(tuple(answers), "trec", "score", notes, tuple(problems[:_COUNTED]))


def _trec_order(documents: Sequence[str], scores: Sequence[float]) -> list[str]:
    """Documents in trec_eval's order."""
    single = np.array(scores, np.float32).tolist()
    pairs = sorted(zip(single, documents, strict=True), reverse=True)
    return [document for _, document in pairs]


# JSON ---------------------------------------------------------------------------------------------


def _json(text: str, name: str) -> ListFile:
    """JSON Lines, an array, or one object: query -> hits, or query -> document -> score."""
    problems: list[RowProblem] = []
    records = list(_records(text, name, problems))
    if len(records) == 1 and isinstance(records[0][1], Mapping):
        whole = records[0][1]
        if not _query_of(whole)[0] and not _query_of(whole)[1]:
            inside = next((whole[n] for n in ("queries", "questions", "lists", "runs")
                           if isinstance(whole.get(n), list)), None)  # fmt: skip
            if inside is None and (by_query := _by_query(whole)):
                return by_query
            records = [(1, r) for r in inside] if inside is not None else records
    answers: list[Answer] = []
    kinds: list[str] = []
    flat: list[tuple[int, Mapping[str, object]]] = []
    for line, record in records:
        if not isinstance(record, Mapping):
            problems.append(RowProblem(line, "It is no object."))
            continue
        query, question = _query_of(record)
        if not query and not question:
            problems.append(RowProblem(line, "It names no query and no question."))
            continue
        rest = {k: v for k, v in record.items() if k not in _taken(record)}
        found = find_hits(rest) if any(isinstance(v, list | dict) for v in rest.values()) else None
        if found is not None and not (found.name not in ARRAYS and "text" in roles([rest])):
            read = read_hits(found.records)
            kinds.append(read.kind)
            kept = tuple(h for h in read.hits if usable(h.piece))
            answers.append(Answer(query, kept, question, _seconds(record)))
        else:
            flat.append((line, record))
    if flat:
        return _grouped([(line, rest) for line, rest in flat], "jsonl", name, problems, answers)
    kind = next((k for k in kinds if k), "")
    notes = (DISTANCES,) if kind == "distance" else ()
    return ListFile(_once(answers, problems), "jsonl", kind, notes, tuple(problems[:_COUNTED]))


def _records(text: str, name: str, problems: list[RowProblem]) -> Iterator[tuple[int, object]]:
    if text.lstrip().startswith("["):
        try:
            yield from enumerate(json.loads(text), 1)
        except (ValueError, RecursionError) as e:
            raise UnsupportedFormat(f"{name} cannot be read as JSON: {e}.") from e
        return
    try:
        yield 1, json.loads(text)
        return
    except (ValueError, RecursionError):
        pass
    for line, row in enumerate(text.split("\n"), 1):
        if row.strip():
            try:
                yield line, json.loads(row)
            except (ValueError, RecursionError):
                problems.append(RowProblem(line, "It cannot be read as JSON."))


def _query_of(record: Mapping[str, object]) -> tuple[str, str]:
    """Text of the query and id of the question, "" for what is not said."""

    def first(names: Iterable[str]) -> str:
        values = (record[n] for n in names if n in record)
        return next((str(v) for v in values if isinstance(v, str | int) and str(v).strip()), "")

    query = first(_QUERIES)
    asked = record.get("query")
    if isinstance(asked, Mapping):
        query = next((str(asked[n]) for n in ("text", "query") if n in asked), "")
    id_ = first(_IDS) or ("" if any(n in record for n in ("text", "score")) else first(("id",)))
    return query, id_


def _taken(record: Mapping[str, object]) -> set[str]:
    return {n for n in (*_QUERIES, *_IDS) if n in record}


def _seconds(record: Mapping[str, object]) -> float:
    for name, unit in _SECONDS.items():
        value = number(record.get(name))
        if not math.isnan(value):
            return value * unit
    return math.nan


def _by_query(whole: Mapping[str, object]) -> ListFile | None:
    """``{query: {document: score}}`` as BEIR has it, or ``{query: [hit, ...]}``."""
    answers, kinds, unscored = [], [], 0
    for query, inside in whole.items():
        if isinstance(inside, Mapping) and inside:
            by_name = {str(d): number(v) for d, v in inside.items()}
            scored = {d: s for d, s in by_name.items() if not math.isnan(s)}
            if 2 * len(scored) < len(by_name):
                return None
            # One odd score drops no others; what has none comes last.
            order = _trec_order(list(scored), list(scored.values()))
            order += [d for d in by_name if d not in scored]
            hits = tuple(ReturnedHit(GivenPiece("", id=d), by_name[d]) for d in order)
            unscored += len(by_name) - len(scored)
            kinds.append("score")
        elif isinstance(inside, list):
            found = find_hits(inside)
            if found is None:
                return None
            read = read_hits(found.records)
            hits = tuple(h for h in read.hits if usable(h.piece))
            kinds.append(read.kind)
        elif isinstance(inside, Mapping):
            hits = ()
        else:
            return None
        answers.append(Answer(str(query), hits))
    kind = next((k for k in kinds if k), "")
    notes = (DISTANCES,) if kind == "distance" else ()
    if unscored:
        said, come = ("has", "comes") if unscored == 1 else ("have", "come")
        notes = (*notes, f"Of the hits {unscored:,} {said} no number as score and {come} last.")
    return ListFile(tuple(answers), "jsonl", kind, notes)


def _once(answers: Sequence[Answer], problems: list[RowProblem]) -> tuple[Answer, ...]:
    """Each query once; a later one for the same is left out."""
    made: dict[tuple[str, str], Answer] = {}
    for answer in answers:
        key = (answer.query, answer.question)
        if key in made:
            problems.append(
                RowProblem(0, f"{(answer.query or answer.question)[:60]} stands twice; its first"
                              " list counts.")
            )  # fmt: skip
        else:
            made[key] = answer
    return tuple(made.values())


# CSV ----------------------------------------------------------------------------------------------


def _csv(text: str, name: str) -> ListFile:
    """A line a hit: query or question, rank, text or id, score; in the order of the ranks."""
    head = next(line for line in text.splitlines() if line.strip())
    separator = max(",\t;|", key=head.count)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    problems: list[RowProblem] = []
    made: list[tuple[int, Mapping[str, object]]] = []
    try:
        for row in rows:
            made.append((rows.line_num, {k.strip(): v for k, v in row.items() if k and v}))
    except csv.Error as e:
        problems.append(RowProblem(rows.line_num, f"It cannot be read: {e}."))
    known = [c.strip() for c in rows.fieldnames or () if c]
    small = {c.lower().replace(" ", "_"): c for c in known}
    if not any(n in small for n in (*_QUERIES, *_IDS)):
        raise UnsupportedFormat(
            f"{name} has no column with the query. Its columns are {', '.join(known[:20])}.",
            title="No lists",
            hint="Call one of them query, or query_id.",
        )
    renamed = {small[n]: n for n in (*_QUERIES, *_IDS) if n in small}
    same = [(line, {renamed.get(k, k): v for k, v in row.items()}) for line, row in made]
    return _grouped(same, "csv", name, problems, [])


def _grouped(
    rows: Sequence[tuple[int, Mapping[str, object]]],
    format_: str,
    name: str,
    problems: list[RowProblem],
    answers: list[Answer],
) -> ListFile:
    """One row a hit: by query, in the order of the ranks where they are said."""
    taken: set[str] = set()
    groups: dict[tuple[str, str], list[int]] = {}
    for at, (line, row) in enumerate(rows):
        query, question = _query_of(row)
        if not query and not question:
            problems.append(RowProblem(line, "It names no query and no question."))
            continue
        taken |= _taken(row)
        groups.setdefault((query, question), []).append(at)
    plain = rows_of([{k: v for k, v in row.items() if k not in taken} for _, row in rows])
    columns = roles(plain)
    ranked = field_of("rank", dict.fromkeys(c for row in plain[:200] for c in row))
    hits = hits_of(plain, columns)
    for (query, question), some in groups.items():
        ranks = {at: number(plain[at].get(ranked)) for at in some}
        if not any(math.isnan(r) for r in ranks.values()):
            some = sorted(some, key=lambda at: ranks[at])
        for at in some:
            # A row with a query alone says that nothing came.
            if not usable(hits[at].piece) and len(some) > 1:
                problems.append(RowProblem(rows[at][0], "It has no text, id or source."))
        kept = tuple(hits[at] for at in some if usable(hits[at].piece))
        answers.append(Answer(query, kept, question))
    kind = kind_of(columns)
    notes = (DISTANCES,) if kind == "distance" else ()
    return ListFile(_once(answers, problems), format_, kind, notes, tuple(problems[:_COUNTED]))
