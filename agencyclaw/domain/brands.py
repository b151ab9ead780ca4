"""Brands as records: their creation, their changes, and their ClickUp space and list."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.changes import Change, ClientChange, ConsentPolicy, EffectScope, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.records import (
    Fields,
    NotWritten,
    RecordChange,
    changed_since,
    label_of,
    stored,
)
from agencyclaw.domain.text import counted, cut, folded

BrandName = Annotated[str, Field(min_length=1, max_length=80)]
# Of a text that is new: what others wrote into the tables may be longer.
ABOUT_LIMIT = 400
_CHANGES_LIMIT = 500
ABOUT_FIELDS = ("summary", "audience", "positioning")
BrandStatus = Literal["active", "archived"]
Words = tuple[Annotated[str, Field(max_length=80)], ...]


class ClickUpPlace(Value):
    """A ClickUp space or list: its id for ClickUp, its name for people."""

    id: str
    name: str


class BrandFacts(Fields):
    """The facts of a brand that can be changed."""

    name: BrandName
    status: BrandStatus = "active"
    space: Annotated[ClickUpPlace | None, Field(title="ClickUp space")] = None
    board: Annotated[ClickUpPlace | None, Field(title="ClickUp list")] = None
    marketplaces: Words = ()
    keywords: Words = ()
    summary: str | None = None
    audience: Annotated[str | None, Field(title="Target audience")] = None
    positioning: str | None = None


_UNNAMED = message("brands.unnamed")
_WHERE = message("brands.where")


class BrandChange(RecordChange[BrandFacts], ClientChange):
    """A change of a client's brand; the names of a client's brands are unique."""

    tier: ClassVar[Tier] = Tier.ADMIN

    remarks: tuple[str, ...] = ()

    def prose(self) -> dict[str, str]:
        """Return a new name, and new texts on what the brand is about."""
        new = self.becomes.differing(self.was) if self.becomes else {}
        fields, texts = BrandFacts.model_fields, ("name", *ABOUT_FIELDS)
        return {label_of(name, fields[name].title): new[name] for name in texts if new.get(name)}

    def merged(self, now: BrandFacts | None, after: BrandFacts) -> BrandFacts:
        """Return the present brand with the changed fields."""
        return (now or after).model_copy(update=after.differing(self.was))

    def audited(self, held: BrandFacts | None) -> dict[str, Any] | None:
        """Return all fields, and the client."""
        return {"client": self.client.name, **held.model_dump(mode="json")} if held else None

    def not_written(self, now: BrandFacts | None) -> NotWritten:
        """Say that another brand has the name."""
        name = self.merged(now, self.becomes).name if self.becomes else ""
        taken = message("brands.has_brand_called_already", client=self.client.name, name=name)
        return NotWritten(taken, reason="duplicate_name")


class CreateBrand(BrandChange):
    """Creates a brand of a client."""

    kind: Literal["create_brand"] = "create_brand"
    skill: ClassVar[str] = "create_brand"
    done: ClassVar[str] = "created"
    sides: ClassVar[tuple[str, str]] = ("", "facts")

    facts: BrandFacts

    @property
    def label(self) -> str:
        """Its name."""
        return self.facts.name

    @property
    def entity(self) -> str:
        """The client and the name."""
        return f"brand:{self.client.id}:{folded(self.facts.name)}"

    def changed(self, now: BrandFacts | None) -> NotWritten:
        """Say that there is a brand of that name."""
        return self.not_written(now)

    def result(self, now: BrandFacts | None, row_id: str) -> dict[str, Any]:
        """Return the new brand, with its id."""
        result = super().result(now, row_id)
        return result | {"after": {"brand_id": row_id, **result["after"]}}

    def receipt(self) -> str:
        """Say which brand was created."""
        return message("brands.created_brand", name=self.label, client=self.client.name)

    def preview(self) -> Preview:
        """Return the brand's name, client, and place in ClickUp."""
        return Preview(
            headline=message("brands.create_brand", facts=self.facts.name, client=self.client.name),
            verb="Create brand",
            where=_WHERE,
            fields=(("Client", self.client.name), *self.facts.rows("none")),
            against=self.remarks,
        )


