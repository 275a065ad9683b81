"""The README names what there is: commands, options, variables, targets and pictures."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from ragdebug.cli import cli
from ragdebug.settings import (
    CHUNKERS,
    DEFAULT_EMBEDDER,
    DEFAULT_RERANKER,
    DRAFT_EMBEDDER,
    OPTIONS,
    PRESETS,
    ChunkingSettings,
    StrategySettings,
)

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = set(re.findall(r"`([^`\n]+)`", README))
WORDS = set(re.findall(r"[\w-]+", " ".join(CODE)))


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_every_command_is_described(name: str) -> None:
    assert f"`ragdebug {name}" in README
    command = cli.commands[name]
    if isinstance(command, click.Group):
        assert set(command.commands) <= WORDS


def test_every_command_that_is_described_exists() -> None:
    assert set(re.findall(r"ragdebug ([a-z]+)(?= |`|$)", "\n".join(CODE))) <= set(cli.commands)


def test_flags_of_the_examples_exist() -> None:
    commands = list(cli.commands.values())
    commands += [one for c in commands if isinstance(c, click.Group) for one in c.commands.values()]
    flags = {opt for c in commands for p in c.params for opt in p.opts}
    used = set(re.findall(r"ragdebug [a-z]+[^`\n]*?(--[a-z-]+)", README))
    assert used <= flags


@pytest.mark.parametrize("name", [*OPTIONS, *CHUNKERS, *PRESETS])
def test_every_option_chunking_and_strategy_is_named(name: str) -> None:
    assert name in WORDS


def test_defaults_are_as_written() -> None:
    assert str(ChunkingSettings()) == "structure:220/40:tokens:label"
    assert str(ChunkingSettings()) in CODE
    assert StrategySettings.parse("bm25@fixed:200/0+variant=okapi+b=0.5").bm25.b == 0.5
    for model in (DEFAULT_EMBEDDER, DRAFT_EMBEDDER, DEFAULT_RERANKER):
        assert model in CODE
    fresh = StrategySettings()
    assert (fresh.bm25.k1, fresh.bm25.b, fresh.bm25.epsilon) == (1.2, 0.75, 0.25)
    assert (fresh.k, fresh.depth, fresh.rerank.pool, fresh.fusion.k) == (5, 50, 20, 60)


def test_every_variable_of_the_environment_is_described() -> None:
    files = [*(ROOT / "ragdebug").rglob("*.py"), ROOT / "tests" / "conftest.py"]
    used = {v for f in files for v in re.findall(r"RAGDEBUG_[A-Z_]+", f.read_text("utf-8"))}
    assert used == set(re.findall(r"RAGDEBUG_[A-Z_]+", README))


def test_targets_of_make_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = {a or b for a, b in re.findall(r"^ +make ([a-z]+)|`make ([a-z]+)`", README, re.M)}
    assert named <= targets


def test_links_and_pictures_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).is_file(), target


def test_pages_are_named_as_in_the_menu() -> None:
    for page in (ROOT / "pages").glob("*.py"):
        assert f"**{page.stem.partition('_')[2].replace('_', ' ')}**" in README
