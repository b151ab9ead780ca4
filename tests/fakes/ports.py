"""The agency in memory, behind the ports a run may use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from pydantic_ai import RunContext
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RunUsage

from agencyclaw.deps import Deps
from agencyclaw.domain.addresses import CLICKUP_HOSTS, task_at
from agencyclaw.domain.background import BackgroundWork
from agencyclaw.domain.calculation import Calculation
from agencyclaw.domain.cautions import Cautions
from agencyclaw.domain.checklists import Checklist
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
from agencyclaw.domain.errors import NotFound, TooMuch
from agencyclaw.domain.findings import Finding, NoFinding
from agencyclaw.domain.guides import Guide
from agencyclaw.domain.imports import TextFile
from agencyclaw.domain.kpi import StoredTarget
from agencyclaw.domain.kpi_results import StoredResult
from agencyclaw.domain.library import DocumentVersion
from agencyclaw.domain.memory import ClientNote, ClientRecord, Preferences
from agencyclaw.domain.operations import CostGroup, Costs, EventAudit, FailureGroup, RunRecord
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
from agencyclaw.domain.planning import PlannerReport
from agencyclaw.domain.policy import Limit, Override, Switches
from agencyclaw.domain.procedures import DocRead, StoredPage
from agencyclaw.domain.products import Product
from agencyclaw.domain.proposals import Proposal, ProposalState, fingerprint
from agencyclaw.domain.reconciling import SlackPerson
from agencyclaw.domain.records import HeldFields, RecordT, SetRecord, StoredRecord, stored
from agencyclaw.domain.roles import Role
from agencyclaw.domain.runs import Evidence, PriorTask
from agencyclaw.domain.schedules import StoredSchedule
from agencyclaw.domain.sheets import Sheets
from agencyclaw.domain.sops import OpenGap, Sop, SopHit, SopName
from agencyclaw.domain.task_changes import TaskFacts, TaskState
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.task_fields import TaskCustomField
from agencyclaw.domain.task_texts import TaskText
from agencyclaw.domain.tasks import DateKind, ListRef, ListStatus, TaskRead, TaskRow, Window
from agencyclaw.domain.team import PersonFacts, TeamMember
from agencyclaw.domain.thread import AttachedFile, SharedFile
from agencyclaw.tools import TOOLS

NAMESPACE = UUID("6f1d0a52-0000-4000-8000-000000000000")
NOW = datetime(2026, 11, 18, 10, 0, tzinfo=UTC)
SHARED_SPACE, SHARED_LIST = "90100500001", "901005000011"


ROLES = [
    Role(slug="customer_success_lead", name="Customer Success Lead"),
    Role(slug="ppc_specialist", name="PPC Specialist"),
    Role(slug="ppc_strategist", name="PPC Strategist"),
]


def an_id(name: str) -> UUID:
    return uuid5(NAMESPACE, name)


def a_client(name: str) -> Client:
    return Client(id=an_id(f"client {name}"), name=name)


def a_brand(client: str, name: str, **fields: Any) -> Brand:
    owner = an_id(f"client {client}")
    return Brand(id=an_id(f"brand {client} {name}"), client_id=owner, name=name, **fields)


def a_person(name: str, clickup: str | None = "100009") -> Person:
    first = name.split()[0]
    return Person(
        profile_id=an_id(name),
        name=name,
        display_name=first,
        email=f"{name.lower().replace(' ', '.')}@lanternfish.example",
        clickup_user_id=clickup,
    )


def a_slot(person: str, role: str, brand: Brand | None = None) -> Assignment:
    return Assignment(
        client_id=brand.client_id if brand else an_id("of the directory that holds it"),
        profile_id=an_id(person),
        person=person,
        role_slug=role.lower().replace(" ", "_"),
        role=role,
        brand_id=brand.id if brand else None,
    )


def a_row(name: str, **fields: Any) -> TaskRow:
    values: dict[str, Any] = {
        "id": f"86{name.lower().replace(' ', '')}",
        "name": name,
        "status": "open",
        "url": f"https://app.clickup.com/t/86{name.lower().replace(' ', '')}",
    }
    return TaskRow(**(values | fields))


def a_sop(title: str, category: str, body: str, **fields: Any) -> Sop:
    values: dict[str, Any] = {
        "id": an_id(title),
        "title": title,
        "category": category,
        "body": body,
        "version": "3",
        "url": f"https://app.clickup.com/docs/{category}",
    }
    return Sop(**(values | fields))


COUPON_BODY = """# Coupons

