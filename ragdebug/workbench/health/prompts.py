"""Prompts that a model was trained with and does not get."""

from __future__ import annotations

import re
from pathlib import Path

from ragdebug.model_files import config
from ragdebug.protocols import ModelInfo
from ragdebug.settings import StrategySettings
from ragdebug.workbench.health.findings import SEARCH, WARNING, Finding, Where, finding

_BASE = re.compile(r"^base_model:[ \t]*(?:\n[ \t]*-[ \t]*)?([^\s#]+)", re.MULTILINE)


def check(folder: Path, name: str, given: ModelInfo) -> list[Finding]:
    """Compare what a model gets with its own files and with the family it was trained from.

    Args:
        folder: of the model.
        name: as a person writes it, without a revision.
        given: the prompts that are put in front of queries and passages.
    """
    unused = _unused(folder, given)
    if unused:
        return [_told(given, f"its files name {_listed(unused)}, and none of them is used")]
    for source in [name, *bases(folder)]:
        family = family_of(source)
        missing = [
            f"“{wanted.strip()}” in front of a {what}"
            for what, wanted, got in (
                ("query", family.query, given.query_prompt),
                ("passage", family.passage, given.passage_prompt),
            )
            if wanted and not got
        ]
        if missing:
            whose = "" if source == name else f" (it was trained from {source})"
            return [
                _told(
                    given,
                    f"models of the family {family.source}{whose} expect {' and '.join(missing)}",
                )
            ]
    return []


def family_of(name: str) -> config.Prompts:
    """The prompts that a model's name stands for; none for a family that needs none."""
    last = name.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1].lower()
    words = re.sub(r"[^a-z0-9]+", " ", last)
    for pattern, family, query, passage in config.FAMILIES:
        if re.search(pattern, words):
            return config.Prompts(query, passage, family)
    return config.Prompts()


def bases(folder: Path) -> list[str]:
    """The models that a model says it was trained from: by its configuration and its card."""
    found = []
    settings = config.read_json(config.core(folder) / "config.json")
    if isinstance(settings, dict) and isinstance(settings.get("_name_or_path"), str):
        found.append(settings["_name_or_path"])
    try:
        card = (folder / "README.md").read_text(encoding="utf-8", errors="replace")[:20_000]
    except OSError:
        card = ""
    front = re.match(r"---\s*\n(.*?)\n---", card, re.DOTALL)
    if front and (base := _BASE.search(front[1])):
        found.append(base[1].strip("\"'"))
    return [name for name in found if name]


def _unused(folder: Path, given: ModelInfo) -> list[str]:
    """Names of the prompts in a model's own files, where neither side gets any."""
    settings = config.read_json(folder / "config_sentence_transformers.json")
    own = settings.get("prompts") if isinstance(settings, dict) else None
    if given.query_prompt or given.passage_prompt or not isinstance(own, dict):
        return []
    return [str(key) for key, value in own.items() if value]


def _told(given: ModelInfo, why: str) -> Finding:
    return finding(
        "prompts",
        WARNING,
        f"{given.name} gets {_gets(given)}, but {why}. Name them query and passage in its "
        "config_sentence_transformers.json.",
        1,
        1,
        [
            Where(
                SEARCH,
                f"Lists of {given.name}",
                strategy=str(StrategySettings("vector", embedder=given.name)),
            )
        ],
    )


def _gets(given: ModelInfo) -> str:
    if given.query_prompt and given.passage_prompt:
        return "prompts"
    if given.query_prompt or given.passage_prompt:
        return f"a prompt for {'queries' if given.query_prompt else 'passages'} only"
    return "no prompts"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
