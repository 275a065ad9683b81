"""One at a time: between threads, between processes, and after a process was killed."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ragdebug.store.exclusive import exclusive

HOLDER = """
import sys, time
from pathlib import Path
from ragdebug.store.exclusive import exclusive
with exclusive(Path(sys.argv[1]), lambda: None):
    print("held", flush=True)
    time.sleep(60)
"""


class GivenUp(Exception):
    pass


def give_up() -> None:
    raise GivenUp


def test_a_second_one_waits_until_the_first_has_finished(tmp_path: Path) -> None:
    file, order, waits = tmp_path / "new" / "lock", list[str](), threading.Event()

    def second() -> None:
        with exclusive(file, waits.set):
            order.append("second")

    with exclusive(file, lambda: None):
        thread = threading.Thread(target=second)
        thread.start()
        assert waits.wait(20)
        order.append("first")
    thread.join(20)
    assert order == ["first", "second"]


def test_an_error_inside_frees_it(tmp_path: Path) -> None:
    with pytest.raises(GivenUp), exclusive(tmp_path / "lock", give_up):
        raise GivenUp
    with exclusive(tmp_path / "lock", give_up):
        pass


def test_another_process_is_waited_for_and_its_death_frees_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(GivenUp), exclusive(tmp_path / "lock", give_up):
            pass
        holder.kill()
        holder.wait()
        with exclusive(tmp_path / "lock", give_up):
            pass


def test_a_folder_that_cannot_be_made_is_left_to_the_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with exclusive(tmp_path / "file" / "lock", give_up):
        pass
