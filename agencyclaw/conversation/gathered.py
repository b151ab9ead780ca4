"""What a run starts from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelMessage

from agencyclaw.agents.policies.refusals import Refusals
from agencyclaw.agents.sub_runs import SubRuns
from agencyclaw.agents.thread import QuotedThread
from agencyclaw.deps import Deps
from agencyclaw.domain.proposals import Proposal
from agencyclaw.proposals.propose import DraftBox


@dataclass(frozen=True)
class Gathered:
    """Everything a run starts from; `waiting` are this person's open proposals here."""

    deps: Deps
    drafts: DraftBox
    situation: str
    history: list[ModelMessage]
    facts: dict[str, Any]
    children: SubRuns
    thread: QuotedThread
    waiting: tuple[Proposal, ...]
    refusals: Refusals = field(default_factory=Refusals)
