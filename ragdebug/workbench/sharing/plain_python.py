"""A strategy as a folder of plain Python that gives the same hits without this program."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import InvalidSetting, RagDebugError
from ragdebug.model_files import info as model_info
from ragdebug.model_files import well_formed
from ragdebug.protocols import Progress, silent
from ragdebug.retrieve.cosine import unit
from ragdebug.settings import LISTS, StrategySettings
from ragdebug.table import ChunkTable
from ragdebug.workbench.search import Search
from ragdebug.workbench.sharing.model_code import embedder_code, reranker_code
from ragdebug.workbench.sharing.search_script import Facts, search_script
from ragdebug.workbench.sharing.terms_script import terms_files

FEW = 2048  # so many chunks of a filter are compared one by one, whatever the index


@dataclass(frozen=True, slots=True)
class PlainExport:
    """A strategy as files that run by themselves: ``python search.py "a question"``.

    Attributes:
        strategy: text form.
        files: name -> bytes; search.py, chunks.jsonl and what they need.
    """

    strategy: str
    files: Mapping[str, bytes]

    def write(self, folder: Path) -> None:
        """Write the files into a folder, which is made; one that holds anything is refused.

        Raises:
            RagDebugError: the folder is not empty.
        """
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise RagDebugError(
                f"The folder {folder} is not empty; nothing was written.",
                title="Code not written",
                hint="Name a new folder.",
            )
        for name, data in self.files.items():
            (folder / name).write_bytes(data)

    def zip(self) -> bytes:
        """The files as one zip archive."""
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in self.files.items():
                archive.writestr(name, data)
        return made.getvalue()


class PlainPython(Search):
    """Use cases of strategies as plain Python."""

    @staticmethod
    def no_plain_python(strategy: StrategySettings) -> str:
        """Why a strategy cannot be plain Python, as far as its settings tell; "" where it can."""
        try:
            _refuse_outside(strategy)
        except RagDebugError as error:
            return error.message
        return ""

    def plain_python(
        self, strategy: StrategySettings | str, progress: Progress = silent
    ) -> PlainExport:
        """A strategy over the present corpus as plain Python; missing vectors are made first.

        Raises:
            InvalidSetting: a strategy that cannot be exported, with the reason.
            ModelError: a model that is not here.
        """
        made = StrategySettings.parse(strategy) if isinstance(strategy, str) else strategy
        _refuse_outside(made)
        table = self.chunk_table(made.chunking, progress)
        mask = self._resources(made, progress).mask
        if not len(table) or (mask is not None and not mask.any()):
            raise _refused(
                "The filter lets no document through." if len(table) else "There is no document.",
                "",
            )
        analyzer = self.indexes.analyzer(made.bm25)
        facts = _facts(made, len(table), mask, analyzer.stems)
        files: dict[str, bytes] = {}
        if "vector" in facts.lists:
            files |= self._vector_files(facts, table, progress)
        terms: list[list[str]] | None = None
        if "bm25" in facts.lists:
            terms = [analyzer.terms(text) for text in table.index_texts()]
            vocabulary = {term for found in terms for term in found}
            if not vocabulary:
                raise _refused("No document holds a word that is searched for.", "")
            code = terms_files(analyzer, vocabulary)
            files |= {name: text.encode() for name, text in code.items()}
        lines = "".join(f"{line}\n" for line in _lines(table, mask, terms))
        script = search_script(facts)
        files = {"search.py": script.encode(), "chunks.jsonl": lines.encode(), **files}
        return PlainExport(str(made), files)

    def _vector_files(
        self, facts: Facts, table: ChunkTable, progress: Progress
    ) -> dict[str, bytes]:
        strategy = facts.strategy
        self.build(strategy.chunking, strategy.embedder, progress)
        model = model_info(strategy.embedder)
        rows, vectors = self.indexes.vectors(table, model)
        assert len(rows) == len(table), "built just now"
        out = io.BytesIO()
        np.save(out, unit(vectors, model))
        files = {"vectors.npy": out.getvalue()}
        if facts.hnsw:
            index = self.indexes.complete(table, strategy.embedder, strategy.dense)
            with tempfile.TemporaryDirectory() as folder:
                index.save(Path(folder) / "index")
                files["vectors.faiss"] = (Path(folder) / "index" / "vectors.faiss").read_bytes()
        return files


def _refused(message: str, hint: str) -> InvalidSetting:
    return InvalidSetting(message, title="No plain Python of this", hint=hint)


def _refuse_outside(strategy: StrategySettings) -> None:
    if strategy.is_outside:
        raise _refused(
            f"{strategy.title} is another system's; there is nothing here to write down.",
            "Export a strategy that is searched here: vector, bm25, hybrid or reranked.",
        )
    models = [strategy.embedder] if strategy.uses_vectors else []
    models += [strategy.rerank.model] if strategy.preset == "reranked" else []
    for name in models:
        if model_info(name).remote:
            raise _refused(
                f"{name} is behind an address and asks for a key, which no file may hold.",
                "Export the strategy with a model that is on this machine.",
            )


def _facts(
    strategy: StrategySettings, chunks: int, mask: NDArray[np.bool_] | None, stems: bool
) -> Facts:
    fuses = strategy.preset in ("hybrid", "reranked")
    counted = [name for name in LISTS if strategy.fusion.weight(name) > 0]
    lists = tuple(counted) if fuses else (strategy.preset,)
    depth = max(strategy.depth, strategy.k)
    allowed = chunks if mask is None else int(mask.sum())
    # As in `retrieve.dense`: few chunks are compared one by one, which is exact.
    hnsw = strategy.dense.index == "hnsw" and allowed > max(
        2 * depth, FEW if mask is not None else 0
    )
    if hnsw and mask is not None and "vector" in lists:
        raise _refused(
            f"An HNSW index with a filter that lets {allowed:,} chunks through is not exported.",
            "Use the exact index (index=exact), or no filter.",
        )
    embedder = strategy.embedder if "vector" in lists else ""
    reranker = None
    if strategy.preset == "reranked" and strategy.rerank.model != "identity":
        reranker = reranker_code(strategy.rerank.model, embedder)
    model = model_info(embedder) if embedder else None
    return Facts(
        strategy=strategy,
        chunks=chunks,
        lists=lists,
        stems=stems,
        hnsw=hnsw and "vector" in lists,
        embedder=embedder_code(embedder) if embedder else None,
        prompts=(model.query_prompt, model.passage_prompt) if model else ("", ""),
        reranker=reranker,
    )


def _lines(
    table: ChunkTable, mask: NDArray[np.bool_] | None, terms: list[list[str]] | None
) -> Iterator[str]:
    """One JSON object a chunk, in the order of the table: by source, start and end."""
    for row in range(len(table)):
        chunk = table.chunk(row)
        made: dict[str, object] = {
            "id": chunk.id,
            "source": chunk.source,
            "start": chunk.start,
            "end": chunk.end,
            "text": well_formed(chunk.text),
            "index_text": well_formed(chunk.index_text),
        }
        if mask is not None:
            made["allowed"] = bool(mask[row])
        if terms is not None:
            made["terms"] = list(map(well_formed, terms[row]))
        yield json.dumps(made, ensure_ascii=False)
