"""Use cases of result lists: import a set of them, paste one, look at them, take them out."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragdebug.errors import InvalidSetting, NotBrought
from ragdebug.model_files import well_formed
from ragdebug.pieces import GivenPiece
from ragdebug.protocols import Progress, silent
from ragdebug.runs import DEPTH
from ragdebug.settings import StrategySettings, fingerprint
from ragdebug.store.pieces import KeptPiece, PieceSet
from ragdebug.store.result_lists import ResultListInfo, ReturnedList
from ragdebug.workbench.outside.answers import Answer, ReturnedHit, gather
from ragdebug.workbench.outside.elsewhere import is_elsewhere
from ragdebug.workbench.outside.identifying import identify
from ragdebug.workbench.outside.list_files import read_list_file
from ragdebug.workbench.outside.list_reports import ListPreview, ListReport, PreviewHit
from ragdebug.workbench.outside.matching import Matching, folded
from ragdebug.workbench.outside.pasted import Pasted, read_pasted
from ragdebug.workbench.outside.searching import OutsideLists
from ragdebug.workbench.outside.tables import PieceTable
from ragdebug.workbench.pieces.set_names import piece_name
from ragdebug.workbench.questions import Questions
from ragdebug.workbench.search import Search

PASTED = "pasted"
_NAMED = 20  # queries that are told one by one
_SUFFIX = re.compile(r"(\.(trec|run|txt|jsonl|ndjson|json|csv|tsv|res|gz))+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Made:
    """A set of lists that is ready to be kept."""

    info: ResultListInfo
    lists: tuple[ReturnedList, ...]
    pieces: tuple[KeptPiece, ...]


class ResultLists(Questions, Search):
    """Use cases of lists that another system returned."""

    def import_lists(
        self,
        file: str | Path | tuple[str, bytes],
        name: str = "",
        *,
        format: str = "auto",  # noqa: A002 - what everybody calls it
        dry_run: bool = False,
        progress: Progress = silent,
    ) -> ListReport:
        """Bring in result lists of many queries as the strategy ``list:NAME``.

        Lists that have the name already are replaced and can be brought back. A query belongs to a
        question by its id or its text, whenever the lists are used.

        Args:
            file: a path, or name and bytes: a TREC run, JSON Lines or JSON, CSV or TSV.
            name: of the lists; that of the file when empty.
            format: trec, jsonl, csv or auto.
            dry_run: only say what would be there.
            progress: documents looked through.

        Raises:
            DocumentError: the file cannot be read, or holds no lists.
            InvalidSetting: a name that cannot be one, or no such format.
        """
        path, data = file if isinstance(file, tuple) else (str(file), file)
        source = well_formed(re.split(r"[\\/]", path)[-1])
        name = list_name(name or _stem(source))
        read = read_list_file(data, source, format)
        problems = [[p.line, p.message] for p in read.problems]
        about = {"format": read.format, "kind": _kind(read.kind), "problems": problems}
        made = self._make_lists(name, source, read.answers, about, read.notes, progress)
        if not dry_run:
            self._keep_lists(made)
        return self._list_report(made.info, made.lists, made.pieces, dry_run)

    def result_lists(self, removed: bool = False) -> list[ResultListInfo]:
        """Lists in use, by name; or those that were replaced or removed, newest first."""
        return self.store.result_lists.lists(removed)

    def list_report(self, name: str) -> ListReport:
        """How lists meet the questions and the documents as they are now.

        Raises:
            NotBrought: there are none of this name.
        """
        info = self._list_named(name)
        found = self._kept_lists(info)
        return self._list_report(info, found.lists, found.pieces, False)

    def remove_list(self, name: str) -> None:
        """Take lists out of use; `restore_list` brings them back.

        Raises:
            NotBrought: there are none of this name.
        """
        self._list_named(name)
        self.store.result_lists.remove(name)
        self.store.pieces.remove(f"list:{name}")

    def restore_list(self, list_id: str) -> ResultListInfo:
        """Bring lists back by their id or name, in place of those that have their name now.

        Raises:
            NotBrought: no lists that were taken out have this id or name.
        """
        removed = self.store.result_lists.lists(removed=True)
        found = next((x for x in removed if x.id == list_id), None)
        found = found or next((x for x in removed if x.name == list_id), None)
        if found is None:
            raise NotBrought(
                f"No result list that was taken out has the id or name {list_id}.",
                hint="See them with: ragdebug lists list --removed",
            )
        self.store.result_lists.restore(found.id)
        self.store.pieces.restore(found.pieces)
        return replace(found, removed=False)

    def list_mark(self, strategy: StrategySettings) -> str:
        """Changes with what a strategy ``list:`` answers; "" for other strategies."""
        if strategy.preset != "list":
            return ""
        info = self.store.result_lists.named(strategy.outside)
        return f"{info.id if info else ''}-{self.store.questions.revision()}"

    # One list -------------------------------------------------------------------------------------

    def preview_list(self, query: str, text: str) -> ListPreview:
        """What a pasted list is understood as; nothing is kept.

        Raises:
            DocumentError: nothing is pasted, or nothing in it could be hits.
        """
        pasted = read_pasted(text)
        made = self._make_lists(PASTED, PASTED, [Answer(query, pasted.hits)], {}, ())
        table = self._piece_table(made.info, made.pieces)
        hits = []
        for rank, hit in enumerate(made.lists[0].hits, 1):
            row = int(table.rows[hit.piece])
            chunk = table.table.chunk(row)
            placed = table.table.placed(row)
            hits.append(PreviewHit(rank, hit.score, chunk.source, chunk.text, placed))
        return ListPreview(_understood(pasted, hits), tuple(hits), pasted.notes, _about(pasted))

    def paste_list(self, query: str, text: str, name: str = "") -> str:
        """Keep what another system returned for a query; returns the name to search it by.

        A name that is there already gets this query beside its others, in place of an earlier list
        of the same query.

        Args:
            query: what was asked.
            text: JSON, lines or passages, see `read_pasted`.
            name: of the lists; one that is free for this query when empty.

        Raises:
            DocumentError: nothing is pasted, or nothing in it could be hits.
            InvalidSetting: a name that cannot be one.
        """
        pasted = read_pasted(text)
        query = query.strip()
        mine = Answer(query, pasted.hits)
        name = list_name(name) if name.strip() else self._free_name(query, mine)
        known = self.store.result_lists.named(name)
        others: list[Answer] = []
        about: dict[str, Any] = _about(pasted)
        file = PASTED
        if known is not None:
            others = [a for a in self._answers(known) if folded(a.query) != folded(query)]
            if others and known.about.get("kind") != about["kind"]:
                kinds = {"distance": "distances"}
                raise InvalidSetting(
                    f"{name} has {kinds.get(str(known.about.get('kind')), 'scores')}, and this list"
                    f" has {kinds.get(about['kind'], 'scores')}: they cannot stand in one order.",
                    hint="Give it another name.",
                )
            about = {**about, **known.about} if others else about
            file = known.file
        made = self._make_lists(name, file, [*others, mine], about, pasted.notes)
        self._keep_lists(made)
        return name

    def _free_name(self, query: str, mine: Answer) -> str:
        """``pasted``, ``pasted 2``, ...: the first that has no other list of this query."""
        number = 1
        while True:
            name = PASTED if number == 1 else f"{PASTED} {number}"
            known = self.store.result_lists.named(name)
            if known is None:
                return name
            there = [a for a in self._answers(known) if folded(a.query) == folded(query)]
            if not there or _same(there[0], mine):
                return name
            number += 1

    def _answers(self, info: ResultListInfo) -> list[Answer]:
        """Kept lists as they were given."""
        pieces = {p.position: p for p in self.store.pieces.pieces(info.pieces)}
        made = []
        for one in self.store.result_lists.returned(info.id):
            hits = tuple(
                ReturnedHit(_given(pieces[h.piece]), h.score) for h in one.hits if h.piece in pieces
            )
            made.append(Answer(one.query, hits, one.question, one.elapsed_s))
        return made

    # Making and keeping ---------------------------------------------------------------------------

    def _make_lists(
        self,
        name: str,
        source: str,
        answers: Sequence[Answer],
        about: Mapping[str, Any],
        notes: Sequence[str],
        progress: Progress = silent,
    ) -> _Made:
        pieces, lists = gather(answers)
        kept, more = identify(pieces, self._active(), self._words, self._known_ids(), progress)
        content = [[p.text, p.source, p.id, p.page, p.start, p.end] for p in kept]
        ranked = [[x.query, x.question, [[h.piece, repr(h.score)] for h in x.hits]] for x in lists]
        info = ResultListInfo(
            id=fingerprint([name, content, ranked]),
            name=name,
            file=source,
            pieces=fingerprint(["list", name, content, ranked]),
            queries=len(lists),
            about={**about, "notes": [*notes, *more], "seen": self._seen()},
        )
        return _Made(info, tuple(lists), tuple(kept))

    def _keep_lists(self, made: _Made) -> None:
        own = PieceSet(
            id=made.info.pieces,
            name=f"list:{made.info.name}",
            file=made.info.file,
            pieces=len(made.pieces),
        )
        with self.store.facts.transaction():  # a list without its hits would be none
            self.store.pieces.add(own, made.pieces)
            self.store.result_lists.add(made.info, made.lists)
        self._lists_kept.clear()

    def _list_report(
        self,
        info: ResultListInfo,
        lists: Sequence[ReturnedList],
        pieces: Sequence[KeptPiece],
        dry_run: bool,
    ) -> ListReport:
        table = self._piece_table(info, pieces)
        document = {p.position: p.document for p in pieces}
        hits = [h for x in lists for h in x.hits]
        rows = [int(table.rows[h.piece]) if h.piece < len(table.rows) else -1 for h in hits]
        questions = self.questions()
        matching = Matching(lists, ((q.id, q.text) for q in questions))
        found = {q.id: matching.of(q.text) for q in questions}
        used = {id(one) for one in found.values() if one is not None}
        unknown = [x.query or x.question for x in lists if id(x) not in used]
        deepest = max((len(x.hits) for x in lists), default=0)
        notes = [str(n) for n in info.about.get("notes", [])]
        if deepest > DEPTH:
            deep = sum(len(x.hits) > DEPTH for x in lists)
            notes.append(
                f"{deep:,} lists are deeper than {DEPTH}: runs keep the first {DEPTH} hits, so"
                f" that no measure reaches beyond k {DEPTH}."
            )
        whole = {p.position for p in pieces if not p.text.strip()}
        if count := sum(h.piece in whole for h in hits):
            notes.append(
                f"{count:,} of {len(hits):,} hits are whole documents, since only their ids came:"
                " they count as found where the document holds the answer, which a chunk beside it"
                " may not. Compare them with other lists of documents."
            )
        return ListReport(
            info=info,
            strategy=str(StrategySettings(preset="list", outside=info.name)),
            questions=len(questions),
            answered=sum(one is not None for one in found.values()),
            unanswered=tuple(q for q, one in found.items() if one is None),
            unknown=tuple(unknown[:_NAMED]),
            unknown_queries=len(unknown),
            hits=len(hits),
            placed=sum(row >= 0 and table.table.placed(row) for row in rows),
            elsewhere=sum(is_elsewhere(document.get(h.piece, "")) for h in hits),
            empty=sum(not x.hits for x in lists),
            deepest=deepest,
            notes=tuple(notes),
            dry_run=dry_run,
        )

    def _piece_table(self, info: ResultListInfo, pieces: Sequence[KeptPiece]) -> PieceTable:
        strategy = StrategySettings(preset="list", outside=info.name)
        key = fingerprint([info.id, [[p.document, p.text] for p in pieces]])
        return self._outside_table(strategy, OutsideLists(key, tuple(pieces), ()))


def list_name(name: str) -> str:
    """A name as it may be kept.

    Raises:
        InvalidSetting: it could be taken for something else in a text form.
    """
    return piece_name(f"list:{name.removeprefix('list:').strip()}").removeprefix("list:").strip()


def _stem(file: str) -> str:
    return re.sub(r"[:@+,=#]+", "-", _SUFFIX.sub("", file)).strip(" .-")[:60] or "list"


def _about(pasted: Pasted) -> dict[str, Any]:
    return {"format": pasted.form, "kind": _kind(pasted.kind)}


def _kind(kind: str) -> str:
    """What the scores are called on a board; they mean what the other system means by them."""
    return kind if kind == "distance" else "given"


def _given(piece: KeptPiece) -> GivenPiece:
    source = "" if piece.source == piece.id else piece.source
    return GivenPiece(
        piece.text, source, piece.id, piece.page, piece.start, piece.end, piece.metadata
    )


def _same(a: Answer, b: Answer) -> bool:
    def plain(answer: Answer) -> list[object]:
        return [
            (h.piece.id or h.piece.text or h.piece.source, None if math.isnan(h.score) else h.score)
            for h in answer.hits
        ]

    return plain(a) == plain(b)


def _understood(pasted: Pasted, hits: Sequence[PreviewHit]) -> str:
    """``10 hits: ids, scores; texts of 8 known; 7 placed``."""
    n = len(hits)
    if not n:
        return "No hits: an empty list."
    parts = ", ".join(pasted.parts)
    words = [f"{n} hit{'' if n == 1 else 's'}: {parts}"]
    if "texts" not in pasted.parts:
        words.append(f"texts of {sum(bool(h.text) for h in hits)} known")
    words.append(f"{sum(h.placed for h in hits)} placed")
    return "; ".join(words) + "."
