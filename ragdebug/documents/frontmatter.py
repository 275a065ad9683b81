"""Front matter of Markdown and text files: YAML between ``---``, TOML between ``+++``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ragdebug.documents.canonical import clean
from ragdebug.records import ParseWarning

_FENCES = {"---": ("---", "..."), "+++": ("+++",)}
_MAX_CHARS = 64 * 1024
_MAX_DEPTH = 4
_PAIR = re.compile(r"([A-Za-z_][\w .-]{0,60}?)[ \t]*[:=][ \t]+(.+)")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands above a text.

    Attributes:
        lines: how many lines it takes, its fences included; 0 when there is none.
        values: keys and values as text; nested keys joined by dots, lists by commas.
        warnings: front_matter, where it is not valid YAML or TOML and was read line by line.
    """

    lines: int = 0
    values: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[ParseWarning, ...] = ()


def read_front_matter(text: str) -> FrontMatter:
    """Front matter of a canonical text, or an empty one.

    A rule (``---``) in the first line with prose under it is not front matter.
    """
    first = text[: text.find("\n") if "\n" in text else len(text)].rstrip()
    if first not in _FENCES:
        return FrontMatter()
    lines = text[:_MAX_CHARS].split("\n")
    ends = (i for i, line in enumerate(lines) if i and line.rstrip() in _FENCES[first])
    end = next(ends, 0)
    if not end:
        return FrontMatter()
    body = "\n".join(lines[1:end])
    warnings: tuple[ParseWarning, ...] = ()
    values = _load(body, first)
    if values is None:
        pairs = (_PAIR.fullmatch(line.strip()) for line in lines[1:end])
        values = {m[1]: m[2] for m in pairs if m}
        if not values:
            return FrontMatter()
        kind = "YAML" if first == "---" else "TOML"
        message = f"The front matter is not valid {kind}; it was read line by line."
        warnings = (ParseWarning("front_matter", message, line=1),)
    return FrontMatter(end + 1, dict(flatten(values)), warnings)


def _load(body: str, fence: str) -> dict[str, Any] | None:
    """The values, {} for an empty front matter, None where it cannot be read as one."""
    if not body.strip():
        return {}
    if fence == "+++":
        import tomllib

        try:
            return tomllib.loads(body)
        except (tomllib.TOMLDecodeError, RecursionError, ValueError):
            return None
    import yaml

    try:
        # A few aliases can stand for gigabytes once they are written out.
        if any(isinstance(e, yaml.AliasEvent) for e in yaml.parse(body, Loader=yaml.SafeLoader)):
            return None
        # As safe as safe_load, and values stay as they are written: 1.10 is not 1.1, no is not
        # False, 007 is not 7.
        loaded = yaml.load(body, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    return loaded if isinstance(loaded, dict) else None


def flatten(
    values: Mapping[Any, Any], prefix: str = "", depth: int = 1
) -> Iterator[tuple[str, str]]:
    """Nested values as (key, text) pairs: ``a.b`` for keys, commas for lists, "" for nothing."""
    for key, value in values.items():
        name = prefix + clean(str(key))
        if isinstance(value, Mapping) and depth < _MAX_DEPTH:
            yield from flatten(value, f"{name}.", depth + 1)
        elif isinstance(value, list):
            yield name, ", ".join(as_text(v) for v in value)
        else:
            yield name, as_text(value)


def as_text(value: Any) -> str:  # noqa: ANN401 - whatever a file holds
    """A value of YAML, TOML or JSON as metadata text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return clean(str(value))
