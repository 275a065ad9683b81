"""The sample corpus holds the traps that data/README.md promises."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from io import BytesIO
from pathlib import Path
from types import ModuleType

import docx
import pypdf
import pytest

from ragdebug import Workbench
from ragdebug.records import Chunk, DocumentInfo
from ragdebug.settings import ChunkingSettings

DATA = Path(__file__).resolve().parents[1] / "data"
SAMPLE = DATA / "sample"
MANUAL = "manuals/kw480-service-manual.pdf"
CHECKLIST = "manuals/installation-checklist.docx"
LISTS = ("vector", "bm25", "hybrid", "reranked")


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A workspace that holds the sample corpus."""
    with Workbench(tmp_path_factory.mktemp("sample") / "workspace") as wb:
        wb.ingest([SAMPLE])
        yield wb


def infos(wb: Workbench) -> dict[str, DocumentInfo]:
    return {info.source: info for info in wb.documents()}


# Files -------------------------------------------------------------------------------------------


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_sample", DATA / "build_sample.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pdf_text(data: bytes) -> list[str]:
    return [page.extract_text() for page in pypdf.PdfReader(BytesIO(data)).pages]


def docx_text(data: bytes) -> list[str]:
    document = docx.Document(BytesIO(data))
    cells = [c.text for table in document.tables for row in table.rows for c in row.cells]
    return [paragraph.text for paragraph in document.paragraphs] + cells


def test_the_generator_writes_the_same_bytes_every_time() -> None:
    assert generator().build() == generator().build()


def test_the_committed_files_are_those_of_the_generator() -> None:
    built = generator().build()
    assert pdf_text(built[MANUAL]) == pdf_text((SAMPLE / MANUAL).read_bytes())
    assert docx_text(built[CHECKLIST]) == docx_text((SAMPLE / CHECKLIST).read_bytes())


def test_every_format_is_there_and_small() -> None:
    files = [path for path in SAMPLE.rglob("*") if path.is_file()]
    suffixes = {path.suffix for path in files}
    wanted = ".md .txt .html .pdf .docx .csv .tsv .json .jsonl .py".split()
    assert suffixes == set(wanted)
    assert sum(path.stat().st_size for path in files) < 2_000_000


# What is read ------------------------------------------------------------------------------------


def test_every_file_is_read_and_every_row_becomes_a_document(sample: Workbench) -> None:
    documents = infos(sample)
    assert not [source for source, info in documents.items() if info.error]
    assert {source.partition("#")[0] for source in documents} == {
        path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*") if path.is_file()
    }
    for name in ("support/faq.csv", "parts/price-list.tsv", "support/tickets.jsonl"):
        rows = len((SAMPLE / name).read_text(encoding="utf-8").splitlines())
        header = 0 if name.endswith("jsonl") else 1
        assert sum(source.startswith(f"{name}#") for source in documents) == rows - header


def test_the_scanned_sheet_is_reported_and_the_printed_numbers_are_kept(sample: Workbench) -> None:
    info = infos(sample)[MANUAL]
    assert [w.page for w in info.warnings if w.code == "no_text_layer"] == [6]
    pages = sample.document(info.id).parsed.pages
    assert [page.label for page in pages] == ["i", "ii", "1", "2", "3", "4", "5", "6", "7"]


def test_one_page_is_german_and_the_rest_english(sample: Workbench) -> None:
    languages = {info.source: info.language for info in sample.documents()}
    assert [source for source, code in languages.items() if code == "de"] == [
        "handbook/reinigung.de.md"
    ]


def test_tenants_and_versions_can_be_told_apart_by_metadata_only(sample: Workbench) -> None:
    documents = infos(sample)
    for key, one, other in (
        (
            "tenant",
            "tenants/northmoor/service-agreement.md",
            "tenants/ostervale/service-agreement.md",
        ),
        ("status", "policies/cancellation-2024.md", "policies/cancellation-2025.md"),
    ):
        a, b = documents[one], documents[other]
        assert a.metadata[key] != b.metadata[key]
        texts = [sample.document(info.id).text.split() for info in (a, b)]
        assert SequenceMatcher(None, *texts, autojunk=False).ratio() > 0.75


