from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.errors import Cancelled
from ragdebug.retrieve import Analyzer
from ragdebug.retrieve.postings import by_term, count
from ragdebug.settings import PLAIN

ANALYZER = Analyzer(PLAIN)


@given(st.lists(st.text("abc ", max_size=12), max_size=10))
def test_counts_and_postings_say_what_the_texts_say(texts: list[str]) -> None:
    counts = count(texts, ANALYZER)
    postings = by_term(counts)
    expected = {
        (term, row): n
        for row, text in enumerate(texts)
        for term, n in Counter(text.split()).items()
    }
    found = {
        (term, int(postings.rows[i])): int(postings.tf[i])
        for t, term in enumerate(counts.terms)
        for i in range(postings.starts[t], postings.starts[t + 1])
    }
    assert found == expected
    assert postings.lengths.tolist() == [len(text.split()) for text in texts]
    for start, end in zip(postings.starts[:-1], postings.starts[1:], strict=True):
        assert np.all(np.diff(postings.rows[start:end]) > 0)
    assert [sorted(d) for d in counts.documents()] == [
        sorted(counts.terms.index(t) for t in text.split()) for text in texts if text.split()
    ]


def test_a_term_that_fills_a_text_is_counted_in_full() -> None:
    postings = by_term(count(["a " * 70_000, "a"], ANALYZER))
    assert postings.tf.tolist() == [70_000, 1]
    assert postings.tf.dtype == np.uint32
    assert by_term(count(["a a"], ANALYZER)).tf.dtype == np.uint8


def test_progress_tells_how_far_it_is_and_can_stop_the_work() -> None:
    seen: list[tuple[int, int, str]] = []
    count(["a"] * 1100, ANALYZER, lambda *args: seen.append(args))
    assert seen == [(n, 1100, "chunks") for n in (0, 512, 1024, 1100)]

    def stop(done: int, total: int, what: str) -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        count(iter(["a"]), ANALYZER, stop)
