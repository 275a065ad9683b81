"""Placing 10,000 and 100,000 pieces of another system: does the time grow with them alone?

    python tests/bench/placing.py

Pieces of some 500 characters, each reaching 50 into the one before. Ten times as many pieces in ten
times as much text should take ten times as long. CPU seconds; the smaller size is measured three
times and its median taken.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from statistics import median

from ragdebug.pieces import GivenPiece, place_pieces

SIZE, OVERLAP, IN_A_DOCUMENT = 500, 50, 100
Documents = list[tuple[str, list[str]]]


def made(pieces: int, documents: int) -> Documents:
    """Texts of random words with a line end now and then, and their pieces in order."""
    rng = random.Random(0)
    words = [f"{a}{b}" for a in ("work", "bench", "pump", "valve", "Maß") for b in range(900)]
    words += ["so\n", "then\n\n", "“here”", "it’s"] * 300
    length = pieces // documents * (SIZE - OVERLAP) + OVERLAP
    result = []
    for _ in range(documents):
        text = " ".join(rng.choices(words, k=length // 7 + 20))[:length]
        starts = range(0, length - OVERLAP, SIZE - OVERLAP)
        result.append((text, [text[s : s + SIZE] for s in starts]))
    return result


def as_they_are(documents: Documents) -> Documents:
    """In order, letter by letter."""
    return documents


def folded(documents: Documents) -> Documents:
    """With other white space and plain quotes."""
    return [
        (t, [p.replace(" ", "  ").replace("“", '"').replace("’", "'") for p in ps])
        for t, ps in documents
    ]


def shuffled(documents: Documents) -> Documents:
    """In any order."""
    return [(t, random.Random(1).sample(ps, len(ps))) for t, ps in documents]


def folded_shuffled(documents: Documents) -> Documents:
    """Both."""
    return shuffled(folded(documents))


def half_nowhere(documents: Documents) -> Documents:
    """Every second piece with a word in its middle that the document does not have."""
    return [
        (t, [p if n % 2 else f"{p[:250]} nowhere {p[250:]}" for n, p in enumerate(ps)])
        for t, ps in documents
    ]


def all_the_same(documents: Documents) -> Documents:
    """One text, as often as there are pieces."""
    return [("\n".join([ps[0]] * len(ps)), [ps[0]] * len(ps)) for _, ps in documents]


CASES: list[Callable[[Documents], Documents]] = [
    as_they_are,
    folded,
    shuffled,
    folded_shuffled,
    half_nowhere,
    all_the_same,
]


def seconds(documents: Documents) -> tuple[float, int]:
    """CPU seconds of placing all pieces, and how many were placed."""
    given = [(t, [GivenPiece(p) for p in ps]) for t, ps in documents]
    start = time.process_time()
    placed = sum(p.placed for t, ps in given for p in place_pieces(t, ps))
    return time.process_time() - start, placed


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pieces", type=int, default=10_000, help="the smaller number")
    small = parser.parse_args().pieces
    large = 10 * small
    print(f"| documents | pieces are | {small:,} | {large:,} | ratio | placed |")
    print("|---|---|---|---|---|---|")
    for many in (False, True):
        few = made(small, small // IN_A_DOCUMENT if many else 1)
        lot = made(large, large // IN_A_DOCUMENT if many else 1)
        for case in CASES:
            fast = median(seconds(case(few))[0] for _ in range(3))
            slow, placed = seconds(case(lot))
            kind = "many" if many else "one"
            name = case.__name__.replace("_", " ")
            print(f"| {kind} | {name} | {fast:.2f} | {slow:.1f} | {slow / fast:.1f} | {placed:,} |",
                  flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
