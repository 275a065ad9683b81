"""A process killed at any moment leaves a store that opens, with old or new content, once."""

from __future__ import annotations

import random
import time
from pathlib import Path

import numpy as np
import pytest

from ragdebug.store.workspace import Store
from tests.store.helpers import Start, text_document

KILLS = 5

# Saves the same documents again and again, every time with another text, and says which one.
OVERWRITE = """
from ragdebug.store.workspace import Store
from tests.store.helpers import text_document
store = Store(args[0])
store.facts.linger_s = float(args[2])
say("ready")
n = int(args[1])
while True:
    n += 1
    store.documents.save([text_document(f"d{i}", f"text {n}", version=f"v{n}") for i in range(5)])
    store.documents.tag(["d0"], {"n": str(n)})
    say(n)
"""

# Deletes and saves the same key in turn.
REPLACE = """
from ragdebug.store.workspace import Store
from tests.store.helpers import text_document
store = Store(args[0])
say("ready")
n = int(args[1])
while True:
    n += 1
    with store.facts.transaction() as c:
        c.execute("DELETE FROM document_versions WHERE document = 'd0'")
        c.execute("DELETE FROM documents WHERE id = 'd0'")
        store.documents.save([text_document("d0", f"text {n}", version=f"v{n}")])
    say(n)
"""

VECTORS = """
import numpy as np
from ragdebug.store.workspace import Store
store = Store(args[0])
say("ready")
n = int(args[1])
while True:
    n += 1
    store.vectors.put("m", [f"{n}-{i}" for i in range(200)], np.full((200, 64), n, np.float32))
    say(n)
"""


def last_said(lines: list[str], before: int) -> int:
    """The last number that was confirmed; a line cut in half does not count."""
    return max([before, *(int(x) for x in lines if x.endswith("\n") and x.strip().isdigit())])


def killed_after(process: object, seconds: float) -> list[str]:
    time.sleep(seconds)
    process.kill()  # type: ignore[attr-defined]
    lines = process.stdout.readlines()  # type: ignore[attr-defined]
    process.wait()  # type: ignore[attr-defined]
    return lines


@pytest.mark.parametrize("linger", [0.0, 0.5])
def test_documents_overwritten_while_killed_are_there_once_old_or_new(
    path: Path, start: Start, linger: float
) -> None:
    store = Store(path.parent)
    store.documents.save([text_document("earlier", "untouched")])
    store.documents.save([text_document(f"d{i}", "text 0", version="v0") for i in range(5)])
    store.close()
    dice, said = random.Random(7), 0
    for _ in range(KILLS):
        process = start(OVERWRITE, path.parent, said, linger)
        said = last_said(killed_after(process, dice.uniform(0.05, 0.6)), said)
        infos = {i.id: i for i in store.documents.infos()}
        assert sorted(infos) == ["d0", "d1", "d2", "d3", "d4", "earlier"]
        (version,) = {infos[f"d{i}"].version for i in range(5)}
        found = int(version[1:])
        assert found in (said, said + 1)  # what was confirmed is there; the next one may be
        assert store.documents.load("d3").text == f"text {found}"
        assert store.documents.load("earlier").text == "untouched"
        assert store.notices == []
        store.close()
        said = found


def test_a_key_deleted_and_saved_again_while_killed_is_there_once(path: Path, start: Start) -> None:
    store = Store(path.parent)
    store.documents.save([text_document("d0", "text 0", version="v0")])
    store.close()
    dice, said = random.Random(11), 0
    for _ in range(KILLS):
        process = start(REPLACE, path.parent, said)
        said = last_said(killed_after(process, dice.uniform(0.05, 0.6)), said)
        (info,) = store.documents.infos()
        (version,) = store.documents.versions("d0")
        assert info.version == version.version
        assert int(info.version[1:]) in (said, said + 1)
        store.close()
        said = int(info.version[1:])


def test_vectors_written_while_killed_are_whole_batches(path: Path, start: Start) -> None:
    store, dice, said = Store(path.parent), random.Random(13), 0
    for _ in range(3):
        process = start(VECTORS, path.parent, said)
        said = last_said(killed_after(process, dice.uniform(0.05, 0.8)), said)
        count = store.vectors.count("m")
        assert count % 200 == 0
        assert count // 200 in (said, said + 1)
        said = count // 200
        if said:
            at, vectors = store.vectors.get("m", [f"{said}-{i}" for i in range(200)])
            assert len(at) == 200
            assert (vectors == np.float32(said)).all()
        assert store.notices == []
        store.close()


def test_a_store_killed_while_it_is_made_opens(tmp_path: Path, start: Start) -> None:
    code = """
import threading, os
threading.Timer(float(args[1]), os.kill, (os.getpid(), 9)).start()
import duckdb, pyarrow
from ragdebug.store.workspace import Store
store = Store(args[0])
while True:
    store.documents.infos()
    store.close()
    import shutil
    shutil.rmtree(args[0])
"""
    for n, delay in enumerate((1.0, 1.3, 1.6)):
        start(code, tmp_path / str(n), delay, wait=False).wait()
        store = Store(tmp_path / str(n))
        store.documents.save([text_document("a")])
        assert [i.id for i in store.documents.infos()] == ["a"]
        store.close()
