"""What if a setting were another one: for one question and for all of them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import RagDebugError
from ragdebug.evaluate.paired import CLEAR, sign_flip
from ragdebug.evaluate.verdict import FEWEST
from ragdebug.evidence import FOUND_SHARE
from ragdebug.model_files import info as model_info
from ragdebug.protocols import Progress, silent
from ragdebug.settings import StrategySettings
from ragdebug.workbench import filters
from ragdebug.workbench.evaluation.preparing import WAIT_S
from ragdebug.workbench.whatif.held import Held, Outcome
from ragdebug.workbench.whatif.holding import Holding, reads
from ragdebug.workbench.whatif.knobs import Knobs, changed, measure_name
from ragdebug.workbench.whatif.ranking import list_names
from ragdebug.workbench.whatif.reports import Cost, QuestionEffect, WhatIf

Floats = NDArray[np.float64]
Ranks = NDArray[np.int64]


class Turning(Holding):
    """Use cases of turning knobs."""

    def what_if(
        self,
        strategy: StrategySettings | str,
        knobs: Knobs,
        *,
        question: str | None = None,
        tag: str = "",
        found_share: float = FOUND_SHARE,
        progress: Progress = silent,
    ) -> WhatIf:
        """What other settings would do to the labelled questions.

        The first call searches for all of them; after it, whatever only ranks the same lists again
        answers at once: RRF's k, weights, depths to 100, the reranker's pool as far as it has
        scored, k, budget, minimum score. A filter and an analyzer only search once more. Another
        chunking or model has to be computed first, and nothing is embedded or reranked here: see
        `plan_what_if` and `compute_what_if`.

        Args:
            strategy: as it is.
            knobs: setting -> value, see `ragdebug.workbench.whatif.knobs.changed`.
            question: id of one to be told about by itself.
            tag: only questions with this tag.
            found_share: share of a passage's characters that counts as found.
            progress: questions embedded, questions searched.

        Raises:
            InvalidSetting: a knob that is not there, or a value that cannot work.
            IndexIncomplete: a chunking or model that is not indexed yet.
            NothingToMeasure: no question is labelled.
        """
        before = settings_of(strategy)
        after = changed(before, knobs)
        asked = self._asked_questions()
        held, old = self._outcome(before, asked, found_share, progress)
        other, new = self._outcome(after, asked, found_share, progress)
        chosen = held.tagged(tag)
        told = ~np.isnan(old.delivered) & ~np.isnan(new.delivered)
        unsure = (old.unscored > 0) | (new.unscored > 0)
        counts = chosen & told
        a, b = old.delivered[counts], new.delivered[counts]
        ids = _ids(held, counts)
        p = sign_flip(b - a) if len(a) else math.nan
        rescued = tuple(q for q, d in zip(ids, b > a, strict=True) if d)
        harmed = tuple(q for q, d in zip(ids, b < a, strict=True) if d)
        left_out = _ids(held, chosen & unsure)
        return WhatIf(
            before=before,
            after=after,
            measure=measure_of(before, after),
            questions=ids,
            values_before=a,
            values=b,
            recall_before=self._interval(a),
            recall=self._interval(b),
            rescued=rescued,
            harmed=harmed,
            p=p,
            verdict=_verdict(len(rescued), len(harmed), len(ids), p),
            milliseconds_added=1000 * (seconds_of(other, after) - seconds_of(held, before)),
            question=None if question is None else effect(held, old, other, new, question),
            left_out=left_out,
            cost=self._cost_of_both(before, after) if left_out else Cost(),
        )

    def is_what_if_held(self, strategy: StrategySettings | str, knobs: Knobs) -> bool:
        """Whether `what_if` has searched for all questions already, and so answers at once.

        Raises:
            InvalidSetting: a knob that is not there, or a value that cannot work.
            NothingToMeasure: no question is labelled.
        """
        before = settings_of(strategy)
        asked = self._asked_questions()
        return all(self._is_held(one, asked) for one in (before, changed(before, knobs)))

    def plan_what_if(
        self, strategy: StrategySettings | str, knobs: Knobs, progress: Progress = silent
    ) -> Cost:
        """What has to be embedded and reranked before `what_if` can tell all questions."""
        before = settings_of(strategy)
        return self._cost_of_both(before, changed(before, knobs), progress)

    def compute_what_if(
        self,
        strategy: StrategySettings | str,
        knobs: Knobs,
        progress: Progress = silent,
        allow_download: bool = False,
    ) -> None:
        """Embed and rerank what `plan_what_if` says; it is remembered.

        The questions are searched for as well, so that `what_if` answers at once after it.

        Raises:
            Cancelled: from `progress`; what was done is kept.
        """
        before = settings_of(strategy)
        asked = self._asked_questions()
        for one in dict.fromkeys((before, changed(before, knobs))):
            self._compute(one, asked, progress, allow_download)

    def let_through(self, pairs: Sequence[tuple[str, str]]) -> tuple[int, int]:
        """How many documents a filter lets through, and how many there are."""
        active = self._active()
        return sum(filters.matches(d, pairs) for d in active), len(active)

    def _cost_of_both(
        self, before: StrategySettings, after: StrategySettings, progress: Progress = silent
    ) -> Cost:
        """The sum of the two costs; the dearer one where both read the same texts."""
        asked = self._asked_questions()
        computed = dict.fromkeys(_uncut(one) for one in (before, after))
        both = [self._cost(one, asked, progress) for one in computed]
        if len({_reading(one) for one in (before, after)}) == 1:
            return max(both, key=lambda cost: cost.estimate_s)
        estimate_s = sum(cost.estimate_s for cost in both)
        return Cost(
            sum(cost.texts for cost in both),
            sum(cost.passages for cost in both),
            estimate_s,
            estimate_s > WAIT_S,
        )


def _uncut(strategy: StrategySettings) -> StrategySettings:
    """The same lists and the same pool, whatever is cut off afterwards."""
    lists = replace(strategy, minimum=None, budget=None)
    within = not strategy.is_outside and strategy.k <= min(strategy.depth, strategy.rerank.pool)
    return replace(lists, k=1) if within else lists


def _reading(strategy: StrategySettings) -> Hashable:
    """The same for strategies that read mostly the same texts with the same models."""
    embedder = strategy.embedder if strategy.uses_vectors else ""
    reranker = strategy.rerank.model if reads(strategy) else ""
    return strategy.chunking, strategy.filter, embedder, reranker


def seconds_of(held: Held, strategy: StrategySettings) -> float:
    """Seconds of a search: lists as they were made, reranking at the model's usual speed."""
    seconds = sum(held.lists.seconds[name] for name in list_names(strategy))
    if not reads(strategy):
        return seconds
    pools = np.minimum(strategy.rerank.pool, held.lists.count)
    return seconds + float(pools.mean()) / model_info(strategy.rerank.model).texts_per_s


