import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.chunk.borders import (
    cluster_ceil,
    cluster_floor,
    hard_cut,
    is_cluster_border,
    next_word_start,
    trim,
    word_cut,
)

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
FLAGS = "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7"


@pytest.mark.parametrize(
    "cluster",
    [
        "e\u0301",  # letter and acute
        "\U0001f44d\U0001f3fd",  # thumb and skin tone
        FAMILY,
        "\u2764\ufe0f",  # heart and variation selector
        "\u0915\u094d\u0937\u093f",  # a Devanagari conjunct with its vowel
        "\u1112\u1161\u11ab",  # Hangul of three jamo
        "1\ufe0f\u20e3",  # keycap
    ],
)
def test_a_cluster_has_no_border_inside(cluster):
    text = f"a{cluster}b"
    borders = [i for i in range(len(text) + 1) if is_cluster_border(text, i)]
    assert borders == [0, 1, 1 + len(cluster), len(text)]


def test_flags_are_pairs_of_letters():
    assert [i for i in range(5) if is_cluster_border(FLAGS, i)] == [0, 2, 4]


@given(st.lists(st.sampled_from(["a", " ", "e\u0301", FAMILY, FLAGS, "\u0e01\u0e33", "\n", "你"])))
def test_borders_are_those_of_the_unicode_standard(parts):
    regex = pytest.importorskip("regex")
    text = "".join(parts)
    expected = {0, len(text)} | {m.end() for m in regex.finditer(r"\X", text)}
    assert {i for i in range(len(text) + 1) if is_cluster_border(text, i)} == expected


def test_floor_and_ceil_find_the_next_border_and_give_up_within_the_range():
    text = f"ab{FAMILY}c"
    assert cluster_floor(text, 0, 4) == 2
    assert cluster_floor(text, 2, 4) == 4
    assert cluster_ceil(text, 4, 8) == 7
    assert cluster_ceil(text, 4, 6) == 6


def test_trim_leaves_no_blank_at_either_end():
    assert trim(" \t ab\u00a0c\n ", 0, 9) == (3, 7)
    assert trim("  \n", 0, 3) == (3, 3)


def test_words_are_cut_at_blanks():
    assert word_cut("one two three", 0, 10) == 8
    assert word_cut("one two three", 0, 7) == 7
    assert word_cut("onetwothree", 0, 7) == -1
    assert word_cut("one  two", 0, 4) == 3


def test_a_mark_behind_a_blank_is_not_left_to_the_next_piece():
    assert word_cut("Vrai chat ? Oui", 0, 9) == 5


def test_chinese_may_be_cut_between_characters_but_not_before_a_closing_mark():
    text = "今天很好，明天更好"
    assert word_cut(text, 0, 6) == 6
    assert word_cut(text, 0, 4) == 3
    assert word_cut("他说「好」", 0, 3) == 2


def test_a_hard_cut_keeps_marks_and_clusters_with_what_is_before_them():
    assert hard_cut("abcdefgh.", 0, 8) == 7
    assert hard_cut("abcde\u0301fgh", 0, 5) == 4
    assert hard_cut("ab" + FAMILY, 0, 4) == 2
    assert hard_cut(FAMILY, 0, 3) == 3


def test_words_start_after_blanks_and_are_no_marks():
    assert next_word_start("one two", 1, 7) == 4
    assert next_word_start("one ? two", 1, 9) == 6
    assert next_word_start("onetwo", 1, 6) == 6
    assert next_word_start("很好。明天", 2, 5) == 3
