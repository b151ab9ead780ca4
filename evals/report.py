"""Reports: per case what passed, what it cost and proves; and the differences between two."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from pydantic import Field

from evals.engine import Verdict
from evals.plays import LAZY
from evals.scene import Part, Proof
from evals.subjects import Subject

REPORTS = Path(__file__).parent / "reports"
_NOTABLE = 1.25


class MutantCount(Part):
    """The number of wrong variants, and those that passed."""

    made: int = 0
    survived: tuple[str, ...] = ()


class CaseReport(Part):
    """One case; `passed_runs` of `runs` with a model, one of one with scripts."""

    subject: str
    proves: tuple[Proof, ...]
    passed: bool
    runs: int = 1
    passed_runs: int = 0
    wrong: tuple[str, ...] = ()
    mutants: MutantCount = MutantCount()
    tokens: float = 0.0
    cost_usd: float | None = None
    seconds: float = 0.0

    def pass_hat(self, k: int) -> float:
        """Return the chance that k runs in a row pass."""
        return math.comb(self.passed_runs, k) / math.comb(self.runs, k)


class Report(Part):
    """A whole run."""

    model: str
    prompt: str
    seconds: float
    repeat: int = 1
    cases: dict[str, CaseReport] = Field(default_factory=dict[str, CaseReport])
    proved_by_scripts: tuple[str, ...] = ()
    proved_by_a_model_only: tuple[str, ...] = ()

    @property
    def is_scripted(self) -> bool:
        """True where scripts played the model."""
        return self.model == "scripts"

    @property
    def passed(self) -> int:
        """The cases that passed."""
        return sum(case.passed for case in self.cases.values())

    @property
    def mutants(self) -> int:
        """All wrong ways."""
        return sum(case.mutants.made for case in self.cases.values())

    @property
    def caught_percent(self) -> int:
        """The percentage of wrong variants that were caught, rounded down."""
        survived = sum(len(case.mutants.survived) for case in self.cases.values())
        return 100 if not self.mutants else 100 * (self.mutants - survived) // self.mutants

    def pass_hat(self, k: int) -> float:
        """Return the mean over all cases of the chance that k runs in a row pass."""
        return mean(case.pass_hat(k) for case in self.cases.values()) if self.cases else 0.0


def build_report(
    subjects: Sequence[Subject],
    verdicts: Sequence[Verdict],
    *,
    model: str,
    prompt: str,
    seconds: float,
    repeat: int = 1,
) -> Report:
    """Combine the verdicts of each case."""
    by_case: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_case[verdict.case].append(verdict)
    cases = {
        case.name: _case_report(subject.name or "", case.metadata.proves, by_case[case.name])
        for subject in subjects
        for case in subject.cases
        if case.name and case.metadata and case.name in by_case
    }
    return Report(
        model=model,
        prompt=prompt,
        seconds=round(seconds, 1),
        repeat=repeat,
        cases=cases,
        proved_by_scripts=tuple(n for n, c in cases.items() if {"rails", "tools"} & {*c.proves}),
        proved_by_a_model_only=tuple(n for n, c in cases.items() if "prompt" in c.proves),
    )


def _case_report(
    subject: str, proves: tuple[Proof, ...], verdicts: Sequence[Verdict]
) -> CaseReport:
    mutants = [one for one in verdicts if one.variant.startswith("mutant")]
    runs = [one for one in verdicts if one.variant not in (LAZY,) and one not in mutants]
    wrong = [complaint for one in runs for complaint in (*one.wrong, one.error) if complaint]
    wrong += [f"{one.variant}: {one.error}" for one in mutants if one.error]
    for lazy in (one for one in verdicts if one.variant == LAZY):
        wrong += ["lazy passes"] if lazy.passed else [f"lazy: {lazy.error}"] if lazy.error else []
    costs = [one.cost_usd for one in runs if one.cost_usd is not None]
    return CaseReport(
        subject=subject,
        proves=proves,
        passed=not wrong,
        runs=len(runs),
        passed_runs=sum(one.passed for one in runs),
        wrong=tuple(wrong),
        mutants=MutantCount(
            made=len(mutants),
            survived=tuple(one.variant.removeprefix("mutant: ") for one in mutants if one.passed),
        ),
        tokens=round(mean(one.tokens for one in runs), 1),
        cost_usd=round(mean(costs), 6) if costs else None,
        seconds=round(mean(one.seconds for one in runs), 3),
    )


def keep_report(folder: Path, report: Report, stamp: str) -> Path:
    """Write a report to a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    plain = "".join(char if char.isalnum() else "-" for char in report.model)
    path = folder / f"{stamp}-{plain}.json"
    path.write_text(json.dumps(report.model_dump(mode="json"), indent=1) + "\n", encoding="utf-8")
    return path


def read_report(path: Path) -> Report:
    """Read a stored report."""
    return Report.model_validate_json(path.read_text(encoding="utf-8"))


def last_report(folder: Path, model: str, but: Path | None = None) -> Path | None:
    """Return the newest stored report of the same model."""
    kept = [path for path in sorted(folder.glob("*.json")) if path != but]
    return next((path for path in reversed(kept) if read_report(path).model == model), None)


def regressions(now: Report, before: Report) -> Iterator[str]:
    """Yield what was good in an earlier report and no longer is."""
    for name, old in before.cases.items():
        new = now.cases.get(name)
        if new is None:
            continue
        if new.passed_runs / max(new.runs, 1) < old.passed_runs / max(old.runs, 1):
            share = f"{new.passed_runs}/{new.runs}, was {old.passed_runs}/{old.runs}"
            yield f"{name} passes less often ({share}): {'; '.join(new.wrong)[:300]}"
        elif old.passed and not new.passed:
            yield f"{name} does not pass any more: {'; '.join(new.wrong)[:300]}"
        for mutant in set(new.mutants.survived) - set(old.mutants.survived):
            yield f"{name} lets pass what it caught before: {mutant}"


def notes(now: Report, before: Report) -> Iterator[str]:
    """Yield differences that are not worse: cases, costs, prompt."""
    if now.prompt != before.prompt:
        yield f"the prompt is another one ({before.prompt} → {now.prompt})"
    for word, names in (
        ("new", now.cases.keys() - before.cases.keys()),
        ("gone", before.cases.keys() - now.cases.keys()),
    ):
        if names:
            yield f"{word}: {', '.join(sorted(names))}"
    if now.is_scripted:
        return
    for name, new in now.cases.items():
        old = before.cases.get(name)
        for what in ("tokens", "cost_usd", "seconds"):
            was, is_now = (getattr(old, what) or 0.0) if old else 0.0, getattr(new, what) or 0.0
            if was and is_now > was * _NOTABLE:
                yield f"{name} costs more {what}: {was:g} → {is_now:g}"