Used whenever a client asks for a coupon.

1. Check that every ASIN is eligible and in stock.
2. Agree discount, budget and dates with the client.
3. Create the coupon in Seller Central under **Advertising > Coupons**.
   - Set the budget cap
4. Check that every ASIN is eligible and in stock.
5) Confirm that the coupon shows on the detail page.
- [ ] Tell the client that it is live.
"""


def coupon_hit(**fields: Any) -> SopHit:
    sop = a_sop("Coupons Promotion SOP", "coupons", COUPON_BODY, aliases=("coupon",))
    return SopHit(**({"sop": sop, "match": "alias", "score": 0.74} | fields))


def a_prior(title: str, day: int = 1) -> PriorTask:
    return PriorTask(
        id=an_id(title),
        title=title,
        url=f"https://app.clickup.com/t/{an_id(title).hex[:8]}",
        created_at=datetime(2026, 10, day, tzinfo=UTC),
    )


@dataclass
class FakeDirectory:
    """Clients, brands, slots and people; `visible` narrows what a member sees."""

    all_clients: list[Client] = field(default_factory=list[Client])
    all_brands: list[Brand] = field(default_factory=list[Brand])
    slots: dict[UUID, list[Assignment]] = field(default_factory=dict[UUID, list[Assignment]])
    staff: list[Person] = field(default_factory=list[Person])
    former: list[Person] = field(default_factory=list[Person])
    former_owners: list[Client] = field(default_factory=list[Client])
    standings: dict[str, SpaceClassification] = field(
        default_factory=dict[str, SpaceClassification]
    )
    visible: set[str] | None = None
    unregistered: set[str] = field(default_factory=set[str])
    all_targets: list[StoredTarget] = field(default_factory=list[StoredTarget])
    all_results: list[StoredResult] = field(default_factory=list[StoredResult])
    all_records: dict[str, Any] = field(default_factory=dict[str, Any])
    all_stored: list[StoredRecord[Any]] = field(default_factory=list[StoredRecord[Any]])
    all_roles: list[Role] = field(default_factory=lambda: list(ROLES))

    async def clients(self, actor: Actor) -> list[Client]:
        if self.visible is None or actor.tier >= Tier.ADMIN:
            return list(self.all_clients)
        return [client for client in self.all_clients if client.name in self.visible]

    async def former_clients(self) -> list[Client]:
        return self.former_owners

    async def brands(self, client_ids: list[UUID]) -> list[Brand]:
        return [
            one for one in self.all_brands if one.client_id in client_ids and one.status == "active"
        ]

    async def former_brands(self, client_ids: list[UUID]) -> list[Brand]:
        return [
            one for one in self.all_brands if one.client_id in client_ids and one.status != "active"
        ]

    async def assignments(self, client_ids: list[UUID]) -> list[Assignment]:
        return [
            slot.model_copy(update={"client_id": client_id})
            for client_id in client_ids
            for slot in self.slots.get(client_id, [])
        ]

    async def brands_in_use(self) -> list[Brand]:
        return [one for one in self.all_brands if one.status == "active"]

    async def spaces(self) -> list[SpaceRecord]:
        return [
            SpaceRecord(id=key, name=f"Space {key}", classification=standing)
            for key, standing in self.standings.items()
        ]

    async def targets(self, brand_ids: list[UUID]) -> list[StoredTarget]:
        return [one for one in self.all_targets if one.brand_id in brand_ids]

    async def results(self, brand_ids: list[UUID]) -> list[StoredResult]:
        return [one for one in self.all_results if one.brand_id in brand_ids]

    async def record(self, change: SetRecord[HeldFields]) -> HeldFields | None:
        targets = {
            (one.brand_id, one.marketplace, one.period, one.start): one.goals
            for one in self.all_targets
        }
        of_target: Any = targets.get(tuple(map(stored, change.keys.values())))
        return of_target or self.all_records.get(change.entity)

    async def records(
        self, kind: type[RecordT], client_ids: list[UUID]
    ) -> list[StoredRecord[RecordT]]:
        of_kind: list[Any] = [one for one in self.all_stored if isinstance(one.key, kind)]
        return [one for one in of_kind if {of.id for of in one.key.clients} <= set(client_ids)]

    async def roles(self) -> list[Role]:
        return list(self.all_roles)

    async def space_classification(self, space_id: str) -> SpaceClassification | None:
        # Unless a test says otherwise, a space is registered for a brand's tasks.
        if space_id in self.unregistered:
            return None
        return self.standings.get(space_id, SpaceClassification.BRAND_SCOPED)

    async def people(self) -> list[Person]:
        return list(self.staff)

    async def team(self) -> list[TeamMember]:
        return [
            TeamMember(
                **one.model_dump(),
                facts=PersonFacts(
                    name=one.name, employment="inactive" if one in self.former else "active"
                ),
            )
            for one in (*self.staff, *self.former)
        ]

    async def archived_in_clickup(self, user_ids: list[str]) -> list[str]:
        _ = user_ids
        return []


@dataclass
class FakeKnowledge:
    """Procedures found when one of their words is asked for; faults on demand."""

    hits: dict[str, SopHit] = field(default_factory=dict[str, SopHit])
    prior: dict[UUID, list[PriorTask]] = field(default_factory=dict[UUID, list[PriorTask]])
    documents: dict[str, SopHit] = field(default_factory=dict[str, SopHit])
    sop_fault: Exception | None = None
    document_fault: Exception | None = None
    prior_fault: Exception | None = None
    asked_for_prior: int = 0
    pages: list[StoredPage] = field(default_factory=list[StoredPage])
    shelves: list[DocumentVersion] = field(default_factory=list[DocumentVersion])
    unmet_gaps: list[OpenGap] = field(default_factory=list[OpenGap])
    read_gaps: list[OpenGap] = field(default_factory=list[OpenGap])

    async def find_sops(self, query: str, *, limit: int, by_meaning: bool = False) -> list[SopHit]:
        if self.sop_fault:
            raise self.sop_fault
        found = [hit for word, hit in self.hits.items() if word in query.lower()]
        return sorted(found, key=lambda hit: -hit.score)[:limit]

    async def sop_names(self) -> list[SopName]:
        if self.sop_fault:
            raise self.sop_fault
        sops = {hit.sop.id: hit.sop for hit in self.hits.values()}
        return [
            SopName(id=one.id, title=one.title, category=one.category, aliases=one.aliases)
            for one in sops.values()
        ]

    async def sop(self, sop_id: UUID) -> Sop | None:
        return next((hit.sop for hit in self.hits.values() if hit.sop.id == sop_id), None)

    async def find_documents(self, query: str, *, limit: int) -> list[SopHit]:
        if self.document_fault:
            raise self.document_fault
        found = [hit for word, hit in self.documents.items() if word in query.lower()]
        return sorted(found, key=lambda hit: -hit.score)[:limit]

    async def open_gaps(
        self, *, limit: int, client_id: UUID | None = None, were_read: bool = False
    ) -> list[OpenGap]:
        rows = self.read_gaps if were_read else self.unmet_gaps
        return rows[:limit]

    async def stored_pages(self, doc_ids: list[str]) -> list[StoredPage]:
        return [page for page in self.pages if page.doc_id in doc_ids]

    async def shelved(self) -> list[DocumentVersion]:
        return list(self.shelves)

    async def prior_tasks(self, client_id: UUID, *, limit: int) -> list[PriorTask]:
        self.asked_for_prior += 1
        if self.prior_fault:
            raise self.prior_fault
        return self.prior.get(client_id, [])[:limit]


@dataclass
class FakeBoard:
    """ClickUp lists in memory; a list may fail, a space may have no clear list."""

    lists: dict[str, list[TaskRow]] = field(default_factory=dict[str, list[TaskRow]])
    inboxes: dict[str, ListRef] = field(default_factory=dict[str, ListRef])
    faults: dict[str, Exception] = field(default_factory=dict[str, Exception])
    reads: list[str] = field(default_factory=list[str])
    docs: list[DocRead] = field(default_factory=list[DocRead])
    texts: dict[str, TaskText] = field(default_factory=dict[str, TaskText])
    fields: dict[str, tuple[TaskCustomField, ...]] = field(
        default_factory=dict[str, tuple[TaskCustomField, ...]]
    )
    checklists: dict[str, tuple[Checklist, ...]] = field(
        default_factory=dict[str, tuple[Checklist, ...]]
    )
    is_cut: bool = False
    as_of: datetime | None = None
    asked_afresh: list[bool] = field(default_factory=list[bool])
    statuses: tuple[ListStatus, ...] = ()

    async def tasks(
        self, list_id: str, window: Window | None, date_kind: DateKind, *, fresh: bool = True
    ) -> TaskRead:
        self.reads.append(list_id)
        self.asked_afresh.append(fresh)
        if fault := self.faults.get(list_id):
            raise fault
        rows = self.lists.get(list_id, [])
        kept = [row for row in rows if window is None or _is_within(row, window, date_kind)]
        return TaskRead(rows=tuple(kept), as_of=self.as_of)

    async def tasks_together(
        self,
        list_ids: Sequence[str],
        window: Window | None,
        date_kind: DateKind,
        assignee_ids: Collection[int],
        *,
        fresh: bool,
    ) -> TaskRead:
        self.reads.append("+".join(list_ids))
        self.asked_afresh.append(fresh)
        rows: list[TaskRow] = []
        for list_id in list_ids:
            if fault := self.faults.get(list_id):
                raise fault
            for row in self.lists.get(list_id, []):
                if window is None or _is_within(row, window, date_kind):
                    rows.append(row.model_copy(update={"list_id": list_id}))
        kept = [row for row in rows if not assignee_ids or set(row.assignee_ids) & {*assignee_ids}]
        return TaskRead(rows=tuple(kept), is_cut=self.is_cut, as_of=self.as_of)

    async def procedure_docs(self) -> list[DocRead]:
        return list(self.docs)

    async def list_ref(self, list_id: str) -> ListRef:
        if fault := self.faults.get(list_id):
            raise fault
        homes = [one.space_id for one in self.inboxes.values() if one.id == list_id]
        return ListRef(
            id=list_id,
            name=f"List {list_id}",
            space_id=(homes or ["s1"])[0],
            space_name="Space",
            statuses=self.statuses,
        )

    def task_at(self, address: str) -> str | None:
        return task_at(address, CLICKUP_HOSTS)

    async def task_state(self, task_id: str) -> TaskState:
        for list_id, rows in self.lists.items():
            for row in rows:
                if row.id == task_id:
                    facts = TaskFacts(
                        title=row.name,
                        status=row.status,
                        due=row.due,
                        description=self.texts.get(task_id, TaskText()).description,
                    )
                    url = row.url or f"https://app.clickup.com/t/{row.id}"
                    homes = [one.space_id for one in self.inboxes.values() if one.id == list_id]
                    space = (homes or [None])[0] or "elsewhere"
                    return TaskState(
                        id=row.id,
                        url=url,
                        list_id=list_id,
                        space_id=space,
                        facts=facts,
                        fields=self.fields.get(task_id, ()),
                        checklists=self.checklists.get(task_id, ()),
                    )
        raise NotFound("There is no such task in ClickUp.", reason="clickup_not_found")

    async def task_text(self, task_id: str) -> TaskText:
        await self.task_state(task_id)
        return self.texts.get(task_id, TaskText())

    async def lists_of(self, space_id: str) -> list[ListRef]:
        return [one for one in self.inboxes.values() if one.space_id == space_id]

    async def inbox_of(self, space_id: str) -> ListRef | None:
        self.reads.append(space_id)
        if fault := self.faults.get(space_id):
            raise fault
        return self.inboxes.get(space_id)


def _is_within(row: TaskRow, window: Window, date_kind: DateKind) -> bool:
    if date_kind == "done":
        return row.done is not None and window.start <= row.done < window.end
    if date_kind == "updated":
        return row.updated is not None and window.start <= row.updated < window.end
    return row.due is not None and window.start.date() <= row.due < window.end.date()


@dataclass
class FakeNotebook:
    """Earlier results by key."""

    kept: dict[str, Evidence] = field(default_factory=dict[str, Evidence])

    async def evidence(self, key: str) -> Evidence:
        if key not in self.kept:
            raise NotFound("no such row", reason="not_found")
        return self.kept[key]


@dataclass
class FakeMemory:
    """Notes and records by client."""

    records: dict[UUID, ClientRecord] = field(default_factory=dict[UUID, ClientRecord])
    kept: list[ClientNote] = field(default_factory=list[ClientNote])
    reminding: list[StoredSchedule] = field(default_factory=list[StoredSchedule])
    under_way: list[BackgroundWork] = field(default_factory=list[BackgroundWork])

    async def client_record(self, client_id: UUID) -> ClientRecord:
        return self.records.get(client_id, ClientRecord())

    async def notes(self, client_ids: list[UUID]) -> list[ClientNote]:
        return [note for note in self.kept if note.client_id in client_ids]

    async def schedules(self, profile_id: UUID) -> list[StoredSchedule]:
        _ = profile_id
        return self.reminding

    async def in_background(self, team_id: str, slack_user_id: str) -> list[BackgroundWork]:
        works = self.under_way
        return [one for one in works if one.slack_user_id == slack_user_id and team_id]


@dataclass
class FakeMeter:
    """Counts calls for ever; the next is free at half past ten."""

    used: Counter[tuple[str, UUID | None]] = field(default_factory=Counter[tuple[str, UUID | None]])

    async def use(self, tool: str, limit: Limit) -> datetime | None:
        if self.used[tool, limit.client_id] >= limit.calls_per_hour:
            return NOW + timedelta(minutes=30)
        self.used[tool, limit.client_id] += 1
        return None


@dataclass
class FakeCatalog:
    """Products by client, those that have a token or word; the matching is the product's own."""

    kept: dict[UUID, list[Product]] = field(default_factory=dict[UUID, list[Product]])

    async def products(
        self,
        client_id: UUID,
        brand_id: UUID | None,
        *,
        tokens: tuple[str, ...],
        words: tuple[str, ...],
    ) -> list[Product]:
        return [one for one in self.kept.get(client_id, []) if _is_read(one, tokens, words)]


