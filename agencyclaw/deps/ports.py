"""The ports a run may use: Protocols of a few methods, every one of them a read or a draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol
from uuid import UUID

from agencyclaw.domain.calculation import Calculation
from agencyclaw.domain.cautions import Cautions
from agencyclaw.domain.clients import (
    Assignment,
    Brand,
    Client,
    Person,
    SpaceClassification,
    SpaceRecord,
)
from agencyclaw.domain.effects import CreateTask, Effect
from agencyclaw.domain.findings import Finding, Unfound
from agencyclaw.domain.kpi import StoredTarget
from agencyclaw.domain.library import Shelved
from agencyclaw.domain.memory import ClientNote, ClientRecord
from agencyclaw.domain.people import Actor
from agencyclaw.domain.planning import PlannerReport
from agencyclaw.domain.policy import Limit
from agencyclaw.domain.procedures import DocRead, StoredPage
from agencyclaw.domain.products import Product
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.records import HeldFields, SetRecord
from agencyclaw.domain.roles import Role
from agencyclaw.domain.runs import Evidence, PriorTask
from agencyclaw.domain.sops import OpenGap, Sop, SopHit, SopName
from agencyclaw.domain.task_changes import TaskState
from agencyclaw.domain.tasks import DateKind, ListRef, TaskRow, Window

if TYPE_CHECKING:
    from agencyclaw.deps import Deps


class Directory(Protocol):
    """Clients, brands and people, as far as the actor may see them."""

    async def clients(self, actor: Actor) -> list[Client]:
        """Return the active clients this person may see, by name; admins see all."""
        ...

    async def brands(self, client_ids: list[UUID]) -> list[Brand]:
        """Return the brands of the given clients, by name."""
        ...

    async def assignments(self, client_id: UUID) -> list[Assignment]:
        """Return who holds which role for a client, brand slots included."""
        ...

    async def spaces(self) -> list[SpaceRecord]:
        """Return the ClickUp spaces the agency knows, by name."""
        ...

    async def targets(self, brand_ids: list[UUID]) -> list[StoredTarget]:
        """Return the active targets of brands, whatever their period."""
        ...

    async def record(self, change: SetRecord[HeldFields]) -> HeldFields | None:
        """Return what the record of a change holds now; None where there is none."""
        ...

    async def roles(self) -> list[Role]:
        """Return the role slots the agency has, by name."""
        ...

    async def space_classification(self, space_id: str) -> SpaceClassification | None:
        """Return what a ClickUp space is for; None when the registry does not list it."""
        ...

    async def people(self) -> list[Person]:
        """Return the active team members, by name."""
        ...


class Knowledge(Protocol):
    """Procedures and earlier work to rest a draft on."""

    async def find_sops(self, query: str, *, limit: int, by_meaning: bool = False) -> list[SopHit]:
        """Return the procedures that fit best; one that was called by its name comes first.

        By meaning costs a request to the embedding model, where there is one.
        """
        ...

    async def sop_names(self) -> list[SopName]:
        """Return what the procedures in use are called, by title."""
        ...

    async def sop(self, sop_id: UUID) -> Sop | None:
        """Return a procedure whole; None where it is not in use."""
        ...

    async def find_documents(self, query: str, *, limit: int) -> list[SopHit]:
        """Return approved documents beside the procedures, the agency's own first."""
        ...

    async def open_gaps(self, *, limit: int, client_id: UUID | None = None) -> list[OpenGap]:
        """Return the questions that nothing answered, of one client or all, most asked first."""
        ...

    async def stored_pages(self, doc_ids: list[str]) -> list[StoredPage]:
        """Return the procedures taken over from these ClickUp Docs, whatever their state."""
        ...

    async def shelved(self) -> list[Shelved]:
        """Return what waits for approval or is in use, the longest waiting first."""
        ...

    async def prior_tasks(self, client_id: UUID, *, limit: int) -> list[PriorTask]:
        """Return tasks this assistant created for a client, newest first."""
        ...


class TaskBoard(Protocol):
    """ClickUp, read only. Raises Unavailable, Throttled, Misconfigured or NotFound."""

    async def tasks(
        self, list_id: str, window: Window | None, date_kind: DateKind
    ) -> list[TaskRow]:
        """Return the open tasks of a list in a window, all pages; without a window, all open."""
        ...

    def task_at(self, address: str) -> str | None:
        """Return the id of the task that a web address opens; None where it is no task of ours."""
        ...

    async def task_state(self, task_id: str) -> TaskState:
        """Return a task with all that can be changed; raises NotFound when it is gone."""
        ...

    async def procedure_docs(self) -> list[DocRead]:
        """Return the ClickUp Docs that hold the procedures, with their pages."""
        ...

    async def list_ref(self, list_id: str) -> ListRef:
        """Return a list with its names."""
        ...

    async def lists_of(self, space_id: str) -> list[ListRef]:
        """Return all lists of a space, those inside of folders included."""
        ...

    async def inbox_of(self, space_id: str) -> ListRef | None:
        """Return the list a space-only brand's tasks go to, or None when there is no clear one."""
        ...


class Notebook(Protocol):
    """What earlier runs of this conversation saw."""

    async def evidence(self, key: str) -> Evidence:
        """Return a stored tool result by its key `ev:<run>` or `ev:<run>/<event>`.

        Raises NotFound with reason `invalid_key`, `not_found` or `invalid_event_payload`.
        """
        ...


class ProductCatalog(Protocol):
    """Products, always within one client."""

    async def products(
        self,
        client_id: UUID,
        brand_id: UUID | None,
        *,
        tokens: tuple[str, ...],
        words: tuple[str, ...],
    ) -> list[Product]:
        """Return those whose ASIN or SKU begins with a token, or whose title holds a word."""
        ...


class Memory(Protocol):
    """What was remembered. Preferences are a person's own and come with the run."""

    async def client_record(self, client_id: UUID) -> ClientRecord:
        """Return notes and what happened lately, newest first."""
        ...

    async def notes(self, client_ids: list[UUID]) -> list[ClientNote]:
        """Return the notes about the given clients, newest first."""
        ...


class Calculator(Protocol):
    """Where a program of the model runs: it has the given values and nothing else."""

    async def run(self, code: str, values: Mapping[str, Any]) -> Calculation:
        """Run a short program that finds the values under their names; return what it printed."""
        ...


class Meter(Protocol):
    """How often this person called a tool within the last hour, counted durably."""

    async def use(self, tool: str, limit: Limit) -> datetime | None:
        """Count one more call; when that would be one too many, return when the next is free."""
        ...


class Researchers(Protocol):
    """Children that look questions up at the same time, each on its own, with reads alone."""

    async def find_out(
        self, deps: Deps, questions: tuple[str, ...]
    ) -> tuple[Finding | Unfound, ...]:
        """Return what came of each question, in their order; failures are values."""
        ...


class Planners(Protocol):
    """A planner that looks around with reads alone, and reports what to do next."""

    async def plan(self, deps: Deps, goal: str) -> PlannerReport:
        """Return its report; that it failed or had to stop is a state of it."""
        ...


class Proposals(Protocol):
    """Where a prepared effect goes. There is no confirm here."""

    async def revise(self, skill: str, titles: Sequence[str] | None) -> Sequence[Proposal]:
        """Keep from being confirmed what this tool is called about, while it is; return it."""
        ...

    async def cautions(self, task: CreateTask) -> Cautions:
        """Return what our own records know against a task: repeats, notes, others' products."""
        ...

    async def draft(self, effect: Effect) -> Proposal:
        """Store the effect as a draft of this run; raises TooMuch past the run's limit."""
        ...
