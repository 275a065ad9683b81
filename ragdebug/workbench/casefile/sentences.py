"""Three sentences made from the facts: what was asked, where it was lost, what brings it back."""

from __future__ import annotations

from ragdebug.workbench.casefile.records import Answer, Case, Effect, Side
from ragdebug.workbench.tracing.reports import DELIVERED, PlaceTrace, WhyReport
from ragdebug.workbench.tracing.sentences import sentence

LONGEST_QUERY = 300


def sentences(case: Case) -> tuple[str, ...]:
    """Two sentences, or three where a fix was tried."""
    made = [asked(case), lost(case.today)]
    if case.proposed is not None:
        made.append(fixed(case.today, case.proposed, case.effect))
    return tuple(made)


# What was asked -----------------------------------------------------------------------------------


def asked(case: Case) -> str:
    """What was asked and where the answer stands."""
    query = " ".join(case.query.split())
    if len(query) > LONGEST_QUERY:
        query = query[: LONGEST_QUERY - 1] + "…"
    places = [" or ".join(map(where, need)) for need in case.answers if need]
    standing = any(a.start >= 0 for need in case.answers for a in need)
    if not standing:
        return f"“{query}” was asked; the words that answer it stand {_joined(places)}."
    if len(places) == 1:
        return f"“{query}” was asked; the answer stands {places[0]}."
    return f"“{query}” was asked; it has {len(places)} answers, which stand {_joined(places)}."


def where(answer: Answer) -> str:
    """``in refunds.pdf, page 3 (Billing > Refunds)``."""
    if answer.start < 0:
        named = f" of {answer.source}" if answer.source else ""
        seen = f", though somebody sees them on {answer.region}" if answer.region else ""
        return f"nowhere in the text that was read{named}{seen}"
    at = f"in {answer.source}"
    if answer.page is not None:
        printed = answer.page_label not in ("", str(answer.page))
        at += f", page {answer.page}" + (f" (printed {answer.page_label})" if printed else "")
    elif answer.region and answer.region != "document":
        at += f", {answer.region}"
    if answer.section:
        at += f", under “{' > '.join(answer.section)}”"
    elif answer.page is None and not answer.region:
        at += f", characters {answer.start:,}–{answer.end:,}"
    return at


# Where it was lost --------------------------------------------------------------------------------


def lost(side: Side) -> str:
    """Where a strategy lost it: rank, of how many chunks."""
    why, name = side.why, side.list.name
    allowed = f"{why.allowed:,} allowed of " if why.allowed != why.chunks else ""
    searched = f"{name} searches {allowed}{why.chunks:,} chunks"
    said = _said(why)
    if why.stage == DELIVERED:
        return f"{searched} – {said}"
    gone = sum(need.stage != DELIVERED for need in why.deciding)
    what = "it" if len(why.deciding) == 1 else f"{gone} of {len(why.deciding)} answers"
    return f"{searched} and loses {what} – {said}"


def _said(why: WhyReport) -> str:
    said = _ranked(why) or sentence(why)
    return said[:1].lower() + said[1:]


def _ranked(why: WhyReport) -> str:
    """Where only its rank decides: that and how many are returned; "" for other stages."""
    facts = next((s.facts for s in why.path if s.stage == why.stage), {})
    rank = facts.get("rank")
    if not rank:
        return ""
    if why.stage == DELIVERED:
        ranks = [_delivered_at(need.furthest) for need in why.deciding]
        if len(ranks) > 1 and all(ranks):
            at = f"its {len(ranks)} answers are delivered at ranks {_listed(ranks)}"
        else:
            at = f"it is delivered at rank {rank:,}"
        return f"{at}, and {facts['k']:,} are returned."
    if why.stage == "below_k":
        return f"it stands at rank {rank:,}, and {facts['admitted']:,} are returned."
    return ""


def _delivered_at(trace: PlaceTrace) -> int:
    """Rank of a place, 0 where the trace does not say it."""
    found = next((s.facts for s in trace.path if s.stage == DELIVERED), {})
    return int(found.get("rank") or 0)


# What brings it back ------------------------------------------------------------------------------


def fixed(today: Side, proposed: Side, effect: Effect | None) -> str:
    """What a second strategy, or a fix that was tried, does to this question and to the others."""
    found_already = today.why.stage == DELIVERED
    why = _said(proposed.why).removesuffix(".")
    if effect is None:
        if proposed.why.stage != DELIVERED:
            here = "loses it" if found_already else "does not find it either"
            return f"{proposed.list.name} {here}: {why}."
        here = lost(proposed).removesuffix(".")
        return f"Instead, {here}; what that does to other questions was not measured."
    ranks = [rank for rank in effect.ranks if rank]
    at = f" at rank{'s' if len(ranks) > 1 else ''} {_listed(ranks)}" if ranks else ""
    if effect.helps:
        here = f"keeps it{at}" if found_already else f"brings it back{at}"
    else:
        here = "loses it" if found_already else f"does not find it either: {why}"
    if not effect.others:
        return f"{effect.name} {here}; there are no other labelled questions to try it on."
    # A difference that the test does not find is not called harm.
    worse = effect.distinguishable and effect.harmed > effect.rescued
    harm = "it harms more than it helps: " if worse else ""
    questions = "question" if effect.others == 1 else "questions"
    return (
        f"{effect.name} {here}; {harm}of {effect.others:,} other {questions} it rescues "
        f"{effect.rescued:,} and harms {effect.harmed:,} ({effect.verdict})."
    )


def _listed(ranks: list[int]) -> str:
    """``2``, ``4 and 1``, ``4, 1 and 7``: of each need in turn."""
    *first, last = [f"{rank:,}" for rank in ranks]
    return f"{', '.join(first)} and {last}" if first else last


def _joined(parts: list[str]) -> str:
    return ", and ".join(parts) if len(parts) < 3 else ", ".join(parts[:-1]) + f", and {parts[-1]}"
