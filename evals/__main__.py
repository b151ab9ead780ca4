"""`python -m evals`: plays every case with its scripts, or with a real model."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from statistics import median

from agencyclaw.agents.prompts import load_prompt
from agencyclaw.domain.text import counted
from agencyclaw.models import choose_models
from agencyclaw.settings import load_settings
from evals.answers.cases import load_cases, load_verdicts
from evals.answers.measure import complaints, measure
from evals.engine import SentTurn, Verdict, call_every_tool_in, judge_model, judge_scripts
from evals.every_tool import closing_line as called_line
from evals.plays import GOLD, Minded
from evals.report import (
    REPORTS,
    CaseReport,
    Report,
    build_report,
    keep_report,
    last_report,
    notes,
    read_report,
    regressions,
)
from evals.subjects import SCHEMA, Subject, load_subjects, plays_of, schema, scripted

ENOUGH_PERCENT = 95
# In the second, most tools are found by searching.
LONG_TALKS = ("a-long-morning", "a-long-afternoon")
_SMALL_SHARE = 5
SHORT_CHARS = 200
SHORT_MESSAGE_TOKENS = 6_000
LEAST_CACHED = 0.8


def main(argv: Sequence[str] | None = None) -> int:
    """Play, print and store; returns 1 if something is wrong."""
    options = _parser().parse_args(argv)
    if options.schema:
        SCHEMA.write_text(schema(), encoding="utf-8")
        return 0
    subjects = load_subjects([Path(name) for name in options.files])
    began = time.perf_counter()
    verdicts, label = asyncio.run(_play(subjects, options))
    report = build_report(
        subjects,
        verdicts,
        model=label,
        prompt=load_prompt("main").hash,
        seconds=time.perf_counter() - began,
        repeat=options.repeat if options.model else 1,
    )
    path = keep_report(options.reports, report, f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}")
    worse = _compare(report, options.baseline, path)
    for line in (*_page(report, path), *sent_lines(verdicts), *tokens_lines(verdicts)):
        print(line)
    is_valid = bool(options.model) or _call_tools(subjects, options)
    is_right = bool(options.model or options.files or options.only) or _answers_are_right()
    is_cheap = bool(options.model) or is_short_cheap(verdicts)
    print(closing_line(report))
    return 0 if is_good(report) and is_valid and is_right and is_cheap and not worse else 1


def _answers_are_right() -> bool:
    """Print how answers fare in the checks, with recorded verdicts."""
    measured = asyncio.run(measure(load_cases(), load_verdicts()))
    for line in (*complaints(measured), measured.line):
        print(line)
    return measured.is_good


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals", description=__doc__)
    parser.add_argument("files", nargs="*", help="case files; without any, all datasets")
    parser.add_argument("--model", default="", help="provider:name of a model that reads")
    parser.add_argument("--repeat", type=int, default=3, metavar="K", help="runs of each case")
    parser.add_argument("--small", action="store_true", help="play every fifth wrong way only")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--baseline", default="", help="a report to compare with, or `last`")
    parser.add_argument("--reports", type=Path, default=REPORTS, help="where reports are kept")
    parser.add_argument("--schema", action="store_true", help="write the schema of case files")
    return parser


async def _play(
    subjects: Sequence[Subject], options: argparse.Namespace
) -> tuple[list[Verdict], str]:
    bare = list(plays_of(subjects, options.only))
    if not options.model:
        share = _SMALL_SHARE if options.small else 1
        plays = [play for one in bare for play in scripted(one, share)]
        return await judge_scripts(plays), "scripts"
    models, label = choose_models(load_settings({"agencyclaw_model": options.model}))
    scripts = {c.name for s in subjects for c in s.cases if c.metadata and c.metadata.script_only}
    readable = [play for play in bare if play.case not in scripts]
    verdicts = await judge_model(readable, Minded(models, label), repeat=options.repeat)
    return verdicts, options.model


def _call_tools(subjects: Sequence[Subject], options: argparse.Namespace) -> bool:
    """Let a model that reads nothing call every tool in each case; False if one is wrong."""
    plays = list(plays_of(subjects, options.only))[:: _SMALL_SHARE if options.small else 1]
    calls = asyncio.run(call_every_tool_in(plays))
    for one in calls:
        for complaint in one.wrong:
            print(f"  {one.case}: {complaint[:400]}")
    print(called_line(calls))
    return not any(one.wrong for one in calls)


def _compare(report: Report, baseline: str, path: Path) -> bool:
    """Print the differences from another report; True if something is worse."""
    found = (
        last_report(path.parent, report.model, but=path) if baseline == "last" else Path(baseline)
    )
    if not baseline or found is None:
        return False
    before = read_report(found)
    for note in notes(report, before):
        print(f"since {found.name}: {note}")
    worse = list(regressions(report, before))
    for one in worse:
        print(f"worse than {found.name}: {one}")
    return bool(worse)


def _page(report: Report, path: Path) -> Iterator[str]:
    cases = report.cases.items()
    for subject, group in groupby(cases, key=lambda item: item[1].subject):
        yield _subject_line(subject, [case for _, case in group], report)
    for name, case in cases:
        for complaint in case.wrong:
            yield f"  {name}: {complaint[:400]}"
        for mutant in case.mutants.survived:
            yield f"  {name}: nobody noticed “{mutant}”"
    by_scripts, by_model = report.proved_by_scripts, report.proved_by_a_model_only
    scripted_ones = counted(len(by_scripts), "case")
    about = f"{counted(len(by_model), 'case')} {'is' if len(by_model) == 1 else 'are'} about it."
    yield f"Scripts prove rails and tools in {scripted_ones}, and the scorers in all."
    yield f"Only a model that reads proves the prompt: {about}"
    yield f"Which these are, and every figure: {path} ({report.seconds:.0f} s)"


def _subject_line(subject: str, cases: Sequence[CaseReport], report: Report) -> str:
    passed = sum(case.passed for case in cases)
    line = f"{subject:<14}{counted(len(cases), 'case'):>9} {passed:>3} passed"
    if report.is_scripted:
        made = sum(case.mutants.made for case in cases)
        left = sum(len(case.mutants.survived) for case in cases)
        return f"{line} {made - left:>4} of {made} mutants caught"
    return line


def sent_lines(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Return what each turn of the long conversations sent, and how much of it was cached."""
    for turn in (turn for talk in _long_talks(verdicts) for turn in talk.turns):
        share = 100 * turn.cached // turn.sent
        said = " ".join(turn.said.split())[:48]
        yield f"sent: {turn.sent:>6,} tokens, {share:>3} % of them cached  {said}"


