from __future__ import annotations

import gzip

import pytest

from ragdebug.documents.inflate import inflate_gzip, inflate_named
from ragdebug.documents.options import MB, Limits
from ragdebug.errors import CorruptDocument, DocumentTooLarge, UnsafeArchive


def test_all_members_of_a_gzip_file_are_read() -> None:
    data = gzip.compress(b"one ") + gzip.compress(b"") + gzip.compress(b"two")
    assert inflate_gzip(data, "a.gz", Limits()) == b"one two"
    assert inflate_gzip(data + b"\0" * 100, "a.gz", Limits()) == b"one two"


def test_the_inner_name_loses_its_suffix() -> None:
    assert inflate_named(gzip.compress(b"x"), "faq.csv.GZ", Limits()) == (b"x", "faq.csv")
    assert inflate_named(b"plain", "a.gz", Limits()) == (b"plain", "a.gz")


def test_real_bytes_are_limited_whatever_the_trailer_says() -> None:
    data = gzip.compress(bytes(5 * MB))[:-4] + b"\x01\0\0\0"
    with pytest.raises(UnsafeArchive, match=r"a\.gz unpacks to more than 2,097,152 bytes"):
        inflate_gzip(data, "a.gz", Limits(max_inflated_bytes=2 * MB))
    with pytest.raises(UnsafeArchive, match=r"a\.gz unpacks to more than 50 times its size"):
        inflate_gzip(data, "a.gz", Limits(max_ratio=50, ratio_floor_bytes=MB))


def test_small_files_may_compress_as_well_as_they_like() -> None:
    assert len(inflate_gzip(gzip.compress(b" " * MB), "a.gz", Limits())) == MB


def test_damage_is_named() -> None:
    data = gzip.compress(bytes(range(256)) * 40)
    with pytest.raises(CorruptDocument, match=r"a\.gz is cut off"):
        inflate_gzip(data[:-20], "a.gz", Limits())
    with pytest.raises(CorruptDocument, match=r"a\.gz is damaged"):
        inflate_gzip(data[:20] + b"\xff" * 40 + data[60:], "a.gz", Limits())
    with pytest.raises(DocumentTooLarge, match=r"a\.gz has .* bytes; the limit is 10"):
        inflate_gzip(data, "a.gz", Limits(max_bytes=10))


def test_gzip_inside_of_gzip_is_refused() -> None:
    with pytest.raises(UnsafeArchive, match=r"a\.txt\.gz is compressed twice"):
        inflate_named(gzip.compress(gzip.compress(b"x")), "a.txt.gz", Limits())
