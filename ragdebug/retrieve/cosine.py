"""Cosines that do not depend on where a vector stands, and the refusal of what has none."""

from __future__ import annotations

import numpy as np

from ragdebug.errors import ModelError, ModelMismatch
from ragdebug.protocols import ModelInfo, Vectors
from ragdebug.records import Rows, Scores

_BLOCK = 1024


def unit(vectors: Vectors, model: ModelInfo) -> Vectors:
    """The vectors at unit length; the same array where they are so already."""
    squares = np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64)
    if not np.isfinite(squares).all():
        row = int(np.flatnonzero(~np.isfinite(squares))[0])
        raise ModelError(
            f"{model.name} gave a vector with NaN or infinite numbers (number {row + 1}).",
            hint="Use another model; vectors like this one cannot be compared.",
        )
    if np.all((np.abs(squares - 1) < 1e-6) | (squares == 0)):
        return np.ascontiguousarray(vectors)
    norms = np.sqrt(np.where(squares > 0, squares, 1.0))
    return np.divide(vectors, norms[:, None].astype(np.float32), dtype=np.float32)


def cosines(vectors: Vectors, positions: Rows, query: Vectors) -> Scores:
    """Cosines of unit vectors with a unit query, in double precision, never outside [-1, 1].

    Args:
        vectors: shape (m, d), float32.
        positions: shape (n,), which of them.
        query: shape (d,), float32.

    Returns:
        Shape (n,), float64; the same number for equal vectors.
    """
    wide = query.astype(np.float64)
    result = np.empty(len(positions))
    # All candidates of a small index may be as many as there are vectors, in another order.
    everything = len(positions) == len(vectors) and bool(
        (positions == np.arange(len(vectors))).all()
    )
    for start in range(0, len(positions), _BLOCK):
        part = slice(start, start + _BLOCK)
        some = vectors[part] if everything else vectors[positions[part]]
        # Not a matrix product: the order of its sums depends on where a row stands.
        result[part] = (some * wide).sum(axis=1)
    return np.clip(result, -1.0, 1.0, out=result)


def mismatch(mine: ModelInfo, other: str, other_name: str = "") -> ModelMismatch:
    """The error for an index of the model `mine` that was asked with something else.

    Args:
        mine: the model of the index.
        other: what it was asked with, and its width.
        other_name: the other model's name, where it is known.
    """
    note = " of another revision or with other prompts" if other_name == mine.name else ""
    rebuild = f"Build the index again with {other_name}" if other_name else "Build the index again"
    return ModelMismatch(
        f"This index holds vectors of {mine.name} ({mine.dimension} dimensions) and cannot be"
        f" searched with {other}{note}.",
        hint=f"{rebuild}, or search with {mine.name}.",
    )
