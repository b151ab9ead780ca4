"""What the agency works for: ClickUp's spaces and lists become clients, brands and destinations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agencyclaw.cli.asking import Asking
from agencyclaw.cli.setup_accounts import Connecting
from agencyclaw.cli.setup_changes import SetupChanges
from agencyclaw.clickup.lists import INBOX_NAMES
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.domain.brands import BrandFacts, ClickUpPlace, CreateBrand
from agencyclaw.domain.client_records import ClientFacts, CreateClient
from agencyclaw.domain.clients import Client, SpaceClassification, SpaceRecord
from agencyclaw.domain.marketplaces import codes_in
from agencyclaw.domain.messages import message
from agencyclaw.domain.spaces import (
    MOVES_AT_MOST,
    ClassifySpaces,
    ClickUpSpace,
    SpaceMove,
    SyncSpaces,
    differences,
)
from agencyclaw.domain.tasks import ListRef
from agencyclaw.domain.text import counted, folded, one_line

_UNCLASSIFIED = (
    "     Not classified: {names}. Tasks for these are refused until an admin says what they are"
    " for, here or in Slack."
)
_TWICE = "No client has two brands of one name:"


@dataclass
class _PlannedBrand:
    """A brand to create, with its client's name and the list that takes its tasks."""

    space: SpaceRecord
    client: str
    place: ListRef
    place_label: str
    name: str

    @property
    def key(self) -> tuple[str, str]:
        """Equal for brands that people could not tell apart."""
        return folded(self.client), folded(self.name)

    @property
    def line(self) -> str:
        """The brand, its client and its list as one line."""
        return f"{self.name} of {self.client}; tasks go to {self.space.name}, {self.place_label}"

    def facts(self, marketplaces: tuple[str, ...]) -> BrandFacts:
        """Return what is recorded of it."""
        return BrandFacts(
            name=self.name,
            space=ClickUpPlace(id=self.space.id, name=self.space.name),
            board=ClickUpPlace(id=self.place.id, name=self.place.name),
            marketplaces=marketplaces,
        )


async def set_up_agency(connecting: Connecting, changes: SetupChanges) -> None:
    """Register and classify the spaces, then ask whose they are and which lists take tasks."""
    asking = changes.asking
    asking.title("Clients and brands")
    async with connecting.reader() as reader:
        visible = await reader.spaces()
        if not visible:
            asking.say(f"BAD  {message('refused.spaces.none')}")
            return
        await _classify(changes, visible)
        spaces = await _without_brands(changes)
        if not spaces:
            return
        clients = await _client_names(asking, spaces)
        planned: list[_PlannedBrand] = []
        for space in spaces:
            if client := clients.get(space.id):
                planned += await _brands_of(asking, reader, space, client)
    if planned:
        await _name_brands(changes, planned)
        await _create(changes, planned)


async def _classify(changes: SetupChanges, visible: Sequence[ClickUpSpace]) -> None:
    """Ask what the spaces are for that nobody has classified; all of them get registered."""
    workspace = visible[0].workspace
    for some in _parts(differences(visible, await changes.directory.spaces())):
        await changes.carry_out(SyncSpaces(workspace=workspace, moves=some))
    spaces = await _of_kind(changes, SpaceClassification.UNKNOWN)
    if not spaces:
        return
    question = "Which spaces hold the work for clients"
    for_brands = await changes.asking.choose(question, labels_of(spaces))
    await _mark(changes, [spaces[at] for at in for_brands], SpaceClassification.BRAND_SCOPED)
    rest = [space for at, space in enumerate(spaces) if at not in for_brands]
    if rest:
        shared = await changes.asking.choose("Which are shared, no client's", labels_of(rest))
        chosen = [rest[at] for at in shared]
        await _mark(changes, chosen, SpaceClassification.SHARED_SERVICE)
    left = await _of_kind(changes, SpaceClassification.UNKNOWN)
    if left:
        changes.asking.say(_UNCLASSIFIED.format(names=", ".join(space.name for space in left)))


async def _of_kind(changes: SetupChanges, kind: SpaceClassification) -> list[SpaceRecord]:
    return [one for one in await changes.directory.spaces() if one.classification is kind]


async def _mark(
    changes: SetupChanges, spaces: Sequence[SpaceRecord], kind: SpaceClassification
) -> None:
    moves = [
        SpaceMove(before=one, after=one.model_copy(update={"classification": kind}))
        for one in spaces
    ]
    for some in _parts(moves):
        await changes.carry_out(ClassifySpaces(moves=some))


def _parts(moves: Sequence[SpaceMove]) -> Iterator[tuple[SpaceMove, ...]]:
    """Yield the moves in as many changes as it takes."""
    for first in range(0, len(moves), MOVES_AT_MOST):
        yield tuple(moves[first : first + MOVES_AT_MOST])


