"""Settings and plain Python taken along from the Search page, and settings brought in."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.settings import StrategySettings
from ragdebug.workbench.sharing.writing import settings_toml

WIDE = StrategySettings.parse("bm25@fixed:300/0+k1=2")
OTHER = StrategySettings.parse("bm25+b=0.1")


@pytest.fixture
def wb(tmp_path: Path) -> Iterator[Workbench]:
    (tmp_path / "boats.md").write_text("# Boats\n\nA green boat lies at the pier.", "utf-8")
    with Workbench(tmp_path / "w") as opened:
        opened.ingest([tmp_path / "boats.md"])
        yield opened


def dialog(path: str) -> None:
    import streamlit as st

    from ragdebug import Workbench
    from ragdebug.ui import settings_files

    if "wb" not in st.session_state:
        st.session_state["wb"] = Workbench(path)
    settings_files.row(st.session_state["wb"], ["bm25"], "here")
    settings_files.show(st.session_state["wb"])


def opened(wb: Workbench) -> AppTest:
    wb.close()
    test = AppTest.from_function(dialog, args=(str(wb.path),), default_timeout=60).run()
    test.button(key="here_bring").click().run()
    assert not test.exception
    return test


def shown(test: AppTest) -> str:
    return "\n".join([e.value for e in (*test.markdown, *test.text, *test.caption, *test.error)])


def test_a_file_is_looked_at_before_it_is_kept(wb: Workbench) -> None:
    wb.name_strategy("wide", OTHER)
    test = opened(wb)
    data = settings_toml({"wide": WIDE, "new one": OTHER}).encode()
    test.file_uploader(key="settings_file").upload("mine.toml", data, "application/toml").run()
    told = shown(test)
    assert "**New**" in told and "new one" in told and "**Replaced**" in told
    assert test.button(key="settings_keep").disabled  # until replacing is agreed to
    test.checkbox(key="settings_replace").check().run()
    test.button(key="settings_keep").click().run()
    assert not test.exception
    kept = test.session_state["wb"]
    assert kept.named_strategies() == {"wide": WIDE, "new one": OTHER}
    kept.close()


def test_a_file_that_is_wrong_is_refused_with_its_sentences(wb: Workbench) -> None:
    test = opened(wb)
    data = b"version = 1\n[strategies.a]\npreset = 'bm25'\nk = 'x'\n"
    test.file_uploader(key="settings_file").upload("mine.toml", data, "application/toml").run()
    (error,) = test.error
    assert "must be a whole number" in error.value
    assert not [b for b in test.button if b.key == "settings_keep"]
    test.session_state["wb"].close()


def test_the_zip_of_a_list_holds_its_script(wb: Workbench) -> None:
    assert wb.no_plain_python(WIDE) == ""
    assert "another system's" in wb.no_plain_python(StrategySettings("list", outside="theirs"))
    with zipfile.ZipFile(io.BytesIO(wb.plain_python(WIDE).zip())) as archive:
        assert {"search.py", "chunks.jsonl", "terms.py"} <= set(archive.namelist())
