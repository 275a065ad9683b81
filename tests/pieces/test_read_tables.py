"""CSV, TSV and Parquet."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ragdebug.errors import (
    ColumnNotFound,
    CorruptDocument,
    DocumentError,
    EmptyDocument,
    MissingFile,
)
from ragdebug.pieces import GivenPiece, read_pieces

# CSV ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csv_with_quotes_and_line_ends_in_cells(delimiter: str, end: str) -> None:
    rows = [["chunkId", "Text", "File Name"], ["1", '"a ""b""' + end + 'c"', "x,y;z|w.md"]]
    rows[1][2] = f'"{rows[1][2]}"'
    data = "\ufeff" + end.join(delimiter.join(r) for r in rows) + end
    file = read_pieces(data.encode(), "a.csv")
    assert file.pieces == (GivenPiece(f'a "b"{end}c', "x,y;z|w.md", "1"),)
    assert file.columns == {"text": "Text", "source": "File Name", "id": "chunkId"}


def test_a_table_that_pandas_wrote() -> None:
    frame = pd.DataFrame(
        {
            "page_content": ["one\ntwo", 'say "x"'],
            "metadata": [{"source": "it's.pdf", "page": 0}, {"source": "b.pdf", "page": 3}],
            "embedding": [np.array([0.1, 0.2]), np.array([0.3, 0.4])],
            "start_index": [5.0, np.nan],
        }
    )
    file = read_pieces(frame.to_csv().encode(), "a.csv")
    assert [(p.text, p.source, p.page, p.start) for p in file.pieces] == [
        ("one\ntwo", "it's.pdf", 1, 5),
        ('say "x"', "b.pdf", 4, None),
    ]
    assert file.vectors is not None
    np.testing.assert_allclose(file.vectors, [[0.1, 0.2], [0.3, 0.4]], rtol=1e-6)


def test_bad_rows_are_named_by_the_line_they_begin_on() -> None:
    data = (
        b"\n"
        b"text,source\n"
        b'"two\nlines",a\n'  # 3
        b"gr\xfc\xdf,a\n"  # 5
        b"one,two,three\n"  # 6
        b",a\n"  # 7
        b"\n"
        b"short\n"  # 9
        b'"x" y,a\n'  # 10
        b"good,b\n"
        b'"never closed,a\n'  # 12
        b"more,a\n"
    )
    file = read_pieces(data, "a.csv")
    assert [p.text for p in file.pieces] == ["two\nlines", "short", "good"]
    assert [p.line for p in file.problems] == [5, 6, 7, 10, 12]
    assert "UTF-8" in file.problems[0].message
    assert "3 cells" in file.problems[1].message


def test_tsv_gzipped_with_long_cells_and_names_twice() -> None:
    long = "x" * 300_000
    data = gzip.compress(f"text\ta\ta\t\n{long}\t1\t2\t3\n".encode())
    file = read_pieces(data, "a.tsv.gz")
    assert file.pieces == (GivenPiece(long, metadata={"a": "1", "a (3)": "2", "column 4": "3"}),)


def test_csv_files_that_hold_no_pieces() -> None:
    with pytest.raises(EmptyDocument):
        read_pieces(b"text,source\n", "a.csv")
    with pytest.raises(CorruptDocument, match="UTF-8"):
        read_pieces(b"te\xfft\nx\n", "a.csv")
    with pytest.raises(ColumnNotFound, match="a, b"):
        read_pieces(b"a,b\n1,2\n", "a.csv")


# Parquet ------------------------------------------------------------------------------------------


def test_parquet_in_batches(tmp_path: Path) -> None:
    n = 2_500
    vectors = np.arange(n * 4, dtype=np.float32).reshape(n, 4)
    table = pa.table(
        {
            "text": [f"piece {i}" if i != 7 else None for i in range(n)],
            "metadata": [{"source": f"{i % 3}.md", "page": i % 5} for i in range(n)],
            "_id": pa.array(range(n)),
            "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), 4),
            "tags": [["a"]] * n,
            "numbers": [[1, 2]] * n,
        }
    )
    path = tmp_path / "a.parquet"
    pq.write_table(table, path, row_group_size=600)
    said: list[tuple[int, int, str]] = []
    file = read_pieces(path, progress=lambda *a: said.append(a))
    assert len(file.pieces) == n - 1
    assert file.pieces[7] == GivenPiece(
        "piece 8", "2.md", "8", 4, metadata={"tags": '["a"]', "numbers": "[1, 2]"}
    )
    assert [(p.line, p.message) for p in file.problems] == [
        (0, "Its pages count from 0; each number was made one larger."),
        (8, "This row has no text; it was left out."),
    ]
    assert file.vectors is not None
    np.testing.assert_array_equal(file.vectors, np.delete(vectors, 7, axis=0))
    assert said == [(1000, n, "pieces"), (2000, n, "pieces"), (n - 1, n - 1, "pieces")]
    assert read_pieces(path.read_bytes(), "b.parquet").pieces == file.pieces


def test_parquet_vectors_that_are_none(tmp_path: Path) -> None:
    table = pa.table(
        {
            "chunk": ["a", "b", "c", "d", "e"],
            "embedding": pa.array(
                [[1.0, 2.0], None, [3.0], [None, 1.0], [4.0, 5.0]], pa.list_(pa.float64())
            ),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    file = read_pieces(tmp_path / "a.parquet")
    assert file.vectors is not None
    assert file.vectors[[0, 4]].tolist() == [[1, 2], [4, 5]]
    assert np.isnan(file.vectors[1:4]).all()
    assert [p.line for p in file.problems] == [3, 4]


def test_parquet_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(MissingFile):
        read_pieces(tmp_path / "none.parquet")
    with pytest.raises(DocumentError, match="folder"):
        read_pieces(tmp_path, "a.parquet")
    with pytest.raises(EmptyDocument):
        read_pieces(b"", "a.parquet")
    with pytest.raises(CorruptDocument, match="Parquet"):
        read_pieces(json.dumps([{"text": "a"}]).encode(), "a.parquet")
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), tmp_path / "a.parquet")
    with pytest.raises(EmptyDocument):
        read_pieces(tmp_path / "a.parquet")


# Damaged and hostile ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data", [b'"text,source\na,b\n', b'"text"x,source\na,b\n', b"text\ra\rb\r"]
)
def test_a_header_that_is_no_csv_is_refused(data: bytes) -> None:
    with pytest.raises(CorruptDocument, match="header of a.csv cannot be read"):
        read_pieces(data, "a.csv")


def test_cells_that_python_cannot_hold_are_left_empty() -> None:
    ends = pa.py_buffer(np.array([0, 2, 4], np.int32).tobytes())
    words = pa.Array.from_buffers(pa.string(), 2, [None, ends, pa.py_buffer(b"ab\xff\xfe")])
    days = pa.array([0, 2**30], pa.date32())
    out = pa.BufferOutputStream()
    pq.write_table(pa.table({"text": ["one", "two"], "mark": words, "day": days}), out)
    file = read_pieces(out.getvalue().to_pybytes(), "a.parquet")
    assert [dict(p.metadata) for p in file.pieces] == [{"mark": "ab", "day": "1970-01-01"}, {}]


@pytest.mark.parametrize(
    "cell", ["{'a': 0x" + "f" * 6000 + "}", "{'a': [0x" + "f" * 6000 + "]}", "{'a': [{(1, 2): 3}]}"]
)
def test_what_python_spells_and_json_has_not_is_kept_as_it_is_written(cell: str) -> None:
    file = read_pieces(json.dumps({"text": "one", "metadata": cell}).encode(), "a.jsonl")
    assert dict(file.pieces[0].metadata) == {"metadata": cell}
