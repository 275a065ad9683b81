"""Searchers of a workspace: added, tried out, listed, removed, brought back, agreed to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ragdebug.errors import InvalidSetting, NotAgreed, NotBrought
from ragdebug.protocols import silent
from ragdebug.searchers import Reply, Searcher, open_searcher, raw_text
from ragdebug.searchers.loading import entry_points, file_of
from ragdebug.settings import DEFAULT_WORKSPACE, StrategySettings
from ragdebug.settings.searcher import HTTP, PYTHON, SearcherSettings
from ragdebug.web import agreed, has_key
from ragdebug.workbench.kept import Kept
from ragdebug.workbench.outside.answers import Answer, ReturnedHit
from ragdebug.workbench.outside.searcher_reports import SearcherRow, SearcherTrial, TrialHit
from ragdebug.workbench.outside.searching import OutsideSearch

__all__ = ["KIND", "SearcherRow", "SearcherTrial", "Searchers", "TrialHit"]

KIND = "searcher"  # in the store's table of what is registered
FOLDER = "RAGDEBUG_FOLDER"  # where modules are looked for, whatever else is known
STARTED_IN = "RAGDEBUG_STARTED_IN"  # where the app was started; it works in a folder of its own


class Searchers(OutsideSearch):
    """Use cases on somebody's own searchers."""

    def __init__(self, path: str | Path = DEFAULT_WORKSPACE, **options: Any) -> None:  # noqa: ANN401
        super().__init__(path, **options)
        self._opened: Kept[Searcher] = Kept(20)
        self._to_close: list[Searcher] = []

    def close(self) -> None:
        """Stop jobs, let go of connections, release the store."""
        super().close()
        for searcher in self._to_close:
            searcher.close()

    # List -----------------------------------------------------------------------------------------

    def searchers(self, removed: bool = False) -> list[SearcherRow]:
        """The registered searchers by name; those in use, or those removed. No code runs."""
        rows = []
        for value in self.store.registered.all(KIND, removed=removed).values():
            with suppress(InvalidSetting):  # written by another release, or by hand
                rows.append(self._searcher_row(SearcherSettings.from_dict(value), removed))
        return rows

    def searcher(self, name: str) -> SearcherSettings:
        """A registered searcher by its name, with or without ``searcher:``.

        Raises:
            NotBrought: there is none.
        """
        short = name.removeprefix("searcher:")
        value = self.store.registered.get(KIND, short)
        if value is None:
            known = list(self.store.registered.all(KIND))
            raise NotBrought(
                f"There is no searcher {short} here.",
                hint=f"There are: {', '.join(known[:10])}."
                if known
                else "Add one with: ragdebug searchers add NAME --python module:function",
            )
        return SearcherSettings.from_dict(value)

    @staticmethod
    def searcher_entry_points() -> tuple[str, ...]:
        """Names of searchers that installed packages offer."""
        return entry_points()

    def _searcher_row(self, settings: SearcherSettings, removed: bool = False) -> SearcherRow:
        folder = _folder(agreed.agreed(self.path, settings.agreement))
        return SearcherRow(
            settings,
            self._may_ask_searcher(settings),
            tuple(n for n in settings.environment if not has_key(n)),
            file_of(settings.target, folder) if settings.kind == PYTHON else "",
            removed,
        )

    # Change ---------------------------------------------------------------------------------------

    def add_searcher(
        self, settings: SearcherSettings, *, remember: bool = False, on_page: bool = False
    ) -> SearcherRow:
        """Register a searcher under its name, in place of one that has it; see `allow_searcher`.

        Raises:
            NotAgreed: pages may not allow code here.
        """
        self.allow_searcher(settings, remember=remember, on_page=on_page)
        self.store.registered.put(KIND, settings.name, settings.as_dict())
        return self._searcher_row(settings)

    def allow_searcher(
        self,
        searcher: SearcherSettings | str,
        *,
        remember: bool = False,
        on_page: bool = False,
    ) -> SearcherSettings:
        """Note that the person at this machine agrees that this code runs, or this host is asked.

        Args:
            searcher: its settings, or the name of a registered one.
            remember: for later processes too, outside of the workspace; else for this one.
            on_page: the yes is a click. With RAGDEBUG_ALLOW_CODE=0, for pages that others can
                open, that allows no code, and sends no value of the environment anywhere.

        Raises:
            NotAgreed: pages may not allow it here.
            NotBrought: there is no such searcher.
        """
        settings = self.searcher(searcher) if isinstance(searcher, str) else searcher
        risky = settings.kind == PYTHON or settings.environment
        if on_page and risky and not agreed.pages_may_ask():
            what = "Code" if settings.kind == PYTHON else "Sending a key"
            raise NotAgreed(
                f"{what} cannot be allowed from a page here: RAGDEBUG_ALLOW_CODE=0.",
                hint="Add it on the machine itself, with: ragdebug searchers add",
            )
        agreed.agree(self.path, settings.agreement, _folder(), remember=remember)
        return settings

    def remove_searcher(self, name: str) -> bool:
        """Take a searcher out of use; whether it was there."""
        return self.store.registered.remove(KIND, name.removeprefix("searcher:"))

    def restore_searcher(self, name: str) -> bool:
        """Bring a removed searcher back; whether there was one."""
        return self.store.registered.restore(KIND, name.removeprefix("searcher:"))

    # Try ------------------------------------------------------------------------------------------

    def try_searcher(
        self,
        searcher: SearcherSettings | str,
        query: str,
        k: int = 5,
        filter: Sequence[tuple[str, str]] = (),  # noqa: A002 - what everybody calls it
    ) -> SearcherTrial:
        """Ask a searcher something and say what was understood; nothing is kept.

        Args:
            searcher: its settings, or the name of a registered one.
            query: any text.
            k: how many hits are wanted.
            filter: (key, value) pairs that it is given.

        Raises:
            NotAgreed: see `allow_searcher`.
            RagDebugError: there was no answer. One that was not understood is in the trial.
        """
        settings = self.searcher(searcher) if isinstance(searcher, str) else searcher
        if not query.strip():
            raise InvalidSetting("The query is empty.", hint="Ask something.")
        reply = self._open_searcher(settings).ask(query, settings.asked(k), filter)
        return self._trial_of(settings, query, k, reply)

    def _trial_of(self, s: SearcherSettings, query: str, k: int, reply: Reply) -> SearcherTrial:
        read = reply.understood
        hits = tuple(ReturnedHit(h.piece, h.score) for h in read.hits)
        return SearcherTrial(
            settings=s,
            query=query,
            k=k,
            raw=raw_text(reply.value),
            hits=self._trial_hits(s, query, hits),
            returned=read.returned,
            where=read.where,
            fields=dict(read.fields),
            unused=read.unused,
            warnings=(*read.notes, *_few(len(hits), k, reply.problem is not None)),
            milliseconds=reply.elapsed_s * 1000,
            problem=reply.problem.message if reply.problem else "",
            hint=reply.problem.hint if reply.problem else "",
        )

    def _trial_hits(
        self, s: SearcherSettings, query: str, hits: tuple[ReturnedHit, ...]
    ) -> tuple[TrialHit, ...]:
        if not hits:
            return ()
        # Each for itself, so that one that came twice is seen twice.
        answers = [Answer(f"{at}", (hit,)) for at, hit in enumerate(hits)]
        placed = self._placed_answers(answers, silent)
        made = self._outside_table(StrategySettings(preset=KIND, outside=s.name), placed)
        here = self._by_id()
        result = []
        for hit, one in zip(hits, placed.lists, strict=True):
            piece = placed.pieces[one.hits[0].piece]
            row = int(made.rows[piece.position])
            info = here.get(piece.document)
            result.append(
                TrialHit(hit, info.source if info else "", row >= 0 and made.table.placed(row))
            )
        return tuple(result)

    # Open -----------------------------------------------------------------------------------------

    def _may_ask_searcher(self, settings: SearcherSettings) -> bool:
        if settings.kind == PYTHON and agreed.code_is_allowed():
            return True
        return agreed.agreed(self.path, settings.agreement) is not None

    def _open_searcher(self, settings: SearcherSettings) -> Searcher:
        """A searcher that can be asked.

        Raises:
            NotAgreed: nobody at this machine agreed to it.
            SearcherFailed: it cannot be loaded.
        """
        if not self._may_ask_searcher(settings):
            raise NotAgreed(_would(settings), hint=_agree(settings))
        folder = _folder(agreed.agreed(self.path, settings.agreement))

        def make() -> Searcher:
            made = open_searcher(settings, folder)
            self._to_close.append(made)
            return made

        return self._opened.get((settings, folder), make)


