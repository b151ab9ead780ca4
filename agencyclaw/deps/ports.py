"""The ports of a run, of a few methods each: they read, draft and count, and carry nothing out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol
from uuid import UUID

from agencyclaw.deps.records import RecordReader
from agencyclaw.domain.background import BackgroundWork
from agencyclaw.domain.calculation import Calculation
from agencyclaw.domain.cautions import Cautions
from agencyclaw.domain.channel_links import ChannelOwner
from agencyclaw.domain.clients import (
    Assignment,
    Brand,
    Client,
    Person,
    SpaceClassification,
    SpaceRecord,
)
from agencyclaw.domain.conversations import Channel, FoundMessages, Period
from agencyclaw.domain.effects import Effect
from agencyclaw.domain.findings import Finding, NoFinding
from agencyclaw.domain.imports import TextFile
from agencyclaw.domain.kpi import StoredTarget
from agencyclaw.domain.kpi_results import StoredResult
from agencyclaw.domain.library import DocumentVersion
from agencyclaw.domain.memory import ClientNote, ClientRecord
from agencyclaw.domain.operations import CostGroup, Costs, EventAudit, FailureGroup, RunRecord
from agencyclaw.domain.people import Actor
from agencyclaw.domain.planning import PlannerReport
from agencyclaw.domain.policy import Limit
from agencyclaw.domain.procedures import DocRead, StoredPage
from agencyclaw.domain.products import Product
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.reconciling import SlackPerson
from agencyclaw.domain.roles import Role
from agencyclaw.domain.runs import Evidence, PriorTask
from agencyclaw.domain.schedules import StoredSchedule
from agencyclaw.domain.separate_accounts import SeparateAccount
from agencyclaw.domain.sops import OpenGap, Sop, SopHit, SopName
from agencyclaw.domain.spaces import ClickUpSpace
from agencyclaw.domain.task_changes import TaskState
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.task_texts import TaskText
from agencyclaw.domain.tasks import DateKind, ListRef, TaskRead, Window
from agencyclaw.domain.team import ClickUpMember, HeldSlot, TeamMember

if TYPE_CHECKING:
    from agencyclaw.deps import Deps


class Directory(RecordReader, Protocol):
    """Clients, brands and people. Only `clients` knows who may see what: pass the ids it gave."""

    async def clients(self, actor: Actor) -> list[Client]:
        """Return the active clients this person may see, by name; admins see all."""
        ...

    async def former_clients(self) -> list[Client]:
        """Return the clients that are not active, by name; for admins only."""
        ...

    async def brands(self, client_ids: list[UUID]) -> list[Brand]:
        """Return the brands of the given clients that are not archived, by name."""
        ...

    async def former_brands(self, client_ids: list[UUID]) -> list[Brand]:
        """Return the archived brands of the given clients, by name; for admins only."""
        ...

    async def assignments(self, client_ids: list[UUID]) -> list[Assignment]:
        """Return who holds which role for these clients or their brands; raises Unavailable."""
        ...

    async def brands_in_use(self) -> list[Brand]:
        """Return those of all active clients: to tell whose a list is, never to be shown."""
        ...

    async def channel_owner(self, team_id: str, channel_id: str) -> ChannelOwner | None:
        """Return whose a Slack channel is; None if nobody said so."""
        ...

    async def spaces(self) -> list[SpaceRecord]:
        """Return the ClickUp spaces the agency knows, by name."""
        ...

    async def targets(self, brand_ids: list[UUID]) -> list[StoredTarget]:
        """Return the active targets of brands, whatever their period; raises Unavailable."""
        ...

    async def results(self, brand_ids: list[UUID]) -> list[StoredResult]:
        """Return what sources say that brands reached, in any period; raises Unavailable."""
        ...

    async def roles(self) -> list[Role]:
        """Return the role slots the agency has, by name."""
        ...

    async def space_classification(self, space_id: str) -> SpaceClassification | None:
        """Return what a ClickUp space is for; None if it is not registered."""
        ...

    async def people(self) -> list[Person]:
        """Return the active team members, by name."""
        ...

    async def team(self) -> list[TeamMember]:
        """Return everybody with a profile, archived people included, by name."""
        ...

    async def separate_accounts(self) -> list[SeparateAccount]:
        """Return the accounts that admins keep apart from the team, by name."""
        ...

    async def slots_of(self, profile_id: UUID) -> tuple[HeldSlot, ...]:
        """Return the roles that a person holds."""
        ...


class Knowledge(Protocol):
    """Procedures and earlier tasks, as evidence for drafts."""

    async def find_sops(self, query: str, *, limit: int, by_meaning: bool = False) -> list[SopHit]:
        """Return the best procedures; one called by its name comes first.

        By meaning costs a request to the embedding model, if there is one. Raises Unavailable.
        """
        ...

    async def sop_names(self) -> list[SopName]:
        """Return the names of at most 5,000 procedures in use, by title; raises Unavailable."""
        ...

    async def sop(self, sop_id: UUID) -> Sop | None:
        """Return a whole procedure; None if it is not in use."""
        ...

    async def find_documents(self, query: str, *, limit: int) -> list[SopHit]:
        """Return approved documents, best first; each kind has a top score. Raises Unavailable."""
        ...

    async def open_gaps(
        self, *, limit: int, client_id: UUID | None = None, were_read: bool = False
    ) -> list[OpenGap]:
        """Return what no search answered, the most asked first; `were_read`: what was read for."""
        ...

    async def stored_pages(self, doc_ids: list[str]) -> list[StoredPage]:
        """Return the procedures copied from these ClickUp Docs, in any state."""
        ...

    async def shelved(self) -> list[DocumentVersion]:
        """Return the documents that wait for approval or are in use, the longest waiting first."""
        ...

    async def prior_tasks(self, client_id: UUID, *, limit: int) -> list[PriorTask]:
        """Return tasks this assistant created for a client, newest first; raises Unavailable."""
        ...


class TaskBoard(Protocol):
    """ClickUp, read only. Raises Unavailable, Throttled, Misconfigured or NotFound."""

    async def tasks(
        self, list_id: str, window: Window | None, date_kind: DateKind, *, fresh: bool
    ) -> TaskRead:
        """Return all open tasks of a list, or by "done" the finished; only those in a window.

        They may have been read some minutes ago, unless `fresh`.
        """
        ...

    async def tasks_together(
        self,
        list_ids: Sequence[str],
        window: Window | None,
        date_kind: DateKind,
        assignee_ids: Collection[int],
        *,
        fresh: bool,
    ) -> TaskRead:
        """Return the same of several lists at once; with `assignee_ids` only what they have."""
        ...

    def task_at(self, address: str) -> str | None:
        """Return the id of the task at a web address; None if it is no task of this workspace."""
        ...

    async def task_state(self, task_id: str) -> TaskState:
        """Return a task's changeable facts; raises NotFound if it was deleted."""
        ...

    async def task_text(self, task_id: str) -> TaskText:
        """Return what stands in a task, with its latest comments; raises NotFound."""
        ...

    async def procedure_docs(self) -> list[DocRead]:
        """Return the ClickUp Docs with the procedures, and their pages."""
        ...

    async def list_ref(self, list_id: str) -> ListRef:
        """Return a list with its names."""
        ...

    async def members(self) -> list[ClickUpMember]:
        """Return the people of the Workspace, guests and invited people included."""
        ...

    async def spaces(self) -> list[ClickUpSpace]:
        """Return the spaces that the account can see."""
        ...

    async def lists_of(self, space_id: str) -> list[ListRef]:
        """Return all lists of a space, inside and outside of folders."""
        ...

    async def inbox_of(self, space_id: str) -> ListRef | None:
        """Return the list of a space that takes new tasks; None if that is ambiguous."""
        ...


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
    """The files of the message that is answered."""

    async def csv_files(self) -> Sequence[TextFile]:
        """Return its CSV files; raises Refused if one can't be read."""
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
