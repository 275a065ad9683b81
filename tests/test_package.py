"""The wheel carries everything: installed elsewhere, it answers and opens the app."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import sysconfig
import time
import tomllib
import urllib.error
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import ragdebug
from ragdebug import places

ROOT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from this checkout."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out)]
    run = subprocess.run([*command, str(ROOT)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts' folder of a new environment with the wheel and, by a path file, our libraries.

    A plain line in a path file adds the folder without reading path files in it, so an editable
    install of this checkout is not seen.
    """
    home = tmp_path_factory.mktemp("elsewhere") / "venv"
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / Path(sys.executable).with_stem("python").name
    ours = sysconfig.get_path("purelib")
    theirs = Path(sysconfig.get_path("purelib", "venv", {"base": str(home)}))
    (theirs / "libraries.pth").write_text(f"{ours}\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "install"]
        + ["--quiet", "--no-deps", "--no-index", "--force-reinstall", str(wheel)],
        check=True,
    )
    return scripts


def clean() -> dict[str, str]:
    """The environment without anything that would lead back to the checkout."""
    return {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}


def test_the_wheel_carries_app_pages_theme_and_sample(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    pages = {f"ragdebug/_app/pages/{path.name}" for path in (ROOT / "pages").glob("*.py")}
    sample = {
        f"ragdebug/_app/data/sample/{path.relative_to(ROOT / 'data' / 'sample').as_posix()}"
        for path in (ROOT / "data" / "sample").rglob("*")
        if path.is_file()
    }
    assert pages and sample
    assert pages | sample <= names
    assert {"ragdebug/_app/app.py", "ragdebug/_app/.streamlit/config.toml"} <= names
    assert "ragdebug/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "app.py", "pages/"))]


def test_the_checkout_wins_over_the_copy_inside_the_package() -> None:
    assert places.app_script() == ROOT / "app.py"
    assert places.sample_folder() == ROOT / "data" / "sample"


def test_a_broken_installation_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(places, "PACKAGE", tmp_path / "ragdebug")
    with pytest.raises(places.AppFilesMissing, match="Install ragdebug-workbench again"):
        places.app_script()


def test_an_app_of_somebody_else_beside_the_package_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "ragdebug"
    (package / "_app").mkdir(parents=True)
    (package / "_app" / "app.py").write_text("")
    (tmp_path / "app.py").write_text("")
    monkeypatch.setattr(places, "PACKAGE", package)
    assert places.app_script() == package / "_app" / "app.py"


def test_the_installed_command_names_its_version(installed: Path, tmp_path: Path) -> None:
    run = subprocess.run(
        [str(installed / "ragdebug"), "--version"],
        cwd=tmp_path,
        env=clean(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ragdebug.__version__ in run.stdout


def test_the_installed_package_finds_its_own_files(installed: Path, tmp_path: Path) -> None:
    code = "import ragdebug.places as p; print(p.app_script()); print(p.sample_folder())"
    run = subprocess.run(
        [str(installed / "python"), "-c", code],
        cwd=tmp_path,
        env=clean(),
        capture_output=True,
        text=True,
        check=True,
    )
    script, sample = map(Path, run.stdout.splitlines())
    assert script.parts[-3:] == ("ragdebug", "_app", "app.py")
    assert installed.parent in script.parents
    assert (sample / "handbook").is_dir()
    assert (script.parent / ".streamlit" / "config.toml").is_file()


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextmanager
def served(command: list[str], folder: Path, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as out:
        server = subprocess.Popen(
            command, cwd=folder, env=clean(), stdout=out, stderr=subprocess.STDOUT
        )
        try:
            yield server
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def fetch(url: str) -> tuple[int, str]:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.status, answer.read().decode()


def wait_for(url: str, server: subprocess.Popen[bytes], log: Path, seconds: float = 90) -> str:
    """The body of the first good answer."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert server.poll() is None, f"The app ended by itself:\n{log.read_text()}"
        try:
            status, body = fetch(url)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
            continue
        assert status == 200
        return body
    raise AssertionError(f"No answer from {url} in {seconds:g} s:\n{log.read_text()}")


def test_the_installed_app_opens_from_anywhere(installed: Path, tmp_path: Path) -> None:
    port = free_port()
    log = tmp_path / "app.log"
    command = [str(installed / "ragdebug"), "app", "--no-browser", "--port", str(port)]
    with served([*command, "--workspace", str(tmp_path / "ws")], tmp_path, log) as server:
        here = f"http://127.0.0.1:{port}"
        assert wait_for(f"{here}/_stcore/health", server, log) == "ok"
        status, page = fetch(f"{here}/")
        assert status == 200
        assert '<div id="root">' in page


def test_constraints_name_every_direct_dependency_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [line.partition("==")[0] for line in lines if line and not line.startswith("#")]
    wanted = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    names = {"".join(c if c.isalnum() or c in "-_." else " " for c in w).split()[0] for w in wanted}
    assert len(pinned) == len(set(pinned))
    assert {name.lower().replace("_", "-") for name in names} <= set(pinned)
    assert not [line for line in lines if "/" in line or "@" in line]
