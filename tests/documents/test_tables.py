from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents.csv_reader import NO_DELIMITER, read_records, sniff_delimiter
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.documents.tables import parse_csv, read_csv
from ragdebug.errors import CorruptDocument, DocumentError, DocumentTooLarge, EmptyDocument
from ragdebug.records import ParsedDocument

Read = Callable[..., Any]


def rows(source: str | bytes, name: str = "a.csv") -> list[dict[str, str]]:
    data = source.encode() if isinstance(source, str) else source
    return [dict(r.values) for r in read_csv(data, name, ParseOptions(), Limits()).rows]


def warned(docs: list[ParsedDocument]) -> list[tuple[str, int | None]]:
    return [(w.code, w.line) for d in docs for w in d.warnings]


# Reading ------------------------------------------------------------------------------------------


def test_a_byte_order_mark_is_no_part_of_the_first_column(read: Read) -> None:
    source = "question,answer\r\nWhere is the key?,Under the mat\r\n".encode("utf-8-sig")
    found = read_csv(source, "faq.csv", ParseOptions(), Limits())
    assert found.columns == ("question", "answer")
    (doc,) = read(parse_csv, source, "faq.csv")
    assert doc.text == "question: Where is the key?\nanswer: Under the mat"
    assert (doc.key, doc.kind) == ("1", "record")


def test_a_cell_of_any_length_is_read_whole(read: Read) -> None:
    cell = "kelp " * 40_000
    docs = read(parse_csv, f'id,text\n1,"{cell}"\n2,short\n', "big.csv")
    assert [len(d.text) for d in docs] == [len(cell) - 1, 5]


def test_cells_may_hold_lines_quotes_and_delimiters() -> None:
    assert rows('id,text\n1,"two\r\nlines, and ""quotes"""\n2,plain "in" between\n') == [
        {"id": "1", "text": 'two\nlines, and "quotes"'},
        {"id": "2", "text": 'plain "in" between'},
    ]


@pytest.mark.parametrize(
    ("source", "name", "delimiter"),
    [
        ("a,b\n1,2\n3,4\n", "a.csv", ","),
        ("name;price\nFrühstück;1,50\nBrot;2,25\n", "a.csv", ";"),
        ("a\tb\nx, y\tz\nu, v\tw\n", "a.tsv", "\t"),
        ("a\tb\n1\t2\n", "a.csv", "\t"),
        ("a|b|c\n1|2,5|3\n", "a.csv", "|"),
        ("text\nhello, world\nand, then, more\nplain\n", "a.csv", NO_DELIMITER),
        ('a,b\n"x;y;z",1\n"u;v;w",2\n', "a.csv", ","),
    ],
)
def test_the_delimiter_is_seen_in_the_rows(source: str, name: str, delimiter: str) -> None:
    assert sniff_delimiter(source.split("\n"), name[1:]) == delimiter


def test_the_line_that_excel_writes_for_itself_is_obeyed() -> None:
    assert rows("sep=;\na;b\n1;2\n") == [{"a": "1", "b": "2"}]


def test_one_column_of_prose_is_not_cut_at_its_commas(read: Read) -> None:
    docs = read(parse_csv, "text\nhello, world\nplain\n", "a.csv")
    assert [d.text for d in docs] == ["hello, world", "plain"]
    assert warned(docs) == []


def test_names_of_columns_are_never_empty_or_twice() -> None:
    assert list(rows("a,,a,a\n1,2,3,4\n")[0]) == ["a", "column 2", "a 2", "a 3"]


def test_a_file_without_a_header_loses_no_row(read: Read) -> None:
    found = read_csv(b"1,Oars are of ash\n2,Sails are white\n", "a.csv", ParseOptions(), Limits())
    assert found.columns == ("column 1", "column 2")
    assert len(found.rows) == 2
    assert [w.code for w in found.warnings] == ["no_header"]
    assert list(rows("country,2019,2020\nX,1,2\n")[0]) == ["country", "2019", "2020"]


def test_rows_too_long_or_too_short_are_kept_and_named(read: Read) -> None:
    docs = read(parse_csv, "id,tag,text\n1,a,x\n2,b,more, and more\n3,c\n4,d,y\n", "a.csv")
    assert [d.text for d in docs] == ["x", "more, and more", "y"]
    assert warned(docs) == [("broken_row", 3), ("broken_row", 4), ("broken_row", 4)]


