"""Carrying out `create_brand` and `update_brand`: rows of our own, checked under a lock."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.brands import BrandFacts, CreateBrand, UpdateBrand
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.outcomes import Done, NotDone, changed_since
from agencyclaw.store.brands import create_brand, hold_names, is_taken, read_brand, write_brand
from agencyclaw.store.engine import Connection


class BrandCreation(DatabaseHandler[CreateBrand]):
    """Adds a brand, unless the client has one of that name by now."""

    kind = CreateBrand

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Insert the brand that the card showed."""
        effect = self.effect_of(proposal)
        await hold_names(conn, effect.client.id)
        if await is_taken(conn, effect.client.id, effect.facts.name):
            return _name_taken(effect.facts.name, effect.client.name)
        brand_id = await create_brand(conn, effect.client.id, stored(effect.facts))
        after = {"brand_id": str(brand_id), "client": effect.client.name, **readable(effect.facts)}
        return Done({"before": None, "after": after})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say which brand there is now."""
        client = done.result["after"]["client"]
        return Note(
            text=message("brands.created_brand", name=done.result["after"]["name"], client=client)
        )


class BrandChange(DatabaseHandler[UpdateBrand]):
    """Changes fields of a brand that nobody else changed since."""

    kind = UpdateBrand

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write the fields that differ, if each still has the value the card showed."""
        effect = self.effect_of(proposal)
        await hold_names(conn, effect.client.id)
        now = await read_brand(conn, effect.brand.id)
        if now is None:
            gone = message("brands.brand_does_not_exist", brand=effect.brand.name)
            return NotDone("brand_gone", gone, can_retry=False)
        if others := [name for name in effect.fields if now[name] != effect.before.of(name)]:
            return _changed(effect, others, now)
        after = stored(effect.after)
        if await is_taken(conn, effect.client.id, effect.after.name, effect.brand.id):
            return _name_taken(effect.after.name, effect.client.name)
        changed = {name: after[name] for name in effect.fields}
        await write_brand(conn, effect.brand.id, now | changed)
        who = {"brand_id": str(effect.brand.id), "client": effect.client.name}
        before = {name: now[name] for name in effect.fields}
        return Done({"before": who | before, "after": who | changed})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what changed, from what to what."""
        effect = self.effect_of(proposal)
        lines = [f"{label}: {change}" for label, change in effect.changes()]
        text = message("brands.changed_brand", brand=effect.brand.name, client=effect.client.name)
        return Note(text="\n".join([text, *lines]))

    def undo(self, proposal: Proposal) -> UpdateBrand:
        """Give the fields back what they had."""
        effect = self.effect_of(proposal)
        back = {"before": effect.after, "after": effect.before, "remarks": ()}
        return effect.model_copy(update=back)


def stored(facts: BrandFacts) -> dict[str, Any]:
    """Return the facts as rows hold them."""
    return {name: facts.of(name) for name in BrandFacts.model_fields}


def readable(facts: BrandFacts) -> dict[str, Any]:
    """Return the facts for the audit."""
    return facts.model_dump(mode="json")


def _name_taken(name: str, client: str) -> NotDone:
    return NotDone(
        "duplicate_name",
        message("brands.has_brand_called_already", client=client, name=name),
        can_retry=False,
    )


def _changed(effect: UpdateBrand, fields: list[str], now: dict[str, Any]) -> NotDone:
    """Say what a field is now where that reads well, else that it is another."""
    values = [
        message("brands.its_now", name=name, now=now[name])
        if name == "name"
        else f"its {_WORDS[name]} changed"
        for name in fields
    ]
    return changed_since(
        message("brands.brand_changed_since", brand=effect.brand.name, text=" and ".join(values)),
        effect.onto(effect.facts_of(now)),
    )


_WORDS = {
    "space": "ClickUp space",
    "board": "ClickUp list",
    "marketplaces": "marketplaces",
    "keywords": "keywords",
}
