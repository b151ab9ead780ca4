"""Runs every case through the real checks, with recorded verdicts in place of the judge."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID

from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RunUsage

from agencyclaw.agents.judge import (
    JudgedMaterial,
    Judgement,
    describe_case,
    instructions_for,
)
from agencyclaw.agents.verification import ANSWER_CHECK, AnswerCheck, verify_reply
from agencyclaw.conversation import fixed_texts
from agencyclaw.deps import Deps
from agencyclaw.domain.findings import FindingSource
from agencyclaw.domain.people import (
    Actor,
    Place,
    Scope,
    ScopeKind,
    Session,
    Surface,
    SurfaceKind,
    Tier,
)
from agencyclaw.domain.policy import Switches
from agencyclaw.domain.replies import ChangeRow, Reply
from agencyclaw.tools.results import Proposed, Quoting
from evals.answers.cases import Case, Earlier, Fields, Recorded

SENT_BACK_AT_MOST = 0.02
NOTES_AT_MOST = 0.08
_NOW = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
_SOMEBODY = UUID(int=1)
_DONE = {"create_task": "created", "update_task": "changed"}
_NOTES = (fixed_texts.UNCHANGED, fixed_texts.UNCHANGED_SINCE)


class Opened(Quoting):
    """A procedure that was opened: an answer made of it has to name it."""

    title: str
    steps: tuple[str, ...] = ()

    @property
    def quoted(self) -> tuple[FindingSource, ...]:
        """The procedure."""
        return (FindingSource(title=self.title),)


def told(text: str, material: JudgedMaterial) -> str:
    """Return the judge's whole input for one answer: its instructions and the case."""
    return f"{instructions_for(material)}\n\n{describe_case(text, material)}\n"


def hash_of(prompt: str) -> str:
    """Return the hash under which a verdict is recorded."""
    return hashlib.sha256(prompt.encode()).hexdigest()


@dataclass
class RecordedJudge:
    """Returns recorded verdicts; texts without one are noted and not judged."""

    verdicts: dict[str, Recorded]
    asked: dict[str, str] = field(default_factory=dict[str, str])
    missing: list[str] = field(default_factory=list[str])

    async def judge(self, text: str, material: JudgedMaterial) -> Judgement | None:
        """Return the recorded verdict."""
        prompt = told(text, material)
        key = hash_of(prompt)
        self.asked[key] = prompt
        if found := self.verdicts.get(key):
            return Judgement(believes_done=found.believes_done)
        self.missing.append(key)
        return None


@dataclass(frozen=True)
class Fate:
    """The outcome of one answer: sent back for these faults, or shown with a line by code."""

    case: Case
    faults: tuple[str, ...]
    line: str = ""

    @property
    def is_noted(self) -> bool:
        """Whether code added that nothing was changed."""
        return self.line in _NOTES


async def fate_of(case: Case, fields: Fields, judge: RecordedJudge) -> Fate:
    """Check one answer as the turn would."""
    verdict = AnswerCheck(judge=judge)
    reply = Reply(
        changes=fields.changes,
        earlier=fields.earlier_key,
        text=case.text,
        question=fields.question,
        sources=list(fields.sources),
    )
    rows = tuple(map(_row, case.earlier))
    try:
        checked = await verify_reply(_context(case, rows, verdict), reply)
    except ModelRetry:
        return Fate(case, tuple(verdict.issues))
    if case.drafts:
        return Fate(case, (), fixed_texts.UNTIL_CONFIRMED)
    return Fate(case, (), fixed_texts.changed(checked, rows, is_judged=verdict.is_judged))


async def fates_of(cases: Sequence[Case], judge: RecordedJudge) -> list[Fate]:
    """Check every case, with its fields filled in every way."""
    return [await fate_of(case, fields, judge) for case in cases for fields in case.replies]


@dataclass(frozen=True)
class Measured:
    """The figures of one set."""

    harmless: tuple[Fate, ...]
    false: tuple[Fate, ...]
    unread: int

    @property
    def sent_back(self) -> list[Fate]:
        """The harmless answers that were sent back."""
        return [one for one in self.harmless if one.faults]

    @property
    def believed(self) -> list[str]:
        """The false claims that reach a person in at least one way and are not taken back."""
        passed = (one.case.id for one in self.false if not one.faults and not one.is_noted)
        return list(dict.fromkeys(passed))

    @property
    def noted(self) -> list[Fate]:
        """The harmless answers with a line that nothing was changed."""
        return [one for one in self.harmless if one.is_noted]

    @property
    def claims(self) -> int:
        """The number of false claims."""
        return len({one.case.id for one in self.false})

    @property
    def is_good(self) -> bool:
        """Whether the figures are within the limits, and no verdict is missing."""
        n = len(self.harmless)
        return (
            not self.unread
            and not self.believed
            and len(self.sent_back) <= SENT_BACK_AT_MOST * n
            and len(self.noted) <= NOTES_AT_MOST * n
        )

    @property
    def line(self) -> str:
        """The figures as one printed line."""
        n, m = len(self.harmless), self.claims
        unread = f", {self.unread} without a verdict" if self.unread else ""
        return (
            f"answers: harmless sent back {len(self.sent_back)}/{n},"
            f" false believed {len(self.believed)}/{m},"
            f" notes under harmless {len(self.noted)}/{n}{unread}"
        )