def _folder(yes: agreed.Agreement | None = None) -> str:
    """Where the module of a searcher is looked for, after all installed ones.

    In RAGDEBUG_FOLDER where that is set; else in the folder in which a person added or allowed it;
    else where the person works: the folder the app was started in, or the present one.
    """
    agreed_in = yes.folder if yes else ""
    known = (os.environ.get(FOLDER), agreed_in, os.environ.get(STARTED_IN))
    return next((folder for folder in known if folder), str(Path.cwd()))


def _few(hits: int, k: int, problem: bool) -> list[str]:
    if problem or hits >= k:
        return []
    return [f"{hits:,} hits came where {k:,} are wanted." if hits else "It returned nothing."]


def _would(s: SearcherSettings) -> str:
    if s.kind == HTTP:
        keys = f", with the value of {' and '.join(s.environment)}" if s.environment else ""
        return (
            f"The searcher {s.name} would send the query to {s.where}{keys}, and nobody here"
            " has agreed to that. Nothing was sent."
        )
    file = file_of(s.target, _folder())
    return (
        f"The searcher {s.name} would run code on this machine, {s.target}"
        f"{f' of {file}' if file else ''}, and nobody here has agreed to that. Nothing was run."
    )


def _agree(s: SearcherSettings) -> str:
    return (
        "A workspace or a link may come from somebody else. If you trust it, agree on the page of"
        f" searchers, or with: ragdebug searchers allow {s.name}"
    )