class ExistingBrandChange(BrandChange):
    """A change of a brand that there is."""

    brand: Named

    @property
    def label(self) -> str:
        """Its present name."""
        return self.brand.name

    @property
    def entity(self) -> str:
        """The brand."""
        return f"brand:{self.brand.id}"

    @abstractmethod
    def onto(self, now: BrandFacts) -> Change | None:
        """Return the same request for the present brand; None if nothing remains of it."""
        ...

    def changed(self, now: BrandFacts | None) -> NotWritten:
        """Say what has changed since, from what to what, or that the brand was deleted."""
        if now is None or self.was is None:
            gone = message("brands.brand_does_not_exist", brand=self.brand.name)
            return NotWritten(gone, reason="brand_gone")
        changes = (f"{label}: {change}" for label, change in self.was.changes(now))
        text = cut("; ".join(changes), _CHANGES_LIMIT)
        why = message("brands.brand_changed_since", brand=self.brand.name, text=text)
        return changed_since(why, self.onto(now))

    def facts_of(self, stored: Mapping[str, Any]) -> BrandFacts:
        """Return facts from a stored row; only spaces and lists on the card have a name."""
        known = {place.id: place for place in self._places()}
        facts = dict(stored)
        for half in ("space", "board"):
            held: str | None = stored[half]
            facts[half] = known.get(held, ClickUpPlace(id=held, name=_UNNAMED)) if held else None
        return BrandFacts.model_validate({name: facts[name] for name in BrandFacts.model_fields})

    def _places(self) -> list[ClickUpPlace]:
        both = [facts for facts in (self.was, self.becomes) if facts]
        return [place for facts in both for place in (facts.space, facts.board) if place]


class UpdateBrand(ExistingBrandChange):
    """Changes a brand: only the fields in which `before` and `after` differ."""

    kind: Literal["update_brand"] = "update_brand"
    skill: ClassVar[str] = "update_brand"

    before: BrandFacts
    after: BrandFacts

    def onto(self, now: BrandFacts) -> UpdateBrand | None:
        """Return the same request for the present brand; None if nothing remains of it."""
        after = self.merged(now, self.after)
        if not after.differing(now):
            return None
        brand = Named(id=self.brand.id, name=now.name)
        return self.model_copy(update={"brand": brand, "before": now, "after": after})

    def conflict(self, now: BrandFacts | None) -> NotWritten | None:
        """Return a refusal if a field that would change has changed, or the brand is gone."""
        wanted = self.after.differing(self.before)
        is_same = now is not None and wanted.keys().isdisjoint(now.differing(self.before))
        return None if is_same else self.changed(now)

    def audited(self, held: BrandFacts | None) -> dict[str, Any]:
        """Return the fields that change, and the client."""
        who = {"brand_id": str(self.brand.id), "client": self.client.name}
        changed = self.after.differing(self.before)
        return who | {name: stored(getattr(held, name)) for name in changed if held}

    def receipt(self) -> str:
        """Say what changed, from what to what."""
        lines = [f"{label}: {change}" for label, change in self.before.changes(self.after)]
        text = message("brands.changed_brand", brand=self.brand.name, client=self.client.name)
        return "\n".join([text, *lines])

    def reverse(self) -> UpdateBrand:
        """Return the change back to the previous values."""
        back = {"before": self.after, "after": self.before, "remarks": ()}
        return self.model_copy(update=back)

    def preview(self) -> Preview:
        """Return the fields that change, from what to what."""
        brand, client = self.brand.name, self.client.name
        headline, verb = message("brands.change_brand", brand=brand, client=client), "Change brand"
        against: tuple[str, ...] = ()
        if self.after.status == "archived" != self.before.status:
            headline = message("brands.archive_brand", brand=brand, client=client)
            verb, against = message("brands.archive"), (message("brands.archived_means"),)
        return Preview(
            headline=headline,
            verb=verb,
            against=(*against, *self.remarks),
            where=_WHERE,
            fields=(("Client", self.client.name), *self.before.changes(self.after)),
        )


