"""Brands as records: a new one, a changed one, and the ClickUp space and list its work goes to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.changes import Change, ConsentPolicy, EffectScope, OfClient, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.text import folded

BrandName = Annotated[str, Field(min_length=1, max_length=80)]
Words = tuple[Annotated[str, Field(max_length=80)], ...]


class ClickUpPlace(Value):
    """A ClickUp space or list: its id for ClickUp, its name for people."""

    id: str
    name: str


class BrandFacts(Value):
    """What is recorded of a brand, as far as it can be changed."""

    name: BrandName
    space: ClickUpPlace | None = None
    board: ClickUpPlace | None = None
    marketplaces: Words = ()
    keywords: Words = ()

    def differing(self, other: BrandFacts) -> tuple[str, ...]:
        """Return the fields in which two differ; places are the same when their ids are."""
        return tuple(name for name in BrandFacts.model_fields if self.of(name) != other.of(name))

    def of(self, field: str) -> object:
        """Return a field as it is stored."""
        value = getattr(self, field)
        return value.id if isinstance(value, ClickUpPlace) else value


_LABELS = {
    "name": "Name",
    "space": "ClickUp space",
    "board": "ClickUp list",
    "marketplaces": "Marketplaces",
    "keywords": "Keywords",
}
UNNAMED = message("brands.unnamed")
_WHERE = message("brands.where")


def _shown(facts: BrandFacts, field: str) -> str:
    value: str | ClickUpPlace | Words | None = getattr(facts, field)
    if isinstance(value, ClickUpPlace):
        return value.name
    return (", ".join(value) if isinstance(value, tuple) else value) or "none"


class CreateBrand(OfClient):
    """A brand that a client does not have yet."""

    kind: Literal["create_brand"] = "create_brand"
    skill: ClassVar[str] = "create_brand"
    tier: ClassVar[Tier] = Tier.ADMIN
    done: ClassVar[str] = "created"

    facts: BrandFacts
    remarks: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Its name."""
        return self.facts.name

    @property
    def entity(self) -> str:
        """The name among the client's brands."""
        return f"brand:{self.client.id}:{folded(self.facts.name)}"

    def preview(self) -> Preview:
        """Say what the brand is called, whose it is and where its work goes."""
        rows = [(label, _shown(self.facts, field)) for field, label in _LABELS.items()]
        return Preview(
            headline=message("brands.create_brand", facts=self.facts.name, client=self.client.name),
            verb="Create brand",
            where=_WHERE,
            fields=(("Client", self.client.name), *rows),
            missing=self.remarks,
        )


class UpdateBrand(OfClient):
    """A brand with other facts; only the fields in which `before` and `after` differ change."""

    kind: Literal["update_brand"] = "update_brand"
    skill: ClassVar[str] = "update_brand"
    tier: ClassVar[Tier] = Tier.ADMIN

    brand: Named
    before: BrandFacts
    after: BrandFacts
    remarks: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Its name as it is now."""
        return self.brand.name

    @property
    def entity(self) -> str:
        """The brand."""
        return f"brand:{self.brand.id}"

    @property
    def fields(self) -> tuple[str, ...]:
        """What changes."""
        return self.before.differing(self.after)

    def onto(self, now: BrandFacts) -> UpdateBrand | None:
        """Return the same request for the brand of today; None when nothing remains to be done."""
        after = now.model_copy(update={name: getattr(self.after, name) for name in self.fields})
        if not now.differing(after):
            return None
        brand = Named(id=self.brand.id, name=now.name)
        return self.model_copy(update={"brand": brand, "before": now, "after": after})

    def facts_of(self, stored: Mapping[str, Any]) -> BrandFacts:
        """Return stored facts; a place that neither side of the card had has no name."""
        known = {place.id: place for place in self._places()}
        facts = dict(stored)
        for half in ("space", "board"):
            held: str | None = stored[half]
            facts[half] = known.get(held, ClickUpPlace(id=held, name=UNNAMED)) if held else None
        return BrandFacts.model_validate({name: facts[name] for name in BrandFacts.model_fields})

    def _places(self) -> list[ClickUpPlace]:
        both = (self.before, self.after)
        return [one for facts in both for one in (facts.space, facts.board) if one]

    def changes(self) -> tuple[tuple[str, str], ...]:
        """Return what changes, from what to what, as a person reads it."""
        return tuple(
            (_LABELS[name], f"{_shown(self.before, name)} → {_shown(self.after, name)}")
            for name in self.fields
        )

    def preview(self) -> Preview:
        """Say which fields change, from what to what."""
        return Preview(
            headline=message("brands.change_brand", brand=self.brand.name, client=self.client.name),
            verb="Change brand",
            where=_WHERE,
            fields=(("Client", self.client.name), *self.changes()),
            missing=self.remarks,
        )


class Repair(Value):
    """One missing half of a brand's ClickUp link, and the value it takes; or the way back."""

    client: Named
    brand: Named
    field: Literal["space", "list"]
    before: str | None = None
    after: str | None = None
    like: str = ""

    @property
    def sentence(self) -> str:
        """What a person reads of it."""
        if self.after is None:
            return message(
                "brands.its_clickup_removed_again", brand=self.brand.name, field=self.field
            )
        return message(
            "brands.same_clickup_as", brand=self.brand.name, field=self.field, like=self.like
        )


class ApplyRemediation(Change):
    """Missing links of brands, each filled with the only value its client's other brands have."""

    kind: Literal["apply_remediation"] = "apply_remediation"
    skill: ClassVar[str] = "apply_remediation"
    tier: ClassVar[Tier] = Tier.ADMIN
    done: ClassVar[str] = "repaired"
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    scope: ClassVar[EffectScope] = EffectScope.CLIENT

    client: Named | None = None
    repairs: Annotated[tuple[Repair, ...], Field(min_length=1, max_length=100)]
    blocked: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """What is repaired."""
        return message(
            "brands.missing_clickup_links", more=f" of {self.client.name}" if self.client else ""
        )

    @property
    def entity(self) -> str:
        """The links of the client, or of all."""
        return f"links:{self.client.id if self.client else 'all'}"

    @property
    def clients(self) -> tuple[Named, ...]:
        """The clients whose brands it touches, each once."""
        return tuple({repair.client.id: repair.client for repair in self.repairs}.values())

    @property
    def brand_ids(self) -> list[UUID]:
        """The brands it touches, each once."""
        return list(dict.fromkeys(repair.brand.id for repair in self.repairs))

    def preview(self) -> Preview:
        """List every link that would be set."""
        many = len(self.repairs)
        return Preview(
            headline=message(
                "brands.repair_missing_clickup_link", many=many, more="s" if many > 1 else ""
            ),
            verb="Repair links",
            where=_WHERE,
            fields=(("Client", self.client.name if self.client else "all"),),
            body="\n".join(f"- {repair.sentence}" for repair in self.repairs),
            missing=self.blocked,
        )
