"""Scorers: each compares one part of the ledger with what the case expects."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, cast

from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

from agencyclaw.agents.verification import TOOL_NAMES
from agencyclaw.domain.text import canonical_json, folded
from agencyclaw.knowledge.checks import AnswerFacts, check_answer
from agencyclaw.tools import TOOLS
from agencyclaw.tools.tool_search import SEARCH_TOOLS
from evals.expected import (
    Expected,
    ExpectedCall,
    ExpectedProposal,
    ExpectedTask,
    ExpectedTurn,
    day_of,
    with_days,
)
from evals.ledger import KeptProposal, Ledger, MadeCall, NewTask, PlayedTurn
from evals.matching import assign, stands_in
from evals.plays import ENDED, Play
from evals.scene import About

Context = EvaluatorContext[Play, Ledger, About]
CHANGES_OF_TASKS = ("update_task", "update_tasks", "archive_task", "comment_on_task")
_FALLBACKS = (ENDED, "i'm a script", "as an ai", "something went wrong", "i cannot help with that")
_MISTAKES = {"tool_name", "raw_json", "shows_id", "empty"}
# Cases are in English, and wrong ways are made of these words: the product's own checks know none.
_CLAIM = re.compile(r"\bI(?:['’]ve| have) (?:created|changed|updated|assigned|sent)\b")
_PROMISE = re.compile(r"(?:let me|i['’]ll|i will) (?:check|look)[^.!?]*[.!…]*", re.IGNORECASE)
_PROCEDURE = re.compile(r"\b((?:[A-Z0-9][\w&/-]*|of|for|and)(?: (?:[A-Z0-9&][\w&/-]*))* SOP)\b")
_VAGUE = {"the sop", "this sop", "that sop", "no sop", "an sop", "a sop", "our sop", "your sop"}
_QUESTION = re.compile(r"\?(?=[\s)*_”\"]|$)")
_BEGINNING = 160
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s", re.MULTILINE)
_QUOTED = re.compile(r"“[^”]*”|\"[^\"\n]*\"|`[^`]*`|https?://\S+")


@dataclass
class Scored(Evaluator[Play, Ledger, About]):
    """A scorer that lists mistakes; it passes if there are none."""

    def evaluate(self, ctx: Context) -> EvaluationReason:
        """Return whether there are no mistakes, and the list of them."""
        wrong = list(self.find(ctx.output, ctx.inputs.expected))
        return EvaluationReason(value=not wrong, reason="; ".join(wrong) or None)

    def find(self, ledger: Ledger, expected: Expected) -> Iterator[str]:
        """Yield the mistakes."""
        raise NotImplementedError


@dataclass
class Proposals(Scored):
    """Checks each proposal's fields, and its state at the end."""

    def find(self, ledger: Ledger, expected: Expected) -> Iterator[str]:
        """Yield the mistakes."""
        if len(ledger.proposals) != len(expected.proposals):
            titles = [f"{one.title} ({one.state})" for one in ledger.proposals]
            yield f"{len(titles)} proposals instead of {len(expected.proposals)}: {titles}"
            return
        for kept, wanted in zip(ledger.proposals, expected.proposals, strict=True):
            for complaint in _about_proposal(kept, wanted, ledger):
                yield f"“{kept.title}”: {complaint}"


def _about_proposal(kept: KeptProposal, wanted: ExpectedProposal, ledger: Ledger) -> Iterator[str]:
    for name in (
        "kind",
        "undo",
        "client",
        "brand",
        "list",
        "state",
        "assignee",
        "pending",
        "anyway",
    ):
        yield from _unequal(name, getattr(kept, name), getattr(wanted, name))
    for name in ("start", "due", "starts", "ends"):
        day: str | None = getattr(wanted, name)
        yield from _unequal(name, getattr(kept, name), day_of(day, ledger.today) if day else None)
    yield from _unequal("identifiers", set(kept.identifiers), set(wanted.identifiers))
    yield from _unequal("sources", kept.sources, wanted.sources)
    yield from _unequal("actor", kept.actor, wanted.actor or kept.actor)
    yield from _lacking("title", kept.title, wanted.title)
    yield from _lacking("body", kept.body, wanted.body)
    yield from _lacking("open points", " ".join(kept.missing), wanted.missing)
    for words in wanted.never:
        if words.lower() in f"{kept.title}\n{kept.body}".lower():
            yield f"contains “{words}”"


