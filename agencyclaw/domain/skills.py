"""Skills: the product requirements' name for what people can ask for."""

from __future__ import annotations

from agencyclaw.domain.people import Tier, Value


class Skill(Value):
    """A row of the skill catalogue; `tool_name` is None where code does it without a tool."""

    id: str
    tool_name: str | None
    name: str
    owner_service: str = "orchestrator"
    min_tier: Tier
    changes: bool
    implemented_in_code: bool = False
