"""CSV that no spreadsheet runs, and that gives back what was there."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug import Workbench
from ragdebug.documents.exported import guard, unguard
from ragdebug.records import SearchResult
from ragdebug.workbench import export

STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
FORMULAS = ["=1+2 plum", "+3 plum", "-4 plum", "@SUM(1) plum", "\t=5 plum", "'quoted plum", "plum"]


@given(st.text(alphabet=st.characters(blacklist_categories=("Cs",))))
def test_any_text_comes_back_and_never_starts_like_a_formula(text: str) -> None:
    assert unguard(guard(text)) == text
    assert not guard(text).startswith(STARTS)


@given(st.lists(st.sampled_from([*FORMULAS, 'a "b", c\r\nd', ""]), min_size=1))
def test_a_written_file_is_read_back(texts: list[str]) -> None:
    rows = [{"rank": i, "score": -0.52, "text": t} for i, t in enumerate(texts, 1)]
    assert export.read_csv(export.write_csv(rows, ("rank", "score", "text"))) == rows


def test_a_negative_score_stays_a_number() -> None:
    written = export.write_csv([{"score": -0.52, "text": "-0.52"}], ("score", "text"))
    assert written == "score,text\r\n-0.52,'-0.52\r\n"


@pytest.fixture
def lists(tmp_path: Path) -> SearchResult:
    for i, text in enumerate(FORMULAS):
        (tmp_path / f"=f{i}.txt").write_bytes(text.encode())
    with Workbench(tmp_path / "workspace") as wb:
        wb.ingest([tmp_path / f"=f{i}.txt" for i in range(len(FORMULAS))])
        return wb.search("plum", ["bm25+k=20"])


def test_no_cell_of_a_result_list_is_a_formula(lists: SearchResult) -> None:
    data = export.search_csv("=plum", lists.lists).decode("utf-8-sig")
    cells = [c for row in csv.reader(io.StringIO(data, newline="")) for c in row]
    assert not [c for c in cells if c.startswith(STARTS)]
    back = export.read_csv(data)
    hits = lists.lists["bm25"].hits
    assert len(hits) == len(FORMULAS)
    assert [r["text"] for r in back] == [h.chunk.text for h in hits]
    assert [r["source"] for r in back] == [h.chunk.source for h in hits]
    assert [r["score"] for r in back] == [h.score for h in hits]
    assert back[0]["query"] == "=plum"


def test_an_exported_list_read_in_as_a_document_has_the_texts_as_they_were(
    lists: SearchResult, tmp_path: Path
) -> None:
    data = export.search_csv("=plum", lists.lists)
    with Workbench(tmp_path / "again") as wb:
        wb.ingest_files([("hits.csv", data)])
        texts = [wb.document(d.id).text for d in wb.documents()]
    assert sorted(texts) == sorted(h.chunk.text.strip() for h in lists.lists["bm25"].hits)


def test_the_json_file_is_what_the_command_line_gives(lists: SearchResult) -> None:
    data = json.loads(export.search_json(lists))
    assert [h["rank"] for h in data["lists"]["bm25"]["hits"]] == list(range(1, len(FORMULAS) + 1))
    assert data["query"] == "plum"


def test_the_list_of_documents_is_a_file_without_formulas(tmp_path: Path) -> None:
    with Workbench(tmp_path / "workspace") as wb:
        wb.ingest_files([("=1+2.txt", b"Plums."), ("b.pdf", b"%PDF-1.7 broken")])
        wb.tag([wb.documents()[0].id], {"tenant": "acme", "year": "2020"})
        data = export.documents_csv(wb.documents()).decode("utf-8-sig")
    plums, broken = csv.DictReader(io.StringIO(data, newline=""))
    assert (plums["document"], plums["characters"], plums["metadata"], plums["notes"]) == (
        "'=1+2.txt", "6", "tenant=acme; year=2020", ""
    )  # fmt: skip
    assert broken["document"] == "b.pdf"
    assert "b.pdf" in broken["notes"]
