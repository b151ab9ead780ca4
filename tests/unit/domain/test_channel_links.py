"""Whose a channel is: a client's, one of its brands', or the agency's own."""

from __future__ import annotations

from uuid import UUID

import pytest
from pydantic import ValidationError

from agencyclaw.domain.channel_links import ChannelOwner, LinkChannel
from agencyclaw.domain.clients import Named
from agencyclaw.domain.people import ChannelScope, ScopeKind

CLIENT = Named(id=UUID(int=1), name="Brightkettle Group")
BRAND = Named(id=UUID(int=2), name="Copperleaf")


def test_a_brand_owns_no_channel_without_its_client() -> None:
    with pytest.raises(ValidationError):
        ChannelOwner(brand=BRAND)


@pytest.mark.parametrize(
    ("owner", "scope"),
    [
        (ChannelOwner(), ChannelScope(ScopeKind.INTERNAL)),
        (ChannelOwner(client=CLIENT), ChannelScope(ScopeKind.CLIENT_SCOPED, CLIENT.id)),
        (
            ChannelOwner(client=CLIENT, brand=BRAND),
            ChannelScope(ScopeKind.CLIENT_SCOPED, CLIENT.id, BRAND.id),
        ),
    ],
)
def test_the_scope_says_whose_it_is_by_ids(owner: ChannelOwner, scope: ChannelScope) -> None:
    assert owner.scope == scope


@pytest.mark.parametrize(
    ("channel", "after", "headline"),
    [
        ("ops", ChannelOwner(client=CLIENT), "Link #ops to Brightkettle Group"),
        ("", ChannelOwner(), "Link this channel to the agency itself"),
        ("ops", None, "Unlink #ops"),
        ("", None, "Unlink this channel"),
    ],
)
def test_a_card_says_what_it_would_do_and_not_that_it_is_so(
    channel: str, after: ChannelOwner | None, headline: str
) -> None:
    effect = LinkChannel(team_id="T1", channel_id="C1", channel=channel, after=after)

    assert effect.preview().headline == headline
