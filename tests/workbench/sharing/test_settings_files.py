"""Strategies from one workspace to another: through the workbench and the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ragdebug import Workbench
from ragdebug.cli import cli
from ragdebug.errors import InvalidSetting
from ragdebug.settings import StrategySettings
from ragdebug.workbench.sharing.reading import read_settings
from ragdebug.workbench.sharing.writing import settings_toml

WIDE = StrategySettings.parse("bm25@fixed:300/0+k1=2+filter=kind=pdf")
DEEP = StrategySettings.parse("reranked@structure:100/10+pool=40+k=8+reranker=identity")


@pytest.fixture
def wb(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench(tmp_path / "mine") as opened:
        yield opened


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench(tmp_path / "other") as opened:
        yield opened


def test_named_strategies_travel_to_another_workspace(wb: Workbench, other: Workbench) -> None:
    wb.name_strategies({"wide": WIDE, "deep one": DEEP})
    text = wb.export_settings(["wide", "deep one"])
    report = other.import_settings(text.encode())
    assert (report.new, report.changed, report.same) == (("wide", "deep one"), (), ())
    assert other.named_strategies() == {"wide": WIDE, "deep one": DEEP}
    again = other.import_settings(text.encode())
    assert (again.new, again.changed, again.same) == ((), (), ("wide", "deep one"))


def test_without_names_those_of_the_last_search_come_too(wb: Workbench) -> None:
    assert list(wb.settings_to_share()) == [
        "default vector", "default bm25", "default hybrid", "default reranked",
    ]  # fmt: skip
    wb.name_strategy("wide", WIDE)
    wb.search("boats", ["bm25", WIDE, "bm25+k1=0.5", "bm25"])
    assert wb.settings_to_share() == {
        "wide": WIDE,
        "last bm25": StrategySettings("bm25"),
        "last bm25 2": StrategySettings.parse("bm25+k1=0.5"),
    }


def test_a_strategy_without_a_name_gets_one_that_can_be_kept(
    wb: Workbench, other: Workbench
) -> None:
    wb.name_strategy("wide", WIDE)
    chosen = wb.settings_to_share(["wide", "bm25+b=0", "hybrid", str(WIDE)])
    assert list(chosen) == ["wide", "shared bm25", "shared hybrid"]
    other.import_settings(settings_toml(chosen).encode())
    assert other.named_strategies() == chosen
    with pytest.raises(InvalidSetting, match="No strategy is called 'narrow'. Named here: wide"):
        wb.settings_to_share(["narrow"])
    with pytest.raises(InvalidSetting, match="b is 7"):
        wb.settings_to_share(["bm25+b=7"])


def test_a_name_that_is_taken_is_replaced_only_when_told(wb: Workbench) -> None:
    wb.name_strategies({"wide": WIDE, "same": DEEP})
    data = settings_toml({"new": WIDE, "wide": DEEP, "same": DEEP}).encode()
    report = wb.import_settings(data, dry_run=True)
    assert (report.new, report.changed, report.same) == (("new",), ("wide",), ("same",))
    with pytest.raises(InvalidSetting, match="kept under these names here: wide"):
        wb.import_settings(data)
    assert wb.named_strategies() == {"wide": WIDE, "same": DEEP}
    wb.import_settings(data, replace=True)
    assert wb.named_strategies() == {"new": WIDE, "wide": DEEP, "same": DEEP}


@pytest.mark.parametrize(
    ("strategies", "words"),
    [
        ({"good": WIDE, "bm25": WIDE}, "'bm25' cannot be the name"),
        ({"good": WIDE, "a+b": WIDE}, "'a+b' cannot be the name"),
        ({"a b": WIDE, "a  b": WIDE}, "the name 'a b' twice"),
        ({"good": WIDE, "odd": StrategySettings(filter=((" kind", "x"),))}, '"odd": The strategy'),
    ],
)
def test_what_cannot_be_kept_here_keeps_the_whole_file_out(
    wb: Workbench, strategies: dict[str, StrategySettings], words: str
) -> None:
    data = settings_toml(strategies).encode()
    assert read_settings(data).strategies == strategies  # the file itself is exact
    with pytest.raises(InvalidSetting) as refused:
        wb.import_settings(data)
    assert words in refused.value.message
    assert wb.named_strategies() == {}


def test_models_that_are_not_here_are_named(wb: Workbench) -> None:
    made = StrategySettings.parse("reranked+model=acme/far+reranker=acme/pairs")
    lexical = StrategySettings.parse("bm25+model=acme/unused")
    report = wb.import_settings(settings_toml({"a": made, "b": lexical, "c": DEEP}).encode())
    assert report.models_missing == ("acme/far", "acme/pairs")


# Command line -------------------------------------------------------------------------------------

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def call(*arguments: str | Path, code: int = 0) -> Result:
        place = ["--workspace", str(tmp_path / "workspace")]
        result = CliRunner().invoke(cli, ["settings", *map(str, arguments), *place])
        assert result.exit_code == code, result.output
        return result

    return call


def test_out_and_in_again_from_the_command_line(run: Run, tmp_path: Path) -> None:
    with Workbench(tmp_path / "workspace") as wb:
        wb.name_strategies({"wide": WIDE, "deep": DEEP})
    file = tmp_path / "mine.toml"
    assert "written" in run("export", "wide", "-o", file).output
    assert read_settings(file.read_bytes()).strategies == {"wide": WIDE}
    assert read_settings(run("export", "deep").output.encode()).strategies == {"deep": DEEP}
    with Workbench(tmp_path / "workspace") as wb:
        wb.name_strategy("wide", DEEP)
        wb.forget_strategy("deep")

    before = run("import", file, "--dry-run").output
    assert f"replaced: wide  {WIDE}" in before and "would be kept: 1" in before
    assert "kept under these names here: wide" in run("import", file, code=1).output
    made = json.loads(run("import", file, "--replace", "--json").stdout)
    assert (made["changed"], made["strategies"]) == (["wide"], {"wide": str(WIDE)})
    with Workbench(tmp_path / "workspace") as wb:
        assert wb.named_strategies() == {"wide": WIDE}


def test_a_file_that_is_wrong_ends_with_its_sentences(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("version = 1\n[strategies.a]\npreset = 'bm25'\nk = 'x'\nkk = 1\n", "utf-8")
    told = run("import", file, code=1).output
    assert "strategies.a.kk is not known; is k meant?" in told
    assert "strategies.a.k is 'x'; it must be a whole number." in told