def _unequal(name: str, got: Any, wanted: Any) -> Iterator[str]:
    if got != wanted:
        yield f"{name} is {got!r}, not {wanted!r}"


def _lacking(name: str, text: str, wanted: Iterable[str]) -> Iterator[str]:
    for words in wanted:
        if words.lower() not in text.lower():
            yield f"{name} lacks “{words}”"


@dataclass
class Effects(Scored):
    """Checks that exactly the confirmed effects happened in ClickUp, for the right requester."""

    def find(self, ledger: Ledger, expected: Expected) -> Iterator[str]:
        """Yield the mistakes."""
        done = [one for one in ledger.proposals if one.state == "done"]
        created = [one for one in done if one.kind == "create_task" and not one.undo]
        changes = sum(one.changes for one in done if one.kind in CHANGES_OF_TASKS)
        if len(ledger.tasks) != len(expected.tasks):
            yield f"{len(ledger.tasks)} tasks were created instead of {len(expected.tasks)}"
        yield from _about_tasks(ledger.tasks, expected.tasks)
        if len(ledger.changed) != len(expected.changed):
            yield f"{len(ledger.changed)} older tasks are other now, not {len(expected.changed)}"
        yield from _about_tasks(ledger.changed, expected.changed)
        if len(created) != len(ledger.tasks):
            yield f"{len(created)} proposals are done, but {len(ledger.tasks)} tasks were created"
        if any(not one.confirmed_by_actor for one in done):
            yield "something was carried out that its own person did not release"
        creates = sum(write == "create_task" for write in ledger.writes)
        others = [write for write in ledger.writes if write != "create_task"]
        if len(others) != changes:
            yield f"ClickUp was changed in other ways: {others}"
        limit = expected.requests_to_create
        if creates != (len(expected.tasks) if limit is None else limit):
            yield f"{creates} requests to create a task were sent"


def _about_tasks(made: Sequence[NewTask], expected: Sequence[ExpectedTask]) -> Iterator[str]:
    """Tasks of one card are created side by side, so their order says nothing."""
    right = assign(expected, made, lambda task, wanted: not any(_about_task(task, wanted)))
    left = [task for at, task in enumerate(made) if at not in right.values()]
    for at, wanted in enumerate(expected):
        if at not in right and left:
            closest = min(left, key=lambda task: len(list(_about_task(task, wanted))))
            yield from _about_task(closest, wanted)
            left.remove(closest)


def _about_task(task: NewTask, wanted: ExpectedTask) -> Iterator[str]:
    yield from _unequal("list", task.list, wanted.list)
    yield from _unequal("assignees", set(task.assignees), set(wanted.assignees))
    yield from _unequal("archived", task.archived, wanted.archived)
    yield from _lacking("title", task.title, wanted.title)
    yield from _lacking("body", task.body, wanted.body)


@dataclass
class Trajectory(Scored):
    """Checks the tool calls of each turn: those required, and those forbidden."""

    def find(self, ledger: Ledger, expected: Expected) -> Iterator[str]:
        """Yield the mistakes."""
        for number, played, wanted in _turns(ledger, expected):
            for complaint in _about_calls(played, wanted, ledger.today):
                yield f"turn {number}: {complaint}"


def _about_calls(played: PlayedTurn, wanted: ExpectedTurn, today: date) -> Iterator[str]:
    made = [call.tool for call in played.calls]
    found = assign(wanted.calls, played.calls, lambda one, call: _fits(one, call, today))
    for at, call in enumerate(wanted.calls):
        if at not in found:
            yield f"no call {call.tool}({call.args or ''}) among {_shown(played.calls)}"
    if wanted.quiet and made:
        yield f"no tool was needed, but there were {made}"
    for tool in wanted.avoids:
        if tool in made:
            yield f"{tool} was called"
    yield from _about_changing(played, wanted)
    own = [call for call in played.calls if call.tool != SEARCH_TOOLS]
    broken = [call.tool for call in own if call.kind == "error"]
    if broken:
        yield f"calls that no tool could take: {broken}"


