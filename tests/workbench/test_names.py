"""Uploads whose names are already here."""

from __future__ import annotations

import io
import zipfile

import pytest

from ragdebug import Workbench
from ragdebug.errors import NameTaken


def zipped(**files: str) -> bytes:
    """A zip of text files; "_" in a name stands for "."."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("_", "."), text)
    return buffer.getvalue()


def texts(wb: Workbench) -> dict[str, str]:
    """Source -> text of every document."""
    return {d.source: wb.document(d.id).text for d in wb.documents() if d.version}


def test_all_taken_names_are_known_before_anything_is_read(wb: Workbench) -> None:
    wb.ingest_files([("a.txt", b"Apples."), ("b.txt", b"Beans."), ("c.txt", b"Carrots.")])
    again = [("a.txt", b"Apricots."), ("b.txt", b"Beans."), ("c.txt", b"Chard.")]
    assert wb.names_taken(again) == ("a.txt", "c.txt")
    with pytest.raises(NameTaken, match="2 names"):
        wb.ingest_files(again)
    assert texts(wb)["a.txt"] == "Apples."


def test_two_files_of_one_name_in_one_upload_are_both_taken(wb: Workbench) -> None:
    wb.ingest_files([("menu.txt", b"Soup."), ("menu.txt", b"Bread.")])
    assert texts(wb) == {"menu.txt": "Soup.", "menu (2).txt": "Bread."}


def test_folders_in_the_names_of_uploads_keep_files_of_one_name_apart(wb: Workbench) -> None:
    files = [("x/menu.txt", b"Soup."), ("y\\menu.txt", b"Bread."), ("menu.md", b"Cake.")]
    wb.ingest_files(files)
    assert texts(wb) == {"x/menu.txt": "Soup.", "y/menu.txt": "Bread.", "menu.md": "Cake."}
    assert wb.ingest_files(files).counts() == {"unchanged": 3}
    assert wb.names_taken([("x/menu.txt", b"Stew."), ("menu.txt", b"Stew.")]) == ("x/menu.txt",)


def test_the_same_file_twice_in_one_upload_is_taken_once(wb: Workbench) -> None:
    report = wb.ingest_files([("menu.txt", b"Soup."), ("menu.txt", b"Soup.")])
    assert report.counts() == {"added": 1}
    assert report.skipped == (("menu.txt", "it was given twice"),)


def test_another_zip_of_the_same_name_does_not_take_the_first_ones_documents_away(
    wb: Workbench,
) -> None:
    wb.ingest_files([("docs.zip", zipped(a_txt="Apples.", b_txt="Beans."))])
    other = [("docs.zip", zipped(c_txt="Carrots."))]
    assert wb.names_taken(other) == ("docs.zip",)
    with pytest.raises(NameTaken, match=r"docs\.zip"):
        wb.ingest_files(other)
    wb.ingest_files(other, on_conflict="keep_both")
    assert texts(wb) == {"a.txt": "Apples.", "b.txt": "Beans.", "c.txt": "Carrots."}
    wb.ingest_files(other, on_conflict="replace")
    assert set(texts(wb).values()) == {"Carrots."}


def test_the_same_zip_again_is_no_question(wb: Workbench) -> None:
    files = [("docs.zip", zipped(a_txt="Apples."))]
    wb.ingest_files(files)
    assert wb.names_taken(files) == ()
    assert wb.ingest_files(files).counts() == {"unchanged": 1}


def test_a_file_that_was_never_read_does_not_hold_its_name(wb: Workbench) -> None:
    assert wb.ingest_files([("plan.pdf", b"not a pdf")]).counts() == {"failed": 1}
    assert wb.names_taken([("plan.pdf", b"something else")]) == ()
