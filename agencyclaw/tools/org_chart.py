"""Who holds which role, drawn as text."""

from __future__ import annotations

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.org_chart import draw_chart
from agencyclaw.domain.people import Tier
from agencyclaw.domain.text import one_line
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.assignments import find_brand
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import find_client
from agencyclaw.tools.results import Ask, Result


class OrgChart(Result):
    """The roles of a client or brand; show `chart` in a code block, as it is."""

    of: str
    chart: str
    open_roles: int
    note: str


@reads(tier=Tier.MEMBER, on_demand=True)
async def cc_org_chart_ascii(
    ctx: RunContext[Deps], client: Name, brand: Name | None = None
) -> OrgChart | Ask:
    """Draw the org chart (team, who holds which role) of a client or one of its brands as text.

    Args:
        client: What the person called the client.
        brand: Only for this brand; who is set for the whole client is shown as inherited.
    """
    found = await find_client(ctx.deps, client)
    if isinstance(found, Ask):
        return found
    chosen = find_brand(ctx.deps, found, brand)
    if isinstance(chosen, Ask):
        return chosen
    holders: dict[str, str] = {}
    for slot in await ctx.deps.directory.assignments([found.client.id]):
        person = one_line(slot.person, 60)
        if slot.brand_id is None:
            holders.setdefault(slot.role_slug, f"{person} (client level)" if chosen else person)
        elif chosen and slot.brand_id == chosen.id:
            holders[slot.role_slug] = person
    roles = await ctx.deps.directory.roles()
    name = one_line(found.client.name, 120)
    return OrgChart(
        of=f"{one_line(chosen.name, 80)} ({name})" if chosen else name,
        chart=draw_chart(roles, holders),
        open_roles=sum(role.slug not in holders for role in roles),
        note="Show the chart in a code block, unchanged.",
    )
