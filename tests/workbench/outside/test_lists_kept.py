"""Lists over time: pasted one by one, replaced, and what happens when documents change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import EmptyDocument, InvalidSetting, NotBrought
from ragdebug.records import ResultList
from tests.workbench.conftest import write


@pytest.fixture
def three(wb: Workbench, folder: Path) -> Workbench:
    write(folder, heron_txt="The heron eats fish at dawn.", otter_txt="The otter swims far.",
          badger_txt="The badger digs at night.")  # fmt: skip
    wb.ingest([folder])
    return wb


def column(wb: Workbench, query: str, name: str) -> ResultList:
    return wb.search(query, [f"list:{name}"]).lists[f"list:{name}"]


def sources(result: ResultList) -> list[tuple[str, bool]]:
    return [(h.chunk.source, h.chunk.placed) for h in result.hits]


def test_a_pasted_list_has_a_free_name_and_keeps_it(three: Workbench) -> None:
    first = three.paste_list("who eats", '["heron.txt", "otter.txt"]')
    again = three.paste_list(" who  eats ", '["heron.txt", "otter.txt"]')
    other = three.paste_list("who eats", '["badger.txt"]')
    beside = three.paste_list("who digs", '["badger.txt"]')
    assert (first, again, other, beside) == ("pasted", "pasted", "pasted 2", "pasted")
    assert sources(column(three, "who eats", "pasted")) == [
        ("heron.txt", True),
        ("otter.txt", True),
    ]
    assert sources(column(three, "WHO digs", "pasted")) == [("badger.txt", True)]
    assert sources(column(three, "who eats", "pasted 2")) == [("badger.txt", True)]


def test_a_name_holds_many_queries_and_the_last_list_of_each(three: Workbench) -> None:
    three.paste_list("who eats", '["heron.txt"]', "prod")
    three.paste_list("who digs", '["badger.txt"]', "list:prod")
    three.paste_list("who eats", '["otter.txt"]', "prod")
    assert sources(column(three, "who eats", "prod")) == [("otter.txt", True)]
    assert sources(column(three, "who digs", "prod")) == [("badger.txt", True)]
    assert three.list_report("prod").info.queries == 2
    assert len(three.result_lists(removed=True)) == 2
    with pytest.raises(InvalidSetting):
        three.paste_list("who eats", '["a"]', "a:b")
    with pytest.raises(EmptyDocument):
        three.paste_list("who eats", "  ", "prod")
    with pytest.raises(InvalidSetting, match="prod has scores, and this list has distances"):
        three.paste_list("who swims", '{"ids": ["otter.txt"], "distances": [0.1]}', "prod")


def test_a_document_that_comes_later_is_found_by_its_name_and_words(
    wb: Workbench, folder: Path
) -> None:
    write(folder, other_txt="Something else.")
    wb.ingest([folder])
    pasted = [{"id": "heron.txt"}, {"text": "The otter swims far.", "source": "s3://kb/77"}]
    wb.paste_list("who", json.dumps(pasted), "prod")
    assert sources(column(wb, "who", "prod")) == [("heron.txt", False), ("s3://kb/77", False)]
    gone = column(wb, "who", "prod").hits[1].chunk
    assert wb.info(gone.document).source == "s3://kb/77"
    write(folder, heron_txt="The heron eats fish.", otter_txt="The otter swims far. Very far.")
    wb.ingest([folder])
    assert sources(column(wb, "who", "prod")) == [("heron.txt", True), ("otter.txt", True)]
    assert wb.list_report("prod").placed == 2
    write(folder, heron_txt="The heron eats fish and frogs, too.")
    wb.ingest([folder])
    assert column(wb, "who", "prod").hits[0].chunk.text == "The heron eats fish and frogs, too."


def test_documents_that_are_removed_or_purged_leave_the_rest(three: Workbench) -> None:
    three.paste_list("who", '["heron.txt", "otter.txt", "badger.txt"]', "prod")
    three.remove([three.resolve("otter.txt").id])
    result = column(three, "who", "prod")
    assert [h.chunk.source for h in result.hits if h.chunk.placed] == ["heron.txt", "badger.txt"]
    report = three.purge([three.resolve("badger.txt").id])
    assert any("result list prod" in said for said in report.quoted_by)
    result = column(three, "who", "prod")
    assert [h.chunk.source for h in result.hits if h.chunk.placed] == ["heron.txt"]


def test_ids_of_chunks_that_were_brought_in_have_their_words(
    three: Workbench, tmp_path: Path
) -> None:
    three.paste_list("who", '["c-1", "c-2"]', "prod")
    assert [placed for _, placed in sources(column(three, "who", "prod"))] == [False, False]
    chunks = tmp_path / "chunks.jsonl"
    chunks.write_text('{"id": "c-1", "text": "eats fish at dawn.", "source": "heron.txt"}\n')
    three.import_pieces(chunks, "mine")
    hits = column(three, "who", "prod").hits
    assert [h.chunk.text for h in hits] == ["eats fish at dawn.", ""]
    assert [h.chunk.placed for h in hits] == [True, False]


def test_an_empty_answer_is_not_a_missing_one(three: Workbench) -> None:
    three.paste_list("who", "[]", "prod")
    assert column(three, "who", "prod").error == ""
    assert not column(three, "who", "prod").hits
    three.paste_list("where", '["heron.txt"]', "prod")
    assert not column(three, "who", "prod").hits
    assert "no answer to this query" in column(three, "when", "prod").error


def test_a_file_whose_name_is_no_text_can_be_imported(three: Workbench) -> None:
    report = three.import_lists(("run\udcff.trec", b"q1 Q0 d1 1 0.5 run"))
    assert (report.info.name, report.info.file) == ("run\ufffd", "run\ufffd.trec")
    assert [x.name for x in three.result_lists()] == ["run\ufffd"]


def test_what_is_not_there(three: Workbench) -> None:
    for ask in (three.list_report, three.remove_list, three.restore_list):
        with pytest.raises(NotBrought):
            ask("nothing")
    assert "There is no result list nothing" in column(three, "who", "nothing").error