def _is_read(product: Product, tokens: tuple[str, ...], words: tuple[str, ...]) -> bool:
    codes = [one.upper() for one in (product.asin, product.sku) if one]
    texts = [one.lower() for one in (product.title, product.brand) if one]
    is_code = any(code.startswith(token) for code in codes for token in tokens)
    return is_code or any(word in text for text in texts for word in words)


@dataclass
class FakeProposals:
    """Keeps what was drafted."""

    drafted: list[Effect] = field(default_factory=list[Effect])
    revised: list[tuple[str, Sequence[str] | None]] = field(
        default_factory=list[tuple[str, Sequence[str] | None]]
    )
    waiting: list[Proposal] = field(default_factory=list[Proposal])
    confirmed_before: list[Proposal] = field(default_factory=list[Proposal])
    cards: list[Proposal] = field(default_factory=list[Proposal])
    limit: int = 5
    against: Cautions = field(default_factory=Cautions)

    async def confirmed(self, period: Period) -> Sequence[Proposal]:
        return self.confirmed_before

    async def open_cards(self) -> Sequence[Proposal]:
        return self.cards

    async def revise(self, skill: str, titles: Sequence[str] | None) -> Sequence[Proposal]:
        self.revised.append((skill, titles))
        return self.waiting

    async def cautions(self, task: CreateTask) -> Cautions:
        return self.against

    async def draft(self, effect: Effect) -> Proposal:
        if len(self.drafted) >= self.limit:
            raise TooMuch("I prepare at most five changes at a time.", reason="draft_limit")
        self.drafted.append(effect)
        place = a_place()
        return Proposal(
            id=an_id(effect.label),
            receipt_id=1,
            run_id=an_id("run"),
            place=place,
            actor_profile_id=an_id("Ines Varga"),
            actor_slack_user_id="U01INES",
            actor_name="Ines Varga",
            effect=effect,
            fingerprint=fingerprint(effect, an_id("Ines Varga"), place),
            state=ProposalState.DRAFT,
            created_at=NOW,
            expires_at=None,
        )


