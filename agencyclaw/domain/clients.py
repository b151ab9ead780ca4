"""Clients and brands, and how a hint is resolved to one of them without guessing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal
from uuid import UUID

from agencyclaw.domain.messages import message
from agencyclaw.domain.names import Match, OneName, also_meant, match_names
from agencyclaw.domain.people import Value
from agencyclaw.domain.text import folded, one_line

_ADMINS_AT_MOST = 3


class Named(Value):
    """An id with its name."""

    id: UUID
    name: str


class About(Value):
    """What a client or brand is about, in the agency's words."""

    summary: str | None = None
    audience: str | None = None
    positioning: str | None = None

    @property
    def about(self) -> str:
        """All of it in one line; "" where nothing is recorded."""
        texts = {"": self.summary, "Audience: ": self.audience, "Positioning: ": self.positioning}
        return " ".join(f"{label}{one_line(text, 400)}" for label, text in texts.items() if text)


class Client(OneName, About):
    """A client of the agency."""

    id: UUID
    status: str = "active"

    @property
    def named(self) -> Named:
        """Its id and name alone."""
        return Named(id=self.id, name=self.name)


class Brand(About):
    """A brand of a client, with its ClickUp mapping if there is one."""

    id: UUID
    client_id: UUID
    name: str
    space_id: str | None = None
    list_id: str | None = None
    marketplaces: tuple[str, ...] = ()
    product_keywords: tuple[str, ...] = ()
    status: str = "active"
    # False where its space is shared, unclassified, unregistered or gone: no work goes there.
    is_routable: bool = True

    @property
    def named(self) -> Named:
        """Its id and name alone."""
        return Named(id=self.id, name=self.name)

    @property
    def names(self) -> tuple[str, ...]:
        """All names people use for it."""
        return (self.name, self.full_name)

    @property
    def full_name(self) -> str:
        """The name with what distinguishes it from namesakes."""
        return f"{self.name} ({', '.join(self.marketplaces)})" if self.marketplaces else self.name

    @property
    def is_mapped(self) -> bool:
        """True if a task of this brand has a list or space to go to."""
        return self.is_routable and bool(self.space_id or self.list_id)

    @property
    def destination_key(self) -> tuple[str | None, str | None]:
        """Equal for brands whose tasks go to the same place: a list, in whichever space it is."""
        return (None, self.list_id) if self.list_id else (self.space_id, None)


@dataclass(frozen=True)
class ClientNames:
    """A client with all its names: its own first, then those of its brands."""

    client: Client
    names: tuple[str, ...]

    @property
    def full_name(self) -> str:
        """The client's name with what tells it from a namesake."""
        return self.client.full_name


def as_called(clients: Iterable[Client], brands: Sequence[Brand]) -> dict[UUID, ClientNames]:
    """Return the names of each client, by its id."""
    names = {client.id: client.names for client in clients}
    for brand in brands:
        if brand.client_id in names:
            names[brand.client_id] += (brand.name,)
    return {client.id: ClientNames(client, names[client.id]) for client in clients}


def namesakes_of(
    client: Client, clients: Sequence[Client], brands: Sequence[Brand], texts: Sequence[str]
) -> tuple[Client, ...]:
    """Return the other clients that texts may mean, by their own name or a brand's."""
    names_by_client = as_called(clients, brands)
    return tuple(
        namesake.client
        for namesake in also_meant(names_by_client[client.id], names_by_client.values(), texts)
    )


def is_distinguished(
    client: Client,
    clients: Sequence[Client],
    brands: Sequence[Brand],
    shared: Match[Brand],
    texts: Sequence[str],
) -> bool:
    """Return whether texts distinguish a client from the owners of brands that share its name.

    A call may name it by less than what people wrote.
    """
    names = [one.name for one in shared.things]
    is_shared = bool(namesakes_of(client, clients, brands, names))
    return is_shared and not namesakes_of(client, clients, brands, (*texts, *names))


def clients_named(hint: str, clients: Sequence[Client], brands: Sequence[Brand]) -> Match[Client]:
    """Return the clients that a name may mean, also by the name of one of their brands."""
    match = match_names(hint, clients)
    if len(match.things) != 1:
        return match
    return replace(
        match, things=(*match.things, *namesakes_of(match.things[0], clients, brands, [hint]))
    )


def owners_called(hint: str, clients: Sequence[Client], brands: Sequence[Brand]) -> Match[Client]:
    """Return the clients that have a brand of exactly this name; none where it is only alike."""
    match = match_names(hint, brands)
    ids = {brand.client_id for brand in match.things if match.is_sure}
    owners = tuple(client for client in clients if client.id in ids)
    return Match(owners, is_sure=bool(owners))


def single_brand(hint: str, brands: Sequence[Brand]) -> Brand | None:
    """Return the one brand that has this name; None if none or several have it."""
    match = match_names(hint, brands)
    return match.things[0] if match.is_sure and len(match.things) == 1 else None


class Assignment(Value):
    """A person in a role slot of a client or of one of its brands."""

    client_id: UUID
    profile_id: UUID
    person: str
    role_slug: str
    role: str
    brand_id: UUID | None = None


