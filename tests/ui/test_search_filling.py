"""What the Search page asks for, run after run, until all lists are there."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ragdebug.settings import StrategySettings
from ragdebug.ui.search import columns as cols
from ragdebug.ui.search import filling
from ragdebug.ui.search.results import Results

SHARE = "vectors are counted"


class Late(Results):
    """What is counted comes just when a run has looked at what is there and notes the version."""

    def __init__(self, go_on: threading.Event) -> None:
        self._go_on = go_on
        super().__init__()

    @property
    def version(self) -> int:
        if threading.current_thread() is threading.main_thread() and not self._go_on.is_set():
            self._go_on.set()
            with self._lock:
                self._lock.wait_for(lambda: any("share" in key for key in self._values), 60)
        return self._version

    @version.setter
    def version(self, value: int) -> None:
        self._version = value


def test_a_list_is_asked_for_however_late_the_vectors_were_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go_on = threading.Event()

    def indexed(*_: object) -> float:
        go_on.wait(60)
        return 1.0

    def search_one(query: str, strategy: StrategySettings, **_: object) -> Any:  # noqa: ANN401
        return SimpleNamespace(error="", trace=SimpleNamespace(indexed=1.0), strategy=str(strategy))

    wb: Any = SimpleNamespace(
        path=Path("here"),
        revision=lambda: 1,
        jobs=SimpleNamespace(active=lambda *_: (), list=lambda: ()),
        list_mark=lambda *_: "",
        models_missing=lambda *_: ("a model",),
        load_models=lambda *_: None,
        indexed=indexed,
        query_terms=lambda *_: (),
        search_one=search_one,
    )
    kept = Late(go_on)
    monkeypatch.setattr(filling, "results", lambda: kept)
    monkeypatch.setattr(filling, "LIGHT_S", 0.05)
    monkeypatch.setattr(filling.sending, "agreed", lambda *_: True)
    monkeypatch.setattr(filling.sending, "names", lambda *_: ())
    monkeypatch.setattr(filling.indexing, "graph", lambda *_: None)
    columns = cols.build(cols.check("vector,bm25"), StrategySettings())

    filled = filling.fill(wb, "q", columns, ())
    for _ in range(20):
        if filled.complete:
            break
        kept.release()
        kept.wait([key for key in kept._values if "list" in key], 1)
        if kept.version != filled.version:  # what `watch` looks at
            filled = filling.fill(wb, "q", columns, ())
        else:
            threading.Event().wait(0.1)
    assert filled.complete
