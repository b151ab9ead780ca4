"""Guides: ways of working that an agency wrote down for the assistant, as files of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.text import digest


class Guide(Value):
    """One way of working; the operator's own words, for people of a tier and above."""

    name: str
    description: str
    text: str
    tier: Tier = Tier.VIEWER


def open_to(guides: Iterable[Guide], tier: Tier) -> tuple[Guide, ...]:
    """Return the guides that somebody of this tier gets."""
    return tuple(one for one in guides if one.tier <= tier)


def guides_hash(guides: Sequence[Guide]) -> str:
    """Return the short hash that names this wording of these guides on every run."""
    return digest([one.model_dump(mode="json") for one in guides])[:12]