class FakeCalculator:
    """Keeps what it was given to run, and prints what it was told to."""

    def __init__(self, printed: str = "42") -> None:
        self.ran: list[tuple[str, dict[str, Any]]] = []
        self._printed = printed

    async def run(self, code: str, values: Mapping[str, Any]) -> Calculation:
        self.ran.append((code, dict(values)))
        return Calculation(printed=self._printed)


@dataclass
class FakeMessages:
    """Has these messages in these channels, whoever asks."""

    heard: FoundMessages = field(default_factory=FoundMessages)
    known: tuple[Channel, ...] = ()
    cards_at: str = ""
    asked: list[tuple[str, Period, Channel | None]] = field(
        default_factory=list[tuple[str, Period, Channel | None]]
    )

    async def here(self, period: Period) -> FoundMessages:
        self.asked.append(("", period, None))
        return self.heard

    async def channels(self, clients: Set[UUID]) -> Sequence[Channel]:
        return self.known

    async def cards(self, proposals: Sequence[Proposal]) -> Mapping[UUID, str]:
        return {one.id: self.cards_at for one in proposals if self.cards_at}

    async def find(
        self, words: str, period: Period, clients: Set[UUID], only: Channel | None
    ) -> FoundMessages:
        self.asked.append((words, period, only))
        return self.heard