class Person(Value):
    """A team member, with the ids that tasks and Slack need."""

    profile_id: UUID
    name: str
    display_name: str
    email: str
    clickup_user_id: str | None = None
    slack_user_id: str | None = None
    is_admin: bool = False

    @property
    def id(self) -> UUID:
        """The id a person is stored by."""
        return self.profile_id

    @property
    def names(self) -> tuple[str, ...]:
        """All names people use: the full name, its first and last word, "Sara O."."""
        words = self.name.split()
        called = (self.name, self.display_name, self.email, self.full_name, *words[:1], *words[-1:])
        short = (f"{words[0]} {words[-1][0]}",) if len(words) > 1 else ()
        return tuple(name for name in (*called, *short) if name)

    @property
    def full_name(self) -> str:
        """The name with the e-mail, which no two people share."""
        return f"{self.name} ({self.email})"


def admins_among(people: Iterable[Person]) -> list[str]:
    """Return the names of some admins, for somebody who needs one."""
    return [one_line(person.name, 60) for person in people if person.is_admin][:_ADMINS_AT_MOST]


class SpaceClassification(StrEnum):
    """What a ClickUp space is for, according to the agency's registry."""

    BRAND_SCOPED = "brand_scoped"
    SHARED_SERVICE = "shared_service"
    UNKNOWN = "unknown"
    INACTIVE = "inactive"

    @property
    def takes_brand_work(self) -> bool:
        """True if tasks of a brand may go there."""
        return self is SpaceClassification.BRAND_SCOPED

    @property
    def spoken(self) -> str:
        """What it is for, as people read it."""
        return _USES[self]


_USES = {
    SpaceClassification.BRAND_SCOPED: message("spaces.brand_scoped"),
    SpaceClassification.SHARED_SERVICE: message("spaces.shared_service"),
    SpaceClassification.UNKNOWN: message("spaces.unknown"),
    SpaceClassification.INACTIVE: message("spaces.inactive"),
}


class SpaceRecord(Value):
    """A ClickUp space in the agency's registry."""

    id: str
    name: str
    classification: SpaceClassification

    @property
    def names(self) -> tuple[str, ...]:
        """All names people use for it."""
        return (self.name, self.id)

    @property
    def full_name(self) -> str:
        """The name with what distinguishes it from namesakes."""
        return f"{self.name} ({self.id})"


class BrandMode(StrEnum):
    """The possible results of resolving a brand hint."""

    EXPLICIT_BRAND = "explicit_brand"
    CLARIFIED_BRAND = "clarified_brand"
    CLIENT_LEVEL = "client_level"
    AMBIGUOUS_BRAND = "ambiguous_brand"
    AMBIGUOUS_DESTINATION = "ambiguous_destination"
    NO_DESTINATION = "no_destination"


class BrandResolution(Value):
    """A brand, a client-level destination, or the candidates to ask about."""

    mode: BrandMode
    brand: Brand | None = None
    destination: Brand | None = None
    candidates: tuple[Brand, ...] = ()
    destination_groups: int = 0


def resolve_brand(
    brands: list[Brand], named: Match[Brand] | None, *, is_about_products: bool
) -> BrandResolution:
    """Resolve a brand and, separately, a destination; never by recency or default.

    `brands` are those of one client, `named` those that a hint may mean, None without a hint. Work
    that `is_about_products` needs a named brand even if all brands share a list.
    """
    mapped = sorted((b for b in brands if b.is_mapped), key=lambda b: folded(b.name))
    groups = len({b.destination_key for b in mapped})
    if not mapped:
        return BrandResolution(mode=BrandMode.NO_DESTINATION)
    if named is not None:
        return _by_name(mapped, named, groups)
    return _without_name(mapped, groups, is_about_products=is_about_products)


def _by_name(mapped: list[Brand], named: Match[Brand], groups: int) -> BrandResolution:
    hits = tuple(brand for brand in named.things if brand.is_mapped)
    if len(hits) != 1:
        offered = hits or tuple(mapped)
        return BrandResolution(
            mode=BrandMode.AMBIGUOUS_BRAND, candidates=offered, destination_groups=groups
        )
    brand = hits[0]
    mode = BrandMode.EXPLICIT_BRAND if named.decides else BrandMode.CLARIFIED_BRAND
    return BrandResolution(mode=mode, brand=brand, destination=brand, destination_groups=groups)


def _without_name(mapped: list[Brand], groups: int, *, is_about_products: bool) -> BrandResolution:
    only = mapped[0] if len(mapped) == 1 else None
    if only or (groups == 1 and not is_about_products):
        mode = BrandMode.CLIENT_LEVEL
        return BrandResolution(
            mode=mode, brand=only, destination=mapped[0], destination_groups=groups
        )
    mode = BrandMode.AMBIGUOUS_DESTINATION if groups > 1 else BrandMode.AMBIGUOUS_BRAND
    return BrandResolution(mode=mode, candidates=tuple(mapped), destination_groups=groups)


MappingState = Literal["mapped", "space only", "list only", "unmapped", "unusable space"]


def mapping_state(brand: Brand) -> MappingState:
    """Return how complete a brand's mapping is, in the words of a list."""
    if not brand.is_routable:
        return "unusable space"
    if brand.space_id and brand.list_id:
        return "mapped"
    if brand.space_id:
        return "space only"
    return "list only" if brand.list_id else "unmapped"
