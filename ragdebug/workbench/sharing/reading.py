"""A settings file back to strategies; everything that is wrong with it, a sentence each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from ragdebug.errors import InvalidSetting
from ragdebug.retrieve.analyzer import Analyzer
from ragdebug.settings import RemoteModel, StrategySettings
from ragdebug.workbench.sharing import fields
from ragdebug.workbench.sharing.writing import VERSION

TITLE = "Settings not read"
_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """Strategies and models behind addresses, by name."""

    strategies: Mapping[str, StrategySettings]
    models: Mapping[str, RemoteModel]


def read_settings(data: bytes, file: str = "The file") -> SettingsFile:
    """What a settings file holds, all of it or nothing.

    Args:
        data: the file's bytes.
        file: what its messages call it.

    Raises:
        InvalidSetting: with a sentence, on a line of its own, for everything that is wrong.
    """
    document = _parsed(data, file)
    problems: list[str] = []
    _version(document, file)
    _unknown(document, ("version", "strategies", "models"), (), problems)
    strategies, models = document.get("strategies", {}), document.get("models", {})
    if not (isinstance(strategies, dict) and isinstance(models, dict) and (strategies or models)):
        raise _refused(f"{file} holds no strategies.", "They stand in tables [strategies.NAME].")
    found = {n: _strategy(t, ("strategies", n), problems) for n, t in strategies.items()}
    remote = {n: _model(n, t, ("models", n), problems) for n, t in models.items()}
    if problems:
        raise _refused("\n".join(problems))
    return SettingsFile(
        {name: one for name, one in found.items() if one is not None},
        {name: one for name, one in remote.items() if one is not None},
    )


def _refused(message: str, hint: str = "Nothing was taken from it.") -> InvalidSetting:
    return InvalidSetting(message, title=TITLE, hint=hint)


def _parsed(data: bytes, file: str) -> dict[str, Any]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        raise _refused(f"{file} is not UTF-8 text: line {line} holds other bytes.") from e
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as e:  # numbers and nesting beyond all reason too
        said = re.fullmatch(r"(.*) \(at (?:(line \d+)(, column \d+)|(end of document))\)", str(e))
        if said is None:
            raise _refused(f"{file} is not TOML: {e}.") from e
        where = f"{said[2]}{said[3]}" if said[2] else f"line {text.count(chr(10)) + 1}, its end"
        raise _refused(f"{file} is not TOML: {where}: {said[1]}.") from e


def _version(document: Mapping[str, Any], file: str) -> None:
    version = document.get("version")
    if type(version) is not int or version < 1:
        said = "has no version" if version is None else f"says version = {_shown(version)}"
        raise _refused(f"{file} {said}; a settings file says version = {VERSION}.")
    if version > VERSION:
        raise _refused(
            f"{file} says version = {version}; this program reads up to {VERSION}.",
            "Read it with the newer program that wrote it. Nothing was taken from it.",
        )


def _strategy(table: object, path: tuple[str, ...], problems: list[str]) -> StrategySettings | None:
    """The strategy of a table; None where something was wrong."""
    before = len(problems)
    made: dict[tuple[str, ...], Any] = {}
    for one in reversed(fields.TABLES):  # inner tables first
        inner: object = table
        for step in one.path:
            inner = inner.get(step, {}) if isinstance(inner, dict) else {}
        if not isinstance(inner, dict):
            problems.append(f"{_key((*path, *one.path))} must be a table.")
            continue
        below = {p[-1]: made[p] for p in made if p[:-1] == one.path}
        made[one.path] = _record(one, inner, below, (*path, *one.path), problems)
    if len(problems) > before:
        return None
    strategy: StrategySettings = made[()]
    try:
        Analyzer(strategy.bm25.analyzer)
    except InvalidSetting as e:
        problems.append(f"{_key((*path, 'bm25', 'analyzer', 'language'))}: {e.message}")
        return None
    return strategy


def _model(
    name: str, table: object, path: tuple[str, ...], problems: list[str]
) -> RemoteModel | None:
    if not isinstance(table, dict):
        problems.append(f"{_key(path)} must be a table.")
        return None
    missing = [key for key in ("kind", "url") if key not in table]
    problems += [f"{_key((*path, key))} is missing." for key in missing]
    if missing:
        return None
    given = {"model": "", **table}
    made = _record(fields.REMOTE, given, {"name": name}, path, problems)
    return made if isinstance(made, RemoteModel) else None


def _record(
    table: fields.Table,
    given: Mapping[str, Any],
    below: Mapping[str, Any],
    path: tuple[str, ...],
    problems: list[str],
) -> object:
    """The record of one table, with those of the tables below it; None where it is wrong."""
    inner = {one.path[-1] for one in fields.TABLES if one.path[:-1] == table.path and one.path}
    _unknown(given, (*(f.key for f in table.fields), *inner), path, problems)
    if table.path == () and "preset" not in given:
        problems.append(f"{_key((*path, 'preset'))} is missing.")
    before = len(problems)
    values: dict[str, Any] = {}
    for field in table.fields:
        if field.key in given:
            try:
                values[field.name] = field.kind.read(given[field.key])
            except TypeError:
                shown = _shown(given[field.key])
                key = _key((*path, field.key))
                problems.append(f"{key} is {shown}; it must be {field.kind.said}.")
    if len(problems) > before or None in below.values():
        return None
    try:
        return table.record(**values, **below)
    except InvalidSetting as e:
        problems.append(f"{_key(_culprit(table, values, path, e))}: {e}")
        return None


def _culprit(
    table: fields.Table, values: Mapping[str, Any], path: tuple[str, ...], error: InvalidSetting
) -> tuple[str, ...]:
    """The key that is refused alone, else the table: two of its keys contradict each other."""
    for field in table.fields:
        if field.name in values:
            try:
                table.record(**{field.name: values[field.name]})
            except TypeError:  # a record that cannot do without its other keys
                break
            except InvalidSetting as e:
                if e.message == error.message:
                    return (*path, field.key)
    return path


def _unknown(
    given: Mapping[str, Any], known: tuple[str, ...], path: tuple[str, ...], problems: list[str]
) -> None:
    for key in given:
        if key not in known:
            near = get_close_matches(key, known, 1)
            meant = f"; is {near[0]} meant?" if near else f". Known: {', '.join(known)}."
            problems.append(f"{_key((*path, key))} is not known{meant}")


def _key(path: tuple[str, ...]) -> str:
    """A key as it would stand in the file, such as ``strategies."for manuals".chunking.size``."""
    return ".".join(p if _BARE.fullmatch(p) else f'"{p}"' for p in path)


def _shown(value: object) -> str:
    """A value as a message shows it."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
