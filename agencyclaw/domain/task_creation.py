"""The effect that creates a ClickUp task, and how its card reads."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.changes import ClientChange, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.field_sources import COMPOSED
from agencyclaw.domain.identifiers import occurs_alone
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.people import Tier, Value, stored_as
from agencyclaw.domain.quotes import occurs_in
from agencyclaw.domain.sops import SopSection, Source
from agencyclaw.domain.task_requests import NOT_STATED, Declinable, Promotion, TaskFact
from agencyclaw.domain.tasks import ListRef, Title
from agencyclaw.domain.text import counted, digest, folded
from agencyclaw.domain.thread import MessageLink

OBJECTIVE_LIMIT = 300
DETAILS_LIMIT = 3_000
BODY_LIMIT = 8_000
_MOST_UNUSED = 20
Rows = tuple[tuple[str, str], ...]


class Destination(Value):
    """The ClickUp list of a task, with its names."""

    list_id: str
    list_name: str
    space_id: str | None = None
    space_name: str | None = None
    folder_name: str | None = None

    @classmethod
    def of(cls, found: ListRef, space_id: str | None) -> Destination:
        """Return a list as a destination, in its own space or else in this one."""
        return cls(
            list_id=found.id,
            list_name=found.name,
            space_id=found.space_id or space_id,
            space_name=found.space_name,
            folder_name=found.folder_name,
        )

    @property
    def label(self) -> str:
        """Space, folder and list as a person reads them."""
        return " / ".join(filter(None, (self.space_name, self.folder_name, self.list_name)))


class Assignee(Value):
    """The assignee of a task; without a ClickUp id the task is created unassigned.

    `called` is the name that was used for them. If it fits several people and one works for the
    client, `others` are the rest, and `distinct_name` tells this one from them. `role` is the role
    they hold, if the task was assigned by role.
    """

    profile_id: UUID
    name: str
    clickup_user_id: str | None = None
    called: Annotated[str, Field(max_length=60)] = ""
    others: tuple[Annotated[str, Field(max_length=200)], ...] = ()
    distinct_name: Annotated[str, Field(max_length=200), stored_as("told_apart")] = ""
    role: Annotated[str, Field(max_length=200)] = ""

    @property
    def shown(self) -> str:
        """The name on the card, with the role that was named instead."""
        name = self.distinct_name or self.name
        return message("effects.holder", name=name, role=self.role) if self.role else name

    def remarks(self, client: str) -> tuple[str, ...]:
        """Return a remark that the name fits others too; empty if it does not."""
        if not self.others:
            return ()
        others = ", ".join(self.others)
        remark = message(
            "effects.also_fits", called=self.called, name=self.shown, client=client, others=others
        )
        return (remark,)


class Outdated(Value):
    """A value that was replaced; a text of the task may still have it. `label` names its field."""

    label: Annotated[str, Field(max_length=40)]
    value: Annotated[str, Field(max_length=200)]


class CreateTask(ClientChange):
    """Creates a ClickUp task.

    `against` is what our records say against it, refreshed for each card; `remarks` were noticed
    while it was prepared; `similar` are open tasks. `unused` are identifiers and figures of the
    person's message that no task of the run has. `declined` is what the person said that it is to
    have none of: that is not missing.
    """

    kind: Literal["create_task"] = "create_task"
    skill: ClassVar[str] = "create_task"
    tier: ClassVar[Tier] = Tier.MEMBER
    done: ClassVar[str] = "created"
    yes: ClassVar[str] = "yes, create it"
    is_editable: ClassVar[bool] = True
    incidental: ClassVar[frozenset[str]] = ClientChange.incidental | {
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
        "declined",
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
    # Only on cards from before the checklist had sections.
    more_steps: Annotated[int, Field(ge=0)] = 0
    sections: tuple[SopSection, ...] = Field(default=(), max_length=30)
    excerpt: Annotated[str, Field(max_length=600)] = ""
    category: Annotated[str, Field(max_length=80)] = ""
    marketplaces: tuple[Annotated[str, Field(max_length=120)], ...] = Field(
        default=(), max_length=30
    )
    is_default_marketplace: bool = False
    is_brand_by_product: bool = False
    identifiers_pending: bool = False
    identifiers: tuple[Annotated[str, Field(max_length=24)], ...] = Field(default=(), max_length=50)
    # Only on cards from before each product had a title: that of the single product.
    catalogued: Annotated[str, Field(max_length=200)] = ""
    # Parallel to `identifiers`; "" for one that is not in the catalog.
    titles: tuple[Annotated[str, Field(max_length=120)], ...] = Field(default=(), max_length=50)
    uncatalogued: tuple[str, ...] = Field(default=(), max_length=50)
    # How people called the products that have no identifier here.
    product_words: tuple[Annotated[str, Field(max_length=60)], ...] = Field(
        default=(), max_length=50
    )
    assignee: Assignee | None = None
    start: date | None = None
    due: date | None = None
    declined: tuple[Declinable, ...] = ()
    sources: tuple[Source, ...] = ()
    unresolved: tuple[Annotated[str, Field(max_length=300)], ...] = Field(default=(), max_length=10)
    against: tuple[Annotated[str, Field(max_length=500)], ...] = Field(default=(), max_length=10)
    remarks: tuple[Annotated[str, Field(max_length=500)], ...] = Field(default=(), max_length=20)
    unused: tuple[Annotated[str, Field(max_length=40)], ...] = ()
    outdated: tuple[Outdated, ...] = Field(default=(), max_length=10)
    similar: tuple[Source, ...] = Field(default=(), max_length=5)
    body: Annotated[str, Field(max_length=BODY_LIMIT)]
    create_anyway: bool = False
    replaces: Annotated[str, Field(max_length=200)] = ""
    # The waiting proposal it replaces; `replaces_alone` if only that one of several.
    replaces_card: UUID | None = None
    replaces_alone: bool = False
    # The Slack message it was made from.
    from_message: MessageLink | None = None

    @property
    def entity(self) -> str:
        """The task, identified by its content."""
        return f"task:{self.content_key}"

    @property
    def label(self) -> str:
        """Its title."""
        return self.title

    @property
    def owner(self) -> str:
        """Its brand, and its client if that has another name."""
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
            against=(*self.against, *self._current_remarks()),
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
        rows = (
            ("Start", _day_label(self.start)),
            ("Due", _day_label(self.due)),
            *((fact.label, fact.value) for fact in self.facts),
            *(self.promotion.rows if self.promotion else ()),
        )
        return {name: value for name, value in rows if value and value != NOT_STATED}

    def _current_remarks(self) -> tuple[str, ...]:
        """Return the remarks that hold for the task as it is now, perhaps edited."""
        namesakes = self.assignee.remarks(self.client.name) if self.assignee else ()
        whole = "\n".join((*self.identifiers, *self.prose().values()))
        unused = [identifier for identifier in self.unused if not occurs_alone(identifier, whole)]
        lines = [
            message("effects.not_in_the_task", identifier=identifier)
            for identifier in unused[:_MOST_UNUSED]
        ]
        if len(unused) > _MOST_UNUSED:
            lines.append(message("effects.more_not_in_the_task", left=len(unused) - _MOST_UNUSED))
        return (*self._outdated_remarks(), *namesakes, *self.remarks, *lines)

    def _outdated_remarks(self) -> Iterator[str]:
        """Yield a remark for each text that still has a replaced value."""
        for outdated in self.outdated:
            for name, text in self.wording.items():
                if occurs_in(folded(outdated.value), folded(text)):
                    field, label = name.lower(), outdated.label.lower()
                    yield message(
                        "effects.still_says", field=field, value=outdated.value, label=label
                    )

    def _in_body(self) -> tuple[tuple[str, str], ...]:
        """Return what the description contains, as rows."""
        return (
            ("Objective", self.objective or NOT_STATED),
            ("Details", self.details),
            *self._facts(),
            *self._checklist_rows(),
        )

    def _checklist_rows(self) -> Rows:
        """Return how many steps the description has, of which sections of the procedure."""
        if len(self.sections) > 1:
            titled = (f"{section.title or 'Steps'} ({section.size})" for section in self.sections)
            return ((message("effects.from_the_sop"), ", ".join(titled)),)
        return (("Steps", counted(len(self.checklist), "step")),) if self.checklist else ()

    def _facts(self) -> tuple[tuple[str, str], ...]:
        """Return the facts that only the description has, not a field of the card."""
        rows = (
            ("Marketplace", self.marketplace),
            *(self.promotion.rows if self.promotion else ()),
            *((fact.label, fact.value) for fact in self.facts),
        )
        return tuple(row for row in rows if row[1])

    def _unfolded(self) -> tuple[tuple[str, str], ...]:
        """Return what a card shows even if it folds the description: all but the prose."""
        known = [row for row in self._facts() if row[1] != NOT_STATED]
        return tuple([("Objective", self.objective), *known] if self.objective else known)

    @property
    def marketplace(self) -> str:
        """The marketplaces, marked if they are the brand's own and nobody named them."""
        listed = ", ".join(self.marketplaces)
        if self.is_default_marketplace:
            return message("effects.brands_own_not_stated", listed=listed)
        return listed

    @property
    def products(self) -> str:
        """The identifiers with their titles in the catalog, and products that have none."""
        return ", ".join(part for part in (self._identified(), self._unidentified()) if part)

    def _unidentified(self) -> str:
        listed = ", ".join(f"“{word}”" for word in self.product_words)
        if listed and self.identifiers_pending:
            return message("effects.pending_products", listed=listed)
        # Beside identifiers, the words are other names of these products.
        if listed and not self.identifiers:
            return message("effects.no_identifier_given", listed=listed)
        return ""

    def _identified(self) -> str:
        titles = self.titles
        if not titles and len(self.identifiers) == 1:
            titles = (self.catalogued,)
        if not any(titles):
            return ", ".join(self.identifiers)
        if len(self.identifiers) == 1:
            return message(
                "effects.product_catalog", listed=self.identifiers[0], catalogued=titles[0]
            )
        pairs = zip(self.identifiers, titles, strict=True)
        listed = ", ".join(
            f"{identifier} “{title}”" if title else identifier for identifier, title in pairs
        )
        return message("effects.products_catalog", listed=listed)

    def _fields(self) -> Rows:
        note = self.procedure_note
        return (
            ("Client", self.client.name),
            ("Brand", self._brand()),
            ("Assignee", self._assignee()),
            ("Start", _day_label(self.start)),
            ("Due", _day_label(self.due) or self.none_of("due")),
            ("Products", self.products),
            ("SOP", message("effects.no_sop_because", note=note) if note else ""),
        )

    def none_of(self, field: Declinable) -> str:
        """Say that the person wants none of this; "" if they did not say so."""
        return message("effects.none_as_said") if field in self.declined else ""

    def _assignee(self) -> str:
        if self.assignee is None:
            return self.none_of("assignee") or localized("unassigned")
        if self.assignee.clickup_user_id is None:
            return message("effects.unassigned_has_no_clickup", name=self.assignee.shown)
        return self.assignee.shown

    def _brand(self) -> str:
        name = self.brand.name if self.brand else message("assignments.none_client_level")
        if self.is_brand_by_product:
            return message("effects.brand_by_product", name=name)
        return name


def _day_label(day: date | None) -> str:
    return spoken_day(day) if day else ""
