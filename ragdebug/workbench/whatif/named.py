"""Strategies that people gave a name to, kept in the workspace."""

from __future__ import annotations

import json
from collections.abc import Mapping

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
        self.name_strategies({name: strategy})

    def name_strategies(self, strategies: Mapping[str, StrategySettings | str]) -> None:
        """Keep several strategies under their names, all of them or none; see `name_strategy`."""
        texts = {checked_name(name): checked_text(one) for name, one in strategies.items()}
        self._keep({**self._texts_by_name(), **texts})

    def forget_strategy(self, name: str) -> None:
        """Take a name away; the strategy's runs stay."""
        self._keep({other: text for other, text in self._texts_by_name().items() if other != name})

    def _texts_by_name(self) -> dict[str, str]:
        return {name: str(strategy) for name, strategy in self.named_strategies().items()}

    def _keep(self, texts: dict[str, str]) -> None:
        self.store.settings.set(KEY, json.dumps(texts, ensure_ascii=False, sort_keys=True))


def checked_name(name: str) -> str:
    """The name as it is kept, blanks put in order.

    Raises:
        InvalidSetting: a name that could be taken for something else.
    """
    name = " ".join(name.split())
    if not name or len(name) > LONGEST or name in PRESETS or set(name) & set("@+,="):
        raise InvalidSetting(
            f"{name!r} cannot be the name of a strategy.",
            hint=f"Use up to {LONGEST} characters without @ + , = and not {', '.join(PRESETS)}.",
        )
    return name


def checked_text(strategy: StrategySettings | str) -> str:
    """The text form that is kept; what it would not give back is refused.

    Raises:
        InvalidSetting: a strategy that is not understood, or that has no text form.
    """
    made = StrategySettings.parse(strategy) if isinstance(strategy, str) else strategy
    text = str(made)
    # Sizes of chunks that have none are not part of the text form, and mean nothing.
    if str(StrategySettings.parse(text)) != text:
        raise InvalidSetting(f"The strategy {text} cannot be kept: its text form is not its own.")
    return text
