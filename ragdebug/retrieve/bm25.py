"""The BM25 index of one chunking: built once, searched from memory or straight from its files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import IndexNotReadable
from ragdebug.protocols import Progress, silent
from ragdebug.records import Rows, Scores, TermInfo
from ragdebug.retrieve import lucene, okapi, saving
from ragdebug.retrieve.analyzer import Analyzer, QueryTerm
from ragdebug.retrieve.postings import Postings, by_term, count
from ragdebug.retrieve.topk import best, no_rows
from ragdebug.settings import AnalyzerSettings, BM25Settings

FORMAT = "bm25/1"
Asked = tuple[str, str, int]  # term, surface, term id or -1


@dataclass(frozen=True, slots=True)
class TermShare:
    """What one term of a query adds to the score of one chunk.

    Attributes:
        term: after analysis.
        surface: as it stands in the query; the first, where it stands there more than once.
        times: how often the query has it; counts that often.
        tf: how often the chunk has it.
        frequency: how many chunks have it.
        idf: by the formula of the variant.
        share: the part of the score, repeats counted; shares add up to the score.
    """

    term: str
    surface: str
    times: int
    tf: int
    frequency: int
    idf: float
    share: float


class BM25Index:
    """BM25 over the texts of a chunk table; one object may be used by several threads at once.

    Rows are positions in the chunk table. Chunks without any term are never found and count neither
    in the number of chunks N nor in the average length, so blank ones change no score. A hit holds
    at least one term of the query. Order is total: score descending, then row ascending.
    """

    def __init__(
        self,
        settings: BM25Settings,
        analyzer: Analyzer,
        terms: list[str],
        postings: Postings,
        weights: Scores,
        idf: Scores,
    ) -> None:
        self.settings = settings
        self.analyzer = analyzer
        self.postings = postings
        self._terms = terms
        self._ids = {term: i for i, term in enumerate(terms)}
        self._weights = weights
        self._idf = idf
        self._last: tuple[str, tuple[Asked, ...]] = ("", ())
        self.total = len(postings.lengths)
        self.n = int(np.count_nonzero(postings.lengths))
        words = int(postings.lengths.sum(dtype=np.int64))
        self.average_length = words / self.n if self.n else 0.0

    @classmethod
    def build(
        cls,
        texts: Iterable[str],
        analyzer: Analyzer,
        settings: BM25Settings,
        progress: Progress = silent,
    ) -> BM25Index:
        """Index the texts (`Chunk.index_text`) of a chunk table, in its order.

        Raises:
            Cancelled: from `progress`.
        """
        counts = count(texts, analyzer, progress)
        postings = by_term(counts)
        if settings.variant == "okapi":
            weights, idf = okapi.weigh(counts, postings, settings)
        else:
            weights, idf = lucene.weigh(counts, settings)
        assert len(weights) == len(postings.rows)
        return cls(settings, analyzer, counts.terms, postings, weights, idf)

    # Searching ------------------------------------------------------------------------------------

    def search(
        self, query: str, k: int, mask: NDArray[np.bool_] | None = None
    ) -> tuple[Rows, Scores]:
        """The `k` best chunks among those that `mask` lets through.

        Args:
            query: a term counts as often as it occurs here.
            k: may be more than there are.
            mask: shape (total,), True for chunks that may be found; None for all.
        """
        rows, scores = self.scores(query)
        if mask is not None:
            assert len(mask) == self.total, "the mask is not of this chunk table"
            allowed = mask[rows]
            rows, scores = rows[allowed], scores[allowed]
        return best(rows, scores, k)

    def scores(self, query: str) -> tuple[Rows, Scores]:
        """All chunks that hold a term of the query, by ascending row, and their scores."""
        times: dict[int, int] = {}
        for _, _, at in self._asked(query):
            if at >= 0:
                times[at] = times.get(at, 0) + 1
        if not times:
            return no_rows()
        sums = np.zeros(self.total)
        found = np.zeros(self.total, bool)
        for at, n in times.items():
            start, end = self.postings.starts[at], self.postings.starts[at + 1]
            rows, weights = self.postings.rows[start:end], self._weights[start:end]
            sums[rows] += weights if n == 1 else weights * n
            found[rows] = True
        hits = np.flatnonzero(found).astype(np.int64, copy=False)
        return hits, sums[hits]

    def terms(self, query: str) -> tuple[TermInfo, ...]:
        """The query's words as they are looked up, in order, with repeats.

        A stop word has the term "" and frequency 0. A term with frequency 0 stands nowhere in the
        corpus. An identifier that the corpus holds stands for itself alone, one that it does not is
        followed by its parts.
        """
        return tuple(
            TermInfo(term, surface, self._frequency(at)) for term, surface, at in self._asked(query)
        )

    def _asked(self, query: str) -> tuple[Asked, ...]:
        """What is looked up; kept for the last query, whose terms are asked for after its hits."""
        last, known = self._last
        if last != query:
            known = tuple(self._look_up(query))
            self._last = (query, known)  # in one step, for other threads
        return known

    def _look_up(self, query: str) -> list[Asked]:
        found: list[Asked] = []

        def take(word: QueryTerm) -> None:
            at = self._ids.get(word.term, -1)
            if at >= 0 or word.alternative or not word.parts:
                found.append((word.term, word.surface, at))
            if at < 0 or not word.alternative:
                for part in word.parts:
                    take(part)

        for word in self.analyzer.query(query):
            take(word)
        return found

    # Explaining -----------------------------------------------------------------------------------

    def frequency(self, term: str) -> int:
        """Number of chunks that hold a term (n of the formula); 0 for an unknown one."""
        return self._frequency(self._ids.get(term, -1))

    def idf(self, term: str) -> float:
        """Inverse document frequency by the variant's formula; 0.0 for an unknown term."""
        at = self._ids.get(term, -1)
        return float(self._idf[at]) if at >= 0 else 0.0

    def tf(self, term: str, row: int) -> int:
        """How often a chunk holds a term."""
        at = self._posting(self._ids.get(term, -1), row)
        return int(self.postings.tf[at]) if at >= 0 else 0

    def length(self, row: int) -> int:
        """Number of terms of a chunk, repeats and parts of identifiers included."""
        return int(self.postings.lengths[row])

    def explain(self, query: str, row: int) -> tuple[TermShare, ...]:
        """What each term of the query adds to a chunk's score; terms it lacks add 0."""
        shares: dict[str, TermShare] = {}
        asked = [(term, surface, at) for term, surface, at in self._asked(query) if term]
        for term, surface, at in asked:
            if term in shares:
                continue
            times = sum(other == term for other, _, _ in asked)
            posting = self._posting(at, row)
            tf = int(self.postings.tf[posting]) if posting >= 0 else 0
            share = times * float(self._weights[posting]) if posting >= 0 else 0.0
            idf = float(self._idf[at]) if at >= 0 else 0.0
            shares[term] = TermShare(term, surface, times, tf, self._frequency(at), idf, share)
        return tuple(shares.values())

    def _frequency(self, at: int) -> int:
        return int(self.postings.starts[at + 1] - self.postings.starts[at]) if at >= 0 else 0

    def _posting(self, at: int, row: int) -> int:
        """Position of (term, row) in the postings, or -1."""
        if at < 0:
            return -1
        start, end = int(self.postings.starts[at]), int(self.postings.starts[at + 1])
        i = start + int(np.searchsorted(self.postings.rows[start:end], row))
        return i if i < end and self.postings.rows[i] == row else -1

    # Keeping --------------------------------------------------------------------------------------

    def save(self, folder: Path) -> None:
        """Write the index as a folder of arrays and JSON, replacing what is there."""
        with saving.new_folder(Path(folder)) as fresh:
            meta = {
                "format": FORMAT,
                "settings": asdict(self.settings),
                "analyzer": self.analyzer.fingerprint(),
                "terms": self._terms,
            }
            postings = {name: getattr(self.postings, name) for name in Postings.__slots__}
            saving.write(fresh, meta, {**postings, "weights": self._weights, "idf": self._idf})

    @classmethod
    def load(cls, folder: Path, analyzer: Analyzer) -> BM25Index:
        """Open a saved index; its arrays stay in their files until they are touched.

        Raises:
            IndexNotReadable: nothing there, damaged, or built by another analyzer.
        """
        folder = Path(folder)
        meta = saving.read_meta(folder)
        if meta.get("format") != FORMAT or meta.get("analyzer") != analyzer.fingerprint():
            raise IndexNotReadable(
                f"The saved index {folder.name} was built by another version or another analyzer.",
                hint="Build the index again.",
            )
        arrays = saving.read_arrays(folder, meta)
        given = meta["settings"]
        settings = BM25Settings(**given | {"analyzer": AnalyzerSettings(**given["analyzer"])})
        postings = Postings(**{name: arrays[name] for name in Postings.__slots__})
        return cls(settings, analyzer, meta["terms"], postings, arrays["weights"], arrays["idf"])
