"""``ragdebug models``: those that come with the packages, and those behind addresses."""

from __future__ import annotations

import sys
from typing import Any

import click

from ragdebug.cli.base import Listing, Session, command, shorten, table
from ragdebug.errors import ModelNotFound
from ragdebug.settings import FORMS, RemoteModel
from ragdebug.workbench import plain, plain_remote


@click.group(cls=Listing)
def models() -> None:
    """Models to embed and rerank with: list, add one behind an address, test, remove, accept."""


@models.command("list")
@click.option("--removed", is_flag=True, help="Models behind addresses that were removed.")
@command
def list_(session: Session, removed: bool) -> None:
    """Models that come with the packages, then those behind addresses, and how they read text."""
    with session.workbench(new=True) as wb:
        known = [] if removed else wb.models()
        rows = wb.remote_models(removed=removed)

    def text() -> str:
        cells = [
            [m.name, m.kind, str(m.dimension or ""), str(m.window or ""), shorten(m.note, 70)]
            for m in (known or [r.record.info for r in rows])
        ]
        lines = [table(cells, ["name", "kind", "dimension", "window", "note"])]
        lines += [
            f"! {r.record.model.full_name}: its key is missing, {r.record.model.key_env}"
            for r in rows
            if not r.has_key
        ]
        lines += [
            f"! {m.full_name}: nobody on this machine agreed to {m.agreement} yet;"
            f" see: ragdebug models allow {m.name}"
            for m in (r.record.model for r in rows if not r.agreed and not r.removed)
        ]
        return "\n".join(lines)

    value = {
        "models": [plain.model(m) for m in known],
        "remote": [plain_remote.row(r) for r in rows],
    }
    session.result(value, text)


@models.command()
@click.argument("name")
@click.option("--url", required=True, help="Such as https://api.openai.com/v1.")
@click.option("--model", default="", help="What the server calls it.")
@click.option("--kind", type=click.Choice(["embedder", "reranker"]), default="embedder",
              show_default=True)  # fmt: skip
@click.option("--form", type=click.Choice(list(FORMS)), default=None,
              help="Protocol.  [default: openai, for rerankers cohere]")  # fmt: skip
@click.option("--key-env", default="", metavar="NAME",
              help="Environment variable that holds the key; never the key itself.")  # fmt: skip
@click.option("--key-header", default="", metavar="NAME",
              help="Header that carries the key as it is, such as api-key for Azure.  [default:"
              " Authorization, after the word Bearer]")  # fmt: skip
@click.option("--batch", type=int, default=64, show_default=True, help="Texts in one request.")
@click.option(
    "--parallel",
    type=int,
    default=0,
    help="Requests at the same time.  [default: 1 on this machine, 4 elsewhere]",
)
@click.option("--timeout", "timeout_s", type=float, default=60.0, show_default=True,
              help="Seconds.")  # fmt: skip
@click.option("--requests-per-minute", type=float, default=0.0, help="Pace to keep; 0 for none.")
@click.option("--tokens-per-minute", type=float, default=0.0, help="Pace to keep; 0 for none.")
@click.option("--dimensions", type=int, default=0, help="Ask for vectors of this length.")
@click.option("--query-prompt", default="", help="Put in front of queries.")
@click.option("--passage-prompt", default="", help="Put in front of texts.")
@click.option("--window", type=int, default=0, help="Most tokens it reads, where known.")
@click.option("--tokenizer", default="", help="Local model whose tokenizer counts for it.")
@click.option("--price", "price_per_million", type=float, default=0.0,
              help="Of a million tokens, in your money.")  # fmt: skip
@click.option("--language", "languages", multiple=True, help="Code of one it was made for.")
@command
def add(session: Session, name: str, form: str | None, **values: Any) -> None:  # noqa: ANN401
    """Register a model behind an address as api:NAME, after asking it one fixed sentence.

    The key is looked up in the environment at each use, and is kept nowhere.
    """
    model = RemoteModel(name=name, form=form or "", **values)
    with session.workbench(new=True) as wb:
        trial = wb.add_remote_model(model)
    session.result(
        plain_remote.trial(trial),
        lambda: f"{trial.sentence} Use it as {_use(trial.record.model)}.",
    )


@models.command()
@click.argument("name")
@command
def test(session: Session, name: str) -> None:
    """Ask a model its fixed sentence, and say whether it is the same model; ends with 1 if not."""
    with session.workbench() as wb:
        trial = wb.try_remote_model(name)
    session.result(plain_remote.trial(trial), trial.sentence)
    if not trial.same:
        sys.exit(1)


@models.command()
@click.argument("name")
@command
def allow(session: Session, name: str) -> None:
    """Agree, on this machine, to ask the address of a model.

    Whoever adds a model has agreed; a workspace that came from elsewhere, or was moved, needs this.
    """
    with session.workbench() as wb:
        model = wb.allow_remote_model(name).model
    session.result(
        {"allowed": model.full_name, "agreement": model.agreement},
        f"Agreed to {model.agreement}, for {model.full_name}.",
    )


@models.command()
@click.argument("name")
@command
def accept(session: Session, name: str) -> None:
    """Take what a model answers now as the model; then all is embedded again.

    What the old one gave stays in the workspace.
    """
    with session.workbench() as wb:
        trial = wb.accept_remote_model(name)
    said = "Nothing has changed." if trial.same else "The new one is taken."
    session.result(plain_remote.trial(trial), f"{trial.sentence} {said}")


@models.command()
@click.argument("name")
@command
def remove(session: Session, name: str) -> None:
    """Take a model out of use; its vectors stay, and `restore` brings it back."""
    with session.workbench() as wb:
        there = wb.remove_remote_model(name)
    _changed(session, name, there, "removed")


@models.command()
@click.argument("name")
@command
def restore(session: Session, name: str) -> None:
    """Bring a removed model back."""
    with session.workbench() as wb:
        there = wb.restore_remote_model(name)
    _changed(session, name, there, "restored")


def _changed(session: Session, name: str, there: bool, what: str) -> None:
    if not there:
        raise ModelNotFound(
            f"There is no model {name} that could be {what}.",
            hint="See: ragdebug models list, ragdebug models list --removed",
        )
    session.result({what: name}, f"{name} is {what}.")


def _use(model: RemoteModel) -> str:
    if model.kind == "reranker":
        return f"reranked+reranker={model.full_name}"
    return f"vector+model={model.full_name}"
