"""What is sent to a searcher: a template with {query}, {k} and {filter}, put in as values.

A body is JSON in which a placeholder stands where a value stands, with or without quotes around
it: ``{"q": {query}, "size": {k}}``. It is read as JSON first, and the values are put into what was
read, so that no query can break out of its place. A string that holds more than the placeholder
gets its text: ``"title:{query}"``. Where there is no filter, the entry that is a {filter} is left
out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from ragdebug.settings.values import refuse

NAMES = ("query", "k", "filter")
_PLACE = re.compile(r"\{(query|k|filter)\}")
_STRING_OR_PLACE = re.compile(r'"(?:[^"\\]|\\.)*"|\{(?:query|k|filter)\}', re.DOTALL)
_LEFT_OUT = object()

Filter = Mapping[str, "str | list[str]"]


def placeholders(template: str) -> set[str]:
    """Which of `NAMES` a template holds."""
    return set(_PLACE.findall(template))


def as_filter(pairs: Sequence[tuple[str, str]]) -> dict[str, str | list[str]]:
    """(key, value) pairs as one object; a key that is there twice has the list of its values."""
    made: dict[str, str | list[str]] = {}
    for key, value in pairs:
        before = made.get(key)
        if before is None:
            made[key] = value
        else:
            made[key] = [*(before if isinstance(before, list) else [before]), value]
    return made


def check_body(template: str) -> None:
    """Refuse a body that is no JSON once its placeholders are filled in.

    Raises:
        InvalidSetting: saying where it breaks.
    """
    _read(template)


def fill_body(template: str, query: str, k: int, wanted: Filter) -> Any:  # noqa: ANN401 - JSON
    """The JSON value that is sent."""
    made = _filled(_read(template), {"query": query, "k": k, "filter": wanted or _LEFT_OUT})
    return {} if made is _LEFT_OUT else made


def fill_address(template: str, query: str, k: int, wanted: Filter) -> str:
    """The address that is asked; every value is escaped."""
    values = {
        "query": query,
        "k": str(k),
        "filter": json.dumps(wanted, ensure_ascii=False) if wanted else "",
    }
    return _PLACE.sub(lambda m: quote(values[m[1]].encode("utf-8", "replace"), safe=""), template)


def _read(template: str) -> Any:  # noqa: ANN401 - JSON
    quoted = _STRING_OR_PLACE.sub(lambda m: m[0] if m[0].startswith('"') else f'"{m[0]}"', template)
    try:
        return json.loads(quoted)
    except (ValueError, RecursionError) as e:
        where = f" at character {e.pos + 1}" if isinstance(e, json.JSONDecodeError) else ""
        raise refuse(
            f"The body is no JSON{where}.", 'Such as {"query": {query}, "k": {k}}'
        ) from None


def _filled(value: Any, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        made = {_text(k, values): _filled(v, values) for k, v in value.items()}
        return {k: v for k, v in made.items() if v is not _LEFT_OUT}
    if isinstance(value, list):
        return [v for one in value if (v := _filled(one, values)) is not _LEFT_OUT]
    if isinstance(value, str):
        whole = _PLACE.fullmatch(value)
        return values[whole[1]] if whole else _text(value, values)
    return value


def _text(template: str, values: Mapping[str, Any]) -> str:
    def text(name: str) -> str:
        value = values[name]
        if name == "filter":
            return "" if value is _LEFT_OUT else json.dumps(value, ensure_ascii=False)
        return str(value)

    return _PLACE.sub(lambda m: text(m[1]), template)