def test_blank_rows_count_as_lines_only(read: Read) -> None:
    docs = read(parse_csv, "id,text\n\n,,\na,x\n\nb,\n", "a.csv")
    assert [(d.key, d.text) for d in docs] == [("a", "x")]
    assert warned(docs) == [("broken_row", 6)]
    assert "a.csv, line 6" in docs[0].warnings[0].message


# Quotes that are never closed ---------------------------------------------------------------------


def test_a_quote_never_closed_is_named_and_swallows_nothing(read: Read) -> None:
    docs = read(parse_csv, 'id,text\n1,"open\n2,two\n3,three\n', "a.csv")
    assert [d.text for d in docs] == ["open", "two", "three"]
    assert warned(docs) == [("broken_row", 2)]
    assert "a.csv, line 2" in docs[0].warnings[0].message


def test_a_quote_closed_by_a_later_row_is_seen_too(read: Read) -> None:
    docs = read(parse_csv, 'id,text\n1,"open\n2,"two"\n3,three\n4,"four"\n', "a.csv")
    assert [d.text for d in docs] == ["open", "two", "three", "four"]
    assert warned(docs) == [("broken_row", 2)]


def test_a_file_cut_in_a_long_cell_keeps_the_cell(read: Read) -> None:
    docs = read(parse_csv, 'id,text\n1,x\n2,"a letter\nof several lines\nthat is cut', "a.csv")
    assert [d.text for d in docs] == ["x", "a letter\nof several lines\nthat is cut"]
    assert warned(docs) == [("broken_row", 3)]


@pytest.mark.parametrize("part", ['1,"open\n', '""",a\n', '"a""b\n', '1,"x" y\n', '"\n'])
def test_mending_does_not_read_the_file_over_and_over(
    calls: Callable[[Callable[[], object]], int], part: str
) -> None:
    def work(times: int) -> int:
        lines = ("a,b\n" + part * times).split("\n")
        return calls(lambda: list(read_records(lines, ",")))

    assert work(2000) < 2.5 * work(1000) + 1000


