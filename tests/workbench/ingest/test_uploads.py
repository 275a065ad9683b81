"""Uploads and archives: names, what is read from them, originals."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import NameTaken
from tests.workbench.ingest.looking import found, sources, write


def test_an_upload_of_a_taken_name_asks_replaces_or_keeps_both(wb: Workbench) -> None:
    wb.ingest_files([("menu.txt", b"Turnip soup.")])
    with pytest.raises(NameTaken, match="menu.txt"):
        wb.ingest_files([("other.txt", b"Else."), ("menu.txt", b"Leek soup.")])
    assert sources(wb) == ["menu.txt"]
    assert wb.ingest_files([("menu.txt", b"Turnip soup.")]).counts() == {"unchanged": 1}
    wb.ingest_files([("menu.txt", b"Leek soup.")], on_conflict="keep_both")
    assert sources(wb) == ["menu (2).txt", "menu.txt"]
    wb.ingest_files([("menu.txt", b"Bean soup.")], on_conflict="replace")
    assert found(wb, "turnip") == []
    assert found(wb, "bean") == ["menu.txt"]
    assert found(wb, "leek") == ["menu (2).txt"]


def test_names_of_uploads_cannot_leave_the_workspace(wb: Workbench, tmp_path: Path) -> None:
    before = {p for p in tmp_path.rglob("*") if "workspace" not in p.parts}
    names = ["../outside.txt", "/rooted.txt", "..\\up.txt", "..", "a/../../b.txt"]
    wb.ingest_files([(n, f"Lagoon {i}.".encode()) for i, n in enumerate(names)])
    after = {p for p in tmp_path.rglob("*") if "workspace" not in p.parts}
    assert after == before
    assert all("/" not in s and "\\" not in s for s in sources(wb))


def test_a_zip_is_read_like_a_folder(wb: Workbench, tmp_path: Path) -> None:
    file = tmp_path / "all.zip"
    with zipfile.ZipFile(file, "w") as z:
        z.writestr("a/report.txt", "About wool.")
        z.writestr("b/report.txt", "About silk.")
        z.writestr("../evil.txt", "About evil.")
    wb.ingest([file])
    assert found(wb, "wool") == ["a/report.txt"]
    assert found(wb, "silk") == ["b/report.txt"]
    assert not (tmp_path.parent / "evil.txt").exists()
    with zipfile.ZipFile(file, "w") as z:
        z.writestr("a/report.txt", "About wool.")
    wb.ingest([file], yes=True)
    assert [d.source for d in wb.documents() if d.status != "failed"] == ["a/report.txt"]


def test_an_original_is_given_back(wb: Workbench, folder: Path) -> None:
    path = write(folder, "a.txt", "By reference.\r\n")
    wb.ingest([path])
    wb.ingest_files([("b.txt", b"Uploaded.")])
    assert wb.original(wb.resolve("a.txt").id) == ("a.txt", b"By reference.\r\n")
    assert wb.original(wb.resolve("b.txt").id) == ("b.txt", b"Uploaded.")
    path.unlink()
    assert wb.original(wb.resolve("a.txt").id) is None


def test_an_archive_in_a_folder_keeps_what_was_read_from_it(wb: Workbench, folder: Path) -> None:
    write(folder, "a.txt", "File a.")
    with zipfile.ZipFile(folder / "more.zip", "w") as archive:
        archive.writestr("b.txt", "File b.")
    wb.ingest([folder / "more.zip"])
    wb.ingest([folder])
    assert {"a.txt", "b.txt"} <= set(sources(wb))
