from __future__ import annotations

import gzip

import pytest

from ragdebug.documents.columns import guess_columns
from ragdebug.documents.parse import parse
from ragdebug.errors import CorruptDocument

PROSE = "The oar is made of ash and lasts for a good ten years at sea."


def test_the_column_named_text_is_the_text() -> None:
    found = guess_columns(f"_id,title,text\nd1,Oar,{PROSE}\nd2,Sail,x\n".encode(), "a.csv")
    assert found.columns == ("_id", "title", "text")
    assert (found.text, found.id, found.title, found.metadata) == (
        ("text",),
        "_id",
        "title",
        ("title",),
    )
    assert found.sample[0] == {"_id": "d1", "title": "Oar", "text": PROSE}
    assert found.obvious


def test_long_values_make_a_text_column_under_any_name() -> None:
    found = guess_columns(f"nr,kleur,verhaal\n1,rood,{PROSE}\n2,wit,{PROSE}\n".encode(), "a.csv")
    assert (found.text, found.id, found.metadata) == (("verhaal",), "nr", ("kleur",))


def test_questions_and_answers_are_both_text() -> None:
    found = guess_columns(b"question,answer,topic\nWhy?,So.,x\n", "faq.csv")
    assert (found.text, found.metadata) == (("question", "answer"), ("topic",))


def test_where_nothing_stands_out_all_columns_are_text_and_metadata() -> None:
    found = guess_columns(b"sku,name,colour\n1,oar,red\n2,sail,white\n", "a.csv")
    assert (found.text, found.id, found.obvious) == (("name", "colour"), "sku", False)
    assert found.metadata == ("name", "colour")


@pytest.mark.parametrize("ids", [("x", ""), ("x" * 300, "y"), ("x", "x", "x")])
def test_an_id_names_each_record_and_is_short(ids: tuple[str, ...]) -> None:
    source = "id,text\n" + "".join(f"{i},t\n" for i in ids)
    assert guess_columns(source.encode(), "a.csv").id == ""


@pytest.mark.parametrize(
    ("column", "ids", "kept"),
    [
        ("id", "abca", True),
        ("doc_id", "abca", True),
        ("doc_id", "aabb", False),  # passages of two documents
        ("code", "aabbcc", False),
        ("customer_id", "abc", True),
        ("customer_id", "abca", False),  # a customer may well write twice
    ],
)
def test_an_id_may_be_repeated_by_a_slip_and_a_group_is_no_id(
    column: str, ids: str, kept: bool
) -> None:
    source = f"{column},text\n" + "".join(f"{i},some words\n" for i in ids)
    found = guess_columns(source.encode(), "a.csv")
    assert found.id == (column if kept else "")
    assert found.metadata == (() if kept else (column,))


def test_json_and_compressed_files_have_columns_too() -> None:
    lines = b'{"id": 1, "text": "x", "metadata": {"tenant": "n"}}\n{"id": 2, "text": "y", "k": 1}\n'
    for data, name in ((lines, "a.jsonl"), (gzip.compress(lines), "a.jsonl.gz")):
        found = guess_columns(data, name)
        assert found.columns == ("id", "text", "tenant", "k")
        assert (found.text, found.id, found.metadata) == (("text",), "id", ("tenant", "k"))
    assert guess_columns(b'[{"text": "x"}]', "a.json").text == ("text",)
    assert guess_columns(b'{"setting": 1}', "a.json").columns == ()


def test_what_cannot_be_read_is_refused_by_name() -> None:
    with pytest.raises(CorruptDocument, match=r"a\.csv"):
        guess_columns(bytes(range(32)) * 10, "a.csv")


def test_a_note_that_most_rows_leave_empty_is_not_their_text() -> None:
    note = b"fits all machines that were made before the spring"
    data = b"sku,name,note\nA-1,Seal,\nA-2,Valve," + note + b"\nA-3,Hose,\n"
    guess = guess_columns(data, "parts.csv")
    assert guess.id == "sku"
    assert set(guess.text) == {"name", "note"}
    assert len(parse(data, "parts.csv")) == 3
