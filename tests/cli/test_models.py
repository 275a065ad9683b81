"""Models behind addresses from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ragdebug.cli import cli
from ragdebug.models import forget
from tests.support.model_server import ModelServer

Run = Callable[..., Result]
KEY = "sk-of-the-shop-0815"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(key=KEY) as server:
        yield server


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    monkeypatch.setenv("SHOP_KEY", KEY)

    def call(*arguments: str | Path, code: int = 0) -> Result:
        forget()  # every command is a process of its own
        place = ["--workspace", str(tmp_path / "workspace")]
        result = CliRunner().invoke(cli, [*map(str, arguments), *place])
        assert result.exit_code == code, result.output
        return result

    docs = tmp_path / "docs"
    docs.mkdir()
    for topic in ("heron", "copper", "violin"):
        (docs / f"{topic}.txt").write_text(f"All there is to say about the {topic}.", "utf-8")
    call("ingest", docs)
    yield call
    forget()


@pytest.fixture
def add(run: Run, server: ModelServer) -> Run:
    def call(*more: str, code: int = 0) -> Result:
        given = ["--url", f"{server.url}/v1", "--model", "small", "--key-env", "SHOP_KEY"]
        return run("models", "add", "prod", *given, *more, code=code)

    return call


def value(result: Result) -> dict[str, Any]:
    (line,) = result.stdout.strip().splitlines()
    parsed: dict[str, Any] = json.loads(line)
    return parsed


def test_a_model_is_added_listed_tested_and_used(run: Run, add: Run, server: ModelServer) -> None:
    said = add("--price", "0.02").output
    assert "api:prod answers in" in said
    assert "vectors of length 32. Use it as vector+model=api:prod." in said
    assert "api:prod" in run("models").output
    listed = value(run("models", "--json"))
    assert [m["name"] for m in listed["models"]][-1] == "api:prod"
    (row,) = listed["remote"]
    assert (row["url"], row["key_env"], row["has_key"]) == (f"{server.url}/v1", "SHOP_KEY", True)
    assert KEY not in json.dumps(listed)
    assert value(run("models", "test", "prod", "--json"))["same"] is True
    asked = server.asked
    refused = run("search", "heron.", "-s", "vector+model=api:prod", code=1).output
    assert "3 texts, about 27 tokens (counted with the tokenizer of all-MiniLM-L6-v2)" in refused
    assert "less than 0.0001 at 0.02 per million" in refused
    assert "--send" in refused
    assert server.asked == asked
    told = run("search", "heron.", "-s", "vector+model=api:prod", "--send", "--json")
    host = server.url.removeprefix("http://")
    assert told.stderr.startswith("api:prod: 3 texts, about 27 tokens")
    assert f"at 0.02 per million, to {host}" in told.stderr
    found = value(told)
    assert found["lists"]["vector"]["hits"][0]["source"] == "heron.txt"
    again = run("search", "heron.", "-s", "vector+model=api:prod")
    assert "heron.txt" in again.output


def test_a_reranker_is_added_in_its_own_form(run: Run, server: ModelServer) -> None:
    run("models", "add", "order", "--url", f"{server.url}/tei", "--kind", "reranker",
        "--form", "tei", "--key-env", "SHOP_KEY")  # fmt: skip
    assert server.paths[-1] == "/tei/rerank"
    strategy = "reranked+model=wordllama-l2-supercat-256+reranker=api:order+pool=5"
    refused = run("search", "the heron", "-s", strategy, code=1).output
    assert "a question and 3 texts" in refused
    assert "nothing was sent" in refused
    found = value(run("search", "the heron", "-s", strategy, "--send", "--json"))
    assert found["lists"]["reranked"]["hits"][0]["score_kind"] == "api"


def test_another_model_ends_a_test_with_1_until_it_is_accepted(
    run: Run, add: Run, server: ModelServer
) -> None:
    before = value(add("--json"))["fingerprint"]
    server.seed = 9
    assert "not the model that was added" in run("models", "test", "prod", code=1).output
    made = value(run("models", "accept", "prod", "--json"))
    assert made["same"] is False
    assert made["fingerprint"] != before
    assert "Nothing has changed." in run("models", "accept", "prod").output
    run("models", "test", "prod")


def test_removing_can_be_taken_back(run: Run, add: Run) -> None:
    add()
    run("models", "remove", "prod")
    assert "api:prod" not in run("models", "list").output
    assert "api:prod" in run("models", "list", "--removed").output
    assert "There is no model api:prod" in run("models", "test", "prod", code=1).output
    run("models", "restore", "prod")
    assert "api:prod" in run("models", "list").output
    assert "no model other" in run("models", "remove", "other", code=1).output


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--url", "https://me:sk-secret-1@a.org/v1"], "password before its host"),
        (["--url", "https://a.org/v1?api_key=sk-secret-1"], "looks like a key"),
        (["--key-env", "sk-secret-1"], "not the name of an environment variable"),
        (["--key-env", "NO_SUCH_KEY"], "no environment variable NO_SUCH_KEY"),
        (["--model", "tiny"], "The server offers: small, large."),
        (["--form", "cohere"], "No embedder is asked in the form 'cohere'"),
        (["--url", "http://127.0.0.1:9/v1"], "refused"),
    ],
)
def test_what_cannot_be_added_is_said_and_not_kept(
    run: Run, add: Run, options: list[str], says: str
) -> None:
    output = add(*options, "--verbose", code=1).output
    assert says in " ".join(output.split())
    assert "sk-secret-1" not in output
    assert value(run("models", "list", "--json"))["remote"] == []


def test_a_key_goes_in_the_header_that_is_named(run: Run, server: ModelServer) -> None:
    server.key_header = "api-key"
    address = f"{server.url}/openai/deployments/small/embeddings?api-version=2024-06-01"
    given = ["--url", address, "--model", "small", "--key-env", "SHOP_KEY"]
    assert "not accepted" in run("models", "add", "azure", *given, code=1).output
    pasted = run("models", "add", "azure", *given, "--key-header", KEY, code=1).output
    assert "not the name of a header" in pasted and KEY not in pasted
    run("models", "add", "azure", *given, "--key-header", "api-key", "--parallel", "2")
    (row,) = value(run("models", "--json"))["remote"]
    assert (row["url"], row["key_header"], row["parallel"]) == (address, "api-key", 2)
    assert KEY not in run("models", "--json").output
