"""Shows people what a run is doing: each tool's title and what the call is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic_ai.messages import ToolCallPart

from agencyclaw.deps import Deps
from agencyclaw.deps.status import StatusIndicator, StreamWriter
from agencyclaw.domain.people import Place, ScopeKind
from agencyclaw.domain.text import cut, one_line
from agencyclaw.knowledge.link_breaking import break_links
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.tools import TOOLS

_SUBJECT_LIMIT = 60
# Arguments that say what a call is about, the best first; never keys or addresses.
_SUBJECT_ARGUMENTS = (
    "document",
    "title",
    "new_title",
    "query",
    "goal",
    "about",
    "name",
    "person",
    "brand",
    "client",
)


@dataclass
class Progress:
    """Shows each look-up as a status, and as a step beside an answer that is streamed."""

    status: StatusIndicator
    place: Place
    stream: StreamWriter | None = None

    def begin_call(self, call: ToolCallPart, title: str) -> None:
        """Show a call as a status: "is reading ClickUp tasks: Copperleaf…"."""
        if title:
            self.status.say(self.place, f"is {title[0].lower()}{title[1:]}…")
            if self.stream is not None:
                self.stream.works_on(call.tool_call_id, title)

    def end_call(self, call: ToolCallPart, title: str, *, well: bool) -> None:
        """Show a step as ended."""
        if title and self.stream is not None:
            self.stream.finished(call.tool_call_id, well=well)


def step_of(deps: Deps, tool: str, args: dict[str, Any]) -> str:
    """Return a call as people read it: "Reading ClickUp tasks: Copperleaf".

    Where others read along only the tool's title is shown.
    """
    return title_of(tool, args if deps.surface.scope is ScopeKind.INTERNAL else {})


def title_of(tool: str, args: dict[str, Any]) -> str:
    """Return a tool's title and what its arguments name; "" for a tool that no longer exists."""
    spec = TOOLS.get(tool)
    if spec is None:
        return ""
    subject = _subject(args)
    return f"{spec.title}: {subject}" if subject else spec.title


def _subject(args: dict[str, Any]) -> str:
    values = (args.get(name) for name in _SUBJECT_ARGUMENTS)
    named = (one_line(value, 2 * _SUBJECT_LIMIT) for value in values if isinstance(value, str))
    first = next((text for text in named if text and "://" not in text), "")
    return break_links(cut(redacted(first), _SUBJECT_LIMIT))
