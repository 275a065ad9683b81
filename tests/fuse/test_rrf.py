from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.fuse.rrf import ranks, rrf


def test_ranks_start_at_one_and_repeats_let_later_keys_move_up() -> None:
    assert ranks("mxmmy") == {"m": 1, "x": 2, "y": 3}
    assert ranks([]) == {}


def test_each_list_gives_weight_over_k_plus_rank() -> None:
    given = rrf(["pq", "qr"], [2, 1], k=60)
    assert given == [{"p": 2 / 61, "q": 2 / 62}, {"q": 1 / 61, "r": 1 / 62}]


def test_a_much_repeated_key_gets_no_more_than_its_best_rank() -> None:
    assert rrf(["mxmmy"], [1])[0] == {"m": 1 / 61, "x": 1 / 62, "y": 1 / 63}


def test_k_zero_is_the_plain_reciprocal_rank() -> None:
    assert rrf(["abc"], [1], k=0) == [{"a": 1, "b": 1 / 2, "c": 1 / 3}]


@given(st.lists(st.integers(0, 9), max_size=12), st.floats(0, 100), st.floats(0, 5))
def test_shares_fall_with_the_rank(keys: list[int], k: float, weight: float) -> None:
    shares = list(rrf([keys], [weight], k)[0].values())
    assert shares == sorted(shares, reverse=True)
    assert len(shares) == len(set(keys))


def test_lists_and_weights_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="zip"):
        rrf(["a", "b"], [1])
