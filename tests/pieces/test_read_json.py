"""JSON Lines, JSON arrays and the dumps of libraries."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from ragdebug.errors import (
    Cancelled,
    ColumnNotFound,
    CorruptDocument,
    DocumentError,
    EmptyDocument,
    InvalidSetting,
    MissingFile,
    UnsupportedFormat,
)
from ragdebug.pieces import GivenPiece, PieceFile, read_pieces


def lines(*records: object) -> bytes:
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records).encode()


def problems(file: PieceFile) -> list[tuple[int, str]]:
    return [(p.line, p.message) for p in file.problems]


def test_names_that_people_use_are_known() -> None:
    file = read_pieces(
        lines(
            {
                "chunk_id": 7,
                "content": " a piece \n",
                "file": r"C:\docs\käse.md",
                "page_number": 3,
                "begin": 10,
                "end": 17,
                "lang": "de",
                "ok": True,
                "tags": ["a", "b"],
                "embedding": [1, 0.5],
            }
        ),
        "a.jsonl",
    )
    assert file.pieces == (
        GivenPiece(
            " a piece \n",
            r"C:\docs\käse.md",
            "7",
            3,
            10,
            17,
            {"lang": "de", "ok": "true", "tags": '["a", "b"]'},
        ),
    )
    assert file.columns == {
        "text": "content",
        "source": "file",
        "id": "chunk_id",
        "page": "page_number",
        "start": "begin",
        "end": "end",
        "vector": "embedding",
    }
    assert file.vectors is not None
    assert file.vectors.dtype == np.float32
    assert file.vectors.tolist() == [[1.0, 0.5]]
    assert file.problems == ()


def test_langchain_documents_and_pages_from_zero() -> None:
    file = read_pieces(
        lines(
            {"page_content": "one", "metadata": {"source": "a.pdf", "page": 0, "page_label": "i"}},
            {"page_content": "two", "metadata": {"source": "a.pdf", "page": 1, "start_index": 9}},
        ),
        "a.ndjson",
    )
    assert [(p.text, p.source, p.page, p.start) for p in file.pieces] == [
        ("one", "a.pdf", 1, None),
        ("two", "a.pdf", 2, 9),
    ]
    assert file.pieces[0].metadata == {"page_label": "i"}
    assert problems(file) == [(0, "Its pages count from 0; each number was made one larger.")]


def test_langchains_own_dump() -> None:
    record = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "document", "Document"],
        "kwargs": {"page_content": "x", "metadata": {"source": "a"}, "type": "Document"},
    }
    assert read_pieces(json.dumps([record]).encode(), "a.json").pieces == (GivenPiece("x", "a"),)


NODE = {
    "id_": "n1",
    "embedding": [0.25, 0.5],
    "metadata": {"file_name": "a.txt", "author": "someone"},
    "excluded_embed_metadata_keys": ["file_name"],
    "relationships": {"1": {"node_id": "d1", "metadata": {"file_name": "a.txt"}}},
    "text": "body",
    "mimetype": "text/plain",
    "start_char_idx": 4,
    "end_char_idx": 8,
    "class_name": "TextNode",
}


@pytest.mark.parametrize(
    "data",
    [
        json.dumps(NODE),
        json.dumps([{"__data__": NODE, "__type__": "1"}]),
        json.dumps([{"__data__": json.dumps(NODE), "__type__": "1"}]),
        json.dumps({"docstore/metadata": {"n1": {}, "d1": {}},
                    "docstore/data": {"n1": {"__data__": NODE, "__type__": "1"}}}),
        json.dumps([{"payload": {"_node_content": json.dumps(NODE), "_node_type": "TextNode"}}]),
    ],
)  # fmt: skip
def test_llama_index_nodes(data: str) -> None:
    file = read_pieces(data.encode(), "a.json")
    assert file.pieces == (GivenPiece("body", "a.txt", "n1", None, 4, 8, {"author": "someone"}),)
    assert file.vectors is not None
    assert file.vectors.tolist() == [[0.25, 0.5]]


def test_a_node_without_a_file_is_of_the_node_it_came_from() -> None:
    node = NODE | {"metadata": {}}
    assert read_pieces(lines(node), "a.jsonl").pieces[0].source == "d1"


def test_pinecone_and_chroma() -> None:
    pinecone = lines({"id": "1", "values": [1, 2], "metadata": {"text": "t", "url": "u"}})
    assert read_pieces(pinecone, "a.jsonl").pieces == (GivenPiece("t", "u", "1"),)
    chroma = {
        "ids": ["a", "b"],
        "documents": ["one", "two"],
        "metadatas": [{"source": "x"}, None],
        "embeddings": [[1, 2], None],
        "included": ["documents"],
    }
    file = read_pieces(json.dumps(chroma).encode(), "a.json")
    assert file.pieces == (GivenPiece("one", "x", "a"), GivenPiece("two", "", "b"))
    assert file.vectors is not None
    assert np.isnan(file.vectors[1]).all()


ARRAYS = [
    b'[{"text": "a"}, {"text": "b"}]',
    b'\xef\xbb\xbf[\r\n  {"text": "a"},\r\n  {"text": "b"}\r\n]\r\n',
    b'{"text": "a"}\n{"text": "b"}\n',
    b'{\n"text": "a"\n}\n{\n"text": "b"}',
]
OBJECTS = [
    b'{"made": 1, "out": {"x": "y"}, "chunks": [{"text": "a"}, {"text": "b"}], "n": 2}',
    b'{"result": {"points": [{"payload": {"text": "a"}}, {"payload": {"text": "b"}}]}}',
    b'{"id": "s", "hits": {"hits": [{"_source": {"text": "a"}}, {"_source": {"text": "b"}}]}}',
    b'["a", "b"]',
    '[{"text": "a"}, {"text": "b"}]'.encode("utf-16"),
]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        *(("a.jsonl", data) for data in ARRAYS),
        ("a.jsonl", '{"text": "a"}\r\n{"text": "b"}'.encode("utf-16")),
        *(("a.JSON", data) for data in ARRAYS + OBJECTS),
    ],
)
def test_the_records_are_found_wherever_they_are(name: str, data: bytes) -> None:
    assert [p.text for p in read_pieces(data, name).pieces] == ["a", "b"]


def test_one_object_is_one_piece() -> None:
    data = b'{"id": 1, "payload": {"text": "a", "links": [{"to": "b"}]}}'
    assert read_pieces(data, "a.json").pieces == (
        GivenPiece("a", "", "1", metadata={"links": '[{"to": "b"}]'}),
    )


def test_bad_lines_are_named_and_the_others_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        b'\xef\xbb\xbf{"text": "one"}\r\n'
        b"not json\r\n"
        b"\r\n"
        b'{"text": "gr\xfc\xdf"}\r\n'
        b'{"text": "  "}\r\n'
        b'{"source": "x"}\r\n'
        b"[1]\r\n"
        b'{"text": "half \\ud83d"}\r\n'
        + b"[" * 100_000 + b"\r\n"
        b'{"text": "two"}'
    )  # fmt: skip
    file = read_pieces(path)
    assert [p.text for p in file.pieces] == ["one", "half \ufffd", "two"]
    said = problems(file)
    assert [line for line, _ in said] == [2, 4, 5, 6, 7, 8, 9]
    assert "no JSON" in said[0][1]
    assert "not UTF-8" in said[1][1]
    assert "no text" in said[2][1]
    assert "no text" in said[3][1]
    assert "no JSON object" in said[4][1]
    assert "half" in said[5][1]
    assert "nested too deeply" in said[6][1]


def test_vectors_in_every_spelling() -> None:
    file = read_pieces(
        lines(
            {"text": "a", "vector": [1, 2, 3]},
            {"text": "b", "vector": "[4, 5, 6]"},
            {"text": "c", "vector": "[7. 8.\n 9.]"},
            {"text": "d"},
            {"text": "e", "vector": None},
            {"text": "f", "vector": [1, 2]},
            {"text": "g", "vector": [1, "x", 2]},
            {"text": "h", "vector": [1, None, 2]},
            {"text": "i", "vector": [1e300, 1, 2]},
            {"text": "j", "vector": "[1, 2, ..., 3]"},
            {"text": "k", "vector": {"a": 1}},
            {"text": "l", "vector": 3},
            {"text": "m", "vector": [[1], [2, 3]]},
            {"text": "n", "vector": [[7, 7, 7]]},
        ),
        "a.jsonl",
    )
    assert len(file.pieces) == 14
    assert file.vectors is not None
    assert file.vectors.shape == (14, 3)
    assert file.vectors[[0, 1, 2, 13]].tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 9], [7, 7, 7]]
    assert np.isnan(file.vectors[3:13]).all()
    # The object of line 11 became a column of its own; the others are told.
    assert [line for line, _ in problems(file)] == [6, 7, 8, 9, 10, 12, 13]
    assert "has 2 numbers, most have 3" in problems(file)[0][1]


def test_positions_are_whole_numbers() -> None:
    file = read_pieces(
        lines(
            {"text": "a", "start": 3.0, "end": "12", "page": "4"},
            {"text": "b", "start": -1, "end": None, "page": "iv"},
            {"text": "c", "start": "x", "page": 2.5},
            {"text": "d", "start": True, "page": 0.0},
        ),
        "a.jsonl",
    )
    assert [(p.start, p.end, p.page) for p in file.pieces] == [
        (3, 12, 5),
        (None, None, None),
        (None, None, None),
        (None, None, 1),
    ]
    assert file.pieces[1].metadata == {"page": "iv"}
    assert [line for line, _ in problems(file)] == [0, 3, 4]


def test_a_person_can_say_the_columns() -> None:
    data = lines({"text": "no", "Summary": "yes", "a": {"b": "src"}, "id": "1"})
    file = read_pieces(data, "a.jsonl", {"text": "summary", "source": "a.b", "id": ""})
    assert file.pieces == (GivenPiece("yes", "src", metadata={"text": "no", "id": "1"}),)
    assert file.seen == ("text", "Summary", "id", "a.b")
    with pytest.raises(ColumnNotFound, match="has no column 'none'") as caught:
        read_pieces(data, "a.jsonl", {"text": "none"})
    assert "Summary" in caught.value.message
    with pytest.raises(InvalidSetting):
        read_pieces(data, "a.jsonl", {"txt": "text"})


def test_the_document_is_text_only_where_it_is_one() -> None:
    file = read_pieces(lines({"document": "a.md", "text": "body"}), "a.jsonl")
    assert file.pieces == (GivenPiece("body", "a.md"),)
    assert read_pieces(lines({"document": "body"}), "a.jsonl").pieces == (GivenPiece("body"),)


def test_files_that_hold_no_pieces(tmp_path: Path) -> None:
    with pytest.raises(MissingFile):
        read_pieces(tmp_path / "none.jsonl")
    with pytest.raises(DocumentError, match="is a folder"):
        read_pieces(tmp_path, "a.jsonl")
    with pytest.raises(UnsupportedFormat, match=r"a\.xlsx"):
        read_pieces(b"x", "a.xlsx")
    for empty in (b"", b"\n \r\n", b"\xef\xbb\xbf"):
        with pytest.raises(EmptyDocument):
            read_pieces(empty, "a.jsonl")
    with pytest.raises(EmptyDocument):
        read_pieces(b"[]", "a.json")
    with pytest.raises(ColumnNotFound, match="Its columns are id, n"):
        read_pieces(lines({"id": 1, "n": 2}), "a.jsonl")
    with pytest.raises(CorruptDocument, match="Line 1"):
        read_pieces(b"PK\x03\x04\nx", "a.jsonl")
    with pytest.raises(CorruptDocument, match="line 1"):
        read_pieces(b'[{"text": ', "a.json")
    with pytest.raises(CorruptDocument, match="no JSON"):
        read_pieces(b'{"text": "a"', "a.json")


def test_an_array_that_breaks_off_keeps_what_came_before() -> None:
    file = read_pieces(b'[{"text": "a"},\n{"text": "b"},\n{"te', "a.json")
    assert [p.text for p in file.pieces] == ["a", "b"]
    assert "damaged from line 3 on" in file.problems[0].message


def test_gzip(tmp_path: Path) -> None:
    packed = gzip.compress(lines({"text": "a"}, {"text": "b"}))
    (tmp_path / "a.jsonl.gz").write_bytes(packed)
    assert len(read_pieces(tmp_path / "a.jsonl.gz").pieces) == 2
    assert len(read_pieces(packed, "a.jsonl").pieces) == 2
    with pytest.raises(CorruptDocument, match="cannot be unpacked"):
        read_pieces(packed[:-9], "a.jsonl.gz")


def test_a_huge_line_and_many_lines() -> None:
    long = "word " * 400_000
    file = read_pieces(lines({"text": long}), "a.jsonl")
    assert file.pieces[0].text == long
    said: list[tuple[int, int, str]] = []
    many = b'{"text": "a", "source": "s"}\n' * 2500
    read_pieces(many, "a.jsonl", progress=lambda *a: said.append(a))
    assert said == [(1000, 0, "pieces"), (2000, 0, "pieces"), (2500, 2500, "pieces")]

    def stop(done: int, total: int, what: str) -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        read_pieces(many, "a.jsonl", progress=stop)


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
@pytest.mark.parametrize("inside", ['{"a":', "[", '[{"a":'])
def test_records_at_the_edge_of_what_can_be_nested_stop_no_others(name: str, inside: str) -> None:
    outside = "".join({"[": "]", "{": "}"}.get(c, "") for c in reversed(inside))
    between = "\n" if name == "a.jsonl" else ","
    for depth in range(750, 1000):  # somewhere here each of reading, flattening and writing ends
        deep = '{"text":"deep","m":' + inside * depth + "1" + outside * depth + "}"
        data = between.join(('{"text":"one"}', deep))
        file = read_pieces((f"[{data}]" if name == "a.json" else data).encode(), name)
        assert file.pieces[0] == GivenPiece("one")


def test_a_page_that_no_document_has_stays_in_the_metadata() -> None:
    file = read_pieces(lines({"text": "one", "page": 10_000_000_000}), "a.jsonl")
    assert (file.pieces[0].page, dict(file.pieces[0].metadata)) == (None, {"page": "10000000000"})
