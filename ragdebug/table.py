"""Chunks in columns: one document's, and a whole corpus' under one chunking.

A hundred thousand chunk objects would cost more than their texts. A table keeps numbers in arrays,
each distinct label once, and the texts where they are: in the documents, fetched when needed.
Rows are in the order (source, start, end), so a lower row is the tie-breaker of every ranking.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragdebug import array_files
from ragdebug.records import Chunk, Document, Page, Rows

Ints = NDArray[np.int32]
TextOf = Callable[[str, str], str]

_PATH = "\x1f"  # between the titles of a section path, inside one string


def text_digest(text: str) -> bytes:
    """Sixteen bytes that stand for a text; the key of vectors and scores."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class DocumentChunks:
    """The chunks of one document version, in columns; n is their number.

    Attributes:
        spans: shape (n, 2), returned spans; below 0 for a piece that is not placed, see `Chunk`.
        index_spans: shape (n, 2), spans that are indexed; -1, -1 where they are the returned ones.
            An empty one says that `context` alone is indexed: a piece in another system's words.
        size: shape (n,), in the chunking's unit.
        page: shape (n,), sheet number of the chunk's start; 0 when the document has no pages.
        label: shape (n,), position in `strings`; so are `context`, `section` and `page_label`.
        strings: distinct texts; a section path has its titles joined by U+001F.
        digests: shape (n, 16), uint8, `text_digest` of each index text.
    """

    spans: Ints
    index_spans: Ints
    size: Ints
    page: Ints
    label: Ints
    context: Ints
    section: Ints
    page_label: Ints
    digests: NDArray[np.uint8]
    strings: tuple[str, ...]

    COLUMNS = (
        "spans", "index_spans", "size", "page", "label", "context", "section", "page_label",
        "digests",
    )  # fmt: skip

    def __len__(self) -> int:
        return len(self.size)

    @classmethod
    def of(
        cls, chunks: Sequence[Chunk], index_spans: Sequence[tuple[int, int]] = ()
    ) -> DocumentChunks:
        """Put the chunks of one document into columns, in the order given."""
        strings: dict[str, int] = {}

        def column(values: Iterator[str]) -> Ints:
            return np.array([strings.setdefault(v, len(strings)) for v in values], np.int32)

        n = len(chunks)
        return cls(
            spans=np.array([(c.start, c.end) for c in chunks], np.int32).reshape(n, 2),
            index_spans=np.array(index_spans or [(-1, -1)] * n, np.int32).reshape(n, 2),
            size=np.array([c.size for c in chunks], np.int32),
            page=np.array([c.page or 0 for c in chunks], np.int32),
            label=column(c.label for c in chunks),
            context=column(c.context for c in chunks),
            section=column(_PATH.join(c.section) for c in chunks),
            page_label=column(c.page_label for c in chunks),
            digests=np.frombuffer(
                b"".join(text_digest(c.index_text) for c in chunks), np.uint8
            ).reshape(n, 16),
            strings=tuple(strings),
        )


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """A document in a table: enough to name it and to fetch its text."""

    id: str
    version: str
    source: str


def page_at(pages: Sequence[Page], position: int) -> Page | None:
    """The page that holds a position (the earlier one at a border of empty pages)."""
    low, high = 0, len(pages)
    while low < high:
        middle = (low + high) // 2
        if pages[middle].end <= position:
            low = middle + 1
        else:
            high = middle
    return pages[low] if low < len(pages) else (pages[-1] if pages else None)


