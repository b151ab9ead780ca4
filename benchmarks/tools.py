"""The tools every system gets: the same functions, descriptions and schemas."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

from pydantic_ai import RunContext, Tool

from agencyclaw.conversation.identity import identify
from agencyclaw.conversation.slack_ports import SlackPorts
from agencyclaw.deps import Deps
from agencyclaw.domain.people import Place, Scope, Session
from agencyclaw.domain.policy import Switches
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.store.knowledge import KnowledgeReader
from agencyclaw.tools.catalogue import TOOLS

TEAM = "T01BENCH"
PERSON = "U01INES"


@dataclass(frozen=True)
class Offer:
    """A tool: its description and schema for the model, and the function to call."""

    name: str
    description: str
    schema: dict[str, Any]
    call: Callable[[dict[str, Any]], Awaitable[str]]


async def build_deps(db: Database) -> Deps:
    """Return the dependencies of the peers' tools: the agency's readers on a pool of their own."""
    directory = DirectoryReader(db)
    place = Place(team_id=TEAM, channel_id="D0PEER", thread_ts="1.0", is_direct=True)
    identity = await identify(directory, SlackPorts(), place, PERSON, frozenset())
    if not isinstance(identity, Identity):
        raise LookupError(f"{PERSON} is not in the database: it has not been seeded")
    nothing = cast(Any, None)
    return Deps(
        run_id=uuid4(),
        actor=identity.actor,
        surface=identity.surface,
        place=place,
        session=Session(id=uuid4()),
        scope=Scope(),
        now=datetime.now(UTC),
        request="",
        switches=Switches(frozenset(TOOLS)),
        directory=directory,
        knowledge=KnowledgeReader(db),
        board=nothing,
        notebook=nothing,
        memory=nothing,
        catalog=nothing,
        meter=nothing,
        operations=nothing,
        proposals=nothing,
        researchers=nothing,
        planners=nothing,
    )


def offers(deps: Deps) -> list[Offer]:
    """Return every tool, bound to the readers."""
    return [_offer(spec.function, deps) for spec in TOOLS.values()]


def _offer(function: Callable[..., Awaitable[Any]], deps: Deps) -> Offer:
    definition = Tool[Deps](function, docstring_format="google").tool_def

    async def call(args: dict[str, Any]) -> str:
        # Each call is a run of its own, so that no result depends on an earlier one.
        run = SimpleNamespace(deps=deps, messages=[], run_id=str(uuid4()))
        context = cast("RunContext[Deps]", run)
        result = await function(context, **args)
        return result.model_dump_json()

    return Offer(
        definition.name, definition.description or "", definition.parameters_json_schema, call
    )
