from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents.jsonl import parse_json, parse_jsonl
from ragdebug.documents.options import Limits
from ragdebug.errors import CorruptDocument, DocumentError, DocumentTooLarge, EmptyDocument
from ragdebug.records import ParsedDocument

Read = Callable[..., Any]


def texts(docs: list[ParsedDocument]) -> list[tuple[str, str]]:
    return [(d.key, d.text) for d in docs]


def warned(docs: list[ParsedDocument]) -> list[tuple[str, int | None]]:
    return [(w.code, w.line) for d in docs for w in d.warnings]


# JSONL --------------------------------------------------------------------------------------------


def test_broken_lines_are_named_and_the_others_read(read: Read) -> None:
    source = (
        '{"id": "a", "text": "oak"}\n{"id": "b", "text": "elm"\n{"id": "c", "text": "ash"}\n'
        '["no", "object"]\n{"id": "e"}\n{"id": "f", "text": "  "}\n"just a string"\n'
    )
    docs = read(parse_jsonl, source, "trees.jsonl")
    assert texts(docs) == [("a", "oak"), ("c", "ash")]
    assert sorted(line for _, line in warned(docs)) == [2, 4, 5, 6, 7]
    messages = {w.line: w.message for w in docs[0].warnings}
    assert "trees.jsonl, line 2: not valid JSON" in messages[2]
    assert "line 4: not a JSON object" in messages[4]
    assert "line 5: no text in text" in messages[5]


def test_an_id_used_twice_stays_the_id_and_is_told(read: Read) -> None:
    source = "".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in (("a", "x"), ("a", "y")))
    docs = read(parse_jsonl, source, "a.jsonl")
    assert texts(docs) == [("a", "x"), ("a~2", "y")]
    assert warned(docs) == [("duplicate_id", 2)]
    # An array has no lines: the record is named by its number.
    docs = read(parse_json, json.dumps([{"id": 7, "text": t} for t in "xy"]), "a.json")
    assert [w.message for d in docs for w in d.warnings] == [
        "a.json, record 2: the id '7' was used before; this record is called '7~2'."
    ]


def test_blank_lines_are_counted_and_not_reported(read: Read) -> None:
    docs = read(
        parse_jsonl, '{"id": 1, "text": "x"}\n\n  \n{"id": 2, "text": "y"}\nbad\n', "a.jsonl"
    )
    assert texts(docs) == [("1", "x"), ("2", "y")]
    assert warned(docs) == [("broken_row", 5)]


def test_line_ends_of_unicode_inside_a_string_are_text(read: Read) -> None:
    text = "one\u2028two\u2029three\x85four\x0bfive"
    source = json.dumps({"id": "a", "text": text}, ensure_ascii=False) + "\r\n{}\r\n"
    docs = read(parse_jsonl, source.replace("{}", '{"id": "b", "text": "z"}'), "a.jsonl")
    assert texts(docs) == [("a", text), ("b", "z")]
    assert warned(docs) == []


def test_half_a_surrogate_pair_is_replaced_and_told(read: Read) -> None:
    docs = read(parse_jsonl, r'{"id": "a", "text": "x\ud800y \ud83d\ude00"}', "a.jsonl")
    assert docs[0].text == "x\ufffdy \U0001f600"
    assert warned(docs) == [("replaced_characters", 1)]


def test_strings_are_normalised_like_files(read: Read) -> None:
    docs = read(parse_jsonl, r'{"id": "a", "text": "x\r\ny\u0000z\ufeff"}', "a.jsonl")
    assert docs[0].text == "x\nyz"


def test_metadata_of_frameworks_is_lifted_and_other_nesting_is_named_by_dots(read: Read) -> None:
    source = (
        '{"page_content": "Oars.", "metadata": {"source": "a.pdf", "page": 3, "v": 1.10},'
        '"owner": {"name": "Kim"}, "tags": ["x", "y"], "ok": true, "none": null}'
    )
    (doc,) = read(parse_jsonl, source, "a.jsonl")
    assert doc.text == "Oars."
    assert doc.metadata == {
        "source": "a.pdf",
        "page": "3",
        "v": "1.10",
        "owner.name": "Kim",
        "tags": "x, y",
        "ok": "true",
    }


def test_numbers_of_any_length_stay_as_they_are_written(read: Read) -> None:
    long = "9" * 5000
    (doc,) = read(parse_jsonl, f'{{"id": 1, "text": "x", "n": {long}}}', "a.jsonl")
    assert doc.metadata["n"] == long


def test_questions_and_answers_are_written_line_by_line(read: Read) -> None:
    source = '{"question": "Why?", "answer": "So."}\n{"question": "How?", "answer": ""}\n'
    docs = read(parse_jsonl, source, "a.jsonl")
    assert texts(docs) == [("1", "question: Why?\nanswer: So."), ("2", "question: How?")]


