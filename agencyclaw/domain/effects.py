"""ClickUp tasks to be created: frozen, complete, readable. A model prepares, a person confirms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import Field, TypeAdapter

from agencyclaw.domain.archiving import ArchiveTask
from agencyclaw.domain.assignments import AssignPerson, RemoveAssignment
from agencyclaw.domain.brands import ApplyRemediation, CreateBrand, UpdateBrand
from agencyclaw.domain.changes import OfClient, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.field_sources import COMPOSED
from agencyclaw.domain.kpi import SetTarget
from agencyclaw.domain.library import DecideDocument, NameProcedure
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.procedures import RestoreProcedures, SyncProcedures
from agencyclaw.domain.quotes import stands_in
from agencyclaw.domain.remembering import (
    ForgetNote,
    ForgetPreference,
    RememberNote,
    RememberPreference,
)
from agencyclaw.domain.reminders import EndReminder, SetReminder
from agencyclaw.domain.sops import SopSection, Source
from agencyclaw.domain.task_changes import UpdateTask
from agencyclaw.domain.task_requests import NOT_STATED, Promotion, TaskFact
from agencyclaw.domain.tasks import Title, stands_alone
from agencyclaw.domain.text import counted, digest, folded
from agencyclaw.domain.thread import MessageLink

OBJECTIVE_LIMIT = 300
DETAILS_LIMIT = 3_000
BODY_LIMIT = 8_000
Rows = tuple[tuple[str, str], ...]


class Destination(Value):
    """The ClickUp list of a task, with its names."""

    list_id: str
    list_name: str
    space_id: str | None = None
    space_name: str | None = None

    @property
    def label(self) -> str:
        """Space and list as a person reads them."""
        return f"{self.space_name} / {self.list_name}" if self.space_name else self.list_name


class Assignee(Value):
    """The assignee of a task; without a ClickUp id the task is created unassigned.

    If several people are `called` what was said and one of them works for the client, `others` are
    the others, and `told_apart` is the name with what distinguishes it. If a `role` was named, they
    hold it.
    """

    profile_id: UUID
    name: str
    clickup_user_id: str | None = None
    called: Annotated[str, Field(max_length=60)] = ""
    others: tuple[Annotated[str, Field(max_length=200)], ...] = ()
    told_apart: Annotated[str, Field(max_length=200)] = ""
    role: Annotated[str, Field(max_length=200)] = ""

    @property
    def shown(self) -> str:
        """The name on the card, with the role that was named instead."""
        name = self.told_apart or self.name
        return message("effects.holder", name=name, role=self.role) if self.role else name

    def remarks(self, client: str) -> tuple[str, ...]:
        """Return a remark on the others whom the name fits."""
        if not self.others:
            return ()
        said = message(
            "effects.also_fits",
            called=self.called,
            name=self.shown,
            client=client,
            others=", ".join(self.others),
        )
        return (said,)


class Outdated(Value):
    """A value that was replaced, as a text of the task still has it; `label` is what it was of."""

    label: Annotated[str, Field(max_length=40)]
    value: Annotated[str, Field(max_length=200)]


class CreateTask(OfClient):
    """Creates a ClickUp task.

    `against` is what our records say against it, refreshed for each card; `remarks` were noticed
    while it was prepared; `similar` are open tasks. `unused` are identifiers of the message that
    neither this task nor another one of its run has; and figures beside a fact in its message.
    """

    kind: Literal["create_task"] = "create_task"
    skill: ClassVar[str] = "create_task"
    tier: ClassVar[Tier] = Tier.MEMBER
    done: ClassVar[str] = "created"
    yes: ClassVar[str] = "yes, create it"
    is_editable: ClassVar[bool] = True
    incidental: ClassVar[frozenset[str]] = OfClient.incidental | {
        "title",
        "objective",
        "body",
        "against",
        "similar",
        "unused",
        "outdated",
        "unresolved",
        "titles",
        "uncatalogued",
        "is_brand_by_product",
        "create_anyway",
        "replaces",
        "replaces_card",
        "replaces_alone",
    }

    brand: Named | None = None
    destination: Destination
    title: Title
    objective: Annotated[str, Field(max_length=OBJECTIVE_LIMIT)] = ""
    details: Annotated[str, Field(max_length=DETAILS_LIMIT)] = ""
    promotion: Promotion | None = None
    facts: tuple[TaskFact, ...] = Field(default=(), max_length=20)
    procedure_note: Annotated[str, Field(max_length=200)] = ""
    checklist: tuple[Annotated[str, Field(max_length=500)], ...] = Field(default=(), max_length=30)
    # Of a card from before its checklist had sections.
    more_steps: Annotated[int, Field(ge=0)] = 0
    sections: tuple[SopSection, ...] = Field(default=(), max_length=30)
    excerpt: Annotated[str, Field(max_length=600)] = ""
    category: Annotated[str, Field(max_length=80)] = ""
    marketplaces: tuple[Annotated[str, Field(max_length=16)], ...] = Field(
        default=(), max_length=30
    )
    is_default_marketplace: bool = False
    is_brand_by_product: bool = False
    identifiers_pending: bool = False
    identifiers: tuple[Annotated[str, Field(max_length=24)], ...] = Field(default=(), max_length=50)
    # The title of the only product, on a card from before each had its own.
    catalogued: Annotated[str, Field(max_length=200)] = ""
    # In the order of `identifiers`; "" for what the catalog does not have.
    titles: tuple[Annotated[str, Field(max_length=120)], ...] = Field(default=(), max_length=50)
    uncatalogued: tuple[str, ...] = Field(default=(), max_length=50)
    # What products were called that have no identifier here.
    product_words: tuple[Annotated[str, Field(max_length=60)], ...] = Field(
        default=(), max_length=50
    )
    assignee: Assignee | None = None
    start: date | None = None
    due: date | None = None
    sources: tuple[Source, ...] = ()
    unresolved: tuple[Annotated[str, Field(max_length=300)], ...] = Field(default=(), max_length=10)
    against: tuple[Annotated[str, Field(max_length=500)], ...] = Field(default=(), max_length=10)
    remarks: tuple[Annotated[str, Field(max_length=500)], ...] = Field(default=(), max_length=20)
    unused: tuple[Annotated[str, Field(max_length=40)], ...] = Field(default=(), max_length=20)
    outdated: tuple[Outdated, ...] = Field(default=(), max_length=10)
    similar: tuple[Source, ...] = Field(default=(), max_length=5)
    body: Annotated[str, Field(max_length=BODY_LIMIT)]
    create_anyway: bool = False
    replaces: Annotated[str, Field(max_length=200)] = ""
    # The waiting proposal it replaces; and nothing else, where several of its subject waited.
    replaces_card: UUID | None = None
    replaces_alone: bool = False
    # The Slack message it was made from.
    from_message: MessageLink | None = None

    @property
    def entity(self) -> str:
        """The task by its content."""
        return f"task:{self.content_key}"

    @property
    def label(self) -> str:
        """Its title."""
        return self.title

    @property
    def owner(self) -> str:
        """Its brand, and the client if that has another name."""
        brand = self.brand.name if self.brand else self.client.name
        return brand if brand == self.client.name else f"{brand}, {self.client.name}"

    @property
    def content_key(self) -> str:
        """Equal for the same title, brand, client and list, on any day."""
        return digest(
            {
                "list": self.destination.list_id,
                "client": str(self.client.id),
                "brand": str(self.brand.id) if self.brand else "",
                "title": folded(self.title),
            }
        )

    def preview(self) -> Preview:
        """Return what would be created, where, and what is still open."""
        owner = self.brand.name if self.brand else self.client.name
        return Preview(
            headline=message("effects.create_task", title=self.title, owner=owner),
            verb="Create task",
            where=self.destination.label,
            fields=self._fields(),
            in_body=self._in_body(),
            unfolded=self._unfolded(),
            body=self.body,
            missing=self.unresolved,
            sources=self.sources,
            against=(*self.against, *self._seen()),
            similar=self.similar,
        )

    def prose(self) -> dict[str, str]:
        """Title, objective, details and the complete description."""
        texts = self.wording | {COMPOSED: self.body}
        return {name: text for name, text in texts.items() if text}

    @property
    def wording(self) -> dict[str, str]:
        """Title, objective and details."""
        return {"Title": self.title, "Objective": self.objective, "Details": self.details}

    def quoted_facts(self) -> dict[str, str]:
        """Return every fact that rests on a quote, by its name on the card."""
        rows = [("Start", _day_label(self.start)), ("Due", _day_label(self.due))]
        rows += [(one.label, one.value) for one in self.facts]
        rows += (
            [row for row in self.promotion.rows if row[1] != NOT_STATED] if self.promotion else []
        )
        return {name: value for name, value in rows if value}

    def _seen(self) -> tuple[str, ...]:
        """Return the remarks that still hold after an edit."""
        namesakes = self.assignee.remarks(self.client.name) if self.assignee else ()
        whole = "\n".join((*self.identifiers, *self.prose().values()))
        unused = (one for one in self.unused if not stands_alone(one, whole))
        lines = (message("effects.not_in_the_task", identifier=one) for one in unused)
        return (*self._still_said(), *namesakes, *self.remarks, *lines)

    def _still_said(self) -> Iterator[str]:
        """Yield a remark for each text that has a replaced value."""
        for one in self.outdated:
            for name, text in self.wording.items():
                if stands_in(folded(one.value), folded(text)):
                    field, label = name.lower(), one.label.lower()
                    yield message("effects.still_says", field=field, value=one.value, label=label)

    def _in_body(self) -> tuple[tuple[str, str], ...]:
        """Return the rows of the description, and the text below them."""
        rows = (
            ("Objective", self.objective or NOT_STATED),
            ("Details", self.details),
            *self._facts(),
            *self._listed_of_sop(),
        )
        return tuple(row for row in rows if row[1])

    def _listed_of_sop(self) -> Rows:
        """Return how many lines of which section of the procedure are in the description."""
        if len(self.sections) > 1:
            titled = (f"{one.title or 'Steps'} ({one.size})" for one in self.sections)
            return ((message("effects.from_the_sop"), ", ".join(titled)),)
        return (("Steps", counted(len(self.checklist), "step")),) if self.checklist else ()

    def _facts(self) -> tuple[tuple[str, str], ...]:
        """Return what was given or assumed and stands in the description only."""
        rows = (
            ("Marketplace", self.marketplace),
            *(self.promotion.rows if self.promotion else ()),
            *((one.label, one.value) for one in self.facts),
        )
        return tuple(row for row in rows if row[1])

    def _unfolded(self) -> tuple[tuple[str, str], ...]:
        """Return what a card shows although it folds the description: all but the prose."""
        known = [row for row in self._facts() if row[1] != NOT_STATED]
        return tuple([("Objective", self.objective), *known] if self.objective else known)

    @property
    def marketplace(self) -> str:
        """The marketplaces, and whether somebody named them."""
        listed = ", ".join(self.marketplaces)
        return (
            message("effects.brands_own_not_stated", listed=listed)
            if self.is_default_marketplace
            else listed
        )

    @property
    def products(self) -> str:
        """The identifiers, each with its title in the catalog, and what they called others."""
        words = ", ".join(f"“{one}”" for one in self.product_words)
        if words:
            words = (
                message("effects.pending_products", listed=words)
                if self.identifiers_pending
                else message("effects.no_identifier_given", listed=words)
            )
        # A word without an identifier is no product of its own where others were found.
        is_told = self.identifiers_pending or not self.identifiers
        return ", ".join(part for part in (self._identified(), words if is_told else "") if part)

    def _identified(self) -> str:
        titles = self.titles or (self.catalogued,) * (len(self.identifiers) == 1)
        if not any(titles):
            return ", ".join(self.identifiers)
        if len(self.identifiers) == 1:
            return message(
                "effects.product_catalog", listed=self.identifiers[0], catalogued=titles[0]
            )
        pairs = zip(self.identifiers, titles, strict=True)
        listed = ", ".join(f"{one} “{title}”" if title else one for one, title in pairs)
        return message("effects.products_catalog", listed=listed)

    def _fields(self) -> tuple[tuple[str, str], ...]:
        note = self.procedure_note
        rows = (
            ("Client", self.client.name),
            ("Brand", self._brand()),
            ("Assignee", _assignee_label(self.assignee)),
            ("Start", _day_label(self.start)),
            ("Due", _day_label(self.due)),
            ("Products", self.products),
            ("SOP", message("effects.no_sop_because", note=note) if note else ""),
        )
        return tuple(row for row in rows if row[1])

    def _brand(self) -> str:
        name = self.brand.name if self.brand else message("assignments.none_client_level")
        by_product = message("effects.brand_by_product", name=name)
        return by_product if self.is_brand_by_product else name


def missed_by_all(effect: Effect, drafts: Sequence[Effect]) -> Effect:
    """Return the effect without `unused` identifiers that another draft of the run has."""
    if not isinstance(effect, CreateTask) or not effect.unused:
        return effect
    others = [one for one in drafts if one is not effect]
    missed = (one for one in effect.unused if not any(_has(other, one, effect) for other in others))
    return effect.model_copy(update={"unused": tuple(missed)})


def _has(other: Effect, identifier: str, effect: CreateTask) -> bool:
    """Whether another draft has an identifier, or another identifier of its product."""
    if isinstance(other, CreateTask) and other.client.id == effect.client.id:
        return identifier not in other.unused
    return stands_alone(identifier, "\n".join((other.label, *other.prose().values())))


def _assignee_label(assignee: Assignee | None) -> str:
    if assignee is None:
        return "unassigned"
    if assignee.clickup_user_id is None:
        return message("effects.unassigned_has_no_clickup", name=assignee.shown)
    return assignee.shown


def _day_label(day: date | None) -> str:
    return spoken_day(day) if day else ""


Effect = Annotated[
    CreateTask
    | ArchiveTask
    | AssignPerson
    | RemoveAssignment
    | CreateBrand
    | UpdateBrand
    | ApplyRemediation
    | SetTarget
    | RememberNote
    | ForgetNote
    | RememberPreference
    | ForgetPreference
    | SetReminder
    | EndReminder
    | SyncProcedures
    | RestoreProcedures
    | DecideDocument
    | NameProcedure
    | UpdateTask,
    Field(discriminator="kind"),
]
EFFECT: TypeAdapter[Effect] = TypeAdapter(Effect)
