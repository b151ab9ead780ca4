"""Clients, brands, and how a hint becomes one of them without guessing."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cached_property
from typing import Literal, TypeVar
from uuid import UUID

from agencyclaw.domain.people import Value
from agencyclaw.domain.text import folded


class Client(Value):
    """A client of the agency."""

    id: UUID
    name: str
    status: str = "active"

    @cached_property
    def key(self) -> str:
        """The name in the form in which names are compared."""
        return folded(self.name)


class Brand(Value):
    """A brand of a client, with its ClickUp mapping as far as there is one."""

    id: UUID
    client_id: UUID
    name: str
    space_id: str | None = None
    list_id: str | None = None
    marketplaces: tuple[str, ...] = ()
    product_keywords: tuple[str, ...] = ()
    # False where its space is registered as shared, unclassified or gone: no work goes there.
    is_routable: bool = True

    @cached_property
    def key(self) -> str:
        """The name in the form in which names are compared."""
        return folded(self.name)

    @property
    def is_mapped(self) -> bool:
        """True when a task of this brand has somewhere to go."""
        return self.is_routable and bool(self.space_id or self.list_id)

    @property
    def destination_key(self) -> tuple[str | None, str | None]:
        """Two brands share a destination when their keys are equal."""
        return (self.space_id, self.list_id)


class Named(Value):
    """An id with the name a person reads."""

    id: UUID
    name: str


class Assignment(Value):
    """A person in a role slot of a client or of one of its brands."""

    profile_id: UUID
    person: str
    role_slug: str
    role: str
    brand_id: UUID | None = None


class Person(Value):
    """A team member as far as tasks are concerned."""

    profile_id: UUID
    name: str
    display_name: str
    email: str
    clickup_user_id: str | None = None
    slack_user_id: str | None = None


PRODUCT_WORDS = re.compile(
    r"\b(coupon|discount|listing|catalog(?:ue)?|product|sku|asin|promotion|deal|price)s?\b",
    re.IGNORECASE,
)


def is_about_products(text: str) -> bool:
    """Return whether the text speaks of single products, so that one brand must be meant."""
    return PRODUCT_WORDS.search(text) is not None


class SpaceStanding(StrEnum):
    """What a ClickUp space is for, as the agency's registry says."""

    BRAND_SCOPED = "brand_scoped"
    SHARED_SERVICE = "shared_service"
    UNKNOWN = "unknown"
    INACTIVE = "inactive"

    @property
    def takes_brand_work(self) -> bool:
        """True where tasks of a brand may go."""
        return self is SpaceStanding.BRAND_SCOPED


class SpaceRecord(Value):
    """A ClickUp space as the agency's registry has it."""

    id: str
    name: str
    standing: SpaceStanding


class BrandMode(StrEnum):
    """The six ways a brand hint can end."""

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


T = TypeVar("T", Client, Brand)


def match_names(hint: str, things: list[T]) -> list[T]:
    """Return what a hint may mean, best kind of match only: equal, else prefix, else contained."""
    wanted = folded(hint)
    if not wanted:
        return []
    equal = [thing for thing in things if thing.key == wanted]
    return equal or [thing for thing in things if wanted in thing.key]


def resolve_brand(brands: list[Brand], hint: str | None, text: str) -> BrandResolution:
    """Resolve a brand and, apart from it, a destination; never by recency, never by default.

    `brands` are those of one client, `hint` is what a person called the brand, `text` is the task:
    where it speaks of products, one brand must be named even if all share a list.
    """
    mapped = sorted((b for b in brands if b.is_mapped), key=lambda b: b.key)
    groups = len({b.destination_key for b in mapped})
    if not mapped:
        return BrandResolution(mode=BrandMode.NO_DESTINATION)
    if hint and folded(hint):
        return _by_hint(mapped, hint, groups)
    return _without_hint(mapped, text, groups)


def _by_hint(mapped: list[Brand], hint: str, groups: int) -> BrandResolution:
    hits = match_names(hint, mapped)
    if len(hits) != 1:
        offered = tuple(hits or mapped)
        return BrandResolution(
            mode=BrandMode.AMBIGUOUS_BRAND, candidates=offered, destination_groups=groups
        )
    found = hits[0]
    exact = found.key == folded(hint)
    mode = BrandMode.EXPLICIT_BRAND if exact else BrandMode.CLARIFIED_BRAND
    return BrandResolution(mode=mode, brand=found, destination=found, destination_groups=groups)


def _without_hint(mapped: list[Brand], text: str, groups: int) -> BrandResolution:
    mode: BrandMode = BrandMode.CLIENT_LEVEL
    if len(mapped) == 1:
        return BrandResolution(
            mode=mode, brand=mapped[0], destination=mapped[0], destination_groups=groups
        )
    if groups > 1:
        mode = BrandMode.AMBIGUOUS_DESTINATION
    elif is_about_products(text):
        mode = BrandMode.AMBIGUOUS_BRAND
    if mode is BrandMode.CLIENT_LEVEL:
        return BrandResolution(mode=mode, destination=mapped[0], destination_groups=groups)
    return BrandResolution(mode=mode, candidates=tuple(mapped), destination_groups=groups)


MappingState = Literal["mapped", "space only", "list only", "unmapped"]


def mapping_state(brand: Brand) -> MappingState:
    """Return how far a brand is mapped, in the words a list shows."""
    if brand.space_id and brand.list_id:
        return "mapped"
    if brand.space_id:
        return "space only"
    return "list only" if brand.list_id else "unmapped"
