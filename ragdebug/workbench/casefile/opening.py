"""Opening a case again where its documents are: what is the same, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from ragdebug.errors import NotACase, RagDebugError
from ragdebug.model_files.text import well_formed
from ragdebug.records import Place
from ragdebug.settings import StrategySettings
from ragdebug.workbench import quotes
from ragdebug.workbench.casefile import address, embedded
from ragdebug.workbench.documents import Documents
from ragdebug.workbench.questions import Questions
from ragdebug.workbench.viewing import Viewing


@dataclass(frozen=True, slots=True)
class Opened:
    """A case as it stands in this workspace.

    Attributes:
        query: what was asked.
        question: id of the labelled question, where it is here; else "".
        places: what answers it, in the present texts.
        strategies: today's, the proposed one, then the others; those that can be read.
        restored: sentences: what is here as it was.
        missing: sentences: what is not.
        search: path and parameters of the search in the app.
        trace: path and parameters of the trace; "" where no place is here.
    """

    query: str
    question: str
    places: tuple[Place, ...]
    strategies: tuple[StrategySettings, ...]
    restored: tuple[str, ...]
    missing: tuple[str, ...]
    search: str
    trace: str


class Opening(Questions, Documents, Viewing):
    """Use cases of opening a case file."""

    def open_case(self, file: str | Path) -> Opened:
        """Read a case file and find its parts in this workspace. No model is loaded.

        Raises:
            NotACase: the file holds no case, or cannot be read.
        """
        try:
            with Path(file).open(encoding="utf-8") as opened:
                text = opened.read(embedded.MOST_CHARS + 1)
        except UnicodeDecodeError as error:
            raise NotACase("The file is no HTML document.") from error
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else "not the name of a file"
            raise NotACase(f"{file} cannot be read: {why}.") from error
        return self.opened_case(embedded.read(text))

    def opened_case(self, value: Mapping[str, Any]) -> Opened:
        """The same from the value inside the file, which nobody vouches for."""
        restored: list[str] = []
        missing: list[str] = []
        query = _text(value, "query")
        if not query.strip():
            raise NotACase("The case asks nothing.")
        if self.corpus().fingerprint == value.get("corpus"):
            restored.append("The corpus is the same.")
        else:
            missing.append("The corpus differs: ranks and scores may differ with it.")
        places = [
            place
            for answer in _answers(value)
            if (place := self._place_here(answer, restored, missing)) is not None
        ]
        strategies = list(self._strategies_known(value, missing))
        if not strategies:
            missing.append("None of its strategies can be read; the usual ones are shown.")
            strategies = [StrategySettings(preset="hybrid")]
        question = self._question_here(value, restored, missing)
        kept = tuple(dict.fromkeys(places))
        return Opened(
            query=query,
            question=question,
            places=kept,
            strategies=tuple(strategies),
            restored=tuple(dict.fromkeys(restored)),
            missing=tuple(dict.fromkeys(missing)),
            search=self._short_link(address.search(query, strategies, kept)),
            trace=self._short_link(address.trace(question, query, strategies[0], kept))
            if kept
            else "",
        )

    def _short_link(self, link: str) -> str:
        """The same link, by an id where a browser or a terminal would cut it."""
        if len(link) <= address.LONGEST:
            return link
        path, _, values = link.partition("?")
        return f"{path}?s={self.keep_view(parse_qs(values, keep_blank_values=True))}"

    def _place_here(
        self, answer: Mapping[str, Any], restored: list[str], missing: list[str]
    ) -> Place | None:
        """A place in the present text of its document, noted on one of the two lists."""
        source, document = _text(answer, "source"), _text(answer, "document")
        start, end, quote = _whole(answer, "start"), _whole(answer, "end"), _text(answer, "quote")
        name = _short(source or document) or "a document without a name"
        if start is None or end is None:
            missing.append(f"The answer stood in no text of {name} when the case was made.")
            return None
        infos = self._active()
        info = next((d for d in infos if d.id == document), None)
        info = info or next((d for d in infos if source and d.source == source), None)
        if info is None:
            missing.append(f"{name} is not in this workspace.")
            return None
        text = self._text(info.id, info.version)
        region = _text(answer, "region")
        if info.version == _text(answer, "version") and 0 <= start < end <= len(text):
            restored.append(f"{info.source} has the same text; the answer stands where it stood.")
            said = "" if region else text[start:end]
            return Place(info.id, info.version, info.source, start, end, said, region)
        found = quotes.find(quote, [(info.id, info.version, info.source, text)]) if quote else []
        if not found:
            missing.append(f"The text of {info.source} differs, and the answer is not in it.")
            return None
        missing.append(f"The text of {info.source} differs; the answer was found by its words.")
        return min(found, key=lambda p: abs(p.start - start))

    def _strategies_known(
        self, value: Mapping[str, Any], missing: list[str]
    ) -> Iterator[StrategySettings]:
        known = {m.name for m in self.models()}
        for one in _lists(value):
            try:
                settings = StrategySettings.parse(_text(one, "strategy"))
            except RagDebugError as error:
                missing.append(f"A strategy cannot be read: {_short(error.message)}")
                continue
            name = settings.outside
            if settings.preset == "list" and self.store.result_lists.named(name) is None:
                missing.append(f"The result list {_short(name)} is not in this workspace.")
                continue
            settings = _what_it_uses(settings)
            wanted = [settings.embedder, settings.rerank.model, settings.chunking.tokenizer]
            strange = [m for m in dict.fromkeys(wanted) if m not in known]
            missing.extend(f"The model {_short(m)} is not known here." for m in strange)
            # A file must not make this machine load a model of its choice.
            if not strange:
                yield settings

    def _question_here(
        self, value: Mapping[str, Any], restored: list[str], missing: list[str]
    ) -> str:
        id_ = _text(value, "question")
        if not id_:
            return ""
        try:
            found = self.question(id_)
        except RagDebugError:
            missing.append(f"The question {_short(id_, 60)} is not in this workspace.")
            return ""
        if " ".join(found.text.split()) != " ".join(_text(value, "query").split()):
            missing.append(f"The question {_short(id_, 60)} is another one here.")
            return ""
        restored.append(f"The question {_short(id_, 60)} is here, with its labels.")
        return found.id


def _what_it_uses(strategy: StrategySettings) -> StrategySettings:
    """The strategy with the usual models for the stages that it does not have."""
    made, usual = strategy, StrategySettings()
    if not made.uses_vectors:
        made = replace(made, embedder=usual.embedder)
    if made.preset != "reranked":
        made = replace(made, rerank=usual.rerank)
    if made.chunking.unit != "tokens":
        made = replace(made, chunking=replace(made.chunking, tokenizer=usual.chunking.tokenizer))
    return made


def _text(value: Mapping[str, Any], key: str) -> str:
    """A text of the file, which may hold what no text can: half of a pair of surrogates."""
    found = value.get(key)
    return well_formed(found) if isinstance(found, str) else ""


def _short(text: str, most: int = 120) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _whole(value: Mapping[str, Any], key: str) -> int | None:
    found = value.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _maps(value: Any) -> list[Mapping[str, Any]]:  # noqa: ANN401 - whatever the file holds
    many = value if isinstance(value, Sequence) and not isinstance(value, str) else []
    return [one for one in many if isinstance(one, Mapping)]


def _answers(value: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    needs = value.get("answers")
    return [one for need in (needs if isinstance(needs, list) else []) for one in _maps(need)][:100]


def _lists(value: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    sides = [value.get(name) for name in ("today", "proposed")]
    return [*_maps(sides), *_maps(value.get("others"))][: address.MOST_COLUMNS]
