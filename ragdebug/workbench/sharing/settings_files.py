"""Strategies that travel: out of a workspace as TOML, and into another one under their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ragdebug.errors import InvalidSetting, ModelError
from ragdebug.model_files import locate
from ragdebug.settings import DEFAULT_RERANKER, OUTSIDE, PRESETS, StrategySettings
from ragdebug.workbench.sharing.reading import TITLE, read_settings
from ragdebug.workbench.sharing.writing import settings_toml
from ragdebug.workbench.whatif.named import NamedStrategies, checked_name, checked_text

_NO_FILES = (DEFAULT_RERANKER, "identity")  # rerankers that come with the program


@dataclass(frozen=True, slots=True)
class SettingsReport:
    """What a settings file brings, by the names of its strategies.

    Attributes:
        new: names that nobody used here.
        changed: names that stand for something else here, and are replaced.
        same: names that stand for the same strategy here already.
        strategies: all of them.
        models_missing: models they need that are not on this machine.
    """

    new: tuple[str, ...]
    changed: tuple[str, ...]
    same: tuple[str, ...]
    strategies: Mapping[str, StrategySettings]
    models_missing: tuple[str, ...]


class SettingsFiles(NamedStrategies):
    """Use cases of settings files."""

    def settings_to_share(self, names: Sequence[str] = ()) -> dict[str, StrategySettings]:
        """Strategies by the names they travel under.

        Args:
            names: of named strategies, or text forms; none for all named ones and those of the
                last search, or the usual four where nothing was searched yet.

        Raises:
            InvalidSetting: nothing is called so, and it is no strategy.
        """
        known = self.named_strategies()
        if not names:
            last = self._of_last_search()
            usual = [StrategySettings(preset=preset) for preset in PRESETS]
            return known | _with_names(last or usual, "last" if last else "default", known)
        by_text = {str(strategy): name for name, strategy in known.items()}
        made = {text: _parsed(text, known) for text in names if text not in known}
        called = [by_text.get(str(made[n]), n) if n in made else n for n in names]
        chosen = {name: known[name] for name in called if name in known}
        return chosen | _with_names(list(made.values()), "shared", chosen)

    def export_settings(self, names: Sequence[str] = ()) -> str:
        """The settings file of `settings_to_share`."""
        return settings_toml(self.settings_to_share(names))

    def import_settings(
        self, data: bytes, *, file: str = "The file", replace: bool = False, dry_run: bool = False
    ) -> SettingsReport:
        """Keep the strategies of a settings file under their names: all of them, or none.

        Args:
            data: bytes of the file.
            file: what messages call it.
            replace: also names that stand for something else here.
            dry_run: only say what would change.

        Raises:
            InvalidSetting: what is wrong with the file, a sentence each; or a name that stands for
                something else here, and `replace` was not given.
        """
        report = self._report(_named(read_settings(data, file)))
        if dry_run:
            return report
        if report.changed and not replace:
            names = ", ".join(report.changed)
            raise InvalidSetting(
                f"Other strategies are kept under these names here: {names}.",
                title=TITLE,
                hint="Replace them (--replace), or give them other names in the file.",
            )
        self.name_strategies({n: report.strategies[n] for n in (*report.new, *report.changed)})
        return report

    def _report(self, found: Mapping[str, StrategySettings]) -> SettingsReport:
        known = self._texts_by_name()
        same = tuple(name for name in found if known.get(name) == str(found[name]))
        return SettingsReport(
            new=tuple(name for name in found if name not in known),
            changed=tuple(name for name in found if name in known and name not in same),
            same=same,
            strategies=found,
            models_missing=_models_missing(found.values()),
        )

    def _of_last_search(self) -> list[StrategySettings]:
        for past in self.store.queries.recent(1):
            try:
                return [StrategySettings.parse(s) for s in past.state.get("strategies", ())]
            except InvalidSetting:  # of another release
                break
        return []


def _parsed(text: str, known: Mapping[str, StrategySettings]) -> StrategySettings:
    try:
        return StrategySettings.parse(text)
    except InvalidSetting as e:
        if text.partition("@")[0].partition("+")[0].partition(":")[0] in (*PRESETS, *OUTSIDE):
            raise
        raise InvalidSetting(
            f"No strategy is called {text!r}.",
            hint=f"Named here: {', '.join(known) or 'none yet'}. Or write one, such as bm25+k1=2.",
        ) from e


def _with_names(
    strategies: Sequence[StrategySettings], word: str, taken: Mapping[str, StrategySettings]
) -> dict[str, StrategySettings]:
    """Names such as ``last hybrid`` for strategies that have none and are not among the taken."""
    made: dict[str, StrategySettings] = {}
    for strategy in strategies:
        if strategy in (*taken.values(), *made.values()):
            continue
        name, number = f"{word} {strategy.preset}", 1
        while name in taken or name in made:
            number += 1
            name = f"{word} {strategy.preset} {number}"
        made[name] = strategy
    return made


def _named(found: Mapping[str, StrategySettings]) -> dict[str, StrategySettings]:
    """The same under names and in text forms that can be kept here."""
    made: dict[str, StrategySettings] = {}
    problems = []
    for name, strategy in found.items():
        try:
            kept = checked_name(name)
            checked_text(strategy)
        except InvalidSetting as e:
            problems.append(f'strategies."{name}": {e}')
            continue
        if kept in made:
            problems.append(f'strategies."{name}": the file has the name {kept!r} twice.')
        made[kept] = strategy
    if problems:
        raise InvalidSetting("\n".join(problems), title=TITLE, hint="Nothing was taken from it.")
    return made


def _models_missing(strategies: Iterable[StrategySettings]) -> tuple[str, ...]:
    """Embedders and cross-encoders that are not on this machine, each once."""
    wanted: dict[str, None] = {}
    for strategy in strategies:
        if strategy.uses_vectors:
            wanted[strategy.embedder] = None
        if strategy.preset == "reranked" and strategy.rerank.model not in _NO_FILES:
            wanted[strategy.rerank.model] = None
    return tuple(name for name in wanted if not _is_here(name))


def _is_here(name: str) -> bool:
    try:
        locate(name)
    except ModelError:
        return False
    return True
