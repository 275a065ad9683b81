"""What is known of a workspace's health without long work, for a line beside other results.

What a check found is noted in the workspace, as its code and severity and without a word of the
texts, so that another program knows it, too: on a large corpus the checks take many seconds.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import ragdebug
from ragdebug.chunk import CHUNKER_VERSION
from ragdebug.counting import many
from ragdebug.errors import RagDebugError
from ragdebug.settings import fingerprint
from ragdebug.store.values import SettingStore
from ragdebug.workbench.health.findings import SEVERITIES, Finding, ordered

KEY = "health"  # in the store's settings
MOST = 200  # steps that are noted

Marks = tuple[tuple[str, str], ...]
"""Code and severity of each finding of one step."""


@dataclass(frozen=True, slots=True)
class AtHand:
    """The findings that are known.

    Attributes:
        marks: code and severity of each.
        waiting: codes of the checks that would take long and were not made yet.
        findings: those whose check was made here; of the others only the marks are known.
    """

    marks: Marks
    waiting: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    def of(self, documents: Collection[str]) -> tuple[Finding, ...]:
        """The findings that hold for some documents, by their ids, the worst first."""
        return tuple(ordered(f for f in self.findings if f.names(documents)))

    @property
    def counts(self) -> Mapping[str, int]:
        """Severity -> findings."""
        return {s: sum(severity == s for _, severity in self.marks) for s in SEVERITIES}

    @property
    def sentence(self) -> str:
        """``3 findings (1 serious, 2 notes)``, and how many checks were not made."""
        said = ", ".join(_counted(n, s) for s, n in self.counts.items() if n)
        found = f"{many(len(self.marks), 'finding')} ({said})" if said else "nothing found"
        left = f", {many(len(self.waiting), 'check')} not made yet" if self.waiting else ""
        return found + left


class Noted:
    """Marks of steps on the present corpus, kept in the workspace."""

    def __init__(self, settings: SettingStore) -> None:
        self._settings = settings

    def read(self, corpus: str) -> dict[str, Marks]:
        """Step -> its marks, for a corpus by its fingerprint."""
        found = json.loads(self._settings.get(KEY, "{}"))
        if found.get("of") != _of(corpus):
            return {}
        return {step: tuple((c, s) for c, s in marks) for step, marks in found["steps"].items()}

    def write(self, corpus: str, made: Mapping[str, Marks]) -> None:
        """Add marks; those of another corpus or release go."""
        steps = {**self.read(corpus), **made}
        newest = dict(list(steps.items())[-MOST:])
        try:
            self._settings.set(KEY, json.dumps({"of": _of(corpus), "steps": newest}), counted=False)
        except RagDebugError:  # a store that is busy: the checks are made once more
            return


def name(code: str, key: Sequence[object]) -> str:
    """What a step is noted under."""
    return fingerprint([code, *map(str, key)])


def _of(corpus: str) -> str:
    return fingerprint([corpus, ragdebug.__version__, CHUNKER_VERSION])


def _counted(count: int, severity: str) -> str:
    return many(count, severity) if severity in ("warning", "note") else f"{count:,} {severity}"
