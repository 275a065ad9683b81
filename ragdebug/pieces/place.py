"""Where the pieces of one document stand in its text."""

from __future__ import annotations

from collections.abc import Sequence

from ragdebug.pieces.records import GivenPiece, PiecePlacement
from ragdebug.records import Page


def place_pieces(
    text: str, pieces: Sequence[GivenPiece], pages: Sequence[Page] = ()
) -> list[PiecePlacement]:
    """Place pieces in the canonical text of the one document they were cut from.

    Args:
        text: the canonical text.
        pieces: in the order of their file; `source` is not looked at.
        pages: the document's page map, for pieces that name a page.

    Returns:
        One placement a piece, in the same order.
    """
    raise NotImplementedError
