"""Bring pieces in: read the file, find their documents, make those that are not here, place all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ragdebug.errors import ModelError, ModelMismatch, NotBrought
from ragdebug.model_files import info as model_info
from ragdebug.model_files import known as known_models
from ragdebug.pieces import PieceFile, read_pieces
from ragdebug.protocols import Progress, Vectors, silent, text_hash
from ragdebug.settings import fingerprint
from ragdebug.store.pieces import KeptPiece, PieceSet
from ragdebug.workbench.indexing import names_of
from ragdebug.workbench.pieces.made_documents import MadeDocuments, as_document
from ragdebug.workbench.pieces.reporting import report
from ragdebug.workbench.pieces.reports import PieceReport
from ragdebug.workbench.pieces.set_names import no_name, piece_name, stem
from ragdebug.workbench.pieces.sourcing import MADE
from ragdebug.workbench.remote import RemoteModels


class Pieces(MadeDocuments, RemoteModels):
    """Use cases of pieces that another system cut."""

    def import_pieces(
        self,
        file: str | Path | tuple[str, bytes],
        name: str = "",
        *,
        columns: Mapping[str, str] | None = None,
        model: str = "",
        dry_run: bool = False,
        progress: Progress = silent,
    ) -> PieceReport:
        """Bring in a file of pieces as the chunking ``imported:NAME``.

        A set that has the name already is replaced and can be brought back.

        Args:
            file: a path, or name and bytes: JSON Lines, JSON, CSV, TSV, Parquet.
            name: of the chunking; that of the file when empty.
            columns: role -> column where the names do not tell, see `read_pieces`.
            model: which embedding model the given vectors are of.
            dry_run: only say what would be there.
            progress: pieces read, documents placed.

        Raises:
            InvalidSetting: a name that cannot be one.
            DocumentError: the file cannot be read; ColumnNotFound: no column holds text.
        """
        path, data = file if isinstance(file, tuple) else (str(file), file)
        source = re.split(r"[\\/]", path)[-1]
        read = read_pieces(data, source, columns, progress)
        return self.add_pieces(read, name or stem(source), source, model, dry_run, progress)

    def add_pieces(
        self,
        read: PieceFile,
        name: str,
        source: str,
        model: str = "",
        dry_run: bool = False,
        progress: Progress = silent,
        about: Mapping[str, object] | None = None,
    ) -> PieceReport:
        """The same for pieces that are read already. `about` is kept with the set."""
        name = piece_name(name)
        if ":" in name:  # names of the sets that lists and searchers keep
            raise no_name(name)
        if model:
            model = _model_name(model)
        vectors = read.vectors
        content = [(p.text, p.source, p.id, p.page, p.start, p.end, *p.metadata.items()) for p in
                   read.pieces]  # fmt: skip
        made = PieceSet(
            id=fingerprint([name, model, _digest(vectors), text_hash(repr(content))]),
            name=name,
            file=source,
            model=model if vectors is not None else "",
            dimension=0 if vectors is None else int(vectors.shape[1]),
            pieces=len(read.pieces),
            about={
                "columns": dict(read.columns),
                "problems": [[p.line, p.message] for p in read.problems[:200]],
                **(about or {}),
            },
        )
        with self._turn(progress):
            documents, notes, created = self._documents_of(read.pieces, made, progress)
            kept = [
                KeptPiece(at, d, p.source, p.id, p.text, p.start, p.end, p.page, dict(p.metadata))
                for at, (p, d) in enumerate(zip(read.pieces, documents, strict=True))
            ]
            if not dry_run:
                created = self._counted(created, progress)
                # All or nothing: documents of a set that is not there would be nobody's.
                with self.store.facts.transaction():
                    self.store.documents.save(created)
                    self._take_out_made(made.name, {d.id for d in created})
                    self.store.pieces.add(made, kept, vectors)
        parsed = {d.id: as_document(d) for d in created}
        return report(
            made,
            kept,
            lambda document: parsed.get(document) or self.document(document),
            [d.source for d in created],
            [*notes, *self._vector_notes(made, vectors)],
            dry_run,
            progress,
        )

    @staticmethod
    def piece_name(file: str) -> str:
        """What the chunks of a file are called when nobody says."""
        return stem(file)

    def piece_sets(self, removed: bool = False) -> list[PieceSet]:
        """Sets of pieces by name, without those of lists and searchers; or the removed ones."""
        return [s for s in self.store.pieces.sets(removed) if ":" not in s.name]

    def piece_report(self, name: str, progress: Progress = silent) -> PieceReport:
        """How the pieces of a set stand in the documents as they are now.

        Raises:
            NotBrought: there is no such set.
        """
        found = self._set_of(name)
        active = {d.id: d for d in self._active()}
        kept = [p for p in self.store.pieces.pieces(found.id) if p.document in active]
        made = sorted(
            {active[p.document].source for p in kept if active[p.document].origin == MADE}
        )
        gone = found.pieces - len(kept)
        notes = [f"{gone:,} chunks belong to documents that were taken out."] if gone else []
        return report(found, kept, self.document, made, notes, False, progress)

    def remove_pieces(self, name: str) -> None:
        """Take a set out of use; the documents stay.

        Raises:
            NotBrought: there is no such set.
        """
        self._set_of(name)
        self.store.pieces.remove(name)

    def restore_pieces(self, set_id: str) -> None:
        """Bring a set back, in place of the one that has its name now.

        Raises:
            NotBrought: no removed set has this id.
        """
        own = self.store.pieces.documents(set_id)
        gone = [d.id for d in self._removed() if d.origin == MADE and d.id in own]
        with self.store.facts.transaction():
            if not self.store.pieces.restore(set_id):
                raise NotBrought(f"No removed set of chunks has the id {set_id}.")
            self.store.documents.restore(gone)

    def set_pieces_model(self, name: str, model: str) -> PieceSet:
        """Say which model the given vectors of a set are of.

        Raises:
            NotBrought: there is no such set.
            ModelMismatch: the vectors cannot be of this model.
        """
        found, model = self._set_of(name), _model_name(model)
        dimension = self._dimension_of(model)
        if found.dimension and dimension not in (None, found.dimension):
            raise ModelMismatch(
                f"The vectors of {name} have {found.dimension} dimensions, and {model} has"
                f" {dimension}: they cannot be of this model.",
                hint="Name the model that made them.",
            )
        self.store.pieces.set_model(name, model)
        self.indexes.forget()
        return self.pieces.set(name)

    def model_of_pieces(self, name: str) -> str:
        """The model of a set's given vectors as strategies call it; "" where it is not here.

        Raises:
            NotBrought: there is no such set.
        """
        own = self._set_of(name).model
        known = [*known_models(), *self.remote_infos()]
        return next((i.name for i in known if own in names_of(i)), "") if own else ""

    def _set_of(self, name: str) -> PieceSet:
        """A set that was brought in as one; those of lists and searchers are theirs."""
        if ":" in name:
            raise NotBrought(f"There is no set of chunks {name} here.")
        return self.pieces.set(name)

    # Vectors --------------------------------------------------------------------------------------

    def _dimension_of(self, model: str) -> int | None:
        """Length of a model's vectors, by its name here or at its server; None where it is away."""
        try:
            return model_info(model).dimension
        except ModelError:
            registered = (i for i in self.remote_infos() if model in names_of(i))
            return next((i.dimension for i in registered), None)

    def _vector_notes(self, made: PieceSet, vectors: Vectors | None) -> list[str]:
        if vectors is None:
            return []
        there = np.isfinite(vectors).all(axis=1)
        notes = []
        if not there.all():
            notes.append(
                f"{int((~there).sum()):,} of {len(vectors):,} chunks have no vector; with the same"
                " model they are embedded here."
            )
        lengths = np.linalg.norm(vectors[there].astype(np.float64), axis=1)
        if len(lengths) and not np.allclose(lengths, 1, atol=1e-2):
            notes.append(
                f"The vectors are {lengths.min():.3g} to {lengths.max():.3g} long; they are"
                " compared by the cosine, as if each were 1 long."
            )
        if not made.model:
            notes.append(
                "The file has vectors, but not which model they are of: they are kept and not used."
                f" Say it with: ragdebug pieces model {made.name!r} MODEL"
            )
            return notes
        dimension = self._dimension_of(made.model)
        if dimension is None:
            notes.append(
                f"The vectors are of {made.model}, which is not here: without it no query can be"
                " compared with them. If it stands behind an address, add it with: ragdebug models"
                " add"
            )
        else:
            if dimension != made.dimension:
                notes.append(
                    f"The vectors have {made.dimension} dimensions, and {made.model} has"
                    f" {dimension}: they cannot be of this model, and are not used."
                )
        return notes


def _model_name(model: str) -> str:
    """The name as the program writes it, where it knows the model."""
    try:
        return model_info(model).name
    except ModelError:
        return model.strip()


def _digest(vectors: Vectors | None) -> str:
    if vectors is None:
        return ""
    return text_hash(str(vectors.shape)) + text_hash(vectors.tobytes().hex())
