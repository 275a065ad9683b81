"""Gathering a case: a question, its trace, its lists, a fix that was tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from ragdebug import __version__
from ragdebug.errors import InvalidSetting, RagDebugError
from ragdebug.evidence import FOUND_SHARE
from ragdebug.protocols import Progress, silent
from ragdebug.records import Document, Place, ResultList
from ragdebug.settings import StrategySettings
from ragdebug.workbench.casefile import explained, picture, standing
from ragdebug.workbench.casefile.leaving_out import Cleaner
from ragdebug.workbench.casefile.naming import names
from ragdebug.workbench.casefile.records import (
    Answer,
    Case,
    Excerpt,
    Picture,
    Side,
    Table,
)
from ragdebug.workbench.casefile.trying import Trying, checked, effect_of
from ragdebug.workbench.casefile.withholding import withhold as without
from ragdebug.workbench.documents import Documents
from ragdebug.workbench.explaining import Explaining
from ragdebug.workbench.tracing.reports import WhyReport
from ragdebug.workbench.tracing.why import settings_of
from ragdebug.workbench.viewing import Viewing
from ragdebug.workbench.whatif.reports import Fix

WANTED = "Wanted passage"
KEY_ON_PAGE = "The picture of the page is left out: what looks like a key stands on it."


class Gathering(Trying, Documents, Explaining, Viewing):
    """Use cases of making a case file."""

    def case(
        self,
        question: str | None = None,
        query: str = "",
        places: Sequence[Place] = (),
        strategies: Sequence[StrategySettings | str] = ("hybrid",),
        *,
        quote: str = "",
        source: str = "",
        k: int | None = None,
        fix: Fix | None = None,
        propose: bool = True,
        sentences: bool = False,
        withhold: Sequence[int | str] = (),
        found_share: float = FOUND_SHARE,
        progress: Progress = silent,
    ) -> Case:
        """All that a case file says of one question; nothing is written.

        Args:
            question: id of a labelled question; else `query` is asked.
            query: any text.
            places: what answers the query; any of them is enough.
            strategies: today's; then the proposed one, which is tried on all other labelled
                questions where the question is one of them; then others to stand beside.
            quote: words that answer the query.
            source: document in which the quote is looked for.
            k: hits, instead of the strategies' own.
            fix: one that was tried on this question against the first strategy; its strategy is
                the proposed one.
            propose: the second strategy is a proposal; else it stands beside like the others.
            sentences: also what each sentence of the wanted passage is worth to the models, which
                read it for that.
            withhold: hits whose text is not shown: ranks in today's list, or ``hybrid:3``.
            found_share: share of a passage's characters that counts as found.
            progress: called while indexes are built.

        Raises:
            RagDebugError: nothing says what answers the question.
            InvalidSetting: no strategy is given, the fix was tried on another question, or a hit to
                withhold is not there.
        """
        asked = (
            self.question(question)
            if question
            else self.evidence(query, tuple(places), quote, source)
        )
        settings = [settings_of(s, k, (), None) for s in strategies]
        if fix is not None:
            settings = [*settings[:1], checked(fix, asked).planned.strategy, *settings[1:]]
        settings = list(dict.fromkeys(settings))
        if not settings:
            raise InvalidSetting("A case file needs a strategy.", hint="Such as hybrid.")
        called = names(settings)
        whys = [
            self.why(asked, strategy=s, found_share=found_share, progress=progress)
            for s in settings[: 2 if propose or fix is not None else 1]
        ]
        found = [t.place for need in whys[0].needs for t in need.places if t.place.start >= 0]
        needs = tuple(
            tuple(standing.answer(t.place, self._document_of) for t in need.places)
            for need in whys[0].needs
        )
        flat = [a for need in needs for a in need if a.start >= 0]
        decide = whys[0].deciding
        lost = [n in decide and t.stage == whys[0].stage for n in whys[0].needs for t in n.places
                if t.place.start >= 0]  # fmt: skip
        # What is drawn is where the answer stands that was lost, not one that was found.
        shown = [a for _, a in sorted(zip(lost, flat, strict=True), key=lambda x: not x[0])]
        lists = [
            self.search_one(asked.text, s, expect=found, build=True, progress=progress)
            for s in settings
        ]
        hits = [standing.hit_list(n, one, flat) for n, one in zip(called, lists, strict=True)]
        sides = [Side(one, why) for one, why in zip(hits, whys, strict=False)]
        effect = effect_of(fix) if fix is not None else None
        notes: tuple[str, ...] = ()
        if fix is None and len(sides) > 1 and asked.id:
            effect, notes = self._tried_on_all(asked, whys[0].stage, settings, called[1], progress)
        corpus = self.corpus()
        made = Case(
            query=asked.text,
            question=asked.id,
            answers=needs,
            today=sides[0],
            proposed=sides[1] if len(sides) > 1 else None,
            effect=effect,
            others=tuple(hits[len(sides) :]),
            picture=self._picture_of(shown, settings[0]),
            excerpt=self._excerpt_of(shown, settings[0]),
            tables=_each_once(
                table
                for name, s, why, one in zip(called, settings, whys, lists, strict=False)
                for table in self._tables_of(name, asked.text, s, why, one, sentences)
            ),
            corpus=corpus.fingerprint,
            documents=corpus.documents,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            version=__version__,
            notes=notes,
        )
        cleaner = Cleaner(str(self.path), str(self.path.resolve()))
        cleaner.learn(asked.text)
        whole = {(a.document, a.version) for a in flat}
        whole |= {(h.document, h.version) for one in hits for h in one.hits}
        for document, version in whole:
            with suppress(RagDebugError):  # of another system's hit there may be no document
                cleaner.learn(self._text(document, version))
        on_page = made.picture.text if made.picture else ""
        if cleaner.text(on_page) != on_page:
            made = replace(made, picture=None, notes=(*made.notes, KEY_ON_PAGE))
        cleaned = cleaner.all(without(made, withhold))
        return replace(cleaned, blacked_out=cleaner.blacked_out)

    # Parts ----------------------------------------------------------------------------------------

    def _document_of(self, document: str, version: str) -> Document:
        return self.document(document, version)

    def _chunk_starts(self, answer: Answer, strategy: StrategySettings) -> list[int]:
        found = self.document(answer.document)
        if found.version != answer.version:
            return []
        return [c.start for c in self.chunk_places(strategy.chunking, answer.document)]

    def _picture_of(self, answers: Sequence[Answer], strategy: StrategySettings) -> Picture | None:
        one = next((a for a in answers if a.page is not None), None)
        if one is None or one.page is None:
            return None
        document = self.document(one.document)
        if document.version != one.version:
            return None
        try:
            image = self.page_image(one.document, one.page, picture.WIDTH_PX)
            original = self.original(one.document)
            if image is None or original is None:
                return None
            borders = self._chunk_starts(one, strategy)
            return picture.picture(one, document, original[1], image, borders)
        except RagDebugError:
            return None  # the file has changed or is damaged: there is no picture to show

    def _excerpt_of(self, answers: Sequence[Answer], strategy: StrategySettings) -> Excerpt | None:
        if not answers:
            return None
        one = answers[0]
        text = self._text(one.document, one.version)
        return standing.excerpt(one, answers, text, self._chunk_starts(one, strategy))

    def _tables_of(
        self,
        name: str,
        query: str,
        strategy: StrategySettings,
        why: WhyReport,
        made: ResultList,
        sentences: bool,
    ) -> Iterator[Table]:
        """The wanted passage beside the first hit; what needs a model only where it is wanted.

        Another system's scores cannot be taken apart.
        """
        if strategy.is_outside:
            return
        places = [t for need in why.deciding for t in need.places if t.stage == why.stage]
        rows = {}
        if places and places[0].chunks:
            rows[f"{WANTED} in {name}"] = places[0].chunks[0].row
        if made.hits and made.hits[0].row not in rows.values():
            rows[f"First hit of {name}"] = made.hits[0].row
        for title, row in rows.items():
            if strategy.preset != "vector":
                yield explained.bm25(title, self.explain_bm25(query, strategy, row))
            if strategy.preset in ("hybrid", "reranked"):
                # The trace ends with what is returned and has no stage to explain where it is empty
                trace = made.trace if made.trace.stage("fused") is not None else None
                yield explained.fusion(title, self.explain_fusion(query, strategy, row, trace))
            if sentences and title.startswith(WANTED):
                yield from self._sentences_of(title, query, strategy, row)

    def _sentences_of(
        self, title: str, query: str, strategy: StrategySettings, row: int
    ) -> Iterator[Table]:
        """What each sentence of a chunk is worth to the models of a strategy."""
        chunk = self.chunk_table(strategy.chunking).chunk(row)
        passage = (chunk.document, chunk.start, chunk.end)
        if strategy.uses_vectors:
            *_, whole = self.explain_vector(query, strategy, row)
            yield explained.vector(title, whole, passage)
        if strategy.preset == "reranked":
            *_, read = self.explain_rerank(query, strategy, row)
            if (table := explained.rerank(title, read, passage)) is not None:
                yield table


def _each_once(tables: Iterable[Table]) -> tuple[Table, ...]:
    """Tables whose numbers are not there yet: two strategies may share a list."""
    made: dict[object, Table] = {}
    for one in tables:
        made.setdefault((one.head, one.rows, one.note), one)
    return tuple(made.values())
