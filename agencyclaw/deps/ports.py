"""The other ports of a run, of a few methods each: they read, draft and count only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol
from uuid import UUID

from agencyclaw.domain.background import BackgroundWork
from agencyclaw.domain.calculation import Calculation
from agencyclaw.domain.cautions import Cautions
from agencyclaw.domain.conversations import Channel, FoundMessages, Period
from agencyclaw.domain.effects import Effect
from agencyclaw.domain.findings import Finding, NoFinding
from agencyclaw.domain.imports import TextFile
from agencyclaw.domain.memory import ClientNote, ClientRecord
from agencyclaw.domain.operations import CostGroup, Costs, EventAudit, FailureGroup, RunRecord
from agencyclaw.domain.planning import PlannerReport
from agencyclaw.domain.policy import Limit
from agencyclaw.domain.products import Product
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.reconciling import SlackPerson
from agencyclaw.domain.runs import Evidence
from agencyclaw.domain.schedules import StoredSchedule
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.thread import AttachedFile, SharedFile

if TYPE_CHECKING:
    from agencyclaw.deps import Deps


class Notebook(Protocol):
    """Results of earlier runs of this conversation."""

    async def evidence(self, key: str) -> Evidence:
        """Return a stored tool result by its key `ev:<run>` or `ev:<run>/<event>`.

        Raises NotFound with reason `invalid_key`, `not_found` or `invalid_event_payload`.
        """
        ...


class ProductCatalog(Protocol):
    """Products, always within one client. Raises Unavailable."""

    async def products(
        self,
        client_id: UUID,
        brand_id: UUID | None,
        *,
        tokens: tuple[str, ...],
        words: tuple[str, ...],
    ) -> list[Product]:
        """Return at most 2,000: a token begins an identifier, or a word is in title or brand."""
        ...


class Memory(Protocol):
    """Stored notes and events of clients."""

    async def client_record(self, client_id: UUID) -> ClientRecord:
        """Return its newest 200 notes and the events among its last 20; raises Unavailable."""
        ...

    async def notes(self, client_ids: list[UUID]) -> list[ClientNote]:
        """Return all notes about the given clients, newest first."""
        ...

    async def schedules(self, profile_id: UUID) -> list[StoredSchedule]:
        """Return a person's reminders and recurring questions, the next one first."""
        ...

    async def in_background(self, team_id: str, slack_user_id: str) -> list[BackgroundWork]:
        """Return what of a person's goes on in the background of a workspace, the oldest first."""
        ...


class Messages(Protocol):
    """What people wrote in Slack, as far as this person may be shown it in this place.

    `clients` are those that person and place may both see. Raises Refused while Slack does not say.
    """

    async def here(self, period: Period) -> FoundMessages:
        """Return what was written in this conversation, its threads included, oldest first."""
        ...

    async def channels(self, clients: Set[UUID]) -> Sequence[Channel]:
        """Return the other conversations that may be read: the person and we are in both."""
        ...

    async def find(
        self, words: str, period: Period, clients: Set[UUID], only: Channel | None
    ) -> FoundMessages:
        """Return messages by their words, the closest first, in one conversation or in all."""
        ...

    async def cards(self, proposals: Sequence[Proposal]) -> Mapping[UUID, str]:
        """Return the addresses of the cards that show some of this person's proposals, by id."""
        ...


class AttachedFiles(Protocol):
    """The readable files of the message that is answered, and of those before it."""

    async def csv_files(self) -> Sequence[TextFile]:
        """Return the message's CSV files; raises Refused if one can't be read."""
        ...

    def named(self, name: str) -> SharedFile:
        """Return the latest file of that name; raises NotFound, which names those there are."""
        ...

    async def text(self, file: AttachedFile) -> str:
        """Return a file's text, as Markdown; raises Refused if it can't be read."""
        ...


class Accounts(Protocol):
    """The people of the workspace as Slack knows them."""

    async def people(self) -> Sequence[SlackPerson]:
        """Return its full members by name; raises Refused while Slack does not list them."""
        ...


class Operations(Protocol):
    """How the assistant is doing. Raises NotAllowed for what only admins may see."""

    async def run(self, prefix: str) -> RunRecord:
        """Return the run whose id begins so, or this person's last one for "".

        Of more than `STEPS_AT_MOST` steps, it has one more. Raises NotFound.
        """
        ...

    async def errors(
        self, days: int, tools: Sequence[str] = (), severity: str = "", *, by_client: bool = False
    ) -> list[FailureGroup]:
        """Return the failures by kind, errors and frequent ones first; one more than are listed."""
        ...

    async def events(self, days: int, source: str = "") -> EventAudit:
        """Return what became of the events of so many days, the latest first."""
        ...

    async def costs(self, days: int, group: CostGroup) -> Costs:
        """Return what so many days cost by tool and so on, the dearest, or latest week, first."""
        ...

    async def cost_of_an_answer(self) -> float | None:
        """Return what an answer cost lately in dollars, the median; None if that is not known."""
        ...


class Calculator(Protocol):
    """Runs the model's programs, which have the given values and nothing else."""

    async def run(self, code: str, values: Mapping[str, Any]) -> Calculation:
        """Run a short program with `values` as its variables; return its output."""
        ...


class Meter(Protocol):
    """Counts this person's calls per tool within the last hour."""

    async def use(self, tool: str, limit: Limit) -> datetime | None:
        """Count a call; returns None if it is allowed, else the time when the next one is."""
        ...


class Researchers(Protocol):
    """Sub-agents that look questions up in parallel, with tools that only read."""

    async def find_out(
        self, deps: Deps, questions: tuple[str, ...]
    ) -> tuple[Finding | NoFinding, ...]:
        """Return the outcome of each question, in order; failures are values."""
        ...


class Planners(Protocol):
    """A sub-agent that makes a plan, with tools that only read."""

    async def plan(self, deps: Deps, goal: str) -> PlannerReport:
        """Return its report, whose state says if it failed or was stopped."""
        ...


class Proposals(Protocol):
    """Drafts effects, and shows those of their person, unreadable ones too; none confirms one."""

    async def confirmed(self, period: Period) -> Sequence[Proposal]:
        """Return what this person confirmed anywhere in this workspace, the latest first."""
        ...

    async def open_cards(self) -> Sequence[Proposal]:
        """Return what waits for this person anywhere in this workspace, the oldest first."""
        ...

    async def revise(self, skill: str, titles: Sequence[str] | None) -> Sequence[Proposal]:
        """Suspend the proposals this tool is called about, and return them."""
        ...

    async def cautions(self, task: CreateTask) -> Cautions:
        """Return what our records say against a task: repeats, notes, others' products."""
        ...

    async def draft(self, effect: Effect) -> Proposal:
        """Store the effect as a draft of this run; raises TooMuch beyond the run's limit."""
        ...
