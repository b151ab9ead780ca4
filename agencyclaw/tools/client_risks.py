"""What may go wrong at a client, or at all of them: facts that code finds, with their sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Brand, Client
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.kpi import StoredTarget
from agencyclaw.domain.kpi_results import StoredResult
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.risks import risks_of
from agencyclaw.domain.text import counted, folded, one_line
from agencyclaw.domain.watches import Check, WatchedState
from agencyclaw.tools.boards import BoardQuery, BoardRead, age_of, read_boards_together, shared_note
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import every_client, reach_of
from agencyclaw.tools.results import NAMED_AT_MOST, Listing, Result

TASKS_UNREAD = (
    "ClickUp could not be read just now: its tasks, and what is wrong with them, are missing here."
    " Say so."
)
_OF_PLACE = (
    "Of {brand} alone, the brand of this channel. Say so. A brief has all brands of the client, by"
    " its name as the brand."
)
_OPEN = BoardQuery(None, "due", fresh=False)
_TOP = 3
_EXAMPLES_SHOWN = 3


class RiskExample(Result):
    """A task or a brand with which something is wrong."""

    text: str
    url: str | None = None


class ClientRisk(Result):
    """Something that is wrong: with how many tasks or brands, and the first of them."""

    kind: Check
    count: int
    examples: tuple[RiskExample, ...]


class RisksOfClient(Result):
    """A client's most urgent risks."""

    client: str
    risks: tuple[ClientRisk, ...]


class RiskOverview(Listing):
    """The most urgent risks of each client; the client with most late tasks comes first."""

    clients: tuple[RisksOfClient, ...] = ()
    without_risks: tuple[str, ...] = ()
    note: str


@reads(tier=Tier.MEMBER, on_demand=True)
async def client_risks(ctx: RunContext[Deps]) -> RiskOverview:
    """List all clients with the top three risks (problems, red flags, health) of each."""
    deps = ctx.deps
    clients = await every_client(deps)
    every = await deps.directory.brands([client.id for client in clients])
    own = next((brand for brand in every if brand.id == deps.scope.brand_id), None)
    brands = [own] if own else every
    brand_ids = [brand.id for brand in brands]
    targets = await deps.directory.targets(brand_ids)
    results = await deps.directory.results(brand_ids)
    read = await read_tasks(deps, clients, brands, every)
    rows: list[RisksOfClient] = []
    for client in clients:
        theirs = [brand for brand in brands if brand.client_id == client.id]
        risks = find_risks(client, theirs, targets, results, read, deps)
        rows.append(RisksOfClient(client=one_line(client.name, 120), risks=risks[:_TOP]))
    troubled = sorted((row for row in rows if row.risks), key=_most_late)
    calm = tuple(row.client for row in rows if not row.risks)
    narrowed = _OF_PLACE.format(brand=one_line(own.name, 80)) if own else ""
    return RiskOverview(
        clients=tuple(troubled[:NAMED_AT_MOST]),
        without_risks=calm[:NAMED_AT_MOST],
        note=" ".join(
            filter(None, (narrowed, *_left_out(troubled, calm), note_on_tasks(deps, brands, read)))
        ),
        reach=await reach_of(deps, clients),
    )


def _left_out(troubled: Sequence[RisksOfClient], calm: Sequence[str]) -> Iterator[str]:
    """Say how many clients are not named, of those with risks and of those without."""
    for clients, what in ((troubled, "risks: ask for a client's brief"), (calm, "no risks")):
        if (more := len(clients) - NAMED_AT_MOST) > 0:
            have = "has" if more == 1 else "have"
            yield f"{counted(more, 'more client')} {have} {what}."


def _most_late(row: RisksOfClient) -> tuple[int, str]:
    late = sum(risk.count for risk in row.risks if risk.kind is Check.LATE)
    return (-late, folded(row.client))


async def read_tasks(
    deps: Deps,
    clients: Sequence[Client],
    brands: Sequence[Brand],
    all_brands: Sequence[Brand],
    query: BoardQuery = _OPEN,
) -> BoardRead | None:
    """Return the tasks of brands, all open ones by default; None if ClickUp can't be read just now.

    `all_brands` are all of these clients.
    """
    try:
        return await read_boards_together(deps, clients, brands, query, all_brands)
    except AgencyClawError:
        return None


def note_on_tasks(deps: Deps, brands: Sequence[Brand], read: BoardRead | None) -> str:
    """Say what is missing of the tasks of these brands, whose they are besides, and how old."""
    if read is None:
        return TASKS_UNREAD
    skipped = f"Not read: {', '.join(read.skipped)}." if read.skipped else ""
    cut = message("remarks.too_many_tasks", count=len(read.tasks)) if read.is_cut else ""
    return " ".join(filter(None, (skipped, cut, shared_note(brands, read), age_of(deps, read))))


def find_risks(
    client: Client,
    brands: Sequence[Brand],
    targets: Sequence[StoredTarget],
    results: Sequence[StoredResult],
    read: BoardRead | None,
    deps: Deps,
) -> tuple[ClientRisk, ...]:
    """Return what is wrong at a client for who asks, the most urgent kind first."""
    state = WatchedState(
        brands=tuple(brands),
        tasks=read.of_client(client.id) if read else (),
        targets=tuple(targets),
        results=tuple(results),
        zone=deps.actor.timezone,
    )
    return tuple(
        ClientRisk(
            kind=kind,
            count=len(findings),
            examples=tuple(
                RiskExample(text=finding.text, url=finding.url)
                for finding in findings[:_EXAMPLES_SHOWN]
            ),
        )
        for kind, findings in risks_of(client.named, state, deps.today).items()
    )
