"""Finds whose words an effect's texts contain; a quote marked as pasted is not the person's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.changes import Change
from agencyclaw.domain.field_sources import FieldSource, Origin
from agencyclaw.domain.quotes import Quoted, occurs_in
from agencyclaw.knowledge.fact_checks import as_marked
from agencyclaw.knowledge.field_sources import borrows, field_sources_of
from agencyclaw.tools.arguments import nested
from agencyclaw.tools.sources import found_by_tools


async def sources_of_texts(
    ctx: RunContext[Deps], arguments: Mapping[str, Any], effect: Change
) -> tuple[FieldSource, ...]:
    """Return the source of each text of an effect.

    A message that the model says has a pasted part is not the person's own words, however short it
    is. Names of records are the agency's.
    """
    materials = [*ctx.deps.materials, *found_by_tools(ctx.messages)]
    quotes = list(nested(Quoted, list(arguments.values())))
    marked = [as_marked(one, quotes) for one in materials]
    prose = effect.prose()
    # A field that shows one of the texts is no record that somebody chose.
    chosen = [
        value
        for _, value in effect.preview().fields
        if not any(text in value for text in prose.values())
    ]
    sources = field_sources_of(prose, marked, chosen)
    if any(one.needs_press for one in sources):
        sources = field_sources_of(prose, marked, chosen, await _names(ctx.deps))
    return tuple(_with_mark(one, quotes) for one in sources)


def _with_mark(source: FieldSource, quotes: Sequence[Quoted]) -> FieldSource:
    """Mark words of a message that contains a pasted text, unless they are said to be from that.

    A person's own line beside a pasted mail can't be told from it by its characters.
    """
    is_quoted_as_pasted = any(
        occurs_in(one.quote, source.quote) or borrows(source.quote, one.quote)
        for one in quotes
        if one.source == "pasted"
    )
    is_mixed = source.origin is Origin.PASTED and not is_quoted_as_pasted
    return source.model_copy(update={"is_mixed": True}) if is_mixed else source


async def _names(deps: Deps) -> list[str]:
    """Return the names of the clients, brands and people that this person may see."""
    clients = await deps.directory.clients(deps.actor)
    brands = await deps.directory.brands([client.id for client in clients])
    people = await deps.directory.people()
    return [one.name for one in (*clients, *brands, *people)]
