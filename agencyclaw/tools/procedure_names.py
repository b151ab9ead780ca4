"""The tool that gives a procedure another name, or takes one away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Named
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.library import NameProcedure
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import names_in, plain_name
from agencyclaw.domain.naming import LONGEST_NAME, MOST_ALIASES, Naming, aliases_of
from agencyclaw.domain.people import Tier
from agencyclaw.domain.sops import Sop, SopName
from agencyclaw.domain.text import one_line
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.clients import listed_clients
from agencyclaw.tools.results import Ask, shown_names
from agencyclaw.tools.sops import find_procedure

OtherName = Annotated[str, Field(max_length=LONGEST_NAME)]


@proposes(NameProcedure, tier=Tier.ADMIN, skill_id="kb_name", on_demand=True)
async def name_procedure(
    ctx: RunContext[Deps], procedure: Name, name: OtherName, remove: bool = False
) -> NameProcedure | Ask:
    """Prepare another name (alias) for a procedure: searches find it under that from then on.

    Args:
        procedure: Its title.
        name: The few words by which people ask for it.
        remove: True to take that name away.
    """
    deps = ctx.deps
    sop = await find_procedure(deps, procedure)
    if isinstance(sop, Ask):
        return sop
    names = Naming(category=sop.category, aliases=sop.aliases)
    word = next(iter(aliases_of([name])), "")
    if remove:
        alias = next((alias for alias in sop.aliases if plain_name(alias) == plain_name(word)), "")
        if not alias:
            raise Refused(message("refused.library.no_such_name"), reason="no_changes")
        word, after = alias, names.without_name(alias)
    else:
        _require_free(sop, word, await deps.knowledge.sop_names())
        after = names.with_name(word)
    return NameProcedure(
        procedure=Named(id=sop.id, name=one_line(sop.title, 120)),
        name=word,
        before=names,
        after=after,
        of_clients=() if remove else await _clients_in(deps, word),
    )


def _require_free(sop: Sop, word: str, procedures: Sequence[SopName]) -> None:
    """Raise Refused for a name that says nothing, that something has, or that has no room."""
    if not plain_name(word):
        raise Refused(message("refused.library.no_name"), reason="no_name")
    known = {plain_name(name): other for other in procedures for name in other.names}
    if holder := known.get(plain_name(word)):
        whose = "It" if holder.id == sop.id else f"“{one_line(holder.title, 120)}”"
        raise Refused(message("refused.library.name_taken", whose=whose), reason="name_taken")
    if len(sop.aliases) >= MOST_ALIASES:
        raise Refused(message("refused.library.no_room", most=MOST_ALIASES), reason="no_room")


async def _clients_in(deps: Deps, word: str) -> tuple[str, ...]:
    """Return the clients and brands that a name names."""
    clients = await listed_clients(deps)
    brands = await deps.directory.brands([client.id for client in clients])
    owners = names_in(word, [*clients, *brands])
    return shown_names(dict.fromkeys(owner.name for owner in owners), 19)