def test_files_without_records_are_refused_by_name(read: Read) -> None:
    with pytest.raises(EmptyDocument, match=r"void\.jsonl"):
        read(parse_jsonl, "\n \n", "void.jsonl")
    with pytest.raises(CorruptDocument, match=r"bad\.jsonl.*line 1"):
        read(parse_jsonl, "{oops\n", "bad.jsonl")
    with pytest.raises(DocumentTooLarge, match=r"long\.jsonl has more than 2 records"):
        read(parse_jsonl, '{"text": "x"}\n' * 3, "long.jsonl", limits=Limits(max_records=2))


def test_deep_nesting_is_a_broken_line_and_nothing_worse(read: Read) -> None:
    docs = read(parse_jsonl, '{"text": "x"}\n{"text": ' + "[" * 100_000 + "\n", "a.jsonl")
    assert warned(docs) == [("broken_row", 2)]


@pytest.mark.parametrize("depth", range(800, 1000, 20))
def test_nesting_near_the_limit_costs_at_most_its_own_line(read: Read, depth: int) -> None:
    deep = '{"text": "y", "n": ' + "[" * depth + "]" * depth + "}"
    docs = read(parse_jsonl, '{"text": "x"}\n' + deep + "\n", "a.jsonl")
    assert docs[0].text == "x"


def test_a_file_as_a_table_has_its_lines_as_rows(read: Read) -> None:
    source = '{"text": "x"}\n\n{"text": "y"}\n'
    (doc,) = read(parse_jsonl, source, "a.jsonl", rows="table")
    assert doc.text == source
    assert len(doc.blocks[0].rows) == 2


# JSON ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([{"id": "a", "text": "x"}, {"id": "b", "text": "y"}], [("a", "x"), ("b", "y")]),
        (["x", "y"], [("1", "x"), ("2", "y")]),
        ({"count": 2, "docs": [{"_id": 7, "content": "x"}]}, [("7", "x")]),
        ({"a": {"text": "x"}, "b": {"text": "y"}}, [("a", "x"), ("b", "y")]),
        ({"title": "T", "text": "x"}, [("", "x")]),
        ([{"name": "oar", "colour": "red"}], [("1", "name: oar\ncolour: red")]),
    ],
)
def test_records_are_seen_in_several_shapes(
    read: Read, value: object, expected: list[tuple[str, str]]
) -> None:
    docs = read(parse_json, json.dumps(value, indent=2), "a.json")
    assert texts(docs) == expected
    assert {d.kind for d in docs} == {"record"}


@pytest.mark.parametrize(
    "value",
    [
        {"name": "app", "version": "1.0", "scripts": {"run": "go"}},
        {"a": {"x": 1}, "b": {"y": 2}},
        [1, 2, 3],
        [],
        "text",
        {"list": [{"k": 1}], "other": [1]},
        [{"text": "x"}, 3],
    ],
)
def test_any_other_json_is_its_own_source(read: Read, value: object) -> None:
    source = json.dumps(value, indent=2) + "\n"
    (doc,) = read(parse_json, source, "a.json")
    assert (doc.text, doc.kind, doc.key) == (source, "json", "")


def test_jsonl_under_the_name_of_json_is_read_as_what_it_is(read: Read) -> None:
    docs = read(parse_json, '{"id": "a", "text": "x"}\n{"id": "b", "text": "y"}\n', "a.json")
    assert texts(docs) == [("a", "x"), ("b", "y")]


def test_records_of_an_array_are_named_by_their_number(read: Read) -> None:
    docs = read(parse_json, '[{"text": "x"},\n\n{"text": ""}, {"text": "\\udc00"}]', "a.json")
    assert texts(docs) == [("1", "x"), ("3", "\ufffd")]
    assert [w.message[:16] for d in docs for w in d.warnings] == [
        "a.json, record 2",
        "a.json, record 3",
    ]
    assert warned(docs) == [("broken_row", None), ("replaced_characters", None)]


def test_half_an_array_is_refused_with_its_line(read: Read) -> None:
    with pytest.raises(CorruptDocument, match=r"cut\.json, line 2, column"):
        read(parse_json, '[{"text": "x"},\n {"text": "y"', "cut.json")


def test_json_with_comments_is_read_as_source_with_a_warning(read: Read) -> None:
    (doc,) = read(parse_json, '{\n  // comment\n  "a": 1\n}\n', "tsconfig.json")
    assert doc.kind == "json"
    assert warned([doc]) == [("invalid_json", 2)]


def test_deeply_nested_json_is_read_as_source(read: Read) -> None:
    (doc,) = read(parse_json, "[" * 50_000 + "]" * 50_000, "deep.json")
    assert warned([doc]) == [("invalid_json", None)]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "text", "a", "metadata", ""]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_any_json_gives_sound_documents(read: Read, value: object) -> None:
    for parser in (parse_json, parse_jsonl):
        try:
            docs = read(parser, json.dumps(value), "a.json")
        except DocumentError as e:
            assert "a.json" in e.message
            continue
        assert len({d.key for d in docs}) == len(docs)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(read: Read, data: bytes) -> None:
    for parser in (parse_json, parse_jsonl):
        try:
            read(parser, data, "a.json")
        except DocumentError as e:
            assert "a.json" in e.message
