"""What the explanations of one hit return, beyond the records of `explain`."""

from __future__ import annotations

from dataclasses import dataclass

from ragdebug.explain import Change, Ledger, Occlusion, WordMatch

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class IndexedText:
    """What is indexed for a chunk, and its parts; positions are code points of `text`.

    Attributes:
        parts: label, context, then sentences, table rows or lines of code, in order.
        kinds: of each part: ``label``, ``context`` or ``sentence``.
        body: where the chunk's own text starts.
    """

    text: str
    parts: tuple[Span, ...]
    kinds: tuple[str, ...]
    body: int

    @property
    def label(self) -> int | None:
        """Position of the label among the parts, None when there is none."""
        return self.kinds.index("label") if "label" in self.kinds else None


@dataclass(frozen=True, slots=True)
class Reading:
    """How far a model reads a text.

    Attributes:
        end: code point where it stops; the length of the text when it reads all.
        tokens: of the text, uncut.
        window: most tokens of the text that it reads; 0 when it has no limit.
    """

    end: int
    tokens: int
    window: int

    @property
    def cut(self) -> bool:
        """Whether some of the text is not read."""
        return 0 < self.window < self.tokens


@dataclass(frozen=True, slots=True)
class VectorExplanation:
    """The cosine of one chunk.

    Attributes:
        row: of the chunk table.
        model: its name.
        indexed: the text and its parts.
        reading: how far the model reads it.
        rank: from 1 over all allowed chunks that are indexed; None when this one is not.
        ranked: how many those are.
        occlusion: of the parts that are read; its score is the cosine. Those beyond the window
            have no weight.
        listed: the cosine by which it is ranked, of the vector that is indexed; None when it is
            not in the list. It differs where the vector came with an imported chunk and is not
            that of its text alone.
    """

    row: int
    model: str
    indexed: IndexedText
    reading: Reading
    rank: int | None
    ranked: int
    occlusion: Occlusion
    listed: float | None = None

    @property
    def score(self) -> float:
        """The cosine."""
        return self.occlusion.score

    @property
    def without_label(self) -> float | None:
        """The cosine without the label; None when there is none, or it is not known yet."""
        return _without(self.indexed, self.occlusion)


@dataclass(frozen=True, slots=True)
class FusionExplanation:
    """The fused score of one chunk.

    Attributes:
        ledger: what each list gave.
        admitted: how many of the fused list are shown, or go to the reranker.
        goal: ``top k`` or ``pool``: what `admitted` means.
        score: of the fused list, None when the chunk is not in it.
        last: score of the last one admitted; None when fewer are listed.
        changes: for each setting of the fusion the smallest change that would admit it, then how
            many would have to be admitted; empty when it is admitted already.
    """

    ledger: Ledger
    admitted: int
    goal: str
    score: float | None
    last: float | None
    changes: tuple[Change, ...]

    @property
    def inside(self) -> bool:
        """Whether it is admitted already."""
        return self.ledger.rank is not None and self.ledger.rank <= self.admitted


@dataclass(frozen=True, slots=True)
class RerankExplanation:
    """What the reranker did to one chunk.

    Attributes:
        row: of the chunk table.
        model: its name.
        score_kind: of `raw`; ``identity`` for the one that gives no scores.
        before: rank in the list that was reranked, None when it is not there.
        before_score: score there.
        before_kind: its kind.
        after: rank in the reranked list; None when it was not in the pool.
        score: in the reranked list, of the kind `list_kind`; with blending that is not the model's.
        list_kind: see `score`.
        pool: how many were scored.
        would_be: rank that its own score would have among the pool's, wherever it stands; None
            where the reranker gives no scores.
        indexed: the text and its parts.
        reading: how far the reranker reads it.
        occlusion: of the parts that are read; its score is the model's own. None for ``identity``.
    """

    row: int
    model: str
    score_kind: str
    before: int | None
    before_score: float | None
    before_kind: str
    after: int | None
    score: float | None
    list_kind: str
    pool: int
    would_be: int | None
    indexed: IndexedText
    reading: Reading
    occlusion: Occlusion | None

    @property
    def raw(self) -> float | None:
        """The model's score of the whole text."""
        return self.occlusion.score if self.occlusion is not None else None

    @property
    def without_label(self) -> float | None:
        """The score without the label; None when there is none, or it is not known yet."""
        return _without(self.indexed, self.occlusion) if self.occlusion is not None else None


@dataclass(frozen=True, slots=True)
class WordSimilarity:
    """Words of a query and those of a chunk's indexed text that are most like them.

    `in_context` is false where a model has no vectors of tokens in their context; each word was
    then embedded by itself.
    """

    text: str
    matches: tuple[WordMatch, ...]
    in_context: bool


def _without(indexed: IndexedText, occlusion: Occlusion) -> float | None:
    at = indexed.label
    weight = occlusion.parts[at].weight if at is not None else None
    return occlusion.score - weight if weight is not None else None
