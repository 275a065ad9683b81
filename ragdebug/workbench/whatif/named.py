"""Strategies that people gave a name to, kept in the workspace."""

from __future__ import annotations

import json

from ragdebug.errors import InvalidSetting
from ragdebug.settings import PRESETS, StrategySettings
from ragdebug.workbench.base import Base

KEY = "named strategies"  # in the store's settings
LONGEST = 60


class NamedStrategies(Base):
    """Use cases of named strategies."""

    def named_strategies(self) -> dict[str, StrategySettings]:
        """Name -> strategy, by name."""
        kept: dict[str, str] = json.loads(self.store.settings.get(KEY, "{}"))
        return {name: StrategySettings.parse(kept[name]) for name in sorted(kept)}

    def name_strategy(self, name: str, strategy: StrategySettings | str) -> None:
        """Keep a strategy under a name; one that had the name before is replaced.

        Raises:
            InvalidSetting: a name that could be taken for something else, or a strategy that is
                not understood.
        """
        name = " ".join(name.split())
        if not name or len(name) > LONGEST or name in PRESETS or set(name) & set("@+,="):
            raise InvalidSetting(
                f"{name!r} cannot be the name of a strategy.",
                hint=f"Use up to {LONGEST} characters without @ + , = and not "
                f"{', '.join(PRESETS)}.",
            )
        made = StrategySettings.parse(strategy) if isinstance(strategy, str) else strategy
        self._keep({**self._texts_by_name(), name: str(made)})

    def forget_strategy(self, name: str) -> None:
        """Take a name away; the strategy's runs stay."""
        self._keep({other: text for other, text in self._texts_by_name().items() if other != name})

    def _texts_by_name(self) -> dict[str, str]:
        return {name: str(strategy) for name, strategy in self.named_strategies().items()}

    def _keep(self, texts: dict[str, str]) -> None:
        self.store.settings.set(KEY, json.dumps(texts, ensure_ascii=False, sort_keys=True))
