"""What the use cases return, beyond the records of the stages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ragdebug.records import DocumentInfo

# A context window that is common today; below it the whole corpus can be put into the prompt.
PROMPT_TOKENS = 100_000


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did, or would do.

    Attributes:
        documents: every document that was looked at, with its status.
        dry_run: nothing was changed.
        skipped: names of files left out on purpose, with the reason.
    """

    documents: tuple[DocumentInfo, ...]
    dry_run: bool = False
    skipped: tuple[tuple[str, str], ...] = ()

    def count(self, status: str) -> int:
        """Number of documents of one status."""
        return sum(d.status == status for d in self.documents)

    def counts(self) -> dict[str, int]:
        """Status -> number, only those that occur, in a fixed order."""
        order = ("added", "changed", "moved", "unchanged", "removed", "failed")
        return {s: n for s in order if (n := self.count(s))}


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """The active documents as a whole.

    Attributes:
        documents: how many.
        failed: how many files could not be read.
        chars: code points of all canonical texts.
        tokens: by the workspace's tokenizer.
        languages: code -> number of documents; "" for unknown.
        fingerprint: changes when any document does.
        fits_prompt: the whole corpus is at most `PROMPT_TOKENS`; no retrieval is needed then.
    """

    documents: int
    failed: int
    chars: int
    tokens: int
    languages: Mapping[str, int]
    fingerprint: str
    fits_prompt: bool

    @property
    def language(self) -> str:
        """The language of most documents, "" when none is known."""
        known = {k: n for k, n in self.languages.items() if k}
        return max(known, key=lambda k: (known[k], k)) if known else ""


@dataclass(frozen=True, slots=True)
class ChunkOverview:
    """All chunks of the corpus under one chunking.

    Attributes:
        chunks: how many.
        documents: how many documents they come from.
        sizes: size of every chunk, in the chunking's unit, in row order.
        duplicates: chunks whose index text occurs in an earlier chunk.
    """

    chunking: str
    chunks: int
    documents: int
    sizes: tuple[int, ...]
    duplicates: int


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What building an index took.

    `embedded` of `distinct` texts were new. `elapsed_s` is wall time in seconds.
    """

    chunking: str
    embedder: str
    chunks: int
    distinct: int
    embedded: int
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor's report."""

    name: str
    ok: bool
    detail: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class IngestPlan:
    """Texts to embed before vectors can be searched, and how long each model would take."""

    texts: int
    new: Mapping[str, int] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
