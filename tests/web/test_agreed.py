"""What a person agreed to on this machine, outside of the workspace."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from ragdebug.web import agreed
from ragdebug.web.agreed import Agreement


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(agreed, "_here", {})
    return tmp_path / "state" / "ragdebug" / agreed.FILE


def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """As another process would see it."""
    monkeypatch.setattr(agreed, "_here", {})


def test_a_yes_that_is_remembered_is_there_later(
    tmp_path: Path, own_state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agreed.agree(tmp_path / "a", "python:m:f", "/home/me", remember=True)
    later(monkeypatch)
    assert agreed.agreed(tmp_path / "a", "python:m:f") == Agreement("python:m:f", "/home/me")
    assert agreed.agreed(tmp_path / "x" / ".." / "a", "python:m:f") is not None
    assert agreed.agreed(tmp_path / "a", "python:m:g") is None
    assert agreed.agreed(tmp_path / "b", "python:m:f") is None
    assert stat.S_IMODE(own_state.stat().st_mode) == 0o600


def test_a_click_is_for_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agreed.agree(tmp_path, "x", remember=False)
    assert agreed.agreed(tmp_path, "x") is not None
    later(monkeypatch)
    assert agreed.agreed(tmp_path, "x") is None


def test_a_yes_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agreed.agree(tmp_path, "x", remember=True)
    agreed.agree(tmp_path, "y", remember=True)
    agreed.forget(tmp_path, "x")
    later(monkeypatch)
    assert agreed.agreed(tmp_path, "x") is None
    assert agreed.agreed(tmp_path, "y") is not None


@pytest.mark.parametrize("content", ["", "[]", "{", '{"a": 1}', '{"a": {"b": 1}}'])
def test_a_damaged_file_says_no(tmp_path: Path, own_state: Path, content: str) -> None:
    own_state.parent.mkdir(parents=True)
    own_state.write_text(content)
    assert agreed.agreed(tmp_path, "x") is None
    agreed.agree(tmp_path, "x", remember=True)
    assert agreed.agreed(tmp_path, "x") is not None