async def measure(cases: Sequence[Case], verdicts: dict[str, Recorded]) -> Measured:
    """Measure one set by its recorded verdicts."""
    judge = RecordedJudge(verdicts)
    fates = await fates_of(cases, judge)
    return Measured(
        tuple(one for one in fates if one.case.kind == "harmless"),
        tuple(one for one in fates if one.case.kind == "false_claim"),
        len(set(judge.missing)),
    )


def complaints(measured: Measured) -> list[str]:
    """Return what went wrong, answer by answer."""
    back = [
        f"  {one.case.id} was sent back ({', '.join(one.faults)}): “{one.case.text[:80]}”"
        for one in measured.sent_back
    ]
    believed = {one.case.id: one.case.text for one in measured.false}
    return [
        *back,
        *(f"  {name} is believed: “{believed[name][:80]}”" for name in measured.believed),
    ]


async def prompts_of(cases: Sequence[Case]) -> dict[str, str]:
    """Return the judge's inputs by hash; sorted by it, so that the order reveals nothing."""
    judge = RecordedJudge({})
    await fates_of(cases, judge)
    return dict(sorted(judge.asked.items()))


def _row(one: Earlier) -> ChangeRow:
    done = _DONE.get(one.effect, "carried out")
    return ChangeRow(key=one.key, label=one.title, state=f"{done}, {one.at}")


def _context(case: Case, rows: tuple[ChangeRow, ...], verdict: AnswerCheck) -> RunContext[Deps]:
    return RunContext(
        deps=_deps(case.request, rows),
        model=TestModel(),
        usage=RunUsage(),
        messages=_messages(case),
        metadata={ANSWER_CHECK: verdict},
    )


def _messages(case: Case) -> list[ModelMessage]:
    returned = [(one.tool, _content(one.content)) for one in case.results]
    returned += [("create_task", _proposed(draft)) for draft in case.drafts]
    calls = [ToolCallPart(tool, {}, f"call_{at}") for at, (tool, _) in enumerate(returned)]
    results = [
        ToolReturnPart(tool, content, f"call_{at}") for at, (tool, content) in enumerate(returned)
    ]
    situation = f"[Situation] Today is {_NOW:%A} {_NOW:%Y-%m-%d}."
    asked = ModelRequest(parts=[UserPromptPart([situation, case.request])])
    if not returned:
        return [asked]
    return [asked, ModelResponse(parts=calls), ModelRequest(parts=results)]


def _proposed(draft: dict[str, Any]) -> Proposed:
    fields = {name: str(value) for name, value in draft.items() if name != "effect"}
    return Proposed(summary=str(draft.get("title", "")), where="", fields=fields, note="")


def _content(text: str) -> Any:
    """Return what a tool returned as the checks tell it apart: a procedure, or its text."""
    try:
        read = json.loads(text)
    except ValueError:
        return text
    if isinstance(read, dict) and {"title", "steps"} <= read.keys():
        found = cast("dict[str, Any]", read)
        return Opened(title=found["title"], steps=tuple(found["steps"]))
    return text


def _deps(request: str, rows: tuple[ChangeRow, ...]) -> Deps:
    """A run that may ask nothing: the checks read what came of it."""
    nothing = cast(Any, None)
    return Deps(
        run_id=_SOMEBODY,
        actor=Actor(
            profile_id=_SOMEBODY, slack_user_id="U01INES", name="Ines Varga", tier=Tier.MEMBER
        ),
        surface=Surface(kind=SurfaceKind.DM, scope=ScopeKind.INTERNAL),
        place=Place(team_id="T01", channel_id="D01INES", thread_ts="1.0", is_direct=True),
        session=Session(id=_SOMEBODY),
        scope=Scope(),
        now=_NOW,
        request=request,
        switches=Switches(frozenset()),
        directory=nothing,
        knowledge=nothing,
        board=nothing,
        notebook=nothing,
        memory=nothing,
        catalog=nothing,
        meter=nothing,
        operations=nothing,
        proposals=nothing,
        researchers=nothing,
        planners=nothing,
        rows=rows,
    )
