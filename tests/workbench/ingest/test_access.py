"""Files and folders that cannot be looked at, links, and names that are no text."""

from __future__ import annotations

import io
import os
import stat
import sys
import zipfile
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.documents import scan
from tests.workbench.ingest.looking import found, sources, statuses, write


def test_what_cannot_be_looked_at_now_is_not_taken_for_gone(
    wb: Workbench, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        write(folder, f"{name}.txt", f"File {name}.")
    wb.ingest([folder])
    look = scan._is_binary

    def denied(path: Path) -> bool:
        if path.name == "c.txt":
            raise PermissionError(13, "Permission denied", str(path))
        return look(path)

    monkeypatch.setattr(scan, "_is_binary", denied)
    report = wb.ingest([folder])
    assert report.counts() == {"unchanged": 2}
    assert report.skipped == (("c.txt", "not readable"),)
    assert sources(wb) == ["a.txt", "b.txt", "c.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_of_odd_bytes_are_the_same_file_the_next_time(wb: Workbench, folder: Path) -> None:
    for name in (b"x\xff.txt", b"x\xfe.txt", b"y\x1fz.txt"):
        (folder / os.fsdecode(name)).write_text(f"File {name!r}.", "utf-8")
    assert wb.ingest([folder]).counts() == {"added": 3}
    assert wb.ingest([folder]).counts() == {"unchanged": 3}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_the_original_of_a_name_of_odd_bytes_is_given_back(
    wb: Workbench, folder: Path, tmp_path: Path
) -> None:
    odd = os.fsencode(folder) + b"/dir\xfe/x\xff.txt"
    os.mkdir(os.path.dirname(odd))
    Path(os.fsdecode(odd)).write_bytes(b"By reference.")
    wb.ingest([folder])
    (info,) = wb.documents()
    original = wb.original(info.id)
    assert original is not None
    assert original[1] == b"By reference."
    # It is still there, so that the same bytes elsewhere are a second file and no move.
    assert wb.ingest([write(tmp_path, "copy.txt", "By reference.")]).counts() == {"added": 1}


def test_a_path_that_the_system_refuses_does_not_stop_the_others(
    wb: Workbench, folder: Path
) -> None:
    good = write(folder, "a.txt", "File a.")
    report = wb.ingest([folder / ("x" * 300), good])
    assert report.counts() == {"added": 1, "failed": 1}
    assert "cannot be read" in next(d.error for d in report.documents if d.error)
    assert sources(wb) == ["a.txt"]


def test_a_known_file_in_a_folder_that_may_not_be_looked_into_stays(
    wb: Workbench, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = write(folder, "inner/a.txt", "File a.")
    other = write(folder, "b.txt", "File b.")
    wb.ingest([hidden])
    exists = Path.exists

    def denied(path: Path) -> bool:
        if path.name == "a.txt":
            raise PermissionError(13, "Permission denied", str(path))
        return exists(path)

    monkeypatch.setattr(Path, "exists", denied)
    assert wb.ingest([other]).counts() == {"added": 1}
    assert sources(wb) == ["a.txt", "b.txt"]


def test_a_link_out_of_the_folder_is_refused_and_the_rest_goes_in(
    wb: Workbench, folder: Path, tmp_path: Path
) -> None:
    secret = write(tmp_path / "private", "key.txt", "The heron knows the password.")
    write(folder, "a.txt", "The crane flies.")
    try:
        (folder / "x.txt").symlink_to(secret)
        (folder / "more").symlink_to(secret.parent)
        (folder / "b.txt").symlink_to("a.txt")
        (folder / "round").symlink_to(folder)
    except OSError:
        pytest.skip("no links here")
    report = wb.ingest([folder])
    assert statuses(report) == {
        "a.txt": "added",
        "b.txt": "added",
        "x.txt": "failed",
        "more": "failed",
    }
    for d in report.documents:
        if d.status == "failed":
            assert d.source in d.error
            assert "outside" in d.error
            assert d.hint
    assert found(wb, "heron password") == []
    assert report.skipped == (("round/", "link to a folder"),)
    assert wb.ingest([folder]).counts() == {"unchanged": 2, "failed": 2}
    (folder / "x.txt").unlink()
    (folder / "more").unlink()
    assert wb.ingest([folder]).counts() == {"unchanged": 2}
    assert sources(wb) == ["a.txt", "b.txt"]


def test_links_in_an_archive_are_refused_and_the_rest_goes_in(wb: Workbench) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        link = zipfile.ZipInfo("x.txt")
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/hostname")
        archive.writestr("a.txt", "The crane flies.")
    report = wb.ingest_files([("all.zip", out.getvalue())])
    assert statuses(report) == {"all.zip/x.txt": "failed", "a.txt": "added"}
    (failed,) = [d for d in report.documents if d.status == "failed"]
    assert "x.txt" in failed.error
    assert failed.hint
