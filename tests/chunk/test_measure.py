import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.chunk.measure import CharMeasure, TokenMeasure, measure_for
from ragdebug.errors import InvalidSetting
from ragdebug.settings import ChunkingSettings

# "ab cd  ef": three words at [0,2), [3,5), [7,9).
WORDS = TokenMeasure(np.array([[0, 2], [3, 5], [7, 9]]), 9)


def test_characters_are_code_points():
    measure = CharMeasure(10)
    assert measure.size(2, 7) == 5
    assert measure.fit(2, 5) == 7
    assert measure.fit(8, 5) == 10
    assert measure.back(7, 5) == 2
    assert measure.back(3, 5) == 0
    assert measure.back(7, 0) == 7


@pytest.mark.parametrize(
    ("start", "end", "size"),
    [(0, 9, 3), (0, 2, 1), (0, 3, 1), (0, 4, 2), (1, 2, 1), (2, 3, 0), (4, 8, 2), (5, 5, 0)],
)
def test_tokens_that_overlap_a_span_are_counted(start, end, size):
    assert WORDS.size(start, end) == size


def test_fit_reaches_to_the_first_token_that_is_too_many():
    assert WORDS.fit(0, 1) == 3
    assert WORDS.fit(0, 2) == 7
    assert WORDS.fit(0, 3) == 9
    assert WORDS.fit(5, 1) == 9


def test_back_reaches_to_the_end_of_the_first_token_that_is_too_many():
    assert WORDS.back(9, 1) == 5
    assert WORDS.back(9, 2) == 2
    assert WORDS.back(9, 3) == 0
    assert WORDS.back(9, 0) == 9


def test_a_character_of_several_tokens_is_still_stepped_over():
    # A letter, then an emoji whose four byte tokens share its one code point.
    emoji = TokenMeasure(np.array([[0, 1], [1, 2], [1, 2], [1, 2], [1, 2], [2, 3]]), 3)
    assert emoji.size(1, 2) == 4
    assert emoji.fit(1, 2) == 2
    assert emoji.fit(0, 3) == 1
    assert emoji.back(2, 3) == 2
    assert emoji.back(2, 4) == 1


def test_tokens_of_no_width_do_not_count():
    assert TokenMeasure(np.array([[0, 0], [0, 3]]), 3).size(0, 3) == 1


def test_a_text_without_tokens_has_no_size():
    empty = TokenMeasure(np.empty((0, 2), np.int64), 4)
    assert empty.size(0, 4) == 0
    assert empty.fit(1, 1) == 4
    assert empty.back(3, 1) == 0


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4)), max_size=8),
    st.integers(0, 20),
    st.integers(1, 20),
    st.integers(1, 6),
)
def test_size_fit_and_back_agree_with_counting_one_by_one(gaps, start, length, limit):
    offsets = []
    at = 0
    for gap, width in gaps:
        offsets.append((at + gap, at + gap + width))
        at += gap + width
    total = at + 2
    start = min(start, total - 1)
    end = min(total, start + length)
    measure = TokenMeasure(np.array(offsets, np.int64).reshape(-1, 2), total)

    def count(low, high):
        return sum(a < high and b > low for a, b in offsets) if low < high else 0

    assert measure.size(start, end) == count(start, end)
    fits = [e for e in range(start + 1, total + 1) if count(start, e) <= limit]
    assert measure.fit(start, limit) == max(fits)
    backs = [s for s in range(0, end + 1) if count(s, end) <= limit]
    assert measure.back(end, limit) == min(backs)


def test_known_offsets_are_taken_instead_of_counting(words):
    settings = ChunkingSettings(unit="tokens")
    measure = measure_for("ab cd", settings, None, offsets=words.offsets("ab cd"))
    assert measure.size(0, 5) == 2


def test_tokens_without_a_tokenizer_are_refused_by_name():
    with pytest.raises(InvalidSetting, match="all-MiniLM-L6-v2"):
        measure_for("ab", ChunkingSettings(unit="tokens"), None)


def test_characters_and_whole_documents_need_no_tokenizer():
    assert measure_for("ab cd", ChunkingSettings(unit="chars"), None).size(0, 5) == 5
    assert measure_for("ab cd", ChunkingSettings("document"), None).size(0, 5) == 5