def tokens_lines(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Return the tokens of the long conversations' short messages, the first ones apart."""
    short = short_turns(verdicts)
    if not short:
        return
    sent = [turn.sent for turn in short]
    cached = [100 * turn.cached // turn.sent for turn in short]
    yield (
        f"tokens: {len(short)} short messages, median {median(sent):,.0f}, maximum {max(sent):,}, "
        f"cached median {median(cached):.0f} %, least {min(cached)} %"
    )


def is_short_cheap(verdicts: Sequence[Verdict]) -> bool:
    """Return whether every short message of the long conversations is small and mostly cached."""
    return all(
        turn.sent <= SHORT_MESSAGE_TOKENS and turn.cached >= LEAST_CACHED * turn.sent
        for turn in short_turns(verdicts)
    )


def short_turns(verdicts: Sequence[Verdict]) -> list[SentTurn]:
    """Return the short messages of the long conversations, without the first of each."""
    later = (turn for talk in _long_talks(verdicts) for turn in talk.turns[1:])
    return [turn for turn in later if len(turn.said) <= SHORT_CHARS]


def _long_talks(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [one for one in verdicts if one.case in LONG_TALKS and one.variant == GOLD]


def closing_line(report: Report) -> str:
    """Return the last line of a run."""
    head = f"evals: {counted(len(report.cases), 'case')}, {report.passed} passed"
    if report.is_scripted:
        return f"{head}, {report.caught_percent}% mutants caught"
    k = report.repeat
    costs = [case.cost_usd * case.runs for case in report.cases.values() if case.cost_usd]
    tokens = sum(case.tokens * case.runs for case in report.cases.values())
    money = f"{sum(costs):.2f} USD" if costs else "price unknown"
    return (
        f"{head}, pass^1 {report.pass_hat(1):.2f}, pass^{k} {report.pass_hat(k):.2f}, "
        f"{tokens:.0f} tokens, {money}, {report.seconds:.0f} s"
    )


def is_good(report: Report) -> bool:
    """Return whether scripts passed everywhere and caught enough; a model is only compared.

    A run without a case is not good.
    """
    if not report.is_scripted or not report.cases:
        return bool(report.cases)
    return report.passed == len(report.cases) and report.caught_percent >= ENOUGH_PERCENT


if __name__ == "__main__":
    sys.exit(main())
