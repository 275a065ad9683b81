"""One list that a person pastes: JSON as an API returned it, or lines. The order is as pasted."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragdebug.errors import EmptyDocument, UnsupportedFormat
from ragdebug.pieces import GivenPiece
from ragdebug.pieces.hit_lists import find_hits
from ragdebug.pieces.hit_names import number
from ragdebug.pieces.hit_rows import usable
from ragdebug.workbench.outside.answers import ReturnedHit
from ragdebug.workbench.outside.fields import read_hits
from ragdebug.workbench.outside.spelled import parsed

MOST_CHARS = 20_000_000
MOST_HITS = 1000  # of a list that is looked at; placing 100,000 takes minutes
DISTANCES = "It has distances, where less is nearer; the order is as pasted."

_NUMBERED = re.compile(r"^[ \t]*(?:[#\[(]?\d{1,4}[.):\]]+)[ \t]+(?=\S)")
_RULE = re.compile(r"^[ \t]*([-=*_])\1{2,}[ \t]*$")
_SCORE = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_NO_SCORE = frozenset(("", "-", "nan", "n/a", "na", "none", "null", "inf", "-inf"))
_WORDS = 3  # so many make a text of an entry; fewer are taken for an id


@dataclass(frozen=True, slots=True)
class Pasted:
    """What a pasted text holds.

    Attributes:
        hits: best first, as pasted.
        form: what it was taken for.
        kind: ``score``, ``distance``, or "" where it has neither.
        notes: what to say about it.
    """

    hits: tuple[ReturnedHit, ...]
    form: str
    kind: str = ""
    notes: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """What the hits have: ids, texts, sources, scores or distances, pages, offsets."""
        pieces = [h.piece for h in self.hits]
        has = {
            "ids": any(p.id for p in pieces),
            "texts": any(p.text.strip() for p in pieces),
            "sources": any(p.source for p in pieces),
            f"{self.kind or 'score'}s": any(not math.isnan(h.score) for h in self.hits),
            "pages": any(p.page for p in pieces),
            "offsets": any(p.start is not None for p in pieces),
        }
        return tuple(name for name, there in has.items() if there)


def read_pasted(text: str) -> Pasted:
    """Read one list.

    Raises:
        EmptyDocument: nothing but white space.
        UnsupportedFormat: JSON without anything that could be hits, or too much of anything.
    """
    if not text.strip():
        raise EmptyDocument(
            "Nothing is pasted.",
            title="No list",
            hint="Paste what the search returned: JSON, lines of id and score, or passages.",
        )
    if len(text) > MOST_CHARS:
        raise UnsupportedFormat(
            f"The list has {len(text):,} characters; the most that can be pasted are "
            f"{MOST_CHARS:,}.",
            hint="Import it as a file with: ragdebug lists import FILE",
        )
    value = parsed(text)
    if value is not None:
        return _first(_json(value))
    if re.match(r"""\s*[{\[]\s*(?:["'{\[\]}]|/[/*])""", text):
        raise UnsupportedFormat(
            "It begins like JSON and cannot be read as JSON.",
            title="No list",
            hint="Copy the whole answer, from the first bracket to the last.",
        )
    return _first(_lines(text))


def _first(pasted: Pasted) -> Pasted:
    """As many hits of a list as a person can mean by it."""
    n = len(pasted.hits)
    if n <= MOST_HITS:
        return pasted
    note = f"It has {n:,} hits; the first {MOST_HITS:,} were taken."
    return replace(pasted, hits=pasted.hits[:MOST_HITS], notes=(*pasted.notes, note))


def _json(value: object) -> Pasted:
    found = find_hits(value)
    if found is None:
        raise UnsupportedFormat(
            "The JSON holds no array of hits: no objects with a text, an id or a source.",
            title="No list",
            hint="Copy the whole answer, from the first bracket to the last.",
        )
    read = read_hits(found.records)
    kept = tuple(h for h in read.hits if usable(h.piece))
    notes = list(found.notes)
    if left := len(read.hits) - len(kept):
        notes.append(f"{left} of {len(read.hits)} have no text, id or source and were left out.")
    if read.kind == "distance":
        notes.append(DISTANCES)
    return Pasted(kept, f"JSON, {found.name}" if found.name else "JSON", read.kind, tuple(notes))


# Lines --------------------------------------------------------------------------------------------


def _lines(text: str) -> Pasted:
    lines = [line.rstrip() for line in text.strip("\n\r\ufeff").splitlines()]
    there = [line for line in lines if line.strip()]
    if all("\t" in line for line in there):
        return _columns([line.split("\t") for line in there], "lines with tabs")
    if found := _trec(there):
        return found
    pairs = [re.split(r"\s*[,;]\s*|\s+", line.strip()) for line in there]
    if all(len(p) == 2 for p in pairs) and any(_are_scores(c) for c in zip(*pairs, strict=True)):
        return _columns(pairs, "lines of id and score")
    numbered = [at for at, line in enumerate(lines) if _NUMBERED.match(line)]
    if numbered and not any(line.strip() for line in lines[: numbered[0]]) and _rising(lines):
        return _entries(_cut(lines, numbered), "numbered")
    if any(_RULE.match(line) for line in lines):
        return _entries(_split(lines, _RULE.match), "passages between rules")
    if any(not line.strip() for line in lines):
        return _entries(
            _split(lines, lambda line: not line.strip()), "passages between blank lines"
        )
    return _entries([line.strip() for line in there], "lines")


def _rising(lines: Sequence[str]) -> bool:
    """Whether the numbers before the entries begin with 0 or 1 and go on one by one."""
    found = [m[0] for line in lines if (m := _NUMBERED.match(line))]
    numbers = [int(re.sub(r"\D", "", n)) for n in found]
    return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _cut(lines: Sequence[str], starts: Sequence[int]) -> list[str]:
    ends = [*starts[1:], len(lines)]
    entries = ["\n".join(lines[a:b]) for a, b in zip(starts, ends, strict=True)]
    return [_NUMBERED.sub("", entry, count=1).strip() for entry in entries]


def _split(lines: Sequence[str], is_border: object) -> list[str]:
    assert callable(is_border)
    entries: list[list[str]] = [[]]
    for line in lines:
        if is_border(line):
            entries.append([])
        else:
            entries[-1].append(line)
    return [joined for entry in entries if (joined := "\n".join(entry).strip())]


def _entries(entries: Sequence[str], form: str) -> Pasted:
    """Entries that are texts, or ids where all of them are as short as ids are."""
    ids = all(len(e.split()) < _WORDS and "\n" not in e for e in entries)
    hits = tuple(
        ReturnedHit(GivenPiece("", id=e) if ids else GivenPiece(e)) for e in entries if e.strip()
    )
    what = "ids" if ids else "texts"
    return Pasted(hits, f"{form}, taken for {what}")


def _columns(rows: Sequence[Sequence[str]], form: str) -> Pasted:
    """Cells of lines: a score is where all are numbers, a rank where they count from 1."""
    width = min(len(row) for row in rows)
    cells = [[row[at].strip() for row in rows] for at in range(width)]
    numbers = [at for at in range(width) if _are_scores(cells[at])]
    words = [at for at in range(width) if at not in numbers]
    counted = [str(n) for n in range(1, len(rows) + 1)]
    ranks = [at for at in numbers if cells[at] == counted]
    if ranks and (len(numbers) > 1 or words):
        numbers.remove(ranks[0])
    if not words and len(numbers) > 1:
        words = [numbers.pop(0)]  # ids may be numbers
    score = numbers[-1] if numbers else None
    texts = [at for at in words if any(len(c.split()) >= _WORDS for c in cells[at])]
    names = [at for at in words if at not in texts]
    hits = []
    for row in rows:
        hits.append(
            ReturnedHit(
                GivenPiece(
                    text="\t".join(row[texts[0] :]) if texts[:1] == [width - 1] else
                    row[texts[0]] if texts else "",
                    id=row[names[0]].strip() if names else "",
                    source=row[names[1]].strip() if names[1:] else "",
                ),
                math.nan if score is None else number(row[score].strip()),
            )
        )  # fmt: skip
    kept = tuple(h for h in hits if usable(h.piece))
    return Pasted(kept, form, "score" if score is not None else "")


def _trec(lines: Sequence[str]) -> Pasted | None:
    """Lines of a TREC run for one query."""
    rows = [line.split() for line in lines]
    if not all(len(r) == 6 and r[3].isdecimal() and _is_score(r[4]) for r in rows):
        return None
    queries = dict.fromkeys(r[0] for r in rows)
    first = next(iter(queries))
    notes = ()
    if len(queries) > 1:
        notes = (
            f"It holds the hits of {len(queries)} queries; those of {first} were taken. Import all"
            " of them with: ragdebug lists import FILE",
        )  # type: ignore[assignment]
    hits = tuple(ReturnedHit(GivenPiece("", id=r[2]), number(r[4])) for r in rows if r[0] == first)
    return Pasted(hits, "lines of a TREC run", "score", notes)


def _are_scores(cells: Sequence[str]) -> bool:
    """Whether a column has scores, be it that some have none."""
    there = [c for c in cells if c.lower() not in _NO_SCORE]
    return all(map(_is_score, there)) and (bool(there) or not any(cells))


def _is_score(text: str) -> bool:
    return _SCORE.fullmatch(text.strip()) is not None