def _about_changing(played: PlayedTurn, wanted: ExpectedTurn) -> Iterator[str]:
    """A change is prepared only where one was wanted, once, and not over an open question."""
    changing = [call for call in played.calls if _is_change(call.tool)]
    meant = [call for call in wanted.calls if _is_change(call.tool)]
    if changing and not meant and not wanted.asks:
        yield f"a change nobody asked for: {_shown(tuple(changing))}"
    if len({(call.tool, canonical_json(call.args)) for call in changing}) < len(changing):
        yield f"the same was prepared again: {_shown(tuple(changing))}"
    if any(call.kind == "ask" for call in changing[:-1]):
        yield "it went on instead of putting the question to the person"
    insists = [call for call in changing if call.args.get("create_anyway")]
    if insists and not any(call.args.get("create_anyway") for call in meant):
        yield "it insisted, though the person did not"


def _is_change(tool: str) -> bool:
    """Return whether it prepares a change; the framework's own tools, and unknown ones, do not."""
    spec = TOOLS.get(tool)
    return spec is not None and spec.rule.changes


def _shown(calls: tuple[MadeCall, ...]) -> str:
    return ", ".join(f"{call.tool}({call.args})" for call in calls) or "none"


def _fits(made: MadeCall, wanted: ExpectedCall, today: date) -> bool:
    if made.tool != wanted.tool:
        return False
    given = _defaults(made.tool) | made.args
    return all(_is_like(given.get(name), value, today) for name, value in wanted.args.items())


@cache
def _defaults(tool: str) -> dict[str, Any]:
    parameters = inspect.signature(TOOLS[tool].function).parameters
    return {name: one.default for name, one in parameters.items()}


def _is_like(got: Any, wanted: Any, today: date) -> bool:
    """Names may be longer or shorter than expected; numbers, flags and days must be equal."""
    if isinstance(wanted, dict):
        named = cast("dict[str, Any]", wanted)
        held = cast("dict[str, Any]", got) if isinstance(got, dict) else {}
        return all(_is_like(held.get(name), value, today) for name, value in named.items())
    if not isinstance(wanted, str):
        return got == wanted
    with suppress(ValueError):
        return got == day_of(wanted, today).isoformat()
    return isinstance(got, str) and folded(with_days(wanted, today)) in folded(got)


@dataclass
class Answers(Scored):
    """Checks the answers: who sent them, whether they ask, which values they name."""

    def find(self, ledger: Ledger, expected: Expected) -> Iterator[str]:
        """Yield the mistakes."""
        known: set[str] = set()
        for number, played, wanted in _turns(ledger, expected):
            known |= _titles(played)
            for complaint in (
                *_about_answer(played, wanted),
                *_about_truth(played, known, may_report=wanted.reports),
            ):
                yield f"turn {number}: {complaint}"


def _about_answer(played: PlayedTurn, wanted: ExpectedTurn) -> Iterator[str]:
    answer, heard = played.answer or "", played.heard.lower()
    by = "model" if played.status else "code" if heard.strip() or played.cards else "nobody"
    yield from _unequal("who answered", by, wanted.by)
    yield from _about_questions(played, answer, wanted)
    if not _says(answer[:_BEGINNING].lower(), wanted.point):
        yield f"it does not begin with the point, “{wanted.point}”"
    for words in (*wanted.facts, *wanted.cites):
        if not _says(answer.lower(), words):
            yield f"the answer lacks “{words}”"
    for words in wanted.tells:
        if not _says(heard, words):
            yield f"nobody was told “{words}”"
    for words in (*wanted.never, *_FALLBACKS):
        if words.lower() in heard:
            yield f"it says “{words}”"
    bullets = len(_BULLET.findall(answer))
    if wanted.bullets is not None and bullets != wanted.bullets:
        yield f"{bullets} list items instead of {wanted.bullets}"


def _says(text: str, words: str) -> bool:
    return any(stands_in(text, one) for one in words.lower().split(" | "))


