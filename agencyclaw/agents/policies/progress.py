"""What a person sees while tools run: the tool's human name, never its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition

from agencyclaw.agents.policies.writing import Stage, Voice
from agencyclaw.deps import Deps
from agencyclaw.domain.people import Place
from agencyclaw.tools import TOOLS


class Presence(Stage, Protocol):
    """Shows that something is going on; returns at once and never fails."""

    def begin(self, place: Place, title: str, slack_user_id: str) -> None:
        """Show a thread as being worked on; the title counts when it is the thread's first."""
        ...

    def say(self, place: Place, text: str) -> None:
        """Show a status at a place until the next message."""
        ...


@dataclass
class Progress(AbstractCapability[Deps]):
    """Shows what is being looked up."""

    presence: Presence
    place: Place
    voice: Voice | None = None

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: Any,
    ) -> Any:
        """Show the tool's title, as a status begins: "is reading ClickUp tasks…"."""
        spec = TOOLS.get(call.tool_name)
        title = spec.title if spec else ""
        if title:
            self.presence.say(self.place, f"is {title[0].lower()}{title[1:]}…")
        if self.voice is None or not title:
            return await handler(args)
        self.voice.works_on(call.tool_call_id, title)
        well = False
        try:
            result = await handler(args)
            well = True
        finally:
            self.voice.finished(call.tool_call_id, well=well)
        return result
