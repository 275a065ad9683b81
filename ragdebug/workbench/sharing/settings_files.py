"""Strategies that travel: out of a workspace as TOML, and into another one under their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ragdebug.errors import InvalidSetting, ModelError
from ragdebug.model_files import locate
from ragdebug.settings import (
    DEFAULT_RERANKER,
    OUTSIDE,
    PRESETS,
    RemoteModel,
    StrategySettings,
    is_remote,
)
from ragdebug.workbench.remote import RemoteModels
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
        models_new: models behind addresses that the file holds and this workspace does not.
        models_missing: other models the strategies need that are not here.
    """

    new: tuple[str, ...]
    changed: tuple[str, ...]
    same: tuple[str, ...]
    strategies: Mapping[str, StrategySettings]
    models_new: Mapping[str, RemoteModel]
    models_missing: tuple[str, ...]


class SettingsFiles(RemoteModels, NamedStrategies):
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
        """The settings file of `settings_to_share`, with the models behind addresses they use.

        Of a key there is only the name of the variable that holds it.
        """
        chosen = self.settings_to_share(names)
        used = _models(chosen.values())
        rows = [row.record.model for row in self.remote_models()]
        return settings_toml(chosen, [model for model in rows if model.full_name in used])

    def import_settings(
        self,
        data: bytes,
        *,
        file: str = "The file",
        replace: bool = False,
        models: bool = False,
        dry_run: bool = False,
    ) -> SettingsReport:
        """Keep the strategies of a settings file under their names: all of them, or none.

        Args:
            data: bytes of the file.
            file: what messages call it.
            replace: also names that stand for something else here.
            models: also add models behind addresses that are not here. Each is asked its fixed
                question at the address that the file names, as when it is added by hand; when
                one does not answer nothing is kept. Without it they are only told.
            dry_run: only say what would change.

        Raises:
            InvalidSetting: what is wrong with the file, a sentence each; or a name that stands for
                something else here, and `replace` was not given.
            AddressError, ModelError: a model does not answer, or has the name of another one here.
        """
        given = read_settings(data, file)
        report = self._report(_named(given.strategies), given.models)
        if dry_run:
            return report
        if report.changed and not replace:
            names = ", ".join(report.changed)
            raise InvalidSetting(
                f"Other strategies are kept under these names here: {names}.",
                title=TITLE,
                hint="Replace them (--replace), or give them other names in the file.",
            )
        if models:
            for model in report.models_new.values():
                self.try_remote_model(model)
            for model in report.models_new.values():
                self.add_remote_model(model)
        self.name_strategies({n: report.strategies[n] for n in (*report.new, *report.changed)})
        return report

    def _report(
        self, found: Mapping[str, StrategySettings], models: Mapping[str, RemoteModel]
    ) -> SettingsReport:
        known = self._texts_by_name()
        same = tuple(name for name in found if known.get(name) == str(found[name]))
        here = {row.record.model.full_name for row in self.remote_models()}
        new = {m.full_name: m for m in models.values() if m.full_name not in here}
        return SettingsReport(
            new=tuple(name for name in found if name not in known),
            changed=tuple(name for name in found if name in known and name not in same),
            same=same,
            strategies=found,
            models_new=new,
            models_missing=tuple(
                name
                for name in _models(found.values())
                if not (name in here or name in new or _is_here(name))
            ),
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


def _models(strategies: Iterable[StrategySettings]) -> tuple[str, ...]:
    """Embedders and rerankers that have files or an address, each once."""
    wanted: dict[str, None] = {}
    for strategy in strategies:
        if strategy.uses_vectors:
            wanted[strategy.embedder] = None
        if strategy.preset == "reranked" and strategy.rerank.model not in _NO_FILES:
            wanted[strategy.rerank.model] = None
    return tuple(wanted)


def _is_here(name: str) -> bool:
    if is_remote(name):
        return False
    try:
        locate(name)
    except ModelError:
        return False
    return True