CHECK_IN = Guide(name="check-in", description="Before a call.", text="Say what is late.")


@dataclass
class FakeResearchers:
    """Brings back what is known of a question, and nothing of any other."""

    known: dict[str, Finding] = field(default_factory=dict[str, Finding])

    async def find_out(
        self, deps: Deps, questions: tuple[str, ...]
    ) -> tuple[Finding | NoFinding, ...]:
        return tuple(
            self.known.get(one, NoFinding(question=one, why="it took too long"))
            for one in questions
        )


@dataclass
class FakeFiles:
    """One text file of this conversation, whatever is asked for."""

    text_of: str = "Nothing of note."

    async def csv_files(self) -> Sequence[TextFile]:
        return ()

    def named(self, name: str) -> SharedFile:
        return SharedFile(AttachedFile(id="F01", name=name), "Ines Varga")

    async def text(self, file: AttachedFile) -> str:
        return self.text_of


@dataclass
class FakeAccounts:
    """The people of a workspace."""

    slack: list[SlackPerson] = field(default_factory=list[SlackPerson])

    async def people(self) -> Sequence[SlackPerson]:
        return self.slack


@dataclass
class FakePlanners:
    """Reports what it was given, or that it failed."""

    report: PlannerReport | None = None

    async def plan(self, deps: Deps, goal: str) -> PlannerReport:
        return self.report or PlannerReport(state="failed", goal=goal, why="it took too long")


