from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents.archive import members
from ragdebug.documents.options import MB, Limits
from ragdebug.errors import (
    CorruptDocument,
    DocumentError,
    DocumentTooLarge,
    EncryptedDocument,
    UnsafeArchive,
    UnsupportedFormat,
)


def packed(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo("x")
            info.filename = name  # the constructor would clean it
            info.compress_type = method
            archive.writestr(info, data)
    return out.getvalue()


def patched(data: bytes, local: int, central: int, value: bytes) -> bytes:
    """The archive with a field of its first member changed, in both places it stands."""
    changed = bytearray(data)
    for signature, offset in ((b"PK\x03\x04", local), (b"PK\x01\x02", central)):
        at = data.index(signature) + offset
        changed[at : at + len(value)] = value
    return bytes(changed)


def read(data: bytes, limits: Limits | None = None) -> dict[str, bytes | DocumentError]:
    return dict(members(data, "box.zip", limits or Limits()))


def test_members_come_with_their_folders_in_order() -> None:
    files = {"b/two.md": b"two", "a.txt": b"one", "b/c/three.txt": b""}
    assert list(members(packed(files), "box.zip")) == list(files.items())


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("../up.txt", "up.txt"),
        ("a/../../up.txt", "a/up.txt"),
        ("..\\up.txt", "up.txt"),
        ("/etc/up.txt", "etc/up.txt"),
        ("\\\\server\\up.txt", "server/up.txt"),
        ("C:\\up.txt", "up.txt"),
        ("c:up.txt", "up.txt"),
    ],
)
def test_names_that_point_outside_are_refused_and_the_others_read(
    given_name: str, shown: str
) -> None:
    found = read(packed({given_name: b"x", "good.txt": b"fine"}))
    assert found["good.txt"] == b"fine"
    error = found[shown]
    assert isinstance(error, UnsafeArchive)
    assert "box.zip" in error.message and "outside" in error.message


def test_links_are_not_followed() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo("link.txt")
        info.create_system = 3
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    error = read(out.getvalue())["link.txt"]
    assert isinstance(error, UnsafeArchive)
    assert "link.txt" in error.message and error.hint


def test_locked_members_are_named_and_the_others_read() -> None:
    data = patched(packed({"secret.txt": b"x", "open.txt": b"y"}), 6, 8, b"\x01\x00")
    found = read(data)
    assert isinstance(found["secret.txt"], EncryptedDocument)
    assert "secret.txt" in str(found["secret.txt"])
    assert found["open.txt"] == b"y"


def test_archives_inside_are_listed_and_not_opened() -> None:
    found = read(packed({"in.zip": packed({"a.txt": b"x"}), "b.tar": b"", "c.docx": b"PK"}))
    assert isinstance(found["in.zip"], UnsupportedFormat)
    assert isinstance(found["b.tar"], UnsupportedFormat)
    assert found["c.docx"] == b"PK"


def test_folders_and_litter_are_left_out() -> None:
    files = {"a/": b"", "__MACOSX/._a.txt": b"x", "a/.DS_Store": b"x", "a/._b": b"x", "a/b": b"y"}
    assert read(packed(files)) == {"a/b": b"y"}


def test_the_same_name_twice_stays_two_files() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        for name, text in (("a.txt", "1"), ("a.txt", "2"), ("A.txt", "3")):
            archive.writestr(name, text)
    assert read(out.getvalue()) == {"a.txt": b"1", "a (2).txt": b"2", "A (3).txt": b"3"}


def test_names_in_unmarked_utf8_are_read_as_they_were_meant() -> None:
    data = packed({"Übersicht.txt": b"x"})
    flags = struct.unpack_from("<H", data, 6)[0]
    assert flags & 0x800
    assert read(patched(data, 6, 8, b"\0\0")) == {"Übersicht.txt": b"x"}


# Bombs --------------------------------------------------------------------------------------------


def test_what_inflates_beyond_the_limit_ends_the_archive() -> None:
    files = {"a.txt": b"fine", "bomb.txt": bytes(3 * MB), "after.txt": b"x"}
    found = read(packed(files), Limits(max_inflated_bytes=MB))
    assert found["a.txt"] == b"fine"
    assert isinstance(found["bomb.txt"], UnsafeArchive)
    assert "1,048,576" in str(found["bomb.txt"])
    assert "after.txt" not in found


def test_many_small_members_count_together() -> None:
    files = {f"{i}.txt": bytes(100_000) for i in range(20)}
    found = list(read(packed(files), Limits(max_inflated_bytes=MB)).values())
    assert len(found) == 11 and isinstance(found[-1], UnsafeArchive)


def test_an_absurd_ratio_is_refused_only_beyond_a_floor() -> None:
    data = packed({"zeros.txt": bytes(2 * MB)})
    assert isinstance(read(data)["zeros.txt"], bytes)
    tight = Limits(max_ratio=100, ratio_floor_bytes=MB)
    assert isinstance(read(data, tight)["zeros.txt"], UnsafeArchive)


@pytest.mark.parametrize("declared", [0, 10, 2**31])
def test_a_declared_size_is_never_believed(declared: int) -> None:
    data = patched(packed({"lie.txt": bytes(3 * MB)}), 22, 24, struct.pack("<I", declared))
    content = read(data, Limits(max_inflated_bytes=MB))["lie.txt"]
    assert isinstance(content, DocumentError)


def test_one_member_beyond_the_size_of_a_file_is_left_out_alone() -> None:
    found = read(packed({"big.txt": bytes(3 * MB), "a.txt": b"x"}), Limits(max_bytes=2 * MB))
    assert isinstance(found["big.txt"], DocumentTooLarge)
    assert found["a.txt"] == b"x"


def test_too_many_members_are_refused_at_once() -> None:
    data = packed({f"{i}.txt": b"x" for i in range(11)})
    with pytest.raises(UnsafeArchive, match=r"box\.zip holds 11 files; the limit is 10"):
        read(data, Limits(max_members=10))


# Damage -------------------------------------------------------------------------------------------


def test_what_is_no_archive_is_refused_by_name() -> None:
    for data in (b"", b"plain text", b"PK\x03\x04", packed({"a.txt": b"x" * 1000})[:60]):
        with pytest.raises(CorruptDocument, match=r"box\.zip"):
            read(data)


def test_a_damaged_member_does_not_stop_the_others() -> None:
    data = packed({"bad.txt": b"hello " * 50, "good.txt": b"fine"}, zipfile.ZIP_STORED)
    found = read(data.replace(b"hello hello", b"hellx hello", 1))
    assert isinstance(found["bad.txt"], CorruptDocument)
    assert "bad.txt" in str(found["bad.txt"])
    assert found["good.txt"] == b"fine"


@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=6))
def test_a_damaged_archive_is_read_in_part_or_refused(changes: list[tuple[int, int]]) -> None:
    data = bytearray(packed({"a/b.txt": b"hello " * 20, "../c.txt": b"x", "ü.md": b"# T"}))
    for at, value in changes:
        data[at % len(data)] = value
    try:
        found = list(members(bytes(data), "box.zip"))
    except DocumentError as e:
        assert "box.zip" in e.message
        return
    for name, content in found:
        assert not name.startswith("/") and ".." not in name.split("/")
        assert isinstance(content, (bytes, DocumentError))
