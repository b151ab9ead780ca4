"""What a colleague sees of a card that was prepared for somebody else."""

from __future__ import annotations

from agencyclaw.domain.field_sources import FieldSource, Origin
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.proposals.reproposal import for_colleague
from tests.fakes.ports import an_id
from tests.fakes.slack_store import an_effect

SARA = Actor(
    profile_id=an_id("Sara"), slack_user_id="U01SARAO", name="Sara Okafor", tier=Tier.MEMBER
)


def test_words_that_nobody_wrote_are_not_said_to_be_the_authors() -> None:
    sources = (
        FieldSource(field="Title", origin=Origin.ASSISTANT, whose="Miguel Duarte"),
        FieldSource(field="Due", origin=Origin.TYPED, quote="due Thursday"),
        FieldSource(field="Details", origin=Origin.FORWARDED, whose="Ines Varga", quote="Hi team"),
    )
    effect = an_effect(field_sources=sources, details="Hi team", objective="It is set up.")

    theirs = {one.field: one for one in for_colleague(effect, "Ines Varga", SARA).field_sources}

    seen = {name: (one.origin, one.whose) for name, one in theirs.items()}
    assert seen == {
        "Title": (Origin.ASSISTANT, "Miguel Duarte"),
        "Due": (Origin.OTHERS, "Ines Varga"),
        "Details": (Origin.FORWARDED, "Ines Varga"),
        "Objective": (Origin.OTHERS, "Ines Varga"),
    }
    assert theirs["Due"].quote == "due Thursday"
    assert all(one.needs_press for one in theirs.values())
