"""Reading vectors while a job adds more."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from ragdebug.store import vectors as module
from ragdebug.store.workspace import Store


def test_vectors_added_between_the_two_reads_are_not_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Store(tmp_path / "w")) as store:
        store.vectors.put("m", ["a"], np.ones((1, 2), np.float32))
        usual = module._column

        def meanwhile(*args: object) -> object:
            found = usual(*args)  # type: ignore[arg-type]
            store.vectors.put("m", ["b"], np.zeros((1, 2), np.float32))
            return found

        monkeypatch.setattr(module, "_column", meanwhile)
        at, read = store.vectors.get("m", ["b", "a"])
        assert at.tolist() == [1]
        assert read.tolist() == [[1, 1]]
        monkeypatch.undo()
        assert store.vectors.get("m", ["b", "a"])[0].tolist() == [0, 1]
