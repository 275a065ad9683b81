"""Near duplicates by MinHash against comparing every text with every other."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.workbench.health.shingles import WORDS, jaccard, near_pairs, shingle_sets


def sets_by_hand(text: str) -> set[tuple[str, ...]]:
    words = text.casefold().split()
    return {tuple(words[i : i + WORDS]) for i in range(len(words) - WORDS + 1)}


def similarity(a: str, b: str) -> float:
    one, two = sets_by_hand(a), sets_by_hand(b)
    return len(one & two) / len(one | two) if one | two else 0.0


WORD = st.sampled_from("otter reed silt brook ford weir".split())


@given(st.lists(WORD, max_size=12), st.lists(WORD, max_size=12))
def test_the_similarity_of_hashed_shingles_is_that_of_the_shingles(
    a: list[str], b: list[str]
) -> None:
    first, second = shingle_sets([" ".join(a), " ".join(b)])
    assert jaccard(first, second) == similarity(" ".join(a), " ".join(b))


def test_the_order_of_words_in_a_shingle_counts() -> None:
    one, two = shingle_sets(["otter reed silt brook", "brook silt reed otter"])
    assert len(one) == len(two) == 1
    assert jaccard(one, two) == 0.0


def test_pairs_are_those_that_comparing_all_finds() -> None:
    rng = random.Random(4)
    vocabulary = [f"w{n}" for n in range(500)]
    texts = []
    for _ in range(60):
        words = rng.choices(vocabulary, k=80)
        texts.append(" ".join(words))
        changed = list(words)
        for at in rng.sample(range(80), rng.choice((1, 2, 8, 20))):
            changed[at] = rng.choice(vocabulary)
        texts.append(" ".join(changed))
    expected = {
        j for j in range(len(texts)) if any(similarity(texts[i], texts[j]) >= 0.8 for i in range(j))
    }
    found = near_pairs(texts)
    assert {p.second for p in found} == expected
    assert 0 < len(expected) < 60
    for pair in found:
        assert pair.first < pair.second
        assert np.isclose(pair.similarity, similarity(texts[pair.first], texts[pair.second]))


def test_case_and_marks_make_no_difference_and_short_texts_are_left_out() -> None:
    text = "The weir is closed on Mondays, and so is the ford."
    pairs = near_pairs([text, "Otter.", text.upper().replace(",", ""), "otter", ""])
    assert [(p.first, p.second, p.similarity) for p in pairs] == [(0, 2, 1.0)]


def test_nothing_to_compare() -> None:
    assert near_pairs([]) == []
    assert near_pairs(["a single text of some words"]) == []