def effect(held: Held, old: Outcome, other: Held, new: Outcome, question: str) -> QuestionEffect:
    """One question before and after.

    Raises:
        RagDebugError: it is not labelled.
    """
    at = held.position.get(question)
    if at is None:
        raise RagDebugError(
            f"The question {question} is not labelled.",
            title="Nothing to compare",
            hint="Mark the passage that answers it.",
        )
    return QuestionEffect(
        question,
        ranks_of(held, old, at),
        ranks_of(other, new, at),
        float(old.delivered[at]),
        float(new.delivered[at]),
    )


def ranks_of(held: Held, outcome: Outcome, at: int) -> tuple[int, ...]:
    """Ranks of the needs of the question at a position, 0 for never."""
    return tuple(outcome.found[held.targets.need_question == at].tolist())


def inside(found: Ranks, tokens: Ranks, strategy: StrategySettings) -> bool:
    """Whether all needs of a question are delivered.

    Args:
        found: shape (needs,), ranks from 1; 0 for never.
        tokens: shape (needs,), of the context up to there; -1 for never.
        strategy: with k and budget.
    """
    return bool(_delivered(found, tokens, strategy).all())


def share_inside(found: Ranks, tokens: Ranks, strategy: StrategySettings) -> float:
    """Share of a question's needs that are delivered, as `inside`; NaN where it has none."""
    return float(_delivered(found, tokens, strategy).mean()) if len(found) else math.nan


def _delivered(found: Ranks, tokens: Ranks, strategy: StrategySettings) -> NDArray[np.bool_]:
    there: NDArray[np.bool_] = (found > 0) & (found <= strategy.k)
    if strategy.budget is not None:
        there &= (tokens >= 0) & (tokens <= strategy.budget)
    return there


def _ids(held: Held, some: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(held.ids[at] for at in np.flatnonzero(some).tolist())


def settings_of(strategy: StrategySettings | str) -> StrategySettings:
    """Settings, read from their text form where that is given."""
    return StrategySettings.parse(strategy) if isinstance(strategy, str) else strategy


def measure_of(before: StrategySettings, after: StrategySettings) -> str:
    """What is compared: a measure, or two where k or budget differ."""
    first, second = measure_name(before), measure_name(after)
    return first if first == second else f"{second} against {first}"


def _verdict(rescued: int, harmed: int, n: int, p: float) -> str:
    """One sentence that does not say more than the numbers."""
    if not rescued and not harmed:
        return f"changes no question, n {n}"
    said = f"rescues {rescued} and harms {harmed}"
    chance = "below 0.001" if p < 0.001 else f"{p:.3f}"
    if n < FEWEST:
        return f"{said}; no verdict: at least {FEWEST} questions are needed, n {n}"
    if p >= CLEAR:
        return f"{said}; not distinguishable, p {chance}, n {n}"
    # Nobody counts how many settings were tried before this one.
    look = "by one look: trying many settings finds one by chance"
    return f"{said}; a clear difference, p {chance}, n {n}, {look}"