# What is cut -------------------------------------------------------------------------------------


def chunks(wb: Workbench, source: str, chunking: str) -> list[Chunk]:
    return wb.chunk_document(infos(wb)[source].id, ChunkingSettings.parse(chunking))


def test_a_fixed_cut_splits_the_refund_rule_and_structure_keeps_it_whole(sample: Workbench) -> None:
    source = "handbook/billing-and-refunds.md"
    text = sample.document(infos(sample)[source].id).text
    start = text.index("An annual plan may be given up")
    end = text.index("the rule for monthly plans applies.")
    shares = {
        chunking: max(
            max(0, min(c.end, end) - max(c.start, start)) / (end - start)
            for c in chunks(sample, source, chunking)
        )
        for chunking in ("fixed:200/0", "fixed:220/0", "structure:220/40")
    }
    assert shares["structure:220/40"] == 1
    assert shares["fixed:200/0"] < 0.9
    assert shares["fixed:220/0"] < 0.9
    (before,) = [c for c in chunks(sample, source, "fixed:220/0") if c.start < start + 50 < c.end]
    assert before.text.endswith("return slip")


def test_the_table_of_codes_is_longer_than_a_chunk(sample: Workbench) -> None:
    holding = [
        c
        for c in chunks(sample, "handbook/error-codes.md", "structure:220/40")
        if "| ERR_" in c.text
    ]
    assert len(holding) > 3
    assert all("| code | meaning | who | first step |" in c.index_text for c in holding)


# Questions of the README -------------------------------------------------------------------------

Ranks = dict[str, int | None]


def questions() -> list[tuple[str, str, Ranks]]:
    """Question, passage and the rank in each list, from the table in data/README.md."""
    found = []
    table = (DATA / "README.md").read_text(encoding="utf-8").partition("| question |")[2]
    for line in table.splitlines()[2:]:
        question, passage, *ranks = [cell.strip() for cell in line.strip("| ").split(" | ")][:6]
        values = [None if rank == "-" else int(rank.strip("*")) for rank in ranks]
        found.append((question, passage, dict(zip(LISTS, values, strict=True))))
    return found


def winners(ranks: Ranks) -> set[str]:
    best = min(rank for rank in ranks.values() if rank)
    return {name for name, rank in ranks.items() if rank == best}


def test_the_readme_marks_the_best_and_each_list_wins_somewhere_alone() -> None:
    table = (DATA / "README.md").read_text(encoding="utf-8").partition("| question |")[2]
    for line in table.splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")][2:6]
        ranks = {
            n: None if c == "-" else int(c.strip("*")) for n, c in zip(LISTS, cells, strict=True)
        }
        assert {n for n, c in zip(LISTS, cells, strict=True) if "*" in c} == winners(ranks)
    alone = [winners(ranks) for *_, ranks in questions() if len(winners(ranks)) == 1]
    assert set.union(*alone) == set(LISTS)
    assert len(questions()) >= 10


@pytest.mark.model
@pytest.mark.slow
@pytest.mark.parametrize(("question", "passage", "ranks"), questions())
def test_the_lists_win_where_the_readme_says(
    sample: Workbench, question: str, passage: str, ranks: Ranks
) -> None:
    result = sample.search(question, list(LISTS), expect=sample.find_quote(passage))
    now = {name: result.lists[name].expected.rank for name in LISTS}
    assert winners(now) == winners(ranks), now


def test_nothing_in_the_sample_names_this_machine() -> None:
    for path in SAMPLE.rglob("*"):
        if path.suffix in (".md", ".txt", ".html", ".py"):
            assert not re.search(r"/(home|root|tmp)/", path.read_text(encoding="utf-8")), path
