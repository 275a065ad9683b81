"""Names of strategies."""

from __future__ import annotations

import pytest

from ragdebug import Workbench
from ragdebug.errors import InvalidSetting
from ragdebug.settings import StrategySettings


def test_a_named_strategy_is_there_until_it_is_forgotten(tmp_path: object) -> None:
    made = StrategySettings.parse("reranked@fixed:200/20+rrf_k=10+filter=kind=pdf")
    with Workbench(f"{tmp_path}/w") as wb:
        assert wb.named_strategies() == {}
        wb.name_strategy("  for  the manual ", made)
        wb.name_strategy("a", "bm25")
        wb.name_strategy("a", "bm25+k1=0.9")
    with Workbench(f"{tmp_path}/w") as wb:
        assert list(wb.named_strategies().items()) == [
            ("a", StrategySettings.parse("bm25+k1=0.9")),
            ("for the manual", made),
        ]
        wb.forget_strategy("a")
        assert list(wb.named_strategies()) == ["for the manual"]


@pytest.mark.parametrize("name", ["", "  ", "hybrid", "a@b", "a,b", "x" * 61])
def test_a_name_that_could_be_a_strategy_is_refused(tmp_path: object, name: str) -> None:
    with Workbench(f"{tmp_path}/w") as wb, pytest.raises(InvalidSetting, match="name"):
        wb.name_strategy(name, "bm25")
