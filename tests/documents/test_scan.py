from __future__ import annotations

import os
from pathlib import Path

import pytest

from ragdebug.documents.scan import scan
from ragdebug.errors import DocumentError


def write(root: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def test_files_come_sorted_with_their_place_and_size(tmp_path: Path) -> None:
    write(tmp_path, {"b.txt": b"12", "a/z.md": b"123", "a/b/c.csv": b"", "a.txt": b"1"})
    found = scan(tmp_path)
    assert [(f.relative, f.size) for f in found] == [
        ("a.txt", 1),
        ("a/b/c.csv", 0),
        ("a/z.md", 3),
        ("b.txt", 2),
    ]
    assert found.files[0].path == tmp_path / "a.txt" and found.files[0].root == tmp_path
    assert len(found) == 4 and found.skipped == ()


def test_hidden_junk_and_binary_files_are_skipped_and_said(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".env": b"x",
            ".git/config": b"x",
            "node_modules/a.js": b"x",
            "~$open.docx": b"x",
            "photo.PNG": b"x",
            "blob.xyz": bytes(100),
            "core.txt": b"\x00\x01\x02" * 100,
            "good.txt": b"hello",
            "nul.txt": b"one \0 two three four five six seven eight nine",
            "nuls.md": b"# Ti\0tle\n\nSh\0ort.\0\0\n",
            "wide.txt": "hello".encode("utf-16-le"),
            "paper.pdf": b"%PDF-1.4\0\0\0",
        },
    )
    found = scan(tmp_path)
    assert [f.relative for f in found] == [
        "good.txt",
        "nul.txt",
        "nuls.md",
        "paper.pdf",
        "wide.txt",
    ]
    assert dict(found.skipped) == {
        ".env": "hidden",
        ".git/": "hidden",
        "node_modules/": "junk folder",
        "~$open.docx": "junk",
        "photo.PNG": "binary",
        "blob.xyz": "binary",
        "core.txt": "binary",
    }


def test_links_to_folders_are_not_followed_and_pipes_not_read(tmp_path: Path) -> None:
    write(tmp_path, {"a/b.txt": b"x"})
    try:
        (tmp_path / "a/loop").symlink_to(tmp_path, target_is_directory=True)
        (tmp_path / "a/dead.txt").symlink_to(tmp_path / "nowhere")
        (tmp_path / "a/self.txt").symlink_to(tmp_path / "a/self.txt")
        os.mkfifo(tmp_path / "a/pipe.txt")
    except (OSError, AttributeError):
        pytest.skip("no links or pipes here")
    found = scan(tmp_path)
    assert [f.relative for f in found] == ["a/b.txt"]
    assert dict(found.skipped) == {
        "a/loop/": "link to a folder",
        "a/dead.txt": "not a plain file",
        "a/self.txt": "not a plain file",
        "a/pipe.txt": "not a plain file",
    }
    assert found.outside == ()


def test_links_that_lead_outside_are_set_apart_and_those_inside_are_files(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write(tmp_path, {"docs/a.txt": b"one", "docs-2/secret.txt": b"two", "other/b.txt": b"three"})
    links = {
        "inside.txt": docs / "a.txt",
        "file.txt": tmp_path / "docs-2/secret.txt",  # its folder only begins with the same name
        "folder": tmp_path / "other",
        "chain.txt": docs / "file.txt",
        "dots.txt": Path("../other/b.txt"),
        "gone.txt": tmp_path / "nowhere",
        ".hidden": tmp_path / "other/b.txt",
    }
    try:
        for name, target in links.items():
            (docs / name).symlink_to(target)
        (tmp_path / "way").symlink_to(docs)
    except OSError:
        pytest.skip("no links here")
    for root in (docs, tmp_path / "way"):  # the folder itself may be reached by a link
        found = scan(root)
        assert [f.relative for f in found] == ["a.txt", "inside.txt"]
        assert [name for name, _ in found.outside] == [
            "chain.txt",
            "dots.txt",
            "file.txt",
            "folder",
            "gone.txt",
        ]
        assert found.outside[0][1] == root / "chain.txt"
        assert dict(found.skipped) == {".hidden": "hidden"}


def test_a_file_named_by_itself_is_taken_whatever_it_is(tmp_path: Path) -> None:
    write(tmp_path, {".hidden.bin": b"\0"})
    (file,) = scan(tmp_path / ".hidden.bin")
    assert (file.relative, file.root) == (".hidden.bin", tmp_path)


def test_a_place_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="nowhere"):
        scan(tmp_path / "nowhere")
