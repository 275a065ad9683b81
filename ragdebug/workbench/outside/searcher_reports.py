"""What is said of searchers: registered ones, and one that was tried out."""

from __future__ import annotations

from dataclasses import dataclass

from ragdebug.settings.searcher import SearcherSettings
from ragdebug.workbench.outside.answers import ReturnedHit


@dataclass(frozen=True, slots=True)
class SearcherRow:
    """A registered searcher for a list.

    Attributes:
        settings: how it is asked.
        agreed: whether the person at this machine agreed to ask it; else it is not.
        missing: environment variables it needs that are not set.
        would_run: file of the code that would run, "" where none is found or it is an address.
        removed: taken out of use; it can be brought back.
    """

    settings: SearcherSettings
    agreed: bool
    missing: tuple[str, ...] = ()
    would_run: str = ""
    removed: bool = False


@dataclass(frozen=True, slots=True)
class TrialHit:
    """A hit as it was understood, and where it belongs.

    Attributes:
        hit: its words, source, id, place and score.
        document: source of the document here that it belongs to; "" for one that is not here.
        placed: whether it was found in that document's text.
    """

    hit: ReturnedHit
    document: str
    placed: bool


@dataclass(frozen=True, slots=True)
class SearcherTrial:
    """What a searcher answered to a query, and what was understood of it.

    Attributes:
        settings: how it was asked.
        query: what it was asked.
        k: how many hits were wanted.
        raw: the answer as text, cut at 20,000 characters.
        hits: in the order of the answer.
        returned: how many hits there were; -1 where they were not counted.
        where: path of the list of hits in the answer; "" for the answer itself.
        fields: role -> path in a hit that was taken for it; guessed where none was given.
        unused: other paths that the hits have.
        warnings: what a person should know.
        milliseconds: that it took.
        problem: why no hits could be made of the answer, "" where they could; `hint` what to do.
    """

    settings: SearcherSettings
    query: str
    k: int
    raw: str
    hits: tuple[TrialHit, ...]
    returned: int
    where: str
    fields: dict[str, str]
    unused: tuple[str, ...]
    warnings: tuple[str, ...]
    milliseconds: float
    problem: str = ""
    hint: str = ""
