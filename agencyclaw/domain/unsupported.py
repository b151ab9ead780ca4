"""A stored effect that this version cannot read. It can be shown and closed, never carried out."""

from __future__ import annotations

from typing import Any, ClassVar

from agencyclaw.domain.changes import Change, ConsentPolicy, EffectScope, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.text import one_line


class UnsupportedEffect(Change):
    """A stored effect of an unknown shape, with what can still be said about it.

    Not part of the union `Effect`: no tool can prepare it and no permission allows it. `stored`
    holds the row's arguments unchanged, `prepared_by` the tool that made it, `thing` the row's
    entity, `was_begun` whether its execution had started. Its state is stored as `outgrown`.
    """

    tier: ClassVar[Tier] = Tier.SUPER_ADMIN
    skill: ClassVar[str] = "outgrown"
    done: ClassVar[str] = "carried out"
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    scope: ClassVar[EffectScope] = EffectScope.AGENCY

    stored: dict[str, Any]
    prepared_by: str
    stored_entity: str
    was_begun: bool = False

    @property
    def entity(self) -> str:
        """The entity its row names."""
        return self.stored_entity

    @property
    def label(self) -> str:
        """Its title, if the stored arguments have one."""
        title = self.stored.get("title")
        text = one_line(title, 200) if isinstance(title, str) else ""
        return text or message("outgrown.earlier_request")

    @property
    def clients(self) -> tuple[Named, ...]:
        """Empty: not readable for certain."""
        return ()

    @property
    def owner(self) -> str:
        """Empty: not readable for certain."""
        return ""

    def preview(self) -> Preview:
        """Return the label alone; the rest of the card cannot be read."""
        return Preview(headline=f"“{self.label}”", verb="Ask again", where="", fields=())