def _about_questions(played: PlayedTurn, answer: str, wanted: ExpectedTurn) -> Iterator[str]:
    questions = len(_QUESTION.findall(_QUOTED.sub("", answer)))
    if wanted.asks is not None and bool(questions) != wanted.asks:
        yield "no question was asked" if wanted.asks else "a question was asked"
    if wanted.questions is not None and questions > wanted.questions:
        yield f"{questions} questions were asked, more than {wanted.questions}"
    if wanted.choices is not None and set(played.choices) != set(wanted.choices):
        yield f"choices are {played.choices}, not {wanted.choices}"


def _about_truth(played: PlayedTurn, known: set[str], *, may_report: bool) -> Iterator[str]:
    """Nothing is claimed that did not happen, and no procedure is named that was not found."""
    if played.answer is None or played.status != "completed":
        return
    facts = AnswerFacts(request=played.said, own_names=TOOL_NAMES)
    faults = [one.code for one in check_answer(played.answer, facts) if one.code in _MISTAKES]
    if not may_report and _CLAIM.search(_QUOTED.sub("", played.answer)):
        faults.append("claims_change")
    if _PROMISE.fullmatch(played.answer.strip()):
        faults.append("only_promise")
    for fault in faults:
        yield f"{fault} in “{played.answer[:80]}”"
    for title in _PROCEDURE.findall(played.answer):
        name = title.lower()
        is_said = name in played.said.lower()
        is_known = is_said or any(name in one or one in name for one in known)
        if not is_known and name not in _VAGUE:
            yield f"“{title}” is no procedure that was found"


def _titles(played: PlayedTurn) -> set[str]:
    """Return every procedure title that a tool returned, wherever it stands in the result."""
    texts = [str(call.result) for call in played.calls]
    return {title.lower() for text in texts for title in _PROCEDURE.findall(text)}


@dataclass
class Audit(Scored):
    """Checks how each turn ended on record: refusals, consents, failures; nothing half-done."""

    def find(self, ledger: Ledger, expected: Expected) -> Iterator[str]:
        """Yield the mistakes."""
        yield from ledger.unsettled
        yield from _about_gaps(ledger.gaps, expected.gaps)
        for number, played, wanted in _turns(ledger, expected):
            for complaint in _about_record(played, wanted):
                yield f"turn {number}: {complaint}"


def _about_gaps(kept: tuple[str, ...], wanted: tuple[str, ...] | None) -> Iterator[str]:
    """What nothing answered is on the list, and nothing else is."""
    if wanted is None:
        return
    if len(kept) != len(wanted):
        yield f"{len(kept)} questions without an answer are kept, not {len(wanted)}: {list(kept)}"
    yield from _lacking("what is kept without an answer", "\n".join(kept), wanted)


def _about_record(played: PlayedTurn, wanted: ExpectedTurn) -> Iterator[str]:
    if not played.was_possible:
        yield "there was nothing to press or to edit"
    if played.answers > 1:
        yield f"it was answered {played.answers} times"
    if (played.status == "failed") != wanted.fails:
        yield f"the run is {played.status}"
    yield from _unequal("refused", set(played.refused), set(wanted.refused))
    for event in wanted.events:
        if event not in played.events:
            yield f"no {event} among {list(played.events)}"
    if wanted.about is not None:
        yield from _unequal("the talk's client", played.about, wanted.about)
    if wanted.condensed and not played.condensed:
        yield "nothing of the thread was condensed"
    else:
        yield from _lacking("what was condensed", played.condensed, wanted.condensed)


def is_wrong(played: PlayedTurn, wanted: ExpectedTurn, today: date) -> bool:
    """Return whether a turn alone shows that a play of that day is wrong."""
    complaints = (_about_calls(played, wanted, today), _about_answer(played, wanted))
    return any(True for each in (*complaints, _about_record(played, wanted)) for _ in each)


def _turns(ledger: Ledger, expected: Expected) -> Iterator[tuple[int, PlayedTurn, ExpectedTurn]]:
    pairs = zip(ledger.turns, expected.turns, strict=not ledger.is_cut)
    return ((number, *pair) for number, pair in enumerate(pairs, start=1))


SCORERS: tuple[type[Scored], ...] = (Proposals, Effects, Trajectory, Answers, Audit)