@dataclass
class FakeOperations:
    """An assistant that has done nothing yet."""

    async def run(self, prefix: str) -> RunRecord:
        raise NotFound(f"There is no run {prefix}.", reason="run_not_found")

    async def errors(
        self, days: int, tools: Sequence[str] = (), severity: str = "", *, by_client: bool = False
    ) -> list[FailureGroup]:
        return []

    async def events(self, days: int, source: str = "") -> EventAudit:
        return EventAudit(counts=(), repeated=(), failed=())

    async def costs(self, days: int, group: CostGroup) -> Costs:
        return Costs(rows=(), unplaced=0)

    async def cost_of_an_answer(self) -> float | None:
        return None


def context(deps: Deps) -> RunContext[Deps]:
    """What a tool is called with."""
    return RunContext(deps=deps, model=TestModel(), usage=RunUsage())


def a_place() -> Place:
    return Place(team_id="T0LANTERN", channel_id="D01INES", thread_ts="1.0", is_direct=True)


@dataclass
class Agency:
    """Lanternfish Commerce as far as a test needs it, and runs in it."""

    directory: FakeDirectory
    knowledge: FakeKnowledge = field(default_factory=FakeKnowledge)
    board: FakeBoard = field(default_factory=FakeBoard)
    notebook: FakeNotebook = field(default_factory=FakeNotebook)
    memory: FakeMemory = field(default_factory=FakeMemory)
    catalog: FakeCatalog = field(default_factory=FakeCatalog)
    meter: FakeMeter = field(default_factory=FakeMeter)
    operations: FakeOperations = field(default_factory=FakeOperations)
    proposals: FakeProposals = field(default_factory=FakeProposals)
    researchers: FakeResearchers = field(default_factory=FakeResearchers)
    sheets: Sheets = field(default_factory=Sheets)
    calculator: FakeCalculator | None = field(default_factory=FakeCalculator)
    messages: FakeMessages | None = field(default_factory=FakeMessages)
    planners: FakePlanners = field(default_factory=FakePlanners)
    accounts: FakeAccounts | None = field(default_factory=FakeAccounts)
    attached: FakeFiles | None = field(default_factory=FakeFiles)

    def run(
        self,
        *,
        who: str = "Ines Varga",
        tier: Tier = Tier.ADMIN,
        scope: ScopeKind = ScopeKind.INTERNAL,
        client: str | None = None,
        about: Scope | None = None,
        request: str = "",
        enabled: frozenset[str] | None = None,
        overrides: tuple[Override, ...] = (),
        timezone: str = "UTC",
        now: datetime = NOW,
        preferences: Preferences | None = None,
        guides: tuple[Guide, ...] = (CHECK_IN,),
    ) -> Deps:
        return Deps(
            run_id=an_id("run"),
            actor=Actor(
                profile_id=an_id(who),
                name=who,
                tier=tier,
                slack_user_id="U01INES",
                clickup_user_id="100001",
                timezone=timezone,
            ),
            surface=Surface(
                kind=SurfaceKind.DM,
                scope=scope,
                client_id=an_id(f"client {client}") if client else None,
            ),
            place=a_place(),
            session=Session(id=an_id("session")),
            scope=about or Scope(),
            now=now,
            request=request,
            switches=Switches(frozenset(TOOLS) if enabled is None else enabled, overrides),
            directory=self.directory,
            knowledge=self.knowledge,
            board=self.board,
            notebook=self.notebook,
            memory=self.memory,
            catalog=self.catalog,
            meter=self.meter,
            operations=self.operations,
            proposals=self.proposals,
            researchers=self.researchers,
            planners=self.planners,
            preferences=preferences or Preferences(),
            guides=guides,
            calculator=self.calculator,
            messages=self.messages,
            sheets=self.sheets,
            accounts=self.accounts,
            attached=self.attached,
        )


