"""Which clients a conversation may be about: none that its person may not see where it is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agencyclaw.conversation.topics import TurnTopic, topic_of
from agencyclaw.domain.clients import Named
from agencyclaw.domain.memory import Preference, Preferences
from agencyclaw.domain.people import Actor, ScopeKind, Surface, SurfaceKind, Tier
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.runs import StartedRun
from tests.fakes.ports import an_id, demo_agency

DM = Surface(kind=SurfaceKind.DM, scope=ScopeKind.INTERNAL)
UNKNOWN = Surface(kind=SurfaceKind.THREAD, scope=ScopeKind.UNKNOWN, channel_id="C01RANDOM")
GLINTLY = Surface(
    kind=SurfaceKind.THREAD, scope=ScopeKind.CLIENT_SCOPED, client_id=an_id("client Glintly Inc")
)
WANTED = tuple(
    Preference(key=key, value=value, set_at=datetime(2026, 11, 1, tzinfo=UTC))
    for key, value in (("answer_style", "three lines"), ("other", "Pawtrail's tasks come first"))
)


async def topic(surface: Surface, client: str, tier: Tier = Tier.MEMBER) -> TurnTopic:
    """The topic where this client is the session's, the thread's and the default one."""
    agency = demo_agency()
    agency.directory.visible = {"Glintly Inc", "Pawtrail"}
    actor = Actor(profile_id=an_id("Yuki"), name="Yuki Tan", tier=tier, slack_user_id="U01YUKI")
    known = an_id(f"client {client}")
    return await topic_of(
        agency.directory,
        Identity(actor, surface),
        StartedRun(an_id("session"), known),
        known,
        Preferences(default_client=Named(id=known, name=client), kept=WANTED),
    )


@pytest.mark.parametrize(
    ("surface", "client", "tier", "is_named"),
    [
        (DM, "Pawtrail", Tier.MEMBER, True),
        (DM, "Hearthlane", Tier.MEMBER, False),
        (DM, "Hearthlane", Tier.ADMIN, True),
        (GLINTLY, "Glintly Inc", Tier.MEMBER, True),
        (GLINTLY, "Pawtrail", Tier.SUPER_ADMIN, False),
        (UNKNOWN, "Pawtrail", Tier.SUPER_ADMIN, False),
    ],
)
async def test_a_client_is_meant_only_where_its_person_may_see_it(
    surface: Surface, client: str, tier: Tier, is_named: bool
) -> None:
    found = await topic(surface, client, tier)

    default = found.preferences.default_client
    named = {found.session.active_client, found.session.thread_client, default and default.name}
    assert named == ({client} if is_named else {None})


async def test_the_client_of_a_place_is_nobodys_topic_who_may_not_see_it() -> None:
    hearthlane = GLINTLY.model_copy(update={"client_id": an_id("client Hearthlane")})

    assert (await topic(GLINTLY, "Pawtrail")).scope.client_name == "Glintly Inc"
    assert (await topic(hearthlane, "Pawtrail")).scope.client_name is None


@pytest.mark.parametrize(("surface", "count"), [(DM, 2), (GLINTLY, 1)])
async def test_words_that_may_name_another_client_are_not_read_in_a_clients_channel(
    surface: Surface, count: int
) -> None:
    found = await topic(surface, "Glintly Inc")

    assert found.preferences.kept == WANTED[:count]
