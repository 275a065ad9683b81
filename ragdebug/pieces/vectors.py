"""The vectors of pieces, however a file writes them."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from ragdebug.pieces.records import RowProblem, Vectors

_NO_NUMBERS = {str, bool}  # numpy would make numbers of them


def is_vector(value: object) -> bool:
    """Whether a value looks like one: a list of numbers, or the text of one."""
    if isinstance(value, str):
        return value[:200].lstrip()[:1] in ("[", "{") and _numbers(value) is not None
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and len(value) > 1
    return isinstance(value, list | tuple) and len(value) > 1 and _is_number(value[0])


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def as_vector(value: object) -> NDArray[np.float32] | str:
    """A vector of finite numbers, or what is wrong with it."""
    if isinstance(value, str):
        value = _numbers(value)
        if value is None:
            return "its vector is no list of numbers"
    if isinstance(value, list | tuple) and not _NO_NUMBERS.isdisjoint(map(type, value)):
        return "its vector holds what is no number"
    try:
        with np.errstate(over="ignore"):
            vector = np.asarray(value, np.float32)
    except (TypeError, ValueError, OverflowError):
        return "its vector holds what is no number"
    if vector.ndim == 2 and len(vector) == 1:
        vector = vector[0]
    if vector.ndim != 1 or not len(vector):
        return "its vector is no list of numbers"
    return vector if np.isfinite(vector).all() else "its vector holds what is no finite number"


def _numbers(text: str) -> list[object] | None:
    """What a text holds: JSON, or numbers in brackets as numpy and PostgreSQL print them."""
    text = text.strip()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        pass
    else:
        return value if isinstance(value, list) else None
    if text[:1] + text[-1:] not in ("[]", "{}", "()"):
        return None
    try:
        return [float(n) for n in text[1:-1].replace(",", " ").split()]
    except ValueError:
        return None


class VectorRows:
    """Vectors as they come in, one a piece at most."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, int, NDArray[np.float32]]] = []  # piece, line, vector

    def add(self, piece: int, line: int, value: object) -> RowProblem | None:
        """Keep a piece's vector, or say why not."""
        vector = as_vector(value)
        if isinstance(vector, str):
            return RowProblem(line, f"This piece has no vector: {vector}.")
        self._rows.append((piece, line, vector))
        return None

    def matrix(self, pieces: int) -> tuple[Vectors | None, list[RowProblem]]:
        """All of them, NaN where there is none, and those of another length than most."""
        if not self._rows:
            return None, []
        size = Counter(len(v) for _, _, v in self._rows).most_common(1)[0][0]
        matrix = np.full((pieces, size), np.nan, np.float32)
        problems = []
        for piece, line, vector in self._rows:
            if len(vector) == size:
                matrix[piece] = vector
            else:
                message = f"its vector has {len(vector)} numbers, most have {size}"
                problems.append(RowProblem(line, f"This piece has no vector: {message}."))
        return matrix, problems