class ChunkTable:
    """All chunks of a corpus under one chunking.

    Args:
        fingerprint: of corpus and chunking; names the saved indexes.
        chunking: its text form.
        documents: in the order of their sources.
        parts: the chunks of each document, same order.
        text_of: gives the canonical text of (document, version).
        compose: joins label, context and text to an index text.
    """

    def __init__(
        self,
        fingerprint: str,
        chunking: str,
        documents: Sequence[DocumentRef],
        parts: Sequence[DocumentChunks],
        text_of: TextOf,
        compose: Callable[[str, str, str], str],
    ) -> None:
        self.fingerprint = fingerprint
        self.chunking = chunking
        self.documents = tuple(documents)
        lengths = [len(p) for p in parts]
        self.first_row: Rows = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self.document_of: Ints = np.repeat(np.arange(len(parts), dtype=np.int32), lengths)
        strings: dict[str, int] = {}
        maps = [
            np.array([strings.setdefault(s, len(strings)) for s in p.strings], np.int32)
            for p in parts
        ]

        def stack(name: str) -> NDArray[np.int32]:
            shape = (0, 2) if name.endswith("spans") else (0,)
            return np.concatenate([np.zeros(shape, np.int32), *(getattr(p, name) for p in parts)])

        def stack_strings(name: str) -> Ints:
            columns = [m[getattr(p, name)] for m, p in zip(maps, parts, strict=True) if len(p)]
            return np.concatenate([np.zeros(0, np.int32), *columns])

        self.spans = stack("spans")
        self.index_spans = stack("index_spans")
        self.size = stack("size")
        self.page = stack("page")
        self._label = stack_strings("label")
        self._context = stack_strings("context")
        self._section = stack_strings("section")
        self._page_label = stack_strings("page_label")
        self.digests: NDArray[np.uint8] = np.concatenate(
            [np.zeros((0, 16), np.uint8), *(p.digests for p in parts)]
        )
        self._strings = tuple(strings)
        self._text_of = text_of
        self._compose = compose
        self._position = {d.id: i for i, d in enumerate(self.documents)}

    def __len__(self) -> int:
        return len(self.size)

    def rows_of(self, document: str) -> range:
        """Rows of one document's chunks; empty when it is not in the table."""
        at = self._position.get(document)
        if at is None:
            return range(0)
        return range(int(self.first_row[at]), int(self.first_row[at + 1]))

    def document(self, row: int) -> DocumentRef:
        """The document of a chunk."""
        return self.documents[int(self.document_of[row])]

    def hash(self, row: int) -> str:
        """Hexadecimal digest of a chunk's index text."""
        digest: bytes = self.digests[row].tobytes()
        return digest.hex()

    @cached_property
    def distinct(self) -> int:
        """Number of different index texts."""
        return len(np.unique(np.ascontiguousarray(self.digests).view("V16")))

    def hashes(self) -> list[str]:
        """`hash` of every row."""
        data = self.digests.tobytes().hex()
        return [data[i : i + 32] for i in range(0, len(data), 32)]

    def index_text(self, row: int) -> str:
        """What is embedded and indexed for a chunk."""
        ref = self.document(row)
        return self._index_text(row, self._text_of(ref.id, ref.version))

    def _index_text(self, row: int, text: str) -> str:
        start, end = self.index_spans[row].tolist()
        if start < 0:
            start, end = self.spans[row].tolist()
        label = self._strings[self._label[row]]
        context = self._strings[self._context[row]]
        return self._compose(label, context, text[start:end])

    def index_texts(self) -> Iterator[str]:
        """All index texts in row order; each document's text is fetched once."""
        for at, ref in enumerate(self.documents):
            rows = range(int(self.first_row[at]), int(self.first_row[at + 1]))
            if rows:
                text = self._text_of(ref.id, ref.version)
                for row in rows:
                    yield self._index_text(row, text)

    def chunk_id(self, row: int) -> str:
        """A chunk's id, without fetching its text."""
        ref = self.document(row)
        start, end = self.spans[row].tolist()
        if start < 0:
            return f"{ref.id}.{ref.version[:8]}:not-placed-{-end}"
        inner = self.index_spans[row].tolist()
        tail = f"/{inner[0]}-{inner[1]}" if 0 <= inner[0] < inner[1] else ""
        return f"{ref.id}.{ref.version[:8]}:{start}-{end}{tail}"

    def placed(self, row: int) -> bool:
        """Whether a chunk has a span in its document."""
        return int(self.spans[row, 0]) >= 0

    @cached_property
    def not_placed(self) -> int:
        """How many pieces of another system have no span."""
        return int((self.spans[:, 0] < 0).sum())

    def given_text(self, row: int) -> str | None:
        """The words of another system's piece where they are not its span's; else None."""
        start, end = self.index_spans[row].tolist()
        return self._strings[self._context[row]] if 0 <= start == end else None

    def chunk(self, row: int) -> Chunk:
        """One row as a record."""
        ref = self.document(row)
        text = self._text_of(ref.id, ref.version)
        start, end = self.spans[row].tolist()
        section = self._strings[self._section[row]]
        given = self.given_text(row)
        return Chunk(
            id=self.chunk_id(row),
            document=ref.id,
            version=ref.version,
            source=ref.source,
            start=start,
            end=end,
            index_text=self._index_text(row, text),
            text=text[start:end] if start >= 0 else given or "",
            label=self._strings[self._label[row]],
            context="" if given is not None else self._strings[self._context[row]],
            section=tuple(section.split(_PATH)) if section else (),
            page=int(self.page[row]) or None,
            page_label=self._strings[self._page_label[row]],
            size=int(self.size[row]),
        )

    def section(self, row: int) -> tuple[str, ...]:
        """Section path of a chunk, without fetching its text."""
        section = self._strings[self._section[row]]
        return tuple(section.split(_PATH)) if section else ()

    def save(self, folder: Path) -> None:
        """Write the table as plain arrays and one JSON file."""
        folder.mkdir(parents=True, exist_ok=True)
        meta = {
            "fingerprint": self.fingerprint,
            "chunking": self.chunking,
            "documents": [[d.id, d.version, d.source] for d in self.documents],
            "strings": list(self._strings),
        }
        array_files.write(folder, meta, self._arrays())

    @classmethod
    def load(
        cls, folder: Path, text_of: TextOf, compose: Callable[[str, str, str], str]
    ) -> ChunkTable:
        """Read a saved table.

        Raises:
            IndexNotReadable: it is not there, not whole, or has changed.
        """
        meta = array_files.read_meta(folder)
        table = cls(meta["fingerprint"], meta["chunking"], (), (), text_of, compose)
        table.documents = tuple(DocumentRef(*d) for d in meta["documents"])
        table._strings = tuple(meta["strings"])
        table._position = {d.id: i for i, d in enumerate(table.documents)}
        for name, array in array_files.read_arrays(folder, meta, mapped=False).items():
            setattr(table, _ATTRIBUTE.get(name, name), array)
        return table

    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        names = (
            "first_row", "document_of", "spans", "index_spans", "size", "page", "label",
            "context", "section", "page_label", "digests",
        )  # fmt: skip
        return {name: getattr(self, _ATTRIBUTE.get(name, name)) for name in names}


_ATTRIBUTE = {n: f"_{n}" for n in ("label", "context", "section", "page_label")}


def with_pages(chunks: Sequence[Chunk], document: Document) -> list[Chunk]:
    """The same chunks with the page each one starts on."""
    pages = document.parsed.pages
    if not pages:
        return list(chunks)
    result = []
    for chunk in chunks:
        page = page_at(pages, chunk.start)
        if page is None:
            result.append(chunk)
        else:
            result.append(replace(chunk, page=page.number, page_label=page.label))
    return result
