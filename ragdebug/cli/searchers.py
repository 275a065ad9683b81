"""``ragdebug searchers``: somebody's own search, as a column and a strategy."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from ragdebug.cli.base import Listing, Session, command, shorten, table
from ragdebug.errors import NotBrought
from ragdebug.settings import SearcherSettings, parse_pairs
from ragdebug.settings.searcher import HTTP, METHODS, PYTHON, parse_field, parse_header
from ragdebug.workbench import plain_searchers
from ragdebug.workbench.outside.searcher_reports import SearcherTrial


@click.group(cls=Listing)
def searchers() -> None:
    """Your own search as a strategy: a Python function, or an HTTP address."""


def _settings(f: Callable[..., None]) -> Callable[..., None]:
    """Options that say how a searcher is asked; the function gets them as one dict."""

    @click.option(
        "--python",
        "target",
        default="",
        metavar="MODULE:FUNCTION",
        help="A function search(query, k, filter), or the name of an entry point.",
    )
    @click.option(
        "--http",
        "url",
        default="",
        metavar="URL",
        help="An address; {query}, {k} and {filter} in it are filled in.",
    )
    @click.option(
        "--method",
        type=click.Choice(METHODS, case_sensitive=False),
        default="POST",
        show_default=True,
    )
    @click.option(
        "--body",
        default="",
        metavar="JSON",
        help='What is sent: {"query": {query}, "k": {k}, "filter": {filter}}.',
    )
    @click.option(
        "--header",
        "headers",
        multiple=True,
        metavar="'NAME: VALUE'",
        help="${NAME} in the value stands for an environment variable.",
    )
    @click.option(
        "--key-env",
        default="",
        metavar="NAME",
        help="Environment variable whose value is sent as bearer token.",
    )
    @click.option(
        "--hits",
        default="",
        metavar="PATH",
        help="Where the hits are in the answer, such as hits.hits.",
    )
    @click.option(
        "--field",
        "fields",
        multiple=True,
        metavar="ROLE=PATH",
        help="Roles: text, id, source, score, page, start, end, metadata.",
    )
    @click.option(
        "--depth",
        type=int,
        default=20,
        show_default=True,
        help="Hits it is asked for at least; 0 for no more than are shown.",
    )
    @click.option(
        "--timeout", "timeout_s", type=float, default=30.0, show_default=True, help="Seconds."
    )
    @click.option("--retries", type=int, default=2, show_default=True, help="Of an address.")
    @click.option("--requests-per-minute", type=float, default=0.0, help="Pace to keep; 0: none.")
    @click.option(
        "--parallel",
        type=int,
        default=1,
        show_default=True,
        help="Queries at the same time, where there are many.",
    )
    @wraps(f)
    def run(*args: Any, **values: Any) -> None:  # noqa: ANN401
        names = ("target url method body headers key_env hits fields depth timeout_s retries"
                 " requests_per_minute parallel").split()  # fmt: skip
        f(*args, {name: values.pop(name) for name in names}, **values)

    return run


def _made(name: str, given: dict[str, Any]) -> SearcherSettings:
    if bool(given["target"]) == bool(given["url"]):
        raise click.UsageError("Give --python MODULE:FUNCTION or --http URL.")
    return SearcherSettings(
        **given
        | {
            "name": name,
            "kind": PYTHON if given["target"] else HTTP,
            "headers": tuple(parse_header(h) for h in given["headers"]),
            "fields": tuple(parse_field(x) for x in given["fields"]),
        }
    )


@searchers.command()
@click.argument("name")
@command
@_settings
def add(session: Session, given: dict[str, Any], name: str) -> None:
    """Register a searcher as searcher:NAME, in place of one that has the name.

    This is your yes that its code runs, or that queries are sent to its address, in this workspace;
    it is noted for you on this machine, not in the workspace.
    """
    settings = _made(name, given)
    with session.workbench(new=True) as wb:
        row = wb.add_searcher(settings, remember=True)

    def text() -> str:
        lines = [f"searcher:{row.settings.name} asks {row.settings.where}"]
        lines += [f"! {n} is not set" for n in row.missing]
        return "\n".join([*lines, f"Try it: ragdebug searchers try {row.settings.name} QUERY"])

    session.result(plain_searchers.row(row), text)


@searchers.command("list")
@click.option("--removed", is_flag=True, help="Those that were removed.")
@command
def list_(session: Session, removed: bool) -> None:
    """Searchers of this workspace. None of them is asked, and no code runs."""
    with session.workbench() as wb:
        rows = wb.searchers(removed=removed)

    def text() -> str:
        if not rows:
            return (
                "No searchers. Add one with: ragdebug searchers add NAME --python MODULE:FUNCTION"
            )
        cells = []
        for r in rows:
            state = "" if r.agreed else f"not agreed: ragdebug searchers allow {r.settings.name}"
            missing = f"not set: {', '.join(r.missing)}" if r.missing else ""
            cells.append([r.settings.name, r.settings.kind, r.settings.where,
                          " · ".join(x for x in (state, missing) if x)])  # fmt: skip
        return table(cells, ["name", "kind", "asks", ""])

    session.result({"searchers": [plain_searchers.row(r) for r in rows]}, text)


@searchers.command("try")
@click.argument("words", nargs=-1, required=True, metavar="[NAME] QUERY")
@click.option("-k", type=int, default=5, show_default=True, help="Hits that are wanted.")
@click.option("--filter", "filters", multiple=True, metavar="KEY=VALUE", help="Given to it.")
@click.option("--raw", is_flag=True, help="Print the answer as it came, too.")
@command
@_settings
def try_(
    session: Session,
    given: dict[str, Any],
    words: tuple[str, ...],
    k: int,
    filters: tuple[str, ...],
    raw: bool,
) -> None:
    """Ask a registered searcher, or one that the options describe, and show what was understood."""
    named = not (given["target"] or given["url"])
    if len(words) != (2 if named else 1):
        raise click.UsageError(
            "Give NAME and QUERY." if named else "Give one QUERY; quote it where it has blanks."
        )
    with session.workbench(new=not named) as wb:
        searcher: SearcherSettings | str = words[0]
        if not named:
            searcher = wb.allow_searcher(_made("trial", given))  # whoever types it agrees to it
        trial = wb.try_searcher(searcher, words[-1], k, parse_pairs(filters))
    session.result(plain_searchers.trial(trial), lambda: _trial(trial, raw))
    if trial.problem:
        sys.exit(1)


@searchers.command()
@click.argument("name")
@command
def allow(session: Session, name: str) -> None:
    """Agree that a searcher of this workspace runs its code or asks its address, for you here."""
    with session.workbench() as wb:
        settings = wb.allow_searcher(name, remember=True)
    session.result(
        {"name": settings.name, "asks": settings.where},
        f"searcher:{settings.name} may ask {settings.where}",
    )


@searchers.command()
@click.argument("name")
@command
def remove(session: Session, name: str) -> None:
    """Take a searcher out of use; it can be brought back."""
    with session.workbench() as wb:
        done = wb.remove_searcher(name)
    _say(session, done, name, f"removed: {name}", f"There is no searcher {name} here.")


@searchers.command()
@click.argument("name")
@command
def restore(session: Session, name: str) -> None:
    """Bring a removed searcher back."""
    with session.workbench() as wb:
        done = wb.restore_searcher(name)
    _say(session, done, name, f"back: {name}", f"No searcher {name} was removed.")


def _say(session: Session, done: bool, name: str, good: str, bad: str) -> None:
    if not done:
        raise NotBrought(bad, hint="See: ragdebug searchers list")
    session.result({"name": name}, good)


def _trial(one: SearcherTrial, raw: bool) -> str:
    took = f"{one.milliseconds:,.0f} ms"
    lines = []
    if one.problem:
        lines += [f"! {one.problem} {one.hint}".rstrip(), f"  {took}"]
    else:
        lines.append(f"{len(one.hits)} hits read, {took}"
                     + (f", at {one.where}" if one.where else ""))  # fmt: skip
        lines.append("fields: " + ", ".join(f"{r}={p}" for r, p in one.fields.items()))
    if one.unused:
        lines.append(f"not used: {', '.join(one.unused[:20])}")
    lines += [f"! {w}" for w in one.warnings]
    for rank, h in enumerate(one.hits[: one.k], 1):
        piece, score = h.hit.piece, h.hit.score
        known = f"{h.document}{'' if h.placed else ', not placed'}" if h.document else "not here"
        said = "  ".join(x for x in (piece.id, piece.source) if x)
        number = f"{score:.4f}" if math.isfinite(score) else "-"
        lines.append(f"{rank:>3}  {number}  {said}  [{known}]")
        lines.append(f"     {shorten(piece.text, 110)}")
    if raw or one.problem:
        lines += ["", one.raw]
    return "\n".join(lines)