@given(
    st.lists(
        st.lists(st.text(st.sampled_from('ab,;"\n\t '), max_size=6), min_size=2, max_size=2),
        min_size=1,
        max_size=8,
    )
)
def test_what_the_standard_writer_wrote_comes_back(cells: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(cells)
    found = list(read_records(out.getvalue().split("\n"), ","))
    assert [r.cells for r in found] == cells
    assert not any(r.unclosed for r in found)
    assert [r.first for r in found[1:]] == [r.end for r in found[:-1]]


@given(st.text(st.sampled_from('ab,"\n'), max_size=60))
def test_records_cover_the_lines_in_order(source: str) -> None:
    lines = source.split("\n")
    found = list(read_records(lines, ","))
    assert all(a.end <= b.first for a, b in zip(found, found[1:], strict=False))
    missing = set(range(len(lines))) - {i for r in found for i in range(r.first, r.end)}
    assert all(not lines[i].strip() for i in missing)


# Documents ----------------------------------------------------------------------------------------


def test_columns_become_text_id_title_and_metadata(read: Read) -> None:
    docs = read(
        parse_csv,
        "sku,title,body,colour,lang\nA-1,Oar,Made of ash.,brown,en\nB-2,Sail,Aus Tuch.,white,de\n",
        "shop.csv",
    )
    assert [(d.key, d.title, d.text, d.language) for d in docs] == [
        ("A-1", "Oar", "Made of ash.", "en"),
        ("B-2", "Sail", "Aus Tuch.", "de"),
    ]
    assert docs[0].metadata == {"title": "Oar", "colour": "brown", "lang": "en"}


@pytest.mark.parametrize(
    ("source", "heading"),
    [
        ("sku,title,description\nZX-44,Reel,Sealed drag.\n", "ZX-44 · Reel"),
        ("id,error_code,subject,text\n7,ERR-12,Pump stalls,Close it.\n", "ERR-12 · Pump stalls"),
        ("number,note\n4711,The seal leaks.\n", "4711"),
        ("sku,price\nZX-44,12\n", "ZX-44"),
        # Ids that name nothing, and what the text says itself, are no heading.
        ("id,number,text\na,2,Close it.\n", ""),
        ("sku,title,text\nZX-44,Reel,ZX-44: Reel with sealed drag.\n", ""),
        ("sku,title,text\nZX-44,Reel,Reel with sealed drag.\n", "ZX-44"),
    ],
)
def test_codes_and_title_are_the_heading_of_a_record(read: Read, source: str, heading: str) -> None:
    (doc,) = read(parse_csv, source, "shop.csv")
    assert [s.title for s in doc.sections] == ([heading] if heading else [])
    assert [(s.start, s.end) for s in doc.sections] == ([(0, len(doc.text))] if heading else [])


def test_chosen_columns_win(read: Read) -> None:
    source = "sku,name,note,text\n1,oar,ash wood,long\n2,sail,cloth,wide\n"
    docs = read(
        parse_csv,
        source,
        "a.csv",
        text_columns=("name", "Note"),
        id_column="sku",
        metadata_columns=("text",),
    )
    assert docs[0].text == "name: oar\nnote: ash wood"
    assert docs[0].metadata == {"text": "long"}
    assert [d.key for d in docs] == ["1", "2"]


def test_a_column_that_is_not_there_is_refused_with_those_that_are(read: Read) -> None:
    with pytest.raises(DocumentError, match=r"a\.csv has no column 'body'.*name, text"):
        read(parse_csv, "name,text\nx,y\n", "a.csv", text_columns=("body",))


@pytest.mark.parametrize("chosen", ["", "id"])
def test_an_id_used_twice_stays_the_id_and_is_told(read: Read, chosen: str) -> None:
    source = "id,text\nx,one\nx,two\ny,three\nx,four\n"
    docs = read(parse_csv, source, "a.csv", id_column=chosen)
    assert [d.key for d in docs] == ["x", "x~2", "y", "x~3"]
    assert warned(docs) == [("duplicate_id", 3), ("duplicate_id", 5)]
    assert docs[1].warnings[0].message == (
        "a.csv, line 3: the id 'x' was used before; this record is called 'x~2'."
    )


def test_the_whole_file_can_be_one_table(read: Read) -> None:
    source = 'id,text\n1,"two\nlines"\n2,x\n'
    (doc,) = read(parse_csv, source, "a.csv", rows="table")
    assert (doc.text, doc.kind, doc.key) == (source, "table", "")
    (table,) = doc.blocks
    assert [doc.text[r.start : r.end] for r in table.rows] == ["id,text", '1,"two\nlines"', "2,x"]
    assert table.header == table.rows[0]
    assert doc.metadata == {"columns": "id, text"}


def test_many_warnings_are_summed_up(read: Read) -> None:
    docs = read(parse_csv, "id,text\n0,x\n" + "".join(f"{i},\n" for i in range(1, 301)), "a.csv")
    assert len(docs[0].warnings) == 101
    assert "200 more" in docs[0].warnings[-1].message


def test_files_without_rows_are_refused_by_name(read: Read) -> None:
    for source in ("", "\n\n", "id,text\n", "id,text\n,,\n"):
        with pytest.raises(EmptyDocument, match=r"void\.csv"):
            read(parse_csv, source, "void.csv")
    with pytest.raises(CorruptDocument, match=r"void\.csv.*line 2"):
        read(parse_csv, "id,text\n1,\n2,\n", "void.csv", text_columns=("text",))
    with pytest.raises(DocumentTooLarge, match=r"long\.csv has more than 3 rows"):
        read(parse_csv, "id,text\n" + "1,x\n" * 4, "long.csv", limits=Limits(max_records=3))


@given(
    st.text(st.sampled_from('ab1,;"\n\t =\u2028'), max_size=80),
    st.sampled_from(["documents", "table"]),
)
def test_any_table_gives_sound_documents(read: Read, source: str, rows: str) -> None:
    try:
        docs = read(parse_csv, source, "a.csv", rows=rows)
    except DocumentError as e:
        assert "a.csv" in e.message
        return
    assert len({d.key for d in docs}) == len(docs)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(read: Read, data: bytes) -> None:
    try:
        read(parse_csv, data, "a.csv")
    except DocumentError as e:
        assert "a.csv" in e.message
