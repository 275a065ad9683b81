"""Case files of real workspaces: made, written, opened again where the documents are, and not."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from ragdebug import Workbench
from ragdebug.errors import NotACase, RagDebugError
from ragdebug.questions import Label, Need
from ragdebug.settings import StrategySettings
from ragdebug.ui.search import columns
from ragdebug.ui.state import place_refs
from ragdebug.workbench.casefile import embedded
from tests.workbench.conftest import DRAFT, write

QUERY = "how long do herons sleep"
QUOTE = "Herons sleep for six hours"
BM25 = "bm25@structure:220/40"
VECTOR = f"vector@structure:220/40+{DRAFT}"


@pytest.fixture
def birds(wb: Workbench, folder: Path) -> Workbench:
    """Twelve documents, one of which answers."""
    write(folder, heron_md=f"# Heron\n\n## Sleep\n\n{QUOTE}, at night, on one leg.\n")
    for name in ("otter", "badger", "falcon", "salmon", "beetle", "marten", "weasel", "owl"):
        write(
            folder, **{f"{name}_md": f"# {name}\n\nHow long the {name} can sleep is not known.\n"}
        )
    wb.ingest([folder])
    return wb


def test_the_sentences_agree_with_the_trace_and_the_list(birds: Workbench) -> None:
    made = birds.case(query=QUERY, quote=QUOTE, strategies=[BM25, VECTOR], k=3)
    report = birds.why(query=QUERY, quote=QUOTE, strategy=BM25, k=3)
    found = birds.search(QUERY, [BM25], k=3, expect=birds.find_quote(QUOTE)).lists["bm25"]
    asked, lost, instead = birds.case_sentences(made)
    assert "the answer stands in heron.md, under “Heron > Sleep”" in asked
    assert f"{report.chunks:,} chunks" in lost
    assert found.expected is not None and made.today.list.rank == found.expected.rank
    assert [h.chunk for h in made.today.list.hits] == [h.chunk.id for h in found.hits]
    assert "was not measured" in instead  # the query is no labelled question


def test_a_labelled_question_is_tried_on_the_others(birds: Workbench) -> None:
    asked = {QUERY: QUOTE} | {
        f"of the {n}": f"How long the {n} can sleep" for n in ("otter", "owl")
    }
    first, *_ = (
        birds.add_question(text, [Need(tuple(Label(p) for p in birds.find_quote(quote)))]).id
        for text, quote in asked.items()
    )
    made = birds.case(first, strategies=[BM25, VECTOR])
    assert made.effect is not None and made.effect.others == 2
    assert "of 2 other questions" in birds.case_sentences(made)[2]


def test_what_is_written_is_opened_again(birds: Workbench, tmp_path: Path) -> None:
    made = birds.case(query=QUERY, quote=QUOTE, strategies=[BM25, VECTOR], k=3)
    file = birds.write_case(made, tmp_path / "case.html")
    found = birds.open_case(file)
    assert found.query == QUERY and not found.missing
    assert found.places == tuple(birds.find_quote(QUOTE))
    assert [str(s) for s in found.strategies] == [
        str(StrategySettings.parse(f"{s}+k=3")) for s in (BM25, VECTOR)
    ]
    values = parse_qs(urlsplit(found.search).query)
    assert values["q"] == [QUERY] and values["k"] == ["3"]
    (ref,) = place_refs(values["expect"][0])
    place = found.places[0]
    assert (ref.document, ref.start, ref.end) == (place.document, place.start, place.end)
    assert [c.preset for c in columns.check(values["columns"][0])] == ["bm25", "vector"]


def test_one_strategy_gets_a_second_column(birds: Workbench, tmp_path: Path) -> None:
    made = birds.case(query=QUERY, quote=QUOTE, strategies=[BM25])
    found = birds.open_case(birds.write_case(made, tmp_path / "case.html"))
    assert len(columns.check(parse_qs(urlsplit(found.search).query)["columns"][0])) == 2


def test_elsewhere_it_says_what_is_missing(birds: Workbench, tmp_path: Path) -> None:
    file = birds.write_case(birds.case(query=QUERY, quote=QUOTE, strategies=[BM25]), tmp_path / "c")
    with Workbench(tmp_path / "other") as other:
        found = other.open_case(file)
        assert found.places == () and found.trace == ""
        assert "heron.md is not in this workspace." in found.missing
        docs = tmp_path / "moved"
        docs.mkdir()
        write(docs, heron_md=f"# Heron\n\nA new line.\n\n{QUOTE}, mostly.\n")
        other.ingest([docs])
        again = other.open_case(file)
        assert "The text of heron.md differs; the answer was found by its words." in again.missing
        assert [p.quote for p in again.places] == [QUOTE]


def test_a_file_cannot_name_a_model_to_load(birds: Workbench, tmp_path: Path) -> None:
    value = {
        "format": embedded.FORMAT,
        "query": "x",
        "today": {"strategy": f"vector+model={tmp_path}"},
        "answers": [[{"start": 1, "end": "2"}], "y", None, [3]],
        "others": [{"strategy": 5}, {"strategy": "bm25+k1=nonsense"}],
    }
    found = birds.opened_case(value)
    assert any("is not known here" in one for one in found.missing)
    assert [s.preset for s in found.strategies] == ["hybrid"]


@pytest.mark.parametrize("content", [b"", b"<p>x</p>", b"\xff\xfe\x00", b"{}"])
def test_other_files_are_refused(wb: Workbench, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.html").write_bytes(content)
    with pytest.raises(NotACase):
        wb.open_case(tmp_path / "x.html")


def test_nothing_of_the_machine_is_inside(birds: Workbench, tmp_path: Path, folder: Path) -> None:
    file = birds.write_case(
        birds.case(query=QUERY, quote=QUOTE, strategies=[BM25, VECTOR]), tmp_path / "case.html"
    )
    document = file.read_text("utf-8")
    for part in (str(tmp_path), str(folder), str(Path.home()), str(Path.cwd()), "://"):
        assert part not in document
    assert len(file.read_bytes()) < 3_000_000


def test_a_long_query_comes_back_by_a_short_link(birds: Workbench, tmp_path: Path) -> None:
    query = f"{QUERY} </script> \u2028 {'heron ' * 16_000}".strip()
    made = birds.case(query=query, quote=QUOTE, strategies=[BM25])
    file = birds.write_case(made, tmp_path / "case.html")
    assert 100_000 < file.stat().st_size < 3_000_000
    found = birds.open_case(file)
    assert found.query == query and len(found.search) < 100
    view = birds.kept_view(found.search.removeprefix("Search?s="))
    assert view is not None and view["q"] == [query]


@pytest.mark.parametrize(
    "change",
    [
        {"query": "a\ud800b"},
        {"query": "a\x00\x1b[31mb"},
        {"question": "\ud800\x00"},
        {"today": {"strategy": "bm25+filter=a\ud800=b"}},
        {"today": {"strategy": "bm25@" + "x" * 100_000}},
        {"answers": [[{"source": "\ud800" * 9_000, "start": 0, "end": 5, "quote": "\udfff"}]]},
        {"answers": [[{"source": "heron.md", "start": True, "end": 5, "quote": QUOTE}]]},
        {"answers": [[{"source": "heron.md", "start": 10**400, "end": 10**401}]]},
        {"answers": {"a": 1}, "others": "x", "proposed": 7, "corpus": []},
    ],
)
def test_a_value_that_nobody_vouches_for_is_read_in_sentences(
    birds: Workbench, change: dict[str, object]
) -> None:
    found = birds.opened_case({"format": embedded.FORMAT, "query": "x", **change})
    said = [found.query, found.search, found.trace, *found.missing, *found.restored]
    assert found.strategies and "".join(said).encode()
    assert all(len(one) < 1_000 for one in said)


@pytest.mark.parametrize(
    ("strategy", "kept"),
    [
        ("bm25@fixed:10/0:tokens=%2Fetc%2Fpasswd", "hybrid@"),
        ("bm25@fixed:10/0:tokens=somebody%2Fmodel", "hybrid@"),
        ("reranked+reranker=somebody/model", "hybrid@"),
        ("bm25+model=somebody/model+k=3", "bm25@structure:220/40:tokens:label+k=3"),
    ],
)
def test_no_tokenizer_or_model_of_its_choice_is_in_the_link(
    birds: Workbench, strategy: str, kept: str
) -> None:
    value = {"format": embedded.FORMAT, "query": "x", "today": {"strategy": strategy}}
    found = birds.opened_case(value)
    assert str(found.strategies[0]).startswith(kept)
    assert "somebody" not in found.search and "passwd" not in found.search


@pytest.mark.parametrize("name", ["nowhere.html", ".", "a\0b"])
def test_what_cannot_be_read_is_refused(wb: Workbench, tmp_path: Path, name: str) -> None:
    with pytest.raises(NotACase, match="cannot be read"):
        wb.open_case(tmp_path / name)


def test_a_damaged_file_is_refused_wherever_it_breaks_off(birds: Workbench, tmp_path: Path) -> None:
    file = birds.write_case(birds.case(query=QUERY, quote=QUOTE, strategies=[BM25]), tmp_path / "c")
    whole = file.read_bytes()
    begins = whole.index(b'id="ragdebug-case"')
    for end in (0, 100, begins, begins + 40, len(whole) - 40):
        file.write_bytes(whole[:end])
        with pytest.raises(NotACase):
            birds.open_case(file)
    file.write_bytes(whole[: begins + 60] + b"<" + whole[begins + 60 :])
    with pytest.raises(NotACase):
        birds.open_case(file)


def test_the_answer_that_was_lost_is_shown_and_not_one_that_was_found(
    birds: Workbench, folder: Path
) -> None:
    places = [birds.find_quote(quote) for quote in (QUOTE, "How long the owl can sleep")]
    question = birds.add_question("herons on one leg", [
        Need(tuple(Label(p) for p in found)) for found in places
    ])  # fmt: skip
    made = birds.case(question.id, strategies=[f"{BM25}+k=1"])
    assert [n.stage for n in made.today.why.needs][0] == "delivered" != made.today.why.stage
    assert made.excerpt is not None and made.excerpt.source == "owl.md"


def test_names_of_files_with_quotes_and_signs_are_words(wb: Workbench, tmp_path: Path) -> None:
    name = "a \"b\" 'c' <img src=x onerror=alert(1)> javascript:x & ö\u202e.md"
    docs = tmp_path / "named"
    docs.mkdir()
    (docs / name).write_text(f"# {'long' * 2_000}\n\n{QUOTE} ]]> --> {{{{x}}}}\n", "utf-8")
    wb.ingest([docs])
    made = wb.case(query=QUERY, quote=QUOTE, strategies=[BM25])
    document = wb.case_html(made).decode()
    assert "<img" not in document and " onerror=" not in re.sub(r">[^<]*<", "><", document)
    assert wb.open_case(wb.write_case(made, tmp_path / "case.html")).places


def test_a_file_that_cannot_be_written_is_an_error(birds: Workbench, tmp_path: Path) -> None:
    made = birds.case(query=QUERY, quote=QUOTE, strategies=[BM25])
    with pytest.raises(RagDebugError, match="x.html"):
        birds.write_case(made, tmp_path / "nowhere" / "x.html")
    with pytest.raises(RagDebugError, match="not the name of a file"):
        birds.write_case(made, tmp_path / "a\0x.html")


@pytest.mark.model
def test_sentences_are_weighed_where_that_is_wanted_and_go_with_what_is_withheld(
    birds: Workbench,
) -> None:
    plain = birds.case(query=QUERY, quote=QUOTE, strategies=[VECTOR], k=3)
    assert not plain.tables
    made = birds.case(query=QUERY, quote=QUOTE, strategies=[VECTOR], k=3, sentences=True)
    (table,) = made.tables
    row = next(r for r in made.today.why.needs[0].places[0].chunks)
    *_, whole = birds.explain_vector(QUERY, VECTOR, row.row)
    assert [cells[2] for cells in table.rows] == [
        f"{part.weight:+.4f}" for part in whole.occlusion.parts
    ]
    assert any(QUOTE in cells[0] for cells in table.rows)
    assert "Weighed sentences" in [line.what for line in birds.case_included(made)]
    rank = next(h.rank for h in made.today.list.hits if QUOTE in h.text)
    less = birds.case_without(made, [rank])
    assert QUOTE.encode() not in birds.case_html(less)
