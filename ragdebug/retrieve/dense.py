"""Vector search by FAISS with cosines that are exact, ordered and never out of range.

FAISS finds the candidates (in single precision, in its own order of ties); their cosines are then
computed again in double precision from the stored vectors, so that equal vectors have equal scores
and the list is the same in every run. For the exact index the result is proved: a vector that
FAISS left out cannot have a cosine above the last candidate's plus the rounding error of a sum in
single precision, so where the k-th hit is not clearly above that, more candidates are looked at.

This is the only module that imports faiss.
"""

from __future__ import annotations

import copy
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import IndexNotReadable
from ragdebug.protocols import APPROXIMATE, ModelInfo, Progress, Vectors, silent
from ragdebug.records import Rows, Scores
from ragdebug.retrieve import saving
from ragdebug.retrieve.cosine import cosines, mismatch, unit
from ragdebug.retrieve.topk import best, no_rows
from ragdebug.settings import DenseSettings

FORMAT = "dense/1"
_FILE = "vectors.faiss"
_BATCH = 4096  # vectors that go into HNSW between two words of progress
_FEW = 2048  # so many vectors are compared faster than an index is asked with a filter
_FEWER_NOTE = "The HNSW index found {found} of {k} allowed chunks; they were compared one by one."


class _Index(Protocol):
    """What is used of a FAISS index, whose own stubs know half of it."""

    d: int
    ntotal: int

    def search(self, x: Vectors, k: int, *, params: object) -> tuple[Vectors, Rows]: ...


