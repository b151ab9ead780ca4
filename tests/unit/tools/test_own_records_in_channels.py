"""What somebody keeps for themselves is neither offered nor told where others read along."""

from __future__ import annotations

from dataclasses import replace
from datetime import time

import pytest

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.memory import Preference, Preferences
from agencyclaw.domain.people import ScopeKind, SurfaceKind, Tier
from agencyclaw.domain.remembering import ForgetPreference
from agencyclaw.domain.schedule_changes import RecurringQuestion
from agencyclaw.domain.schedules import StoredSchedule, Timing, Work
from agencyclaw.tools.memory import forget
from agencyclaw.tools.results import Proposed, Refusal
from agencyclaw.tools.schedules import When, ask_regularly
from tests.fakes.ports import NOW, an_id, context, demo_agency
from tests.unit.tools.test_gate import called

CHANNEL = "C01BRIGHT"
OWN = Preferences(kept=(Preference(key="other", value="Pawtrail before all others", set_at=NOW),))


def a_question(words: str, channel_id: str) -> StoredSchedule:
    timing = Timing(day=NOW.date(), at=time(8), every="day", zone="UTC")
    return StoredSchedule(
        id=an_id(words),
        next_at=None,
        words=words,
        timing=timing,
        work=Work.ASK,
        channel_id=channel_id,
        is_in_channel=channel_id == CHANNEL,
    )


def in_channel(deps: Deps) -> Deps:
    """The same run, in a channel of Brightkettle."""
    place = deps.place.model_copy(update={"channel_id": CHANNEL, "is_direct": False})
    surface = deps.surface.model_copy(
        update={
            "kind": SurfaceKind.THREAD,
            "scope": ScopeKind.CLIENT_SCOPED,
            "client_id": an_id("client Brightkettle Group"),
            "channel_id": CHANNEL,
        }
    )
    return replace(deps, place=place, surface=surface)


async def test_a_preference_is_forgotten_in_direct_messages_and_unknown_in_a_clients_channel() -> (
    None
):
    deps = demo_agency().run(preferences=OWN)

    meant = await forget(context(deps), fact="Pawtrail before all others")
    with pytest.raises(NotFound, match="in a direct message or on the Home tab"):
        await forget(context(in_channel(deps)), fact="Pawtrail before all others")

    assert isinstance(meant, ForgetPreference)


async def following(other: str, *, is_in_channel: bool) -> RecurringQuestion:
    """Prepare a question after another one: two are kept, of which one is answered there."""
    agency = demo_agency()
    agency.memory.reminding = [
        a_question("what is due at Pawtrail", "D01INES"),
        a_question("what is due at Tessera", CHANNEL),
    ]
    deps = agency.run(request="what is late here, every day at 17:00, after the other one")
    prepared = await ask_regularly(
        context(in_channel(deps) if is_in_channel else deps),
        words="what is late here",
        when=When(quote="every day at 17:00", time="17:00", every="day"),
        after=other,
    )
    assert isinstance(prepared, RecurringQuestion)
    return prepared


async def test_who_may_have_no_question_answered_in_a_channel_is_told_of_direct_messages() -> None:
    deps = demo_agency().run(tier=Tier.MEMBER, request="what is late here, every day at 17:00")
    when = {"quote": "every day at 17:00", "time": "17:00", "every": "day"}
    arguments = {"words": "what is late here", "when": when}
    refused = await called(in_channel(deps), "ask_regularly", arguments)
    own = await called(deps, "ask_regularly", arguments)

    assert isinstance(refused.content, Refusal)
    assert refused.content.reason == "admin_skill_denied"
    assert "In a direct message with me you can ask for it yourself." in refused.content.message
    assert isinstance(own.content, Proposed)


async def test_in_a_channel_a_question_follows_only_one_that_is_answered_there() -> None:
    own = await following("due at Pawtrail", is_in_channel=False)
    there = await following("due at Tessera", is_in_channel=True)
    with pytest.raises(NotFound):
        await following("Pawtrail", is_in_channel=True)

    assert own.follows == "what is due at Pawtrail"
    assert there.follows == "what is due at Tessera"
