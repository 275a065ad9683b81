from __future__ import annotations

import pytest

from ragdebug.errors import InvalidSetting
from ragdebug.evaluate import DEFINITIONS, definition, measure_names, split_name
from ragdebug.runs import BUDGETS, KS


def test_every_measure_is_named_once_and_defined() -> None:
    names = measure_names(KS, BUDGETS)
    assert len(names) == len(set(names)) == 11 * len(KS) + len(BUDGETS)
    assert {split_name(name)[0] for name in names} == set(DEFINITIONS)
    assert all(definition(name).endswith(".") for name in names)


def test_a_name_is_a_stem_and_a_number() -> None:
    assert split_name("rr@10") == ("rr", 10)
    assert split_name("recall@5") == ("recall", 5)
    assert split_name("recall@2000t") == ("budget", 2000)
    assert definition("recall@500t") != definition("recall@5")


@pytest.mark.parametrize(
    "name", ["recall", "recall@", "recall@0", "mrr@5", "rr@5t", "recall@-1", "@5", "", "p@x", "p@²"]
)
def test_other_names_are_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(InvalidSetting, match=r"ndcg.*recall@2000t"):
        split_name(name)
