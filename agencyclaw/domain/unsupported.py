"""A stored effect that this version cannot read. It can be shown and closed, never carried out."""

from __future__ import annotations

from typing import Any, ClassVar

from agencyclaw.domain.changes import AgencyChange, ConsentPolicy, Preview
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.text import one_line

# The reason that rows and the audit have for it.
UNSUPPORTED_REASON = "outgrown"


class UnsupportedEffect(AgencyChange):
    """A stored effect of an unknown shape, with what is still known about it.

    It is not part of the union `Effect`: no tool can prepare it and no permission allows it.
    `stored` are the row's arguments, `prepared_by` the tool that made it.
    """

    tier: ClassVar[Tier] = Tier.SUPER_ADMIN
    skill: ClassVar[str] = UNSUPPORTED_REASON
    done: ClassVar[str] = "carried out"
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS

    stored: dict[str, Any]
    prepared_by: str
    stored_entity: str

    @property
    def entity(self) -> str:
        """The entity its row names."""
        return self.stored_entity

    @property
    def label(self) -> str:
        """Its title, if the stored arguments have one."""
        title = self.stored.get("title")
        text = one_line(title, 200) if isinstance(title, str) else ""
        return text or message("unsupported.earlier_request")

    def preview(self) -> Preview:
        """Return the label alone; the rest of the card cannot be read."""
        return Preview(headline=f"“{self.label}”", verb="Ask again", where="", fields=())
