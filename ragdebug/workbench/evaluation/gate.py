"""Floors and baselines for a build server."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

from ragdebug.errors import InvalidSetting
from ragdebug.evaluate.names import split_name
from ragdebug.evidence import FOUND_SHARE
from ragdebug.runs import DONE
from ragdebug.workbench.evaluation.comparing import SIGNIFICANT
from ragdebug.workbench.evaluation.pooling import Pooling
from ragdebug.workbench.evaluation.reports import GateCheck, GateReport

FEWEST = 10  # questions below which nothing is said


class Gate(Pooling):
    """The use case of refusing a change that makes retrieval worse."""

    def gate(
        self,
        runs: Sequence[str],
        floors: Mapping[str, float],
        baseline: str = "",
        measures: Sequence[str] = ("recall@5",),
        found_share: float = FOUND_SHARE,
        tag: str = "",
    ) -> GateReport:
        """Check runs against floors, and against a baseline run.

        A floor is broken when the mean is below it. A drop is one beyond noise: the difference to
        the baseline is negative, with p below 0.05. Fewer than 10 questions measure nothing.

        Args:
            runs: ids.
            floors: measure -> lowest mean allowed.
            baseline: id of a run, "" for none.
            measures: compared with the baseline, besides those that have a floor.
            found_share: what counts as found.
            tag: only questions with this tag.
        """
        checks: list[GateCheck] = []
        for run in runs:
            one = self.run(run)
            name = one.label or one.id
            n = len(self.measures(run, found_share, tag).questions)
            problem = ""
            if one.state != DONE:
                problem = f"The run is {one.state}: {one.error}".rstrip(": ")
            elif n < FEWEST:
                problem = f"Only {n} labelled questions; below {FEWEST} nothing is said."
            for measure, floor in floors.items():
                if problem:
                    checks.append(GateCheck(f"{measure} >= {floor:g}", name, False, problem, False))
                    continue
                mean = self.mean(run, measure, found_share, tag)
                ok = mean.mean >= floor
                checks.append(
                    GateCheck(
                        f"{measure} >= {floor:g}",
                        name,
                        ok,
                        f"{measure} {mean.mean:.3f} ({mean.low:.3f} to {mean.high:.3f}), "
                        f"n {mean.n}, floor {floor:g}",
                        measured=mean.n >= FEWEST,
                    )
                )
            if baseline:
                wanted = list(dict.fromkeys([*floors, *measures]))
                checks += [
                    self._drop(baseline, run, m, found_share, tag, name, problem) for m in wanted
                ]
        return GateReport(tuple(checks))

    def _drop(
        self,
        baseline: str,
        run: str,
        measure: str,
        found_share: float,
        tag: str,
        name: str,
        problem: str,
    ) -> GateCheck:
        title = f"{measure} not below the baseline"
        if problem:
            return GateCheck(title, name, False, problem, False)
        compared = self.compare_runs(run, baseline, measure, found_share, tag)
        paired = compared.paired
        message = " ".join([compared.verdict, *compared.notes])
        if paired.n < FEWEST:
            return GateCheck(title, name, False, message, False)
        dropped = paired.difference < 0 and paired.p < SIGNIFICANT
        return GateCheck(title, name, not dropped, message)


def parse_floor(text: str) -> tuple[str, float]:
    """Read ``recall@5=0.8``.

    Raises:
        InvalidSetting: naming what is wrong.
    """
    measure, equals, value = text.partition("=")
    stem = split_name(measure.strip())[0]
    try:
        floor = float(value)
    except ValueError:
        floor = float("nan")
    if not equals or not math.isfinite(floor):
        raise InvalidSetting(f"{text!r} is no floor.", hint="Write it like recall@5=0.8.")
    if stem != "tokens" and not 0 <= floor <= 1:
        raise InvalidSetting(
            f"{measure.strip()} is from 0 to 1; a floor of {floor:g} can never be reached."
            if floor > 1
            else f"{measure.strip()} is never below 0.",
            hint=f"Did you mean {floor / 100:g}?" if 1 < floor <= 100 else "",
        )
    return measure.strip(), floor


def junit(report: GateReport) -> str:
    """The checks as a JUnit file, which build servers show."""
    broken = sum(not c.ok and c.measured for c in report.checks)
    unmeasured = sum(not c.measured for c in report.checks)
    suite = ElementTree.Element(
        "testsuite",
        name="ragdebug gate",
        tests=str(len(report.checks)),
        failures=str(broken),
        errors=str(unmeasured),
    )
    for check in report.checks:
        case = ElementTree.SubElement(suite, "testcase", classname=check.run, name=check.name)
        if not check.measured:
            ElementTree.SubElement(case, "error", message=check.message)
        elif not check.ok:
            ElementTree.SubElement(case, "failure", message=check.message)
        else:
            ElementTree.SubElement(case, "system-out").text = check.message
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
