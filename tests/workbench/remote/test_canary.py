"""A key with a name of its own is looked for everywhere it must not be."""

from __future__ import annotations

import base64
import json
import logging
import traceback
from pathlib import Path

import pytest
from click.testing import CliRunner

from ragdebug import Workbench
from ragdebug.cli import cli
from ragdebug.errors import RagDebugError
from ragdebug.models import forget
from tests.support.model_server import ModelServer, send
from tests.workbench.remote.conftest import KEY, RERANKED, VECTOR, embedder, reranker

FORMS = (KEY, base64.b64encode(KEY.encode()).decode(), KEY[:14], KEY[-12:])


def hold_no_key(*texts: str | bytes) -> None:
    for text in texts:
        raw = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
        for form in FORMS:
            assert form.encode() not in raw


def everything(error: BaseException) -> str:
    parts = [str(error), repr(error), str(error.args), str(getattr(error, "__dict__", ""))]
    parts += traceback.format_exception(error)
    for other in (error.__cause__, error.__context__):
        if other is not None:
            parts.append(everything(other))
    return "\n".join(parts)


@pytest.mark.parametrize("header", ["Authorization", "api-key"])
def test_the_key_is_written_shown_and_logged_nowhere(
    wb: Workbench,
    server: ModelServer,
    header: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    server.key_header = header
    wb.add_remote_model(embedder(server, batch=64, key_header=header))
    wb.add_remote_model(reranker(server, key_header=header))
    with wb.sending():
        result = wb.search("the heron stands", [VECTOR, RERANKED])
        runs = wb.evaluate([VECTOR], yes=True).runs
    hold_no_key(repr(result), repr(runs), repr(wb.remote_models()), repr(wb.models()))

    # A server that gives the key back, in its refusals and in its answers.
    def echo(status: int):  # type: ignore[no-untyped-def]
        return lambda h: send(h, status, {"error": {"message": h.headers[header]}})

    elsewhere = (307, {"Location": f"http://127.0.0.1:9/{KEY}"}, b"")
    page = (200, {}, f"<p>{KEY}".encode())
    for planned in (echo(400), echo(401), echo(404), echo(501), page, elsewhere):
        server.plan = [planned, planned]
        forget()
        found = wb.search("new words", [VECTOR], build=False).lists["vector"]
        assert found.error
        hold_no_key(found.error, found.error_hint, repr(found))
        server.plan = [planned, planned]
        with pytest.raises(RagDebugError) as caught:
            wb.try_remote_model("prod")
        hold_no_key(everything(caught.value))
    server.plan = []

    question = wb.questions()[0].id
    path = str(wb.path)
    wb.backup(tmp_path / "kept.backup")
    wb.close()

    case = tmp_path / "case.html"
    commands = [
        ["models", "list", "--json"],
        ["settings", "export"],
        ["models", "test", "prod"],
        ["search", "the heron", "-s", f"{VECTOR},{RERANKED}", "--send"],
        ["case", "--question", question, "-s", VECTOR, "--to", str(case), "--send"],
    ]
    for command in commands:
        done = CliRunner().invoke(cli, [*command, "--verbose", "--workspace", path])
        assert done.exit_code == 0, done.output
        hold_no_key(done.output, done.stdout, done.stderr)
    for planned in (echo(401), (200, {}, f"<p>{KEY}".encode())):
        server.plan = [planned]
        done = CliRunner().invoke(cli, ["models", "test", "prod", "--verbose", "-w", path])
        assert done.exit_code == 1
        hold_no_key(done.output, done.stdout, done.stderr)

    assert case.is_file()
    files = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert len(files) > 10
    hold_no_key(*(p.read_bytes() for p in files))
    hold_no_key(case.read_bytes())
    host = server.url.removeprefix("http://").encode()
    assert host not in case.read_bytes()
    out, err = capfd.readouterr()
    hold_no_key(
        caplog.text, out, err, json.dumps([r.__dict__ for r in caplog.records], default=str)
    )
    assert any("127.0.0.1" in r.getMessage() for r in caplog.records)  # urllib3 did log
