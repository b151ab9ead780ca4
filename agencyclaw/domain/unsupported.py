"""What another version prepared and this one can't read: it can be told and ended, never done."""

from __future__ import annotations

from typing import Any, ClassVar

from agencyclaw.domain.changes import Change, ConsentPolicy, EffectScope, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.text import one_line


class UnsupportedEffect(Change):
    """A stored effect whose shape this version doesn't know, with what can still be said of it.

    It is no part of the union `Effect`: nothing can draft it, and no right releases it.
    `stored` is the row's arguments as they are, `prepared_by` the skill that made them, `thing` the
    entity they are about, `was_begun` whether a process had started to carry it out.
    """

    tier: ClassVar[Tier] = Tier.SUPER_ADMIN
    skill: ClassVar[str] = "outgrown"
    done: ClassVar[str] = "carried out"
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    scope: ClassVar[EffectScope] = EffectScope.AGENCY

    stored: dict[str, Any]
    prepared_by: str
    thing: str
    was_begun: bool = False

    @property
    def entity(self) -> str:
        """What it is about, as its row says."""
        return self.thing

    @property
    def label(self) -> str:
        """Its title, if what was stored has one."""
        title = self.stored.get("title")
        text = one_line(title, 200) if isinstance(title, str) else ""
        return text or message("outgrown.earlier_request")

    @property
    def clients(self) -> tuple[Named, ...]:
        """None that can be told for certain."""
        return ()

    @property
    def owner(self) -> str:
        """Nobody that can be told for certain."""
        return ""

    def preview(self) -> Preview:
        """Say its name; what else stood on the card can't be read any more."""
        return Preview(headline=f"“{self.label}”", verb="Ask again", where="", fields=())
