"""What a health check says: how bad it is, in one sentence with its counts, and where to look."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ragdebug.errors import RagDebugError

SERIOUS, WARNING, NOTE, UNCHECKED = "serious", "warning", "note", "unchecked"
SEVERITIES = (SERIOUS, WARNING, NOTE, UNCHECKED)

CORPUS, CHUNKS, SEARCH, RESULTS = "corpus", "chunks", "search", "results"

CHECKS = {
    "failed_files": "Files that could not be read",
    "empty_parses": "Documents with hardly any text",
    "pages_without_text": "Pages without text",
    "duplicate_documents": "Documents with the same text",
    "boilerplate": "Text repeated over many documents",
    "in_no_chunk": "Text in no chunk",
    "not_placed": "Chunks that stand nowhere",
    "beyond_window": "Chunks beyond the model's window",
    "beyond_reranker": "Chunks beyond the reranker's window",
    "duplicate_chunks": "Chunks with the same text",
    "near_duplicates": "Chunks with nearly the same text",
    "prompts": "Prompts that the model expects",
    "model_language": "Languages the model was not made for",
    "analyzer_language": "Languages the analyzer does not know",
    "several_models": "Several models in one comparison",
    "minimum": "A minimum score that removes everything",
    "reranker": "A reranker that changes nothing",
}
"""Code -> what is looked for, in the order of the data's path."""


@dataclass(frozen=True, slots=True)
class Where:
    """A place to look at.

    Attributes:
        page: corpus, chunks, search or results.
        label: what stands there, as a person calls it.
        document: its id, "" for the page as a whole.
        at: first code point in it, None for its start.
        chunk: a chunk's id.
        chunking: text form of the chunking the chunk is of.
        model: the model that reads it.
        query: what to ask on Search.
        strategy: text form of what to ask it with.
        run: id of a kept run.
    """

    page: str
    label: str
    document: str = ""
    at: int | None = None
    chunk: str = ""
    chunking: str = ""
    model: str = ""
    query: str = ""
    strategy: str = ""
    run: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a score would not show.

    Attributes:
        code: one of `CHECKS`.
        severity: ``serious`` (a result is wrong or empty because of it), ``warning``, ``note``, or
            ``unchecked`` where the check could not be made; the sentence then says why.
        title: what was looked for.
        sentence: what is there, with its counts; says so where only a sample was looked at.
        count: how many things it holds for.
        of: how many were looked at.
        strategies: text forms of the strategies it touches; with `runs` empty, too: all.
        runs: ids of the kept runs it touches.
        where: places to look at, the worst first; a few of them.
        documents: ids of all documents that it holds for, where the check knows them.
    """

    code: str
    severity: str
    title: str
    sentence: str
    count: int = 0
    of: int = 0
    strategies: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    where: tuple[Where, ...] = ()
    documents: frozenset[str] = frozenset()

    def names(self, documents: Collection[str]) -> bool:
        """Whether it holds for one of some documents, by their ids."""
        return not self.documents.isdisjoint(documents) or any(
            place.document in documents for place in self.where if place.document
        )


def finding(
    code: str,
    severity: str,
    sentence: str,
    count: int = 0,
    of: int = 0,
    where: Iterable[Where] = (),
    documents: Iterable[str] = (),
) -> Finding:
    """A finding under the title of its check, before it is known what it touches."""
    return Finding(
        code,
        severity,
        CHECKS[code],
        sentence,
        count,
        of,
        where=tuple(where),
        documents=frozenset(documents),
    )


def unchecked(code: str, error: RagDebugError) -> Finding:
    """A check that could not be made."""
    return finding(code, UNCHECKED, f"Not checked: {error}")


def graded(share: float, serious: float = 0.5, warning: float = 0.05) -> str:
    """A severity by the share of things that a finding holds for."""
    return SERIOUS if share >= serious else WARNING if share >= warning else NOTE


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """The worst first; equally bad ones along the data's path."""
    codes = list(CHECKS)
    return sorted(findings, key=lambda f: (SEVERITIES.index(f.severity), codes.index(f.code)))


def clean(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Codes of the checks that found nothing."""
    found = {f.code for f in findings}
    return tuple(code for code in CHECKS if code not in found)


def percent(part: float, whole: float) -> str:
    """A share as a person says it; never 0% or 100% for what is neither."""
    share = part / whole if whole else 0.0
    if 0 < share < 0.01:
        return "less than 1%"
    return f"{min(share, 0.99) if share < 1 else 1:.0%}"