class DenseIndex:
    """Unit vectors of some or all chunks of a chunk table.

    Vectors are normalised when they come in. A chunk whose vector is zero (a text the model knows
    no word of) stays in the index with a cosine of 0; a query whose vector is zero finds nothing.
    Searches may run in several threads at once.

    Attributes:
        rows: shape (m,), int64, ascending: the chunk-table row of each stored vector.
        total: number of rows of the chunk table.
        model: the model the vectors are from.
        settings: exact or HNSW, and its constants.
    """

    def __init__(
        self, index: _Index, rows: Rows, total: int, model: ModelInfo, settings: DenseSettings
    ) -> None:
        self._index = index
        self.rows = rows
        self.total = total
        self.model = model
        self.settings = settings
        self._vectors = _stored(index)

    @classmethod
    def build(
        cls,
        vectors: Vectors,
        rows: Rows,
        total: int,
        model: ModelInfo,
        settings: DenseSettings,
        progress: Progress = silent,
    ) -> DenseIndex:
        """Index vectors; they are copied once, into the index.

        Args:
            vectors: shape (m, d), float32, of any length.
            rows: shape (m,), int64, the chunk-table row of each, every row at most once.
            total: number of rows of the chunk table; where m is smaller the index is partial.
            model: the model the vectors are from.
            settings: exact or HNSW, and its constants.
            progress: called with vectors in the index; HNSW takes a minute for 100,000.

        Raises:
            ModelMismatch: d is not the model's dimension.
            ModelError: a vector holds NaN or an infinite number.
        """
        faiss = _faiss()
        rows = np.array(rows, np.int64)
        width = np.shape(vectors)[-1] if len(rows) else model.dimension
        vectors = np.asarray(vectors, np.float32).reshape(len(rows), width)
        if model.dimension not in (0, width):
            raise mismatch(model, f"vectors of {width} dimensions")
        assert len(np.unique(rows)) == len(rows), "a chunk has two vectors"
        assert not len(rows) or (rows.min() >= 0 and rows.max() < total), "row out of range"
        if np.any(rows[1:] < rows[:-1]):
            order = np.argsort(rows)
            rows, vectors = rows[order], vectors[order]
        if settings.index == "hnsw":
            index = faiss.IndexHNSWFlat(width, settings.hnsw_m, faiss.METRIC_INNER_PRODUCT)
            index.hnsw.efConstruction = max(64, 2 * settings.hnsw_m)
        else:
            index = faiss.IndexFlatIP(width)
        normal = unit(vectors, model)
        step, what = max(1, len(rows)), "vectors indexed"
        if settings.index == "hnsw":
            step, what = _BATCH, APPROXIMATE
        for at in range(0, len(rows), step):
            progress(at, len(rows), what)
            index.add(normal[at : at + step])
        return cls(index, rows, total, model, settings)

    def with_ef_search(self, ef_search: int) -> DenseIndex:
        """The same index, searched with another efSearch; nothing is built or copied."""
        same = copy.copy(self)
        same.settings = replace(self.settings, ef_search=ef_search)
        return same

    # Searching ------------------------------------------------------------------------------------

    @property
    def indexed(self) -> float:
        """Share of the chunk table that has a vector, 0 to 1; 1 for an empty table."""
        return self.share(None)

    def share(self, mask: NDArray[np.bool_] | None) -> float:
        """Share of the allowed chunks that has a vector, 0 to 1; 1 when none is allowed."""
        if mask is None:
            return len(self.rows) / self.total if self.total else 1.0
        allowed = int(np.count_nonzero(mask))
        return int(np.count_nonzero(mask[self.rows])) / allowed if allowed else 1.0

    def check(self, model: ModelInfo) -> None:
        """Refuse a model other than the one the vectors are from, also one of the same width.

        Raises:
            ModelMismatch: naming both models and their widths.
        """
        mine = self.model
        if (model.fingerprint, model.dimension) != (mine.fingerprint, mine.dimension):
            raise mismatch(mine, f"{model.name} ({model.dimension} dimensions)", model.name)

    def search(
        self, query_vector: Vectors, k: int, mask: NDArray[np.bool_] | None = None
    ) -> tuple[Rows, Scores]:
        """The `k` nearest chunks by cosine among those that `mask` lets through.

        Args:
            query_vector: shape (d,), of the same model.
            k: may be more than there are; no row is made up.
            mask: shape (total,), True for chunks that may be found; None for all.

        Returns:
            Rows and cosines in [-1, 1], best first, ties by ascending row.

        Raises:
            ModelMismatch: the query's vector has another width.
        """
        return self.search_with_note(query_vector, k, mask)[:2]

    def search_with_note(
        self, query_vector: Vectors, k: int, mask: NDArray[np.bool_] | None = None
    ) -> tuple[Rows, Scores, str]:
        """`search`, and a sentence for the user where HNSW had to be helped ("" otherwise)."""
        query = self._query(query_vector)
        return self._search(query[None], k, mask)[0]

    def search_many(
        self, query_vectors: Vectors, k: int, mask: NDArray[np.bool_] | None = None
    ) -> list[tuple[Rows, Scores]]:
        """`search` for each row of `query_vectors`, shape (q, d), faster than one by one."""
        if not len(query_vectors):
            return []
        queries = np.stack([self._query(q) for q in query_vectors])
        return [(rows, scores) for rows, scores, _ in self._search(queries, k, mask)]

    def scores(self, query_vector: Vectors) -> Scores:
        """Cosines of all chunks, shape (total,), float64, NaN where a chunk has no vector."""
        result = np.full(self.total, np.nan)
        query = self._query(query_vector)
        result[self.rows] = cosines(self._vectors, np.arange(len(self.rows)), query)
        return result

    def _search(
        self, queries: Vectors, k: int, mask: NDArray[np.bool_] | None
    ) -> list[tuple[Rows, Scores, str]]:
        assert mask is None or len(mask) == self.total, "the mask is not of this chunk table"
        allowed = np.arange(len(self.rows)) if mask is None else np.flatnonzero(mask[self.rows])
        k = min(k, len(allowed))
        everything = len(allowed) <= max(_FEW if mask is not None else 0, 2 * k)
        found = None if everything or k <= 0 else self._candidates(queries, k + 16, allowed)
        return [
            self._hits(query, k, allowed, None if found is None else (found[0][i], found[1][i]))
            for i, query in enumerate(queries)
        ]

    def _hits(
        self, query: Vectors, k: int, allowed: Rows, found: tuple[Vectors, Rows] | None
    ) -> tuple[Rows, Scores, str]:
        """The k best for one query, from the candidates where they are enough, else from all."""
        if k <= 0 or not query.any():
            return (*no_rows(), "")
        note = ""
        if found is not None and self.settings.index == "hnsw":
            at = found[1][found[1] >= 0]
            if len(at) >= k:
                return (*best(self.rows[at], cosines(self._vectors, at, query), k), "")
            note = _FEWER_NOTE.format(found=len(at), k=k)
        elif found is not None:
            hits = self._proved(query, k, *found)
            if hits is None:
                products, at = self._candidates(query[None], 4 * k + 256, allowed)
                hits = self._proved(query, k, products[0], at[0])
            if hits is not None:
                return (*hits, "")
        return (*best(self.rows[allowed], cosines(self._vectors, allowed, query), k), note)

    def _proved(
        self, query: Vectors, k: int, products: Vectors, at: Rows
    ) -> tuple[Rows, Scores] | None:
        """The k best of an exact index's candidates, or None where others might be as good."""
        rows, scores = best(self.rows[at], cosines(self._vectors, at, query), k)
        # Rounding error of a product of two unit vectors, summed in single precision.
        error = (self._vectors.shape[1] + 2) * 2.0**-24
        return (rows, scores) if scores[-1] > products.min() + error else None

    def _candidates(self, queries: Vectors, k: int, allowed: Rows) -> tuple[Vectors, Rows]:
        """What FAISS finds: products and positions, shape (q, k), position -1 for nothing."""
        faiss = _faiss()
        selector = None
        if len(allowed) < len(self.rows):
            bits = np.zeros(len(self.rows), bool)
            bits[allowed] = True
            selector = faiss.IDSelectorBitmap(np.packbits(bits, bitorder="little"))
        k = min(k, len(allowed))
        if self.settings.index == "hnsw":
            width = max(self.settings.ef_search, k)
            params = faiss.SearchParametersHNSW(sel=selector, efSearch=width)
        else:
            params = faiss.SearchParameters(sel=selector)
        return self._index.search(queries, k, params=params)

    def _query(self, vector: Vectors) -> Vectors:
        vector = np.asarray(vector, np.float32).reshape(-1)
        if len(vector) != self._vectors.shape[1]:
            raise mismatch(self.model, f"a query of {len(vector)} dimensions")
        normal: Vectors = unit(vector[None], self.model)[0]
        return normal

    # Keeping --------------------------------------------------------------------------------------

    def save(self, folder: Path) -> None:
        """Write the index as a folder, replacing what is there."""
        faiss = _faiss()
        with saving.new_folder(Path(folder)) as fresh:
            faiss.write_index(self._index, str(fresh / _FILE))
            meta = {
                "format": FORMAT,
                "model": asdict(self.model),
                "settings": asdict(self.settings),
                "total": self.total,
                "size": (fresh / _FILE).stat().st_size,
            }
            saving.write(fresh, meta, {"rows": self.rows})

    @classmethod
    def load(cls, folder: Path, model: ModelInfo) -> DenseIndex:
        """Open a saved index for queries of `model`; vectors stay in their file until touched.

        Raises:
            IndexNotReadable: nothing there, or damaged.
            ModelMismatch: the index is of another model, revision or width. It is left as it is.
        """
        faiss = _faiss()

        folder = Path(folder)
        meta = saving.read_meta(folder)
        arrays = saving.read_arrays(folder, meta)
        try:
            if meta["format"] != FORMAT or (folder / _FILE).stat().st_size != meta["size"]:
                raise ValueError(f"{_FILE} is not the file that was saved")
            built = ModelInfo(**meta["model"] | {"languages": tuple(meta["model"]["languages"])})
            settings = DenseSettings(**meta["settings"])
            index = faiss.read_index(str(folder / _FILE), faiss.IO_FLAG_MMAP_IFC)
        except (OSError, ValueError, KeyError, TypeError, RuntimeError) as e:
            raise IndexNotReadable(
                f"The saved index {folder.name} cannot be read: {e}.", hint="Build the index again."
            ) from e
        result = cls(index, arrays["rows"], meta["total"], built, settings)
        result.check(model)
        return result


def _faiss() -> ModuleType:
    import faiss

    module: ModuleType = faiss
    return module


def _stored(index: _Index) -> Vectors:
    """The vectors inside an index, shape (m, d), float32, not copied."""
    faiss = _faiss()
    if not index.ntotal:
        return np.empty((0, index.d), np.float32)
    flat = faiss.downcast_index(getattr(index, "storage", index))
    view: Vectors = faiss.rev_swig_ptr(flat.get_xb(), index.ntotal * index.d)
    return view.reshape(index.ntotal, index.d)
