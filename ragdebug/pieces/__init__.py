"""Pieces that another system cut: reading them, and finding where they stand."""

from ragdebug.pieces.place import place_pieces
from ragdebug.pieces.read import read_pieces
from ragdebug.pieces.records import GivenPiece, PieceFile, PiecePlacement, RowProblem

__all__ = [
    "GivenPiece",
    "PieceFile",
    "PiecePlacement",
    "RowProblem",
    "place_pieces",
    "read_pieces",
]
