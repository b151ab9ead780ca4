"""What the agency works for: ClickUp's spaces and lists become clients, brands and destinations."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.cli.asking import Asking
from agencyclaw.cli.setup_accounts import Connecting
from agencyclaw.cli.setup_changes import SetupChanges
from agencyclaw.clickup.lists import INBOX_NAMES
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.domain.brands import BrandFacts, ClickUpPlace, CreateBrand
from agencyclaw.domain.client_records import ClientFacts, CreateClient
from agencyclaw.domain.clients import Client, SpaceClassification, SpaceRecord
from agencyclaw.domain.spaces import ClassifySpaces, SpaceMove, SyncSpaces, differences
from agencyclaw.domain.tasks import ListRef
from agencyclaw.domain.text import folded, one_line


async def set_up_agency(asking: Asking, connecting: Connecting, changes: SetupChanges) -> None:
    """Register and classify the spaces, then ask what lies in those that are for brands."""
    asking.title("Clients and brands")
    async with connecting.reader() as reader:
        await _classify(changes, reader)
        brands = await changes.directory.all_brands()
        taken = {brand.space_id for brand in brands}
        for space in await changes.directory.spaces():
            if space.classification.takes_brand_work and space.id not in taken:
                await _fill(changes, reader, space)


async def _classify(changes: SetupChanges, reader: ClickUpReader) -> None:
    """Ask what the spaces are for that nobody has classified; all of them get registered."""
    visible = await reader.spaces()
    known = await changes.directory.spaces()
    moves = differences(visible, known)
    if moves:
        workspace = visible[0].workspace
        await changes.carry_out(SyncSpaces(workspace=workspace, moves=tuple(moves)))
    spaces = [
        space
        for space in await changes.directory.spaces()
        if space.classification is SpaceClassification.UNKNOWN
    ]
    if not spaces:
        return
    names = [space.name for space in spaces]
    for_brands = await changes.asking.choose(
        "Which spaces hold the work for clients", names, default="none"
    )
    await _mark(changes, [spaces[at] for at in for_brands], SpaceClassification.BRAND_SCOPED)
    rest = [space for at, space in enumerate(spaces) if at not in for_brands]
    if rest:
        shared = await changes.asking.choose(
            "Which are shared, no client's", [space.name for space in rest], default="none"
        )
        chosen = [rest[at] for at in shared]
        await _mark(changes, chosen, SpaceClassification.SHARED_SERVICE)


async def _mark(
    changes: SetupChanges, spaces: Sequence[SpaceRecord], kind: SpaceClassification
) -> None:
    if spaces:
        moves = (
            SpaceMove(before=one, after=one.model_copy(update={"classification": kind}))
            for one in spaces
        )
        await changes.carry_out(ClassifySpaces(moves=tuple(moves)))


async def _fill(changes: SetupChanges, reader: ClickUpReader, space: SpaceRecord) -> None:
    """Ask whose space it is, and which of its lists take the tasks of which brand."""
    asking = changes.asking
    asking.title(f"Space {space.name}")
    name = await asking.ask("Its client (- to leave it out)", space.name)
    if name == "-":
        return
    client = await _client(changes, name)
    if client is None:
        return
    lists = await reader.lists_of(space.id)
    names = [place.name for place in lists]
    chosen = await asking.choose(
        "Which lists take a brand's tasks", names, default="1" if len(lists) == 1 else "none"
    )
    for at in chosen:
        await _create_brand(changes, client, space, lists[at])
    if not chosen:
        asking.say("     No brand of it was created.")


async def _client(changes: SetupChanges, name: str) -> Client | None:
    """Return the client of exactly this name, which is created if there is none."""
    plain = one_line(name, 120)
    if existing := await _named(changes, plain):
        return existing
    await changes.carry_out(CreateClient(after=ClientFacts(name=plain)))
    return await _named(changes, plain)


async def _named(changes: SetupChanges, name: str) -> Client | None:
    clients = await changes.directory.clients(changes.actor)
    return next((one for one in clients if folded(one.name) == folded(name)), None)


async def _create_brand(
    changes: SetupChanges, client: Client, space: SpaceRecord, place: ListRef
) -> None:
    usual = space.name if folded(place.name) in INBOX_NAMES else place.name
    name = await changes.asking.ask(f"The brand whose tasks go to {place.name}", usual)
    markets = await changes.asking.ask("Its Amazon marketplaces, such as US, CA (empty: none)")
    codes = tuple(dict.fromkeys(one.strip().upper() for one in markets.split(",") if one.strip()))
    facts = BrandFacts(
        name=one_line(name, 80),
        space=ClickUpPlace(id=space.id, name=space.name),
        board=ClickUpPlace(id=place.id, name=place.name),
        marketplaces=codes,
    )
    await changes.carry_out(CreateBrand(client=client.named, facts=facts))