def demo_agency() -> Agency:
    """Build the fictional agency: shared lists, lone spaces, unmapped brands, namesakes."""
    shared = {"space_id": SHARED_SPACE, "list_id": SHARED_LIST, "marketplaces": ("CA",)}
    glintly = a_brand("Glintly Inc", "Glintly", space_id="g", list_id="g1", marketplaces=("US",))
    brands = [
        a_brand("Brightkettle Group", "Copperleaf", **shared),
        a_brand("Brightkettle Group", "Nordvent", **shared),
        a_brand("Brightkettle Group", "Tessera", **shared),
        glintly,
        a_brand("Casa Mundo", "Glintly", space_id="cm", list_id="cm1"),
        a_brand("Hearthlane", "Hearthlane", space_id="h"),
        a_brand("Hearthlane", "Hearthlane Kids", list_id="hk1"),
        a_brand("Pawtrail", "Pawtrail", list_id="p1"),
        a_brand("Pawtrail", "Pawtrail Pro", list_id="p2"),
        a_brand("Pawtrail", "Pawtrail Lite", list_id="p3"),
        a_brand("Northwater", "Northwater"),
        a_brand("Roderick Ltd", "Rodric", space_id="r", list_id="r1"),
        a_brand("Roderick Ltd", "Rodric Home"),
    ]
    names = (
        "Brightkettle Group",
        "Casa Mundo",
        "Glintly Inc",
        "Hearthlane",
        "Northwater",
        "Pawtrail",
        "Roderick Ltd",
    )
    team = [
        a_person("Ines Varga", "100001"),
        a_person("Miguel Duarte", "100005"),
        a_person("Sara Lindqvist", "100003"),
        a_person("Sara Okafor", "100004"),
        a_person("Yuki Tan", None),
        a_person("Leo Ferri", "abc"),
    ]
    slots = {
        glintly.client_id: [
            a_slot("Sara Okafor", "PPC Strategist", glintly),
            a_slot("Miguel Duarte", "PPC Specialist"),
        ]
    }
    directory = FakeDirectory([a_client(name) for name in names], brands, slots, team)
    knowledge = FakeKnowledge(hits={"coupon": coupon_hit()})
    inboxes = {"h": ListRef(id="h-inbox", name="Inbox", space_id="h", space_name="Hearthlane")}
    return Agency(directory, knowledge, FakeBoard(inboxes=inboxes))
