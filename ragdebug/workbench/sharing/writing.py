"""Strategies as TOML that a person reads and changes: every setting, each with a word on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import tomlkit
from tomlkit.items import Item, Table

from ragdebug.errors import InvalidSetting
from ragdebug.settings import RemoteModel, StrategySettings
from ragdebug.workbench.sharing import fields

VERSION = 1
_HEAD = (
    "Search strategies, read with: ragdebug settings import FILE",
    "A key that is left out has its default.",
)
_COMMENTS_AT = 36  # the column where comments begin, where the value leaves room


def settings_toml(
    strategies: Mapping[str, StrategySettings], models: Iterable[RemoteModel] = ()
) -> str:
    """The settings file of some strategies, by name, and of models behind addresses.

    Raises:
        InvalidSetting: a text that no file can hold.
    """
    try:
        text = tomlkit.dumps(_document(strategies, models))
        text.encode()
    except UnicodeEncodeError as e:
        raise InvalidSetting(
            "A setting holds half of a character, which no file can keep.",
            hint="Type the names of the strategy and its filter again.",
        ) from e
    return text


def _document(
    strategies: Mapping[str, StrategySettings], models: Iterable[RemoteModel]
) -> tomlkit.TOMLDocument:
    document = tomlkit.document()
    for line in _HEAD:
        document.add(tomlkit.comment(line))
    document.add(tomlkit.nl())
    document.add("version", tomlkit.item(VERSION))
    document.add(tomlkit.nl())
    tables = tomlkit.table(is_super_table=True)
    for name, strategy in strategies.items():
        tables.add(name, _strategy(strategy))
    if strategies:
        document.add("strategies", tables)
    remote = tomlkit.table(is_super_table=True)
    for model in models:
        remote.add(model.name, _table(fields.REMOTE, model, fields.REMOTE.about))
    if remote:
        document.add("models", remote)
    return document


def _strategy(strategy: StrategySettings) -> Table:
    made: dict[tuple[str, ...], Table] = {}
    for table in fields.TABLES:
        record: Any = strategy
        for step in table.path:
            record = getattr(record, step)
        made[table.path] = _table(table, record, str(strategy))
        if table.path:
            made[table.path[:-1]].add(table.path[-1], made[table.path])
    return made[()]


def _table(table: fields.Table, record: Any, text_form: str) -> Table:  # noqa: ANN401
    made = tomlkit.table()
    made.add(tomlkit.comment(table.about or _one_line(text_form)))
    for field in table.fields:
        value = field.kind.write(getattr(record, field.name))
        if field.rare and not value:
            continue
        item = _item(value)
        room = _COMMENTS_AT - len(f"{field.key} = {item.as_string()}")
        item.comment(field.about)
        item.trivia.comment_ws = " " * max(2, room)
        made.add(field.key, item)
    made.add(tomlkit.nl())
    return made


def _item(value: Any) -> Item:  # noqa: ANN401
    """Lists and the small tables in them on one line."""
    if isinstance(value, list):
        made = tomlkit.array()
        for one in value:
            made.append(_item(one))
        return made
    if isinstance(value, dict):
        small = tomlkit.inline_table()
        small.update({key: _item(one) for key, one in value.items()})
        return small
    plain: Item = tomlkit.item(value)
    return plain


def _one_line(text: str) -> str:
    """A comment ends with its line, and may hold no control characters."""
    return "".join(c if c.isprintable() else " " for c in text)
