"""Intervals and test of two runs of 10,000 questions, and measuring 472 questions.

    python tests/bench/significance.py

The baseline is what anyone would write in numpy: a plain percentile bootstrap of both runs and of
their difference, with as many samples, and 10,000 random signs a question. Medians of interleaved
rounds.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from retrieval_data import interleaved

from ragdebug.evaluate import compare, interval, intervals, measure, recall_curve
from ragdebug.evaluate.intervals import draws_for
from ragdebug.evaluate.paired import FLIPS
from ragdebug.questions import Label, Need, Question
from ragdebug.records import Place
from ragdebug.runs import RankedSpans, Run, RunResults

BLOCK = 100  # samples at a time, so that the baseline fits into memory
CHUNK, DOCUMENT = 800, 200_000  # characters


def plain_interval(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Percentile bootstrap."""
    n = len(values)
    means = [
        values[rng.integers(0, n, (BLOCK, n))].mean(axis=1) for _ in range(draws_for(n) // BLOCK)
    ]
    return np.quantile(np.concatenate(means), [0.025, 0.975])


def plain_test(differences: np.ndarray, rng: np.random.Generator) -> float:
    """Sign-flip test with one random number a sign."""
    sums = [
        rng.choice([-1.0, 1.0], (BLOCK, len(differences))) @ differences
        for _ in range(FLIPS // BLOCK)
    ]
    return float(np.mean(np.abs(np.concatenate(sums)) >= abs(differences.sum())))


def ours(pair: tuple[np.ndarray, np.ndarray]) -> object:
    """Both intervals, the interval of the difference, the test."""
    a, b = pair
    return interval("ndcg@10", a), interval("ndcg@10", b), compare(a, b)


def plain(pair: tuple[np.ndarray, np.ndarray]) -> object:
    """The same by the plain way."""
    a, b = pair
    rng = np.random.default_rng(0)
    three = [plain_interval(values, rng) for values in (a, b, a - b)]
    return three, plain_test(a - b, rng)


def made_run(
    questions: int, hits: int, documents: int = 5
) -> tuple[RunResults, dict[str, Question], dict[str, str]]:
    """Questions with one to three passages, and lists whose first third lies around them."""
    rng = np.random.default_rng(0)
    letters = np.array(list("abcdefghij     "))
    texts = {f"d{i}": "".join(rng.choice(letters, DOCUMENT)) for i in range(documents)}
    asked, document, start = {}, [], []
    for i in range(questions):
        at = int(rng.integers(0, documents))
        first = int(rng.integers(5_000, DOCUMENT - 5_000))
        starts = [first + int(rng.integers(0, 4_000)) for _ in range(int(rng.integers(1, 4)))]
        places = [Place(f"d{at}", "1", f"d{at}.txt", s, s + 150) for s in starts]
        asked[f"q{i}"] = Question(f"q{i}", "?", needs=tuple(Need((Label(p),)) for p in places))
        where = rng.integers(0, documents, hits)
        where[: hits // 3] = at
        begins = rng.integers(0, DOCUMENT - CHUNK, hits)
        begins[: hits // 3] = first + rng.integers(-2_000, 4_000, hits // 3)
        document.append(where)
        start.append(begins)
    starts_ = np.concatenate(start).astype(np.int64)
    spans = RankedSpans(
        tuple((name, "1", f"{name}.txt") for name in texts),
        np.arange(0, questions * hits + 1, hits, dtype=np.int64),
        np.concatenate(document).astype(np.int32),
        starts_,
        starts_ + CHUNK,
        np.full(questions * hits, 180, np.int32),
        np.zeros(questions * hits),
        np.zeros(questions, np.int32),
    )
    run = Run("0" * 8, "", "vector", "fixed:800/0", "", "", "", depth=hits)
    results = RunResults(
        run, tuple((q, "1") for q in asked), spans, np.zeros(questions), ("",) * questions
    )
    return results, asked, texts


def timed(what: str, call: object) -> None:
    """Print the median of five calls."""
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        call()  # type: ignore[operator]
        seconds.append(time.perf_counter() - started)
    print(f"{what}: {1e3 * float(np.median(seconds)):.0f} ms")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()

    rng = np.random.default_rng(1)
    n = options.questions
    ranks = rng.integers(1, 40, (2, n))
    reciprocal = np.where(ranks <= 10, 1 / ranks, 0.0)
    cases = {
        "few values (rr@10)": (reciprocal[0], reciprocal[1]),
        "all values differ (coverage@5)": (rng.beta(2, 1, n), rng.beta(2, 1.02, n)),
        "0 or 1 (hit@5)": ((ranks[0] <= 5) * 1.0, (ranks[1] <= 5) * 1.0),
    }
    for name, pair in cases.items():
        median = interleaved({"ours": ours, "plain": plain}, [pair], options.rounds)
        ratio = median["ours"] / median["plain"]
        print(
            f"two runs of {n} questions, {name}: {median['ours']:.2f} s, "
            f"plain numpy {median['plain']:.2f} s, ratio {ratio:.2f}"
        )

    results, asked, texts = made_run(472, 100)
    table = measure(results, asked, lambda document, _: texts[document])
    curve = recall_curve(table)
    timed(
        "measuring 472 questions x 100 hits",
        lambda: measure(results, asked, lambda document, _: texts[document]),
    )
    timed(
        f"intervals of its {len(table.names)} measures",
        lambda: intervals(table.names, table.values),
    )
    timed("recall curve to k 50 with its band", lambda: intervals(["recall"] * 50, curve))


if __name__ == "__main__":
    main()