async def _without_brands(changes: SetupChanges) -> list[SpaceRecord]:
    taken = {brand.space_id for brand in await changes.directory.all_brands()}
    spaces = await changes.directory.spaces()
    return [one for one in spaces if one.classification.takes_brand_work and one.id not in taken]


def labels_of(places: Sequence[SpaceRecord | ListRef]) -> list[str]:
    """Return the names, of lists with their folders', and with ids where two are equal."""
    named = [
        ("list", one.name_in_space) if isinstance(one, ListRef) else ("space", one.name)
        for one in places
    ]
    times = Counter(folded(name) for _, name in named)
    return [
        name if times[folded(name)] == 1 else f"{name} ({noun} {one.id})"
        for (noun, name), one in zip(named, places, strict=True)
    ]


async def _client_names(asking: Asking, spaces: Sequence[SpaceRecord]) -> dict[str, str]:
    """Return the name of each space's client by the space's id; of those that are left out, none.

    A client is called as its space, unless it is ticked or another space has the same name.
    """
    labels = labels_of(spaces)
    asking.say("Each space becomes a client of its name.")
    question = "Which spaces' clients have another name, or are left out"
    renamed = await asking.choose(question, labels)
    names: dict[str, str] = {}
    for at, (space, label) in enumerate(zip(spaces, labels, strict=True)):
        name = space.name
        if at in renamed or label != space.name:
            name = await asking.ask(f"The client of the space {label} (- to leave it out)", name)
        if name != "-":
            names[space.id] = one_line(name, 120)
    return names


async def _brands_of(
    asking: Asking, reader: ClickUpReader, space: SpaceRecord, client: str
) -> list[_PlannedBrand]:
    """Ask which lists of a space take a brand's tasks, unless there is only one."""
    lists = await reader.lists_of(space.id)
    labels = labels_of(lists)
    chosen = list(range(len(lists)))
    if len(lists) > 1:
        asking.title(f"Space {space.name}")
        question = f"Which lists of {space.name} take a brand's tasks"
        chosen = await asking.choose(question, labels)
    if not chosen:
        asking.say(f"     No brand of {space.name} is created.")
    return [
        _PlannedBrand(space, client, lists[at], labels[at], _usual_name(space, lists[at]))
        for at in chosen
    ]


def _usual_name(space: SpaceRecord, place: ListRef) -> str:
    """Return the name that a list suggests for its brand: “Glintly” for “Glintly Backlog”."""
    words = place.name.split()
    if words and folded(words[-1]) in INBOX_NAMES:
        words.pop()
    return one_line(" ".join(words) or space.name, 80)


async def _name_brands(changes: SetupChanges, planned: Sequence[_PlannedBrand]) -> None:
    """Show what would be created, and ask for other names, and where two are equal."""
    asking = changes.asking
    asking.title("Brands")
    renamed = await asking.choose(
        "Which brands have another name", [brand.line for brand in planned]
    )
    taken = {
        (folded(client.name), folded(brand.name))
        for client in await changes.directory.clients(changes.actor)
        for brand in await changes.directory.brands([client.id])
    }
    for at, brand in enumerate(planned):
        if at in renamed:
            brand.name = one_line(await asking.ask(f"The brand of {brand.line}", brand.name), 80)
        while brand.key in taken or not brand.name:
            why = "A brand needs a name." if not brand.name else f"{_TWICE} {brand.name}."
            asking.say(f"BAD  {why}")
            brand.name = one_line(await asking.ask(f"The brand of {brand.line}"), 80)
        taken.add(brand.key)


async def _create(changes: SetupChanges, planned: Sequence[_PlannedBrand]) -> None:
    asking = changes.asking
    codes = await _marketplaces(asking)
    for brand in planned:
        asking.say(f"     {brand.line}")
    if not await asking.confirm(f"Create {counted(len(planned), 'brand')}, and their clients"):
        return
    for brand in planned:
        if client := await _client(changes, brand.client):
            effect = CreateBrand(client=client.named, facts=brand.facts(codes))
            await changes.carry_out(effect)


async def _marketplaces(asking: Asking) -> tuple[str, ...]:
    while True:
        text = await asking.ask("Their Amazon marketplaces, such as US, CA (empty: none)")
        codes = codes_in(text)
        if codes or not text:
            return codes
        asking.say(f"BAD  “{text}” is no list of marketplaces.")


async def _client(changes: SetupChanges, name: str) -> Client | None:
    """Return the client of exactly this name, which is created if there is none."""
    if existing := await _named(changes, name):
        return existing
    await changes.carry_out(CreateClient(after=ClientFacts(name=name)))
    return await _named(changes, name)


async def _named(changes: SetupChanges, name: str) -> Client | None:
    clients = await changes.directory.clients(changes.actor)
    return next((one for one in clients if folded(one.name) == folded(name)), None)
