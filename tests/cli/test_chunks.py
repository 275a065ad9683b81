"""``ragdebug chunks``: one form for a document and for the corpus, every chunk with its tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ragdebug.cli import cli
from ragdebug.cli.base import print_json_list
from ragdebug.settings import ChunkingSettings
from ragdebug.tokens import counter

KEYS = {
    "id", "document", "version", "source", "start", "end", "page", "section", "tokens",
    "truncated", "text", "index_text",
}  # fmt: skip
MODEL = "all-MiniLM-L6-v2"
LONG = " ".join(f"word{n}" for n in range(400))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    docs = folder / "docs"
    docs.mkdir()
    (docs / "boats.md").write_text("# Boats\n\nA green boat.\n\n## Piers\n\nOld piers.", "utf-8")
    (docs / "long.txt").write_text(LONG, "utf-8")
    (docs / "tea.txt").write_text("Green tea with eighty degrees.", "utf-8")
    made = folder / "workspace"
    result = CliRunner().invoke(cli, ["ingest", str(docs), "-w", str(made)])
    assert result.exit_code == 0, result.output
    return made


def call(workspace: Path, *arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ["chunks", *arguments, "-w", str(workspace)])
    assert result.exit_code == code, result.output
    return result


def value(workspace: Path, *arguments: str) -> dict[str, Any]:
    (line,) = call(workspace, *arguments, "--json").stdout.splitlines()
    parsed: dict[str, Any] = json.loads(line)
    return parsed


@pytest.mark.parametrize("arguments", [(), ("--document", "boats.md"), ("boats.md",)])
def test_both_forms_have_settings_and_chunks(workspace: Path, arguments: tuple[str, ...]) -> None:
    found = value(workspace, *arguments, "--chunking", "structure:100/0:tokens:nolabel")
    chunking = found["chunking"]
    assert chunking.pop("text") == "structure:100/0:tokens:nolabel"
    assert chunking.pop("separators") == []
    assert ChunkingSettings(**chunking) == ChunkingSettings(size=100, overlap=0, label=False)
    assert found["chunks"]
    for chunk in found["chunks"]:
        assert set(chunk) >= KEYS
        assert chunk["text"] in chunk["index_text"]
        assert chunk["page"] is None


def test_the_chunks_of_the_corpus_are_those_of_its_documents(workspace: Path) -> None:
    found = value(workspace)
    each = [
        c for d in ("boats.md", "long.txt", "tea.txt") for c in value(workspace, "-d", d)["chunks"]
    ]
    assert found["chunks"] == each
    assert (found["total"], found["documents"]) == (len(each), 3)
    by_id = value(workspace, "--document", each[0]["document"])
    assert by_id["chunks"] == [c for c in each if c["source"] == "boats.md"]
    assert [c["section"] for c in by_id["chunks"]][-1] == ["Boats", "Piers"]


def test_tokens_are_of_the_text_that_is_embedded_and_long_ones_are_marked(workspace: Path) -> None:
    found = value(workspace, "--chunking", "document")
    count = counter(MODEL).count
    for chunk in found["chunks"]:
        assert chunk["tokens"] == count(chunk["index_text"])
    # 256 tokens less the two special ones.
    assert (found["model"], found["window"]) == (MODEL, 254)
    assert [c["source"] for c in found["chunks"] if c["truncated"]] == ["long.txt"]
    # A model without a window reads all of it.
    draft = value(workspace, "--chunking", "document", "--model", "wordllama-l2-supercat-256")
    assert [c["truncated"] for c in draft["chunks"]] == [
        draft["window"] is not None and c["tokens"] > draft["window"] for c in draft["chunks"]
    ]


@pytest.mark.parametrize("limit", ["1", "2", "999", "0"])
def test_a_limit_lists_the_first_and_counts_all(workspace: Path, limit: str) -> None:
    arguments = ("--chunking", "fixed:100/0:tokens", "--limit", limit)
    every = value(workspace, "--chunking", "fixed:100/0:tokens")["chunks"]
    found = value(workspace, *arguments)
    wanted = every if limit == "0" else every[: int(limit)]
    assert found["chunks"] == wanted
    assert found["total"] == len(every) > 2
    long = [c for c in every if c["source"] == "long.txt"]
    one = value(workspace, "-d", "long.txt", *arguments)
    assert one["chunks"] == (long if limit == "0" else long[: int(limit)])
    assert one["total"] == len(long)


def test_text_shows_the_corpus_in_a_line_and_a_document_in_a_table(workspace: Path) -> None:
    total = value(workspace)["total"]
    assert call(workspace).stdout.splitlines() == [
        f"structure:220/40:tokens:label: {total} chunks of 3 documents, 0 duplicates"
    ]
    table = call(workspace, "tea.txt").stdout.splitlines()
    assert table[0].split() == ["#", "span", "size", "tokens", "label", "text"]
    assert "0-30" in table[1]
    listed = call(workspace, "--limit", "2").stdout.splitlines()
    assert [line.split()[1] for line in listed[:3]] == ["source", "boats.md", "boats.md"]
    assert len(listed) == 4


def test_a_document_is_named_once_and_must_be_there(workspace: Path) -> None:
    call(workspace, "tea.txt", "--document", "tea.txt")
    call(workspace, "tea.txt", "--document", "boats.md", code=2)
    call(workspace, "--limit", "-1", code=2)
    call(workspace, "--document", "nowhere.txt", code=1)


def test_an_empty_corpus_has_no_chunks(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    found = value(tmp_path / "new")
    assert (found["chunks"], found["total"]) == ([], 0)


def test_help_says_whose_tokens_are_counted() -> None:
    text = " ".join(CliRunner().invoke(cli, ["chunks", "--help"]).output.split())
    assert "whose tokenizer counts" in text
    assert MODEL in text


def test_an_error_half_way_leaves_the_output_to_itself(capsys: pytest.CaptureFixture[str]) -> None:
    def items() -> Any:
        yield {"a": 1}
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        print_json_list({"head": 1}, "items", items())
    assert capsys.readouterr().out == ""
    print_json_list({"head": {"x": "é"}}, "items", [{"a": "\ud800"}, {"b": 2}])
    shown = json.loads(capsys.readouterr().out)
    assert shown == {"head": {"x": "é"}, "items": [{"a": "\ud800"}, {"b": 2}]}