class DeleteBrand(ExistingBrandChange):
    """Deletes a brand that nothing hangs on: no role, target, product, channel, list or task."""

    kind: Literal["delete_brand"] = "delete_brand"
    skill: ClassVar[str] = "cc_brand_delete"
    done: ClassVar[str] = "deleted"
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    sides: ClassVar[tuple[str, str]] = ("before", "")

    before: BrandFacts

    def onto(self, now: BrandFacts) -> DeleteBrand:
        """Return the deletion of the present brand."""
        brand = Named(id=self.brand.id, name=now.name)
        return self.model_copy(update={"brand": brand, "before": now})

    def receipt(self) -> str:
        """Say which brand was deleted."""
        return message("brands.deleted_brand", brand=self.brand.name, client=self.client.name)

    def reverse(self) -> CreateBrand:
        """Return the change that creates it anew."""
        return CreateBrand(client=self.client, facts=self.before, timezone=self.timezone)

    def preview(self) -> Preview:
        """Return the brand with everything that would be lost."""
        return Preview(
            headline=message("brands.delete_brand", brand=self.brand.name, client=self.client.name),
            verb=message("brands.delete"),
            where=_WHERE,
            fields=(("Client", self.client.name), *self.before.rows()),
        )


class Repair(Value):
    """Fills one missing half of a brand's ClickUp link, or clears it again.

    `name` is what ClickUp calls the value. `home` is the space in which a list lies. `own_list` is
    the list that a brand without a space has already; it lies in the space that the brand gets.
    """

    client: Named
    brand: Named
    field: Literal["space", "list"]
    before: str | None = None
    after: str | None = None
    like: str = ""
    name: str = ""
    home: str | None = None
    own_list: str | None = None

    @property
    def row(self) -> tuple[str, str]:
        """Whose link it is, and what it was and becomes, as a person reads it."""
        whose = message("built.of", what=self.brand.name, whose=self.client.name)
        name = self.name or message("brands.that_one", like=self.like)
        if self.after is None:
            return whose, message("brands.link_removed", field=self.field, name=name)
        if self.field == "list":
            return whose, message("brands.same_list_as", name=name, like=self.like)
        return whose, message("brands.same_space_as", name=name, like=self.like)

    @property
    def sentence(self) -> str:
        """The same in one line."""
        return ": ".join(self.row)


class ApplyRemediation(Change):
    """Fills missing halves of links with the only value that the client's other brands have."""

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
        """What is missing, and whose."""
        if self.client:
            return message("brands.missing_links_of", client=self.client.name)
        return message("brands.missing_links")

    @property
    def entity(self) -> str:
        """The links of the client, or of all clients."""
        return f"links:{self.client.id if self.client else 'all'}"

    @property
    def clients(self) -> tuple[Named, ...]:
        """The clients of its brands, each once."""
        return tuple({repair.client.id: repair.client for repair in self.repairs}.values())

    @property
    def brand_ids(self) -> list[UUID]:
        """The brands it touches, each once."""
        return list(dict.fromkeys(repair.brand.id for repair in self.repairs))

    def preview(self) -> Preview:
        """Return every link that would be filled."""
        links = counted(len(self.repairs), "ClickUp link")
        removes = all(repair.after is None for repair in self.repairs)
        return Preview(
            headline=message("built.remove", what=links)
            if removes
            else message("brands.repair_links", links=links),
            verb="Repair links",
            where=_WHERE,
            fields=(
                ("Client", self.client.name if self.client else message("effects.all_clients")),
            ),
            in_body=tuple(repair.row for repair in self.repairs),
            body="\n".join(f"- {repair.sentence}" for repair in self.repairs),
            is_always_shown=True,
            missing=self.blocked,
        )
