"""What the model is told of the moment."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from inline_snapshot import snapshot

from agencyclaw.agents.situation import change_rows, describe
from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Named
from agencyclaw.domain.people import Tier
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.task_comments import CommentOnTask
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.tools.tasks import create_task
from tests.fakes.ports import an_id, context, demo_agency

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
URL = "https://app.clickup.com/t/1"


async def proposed(deps: Deps, state: ProposalState, **fields: Any) -> Proposal:
    effect = await create_task(
        context(deps),
        client="Copperleaf",
        title="20% coupon",
        objective="20% off B0CF7GARL1 until Friday",
        details="20% off B0CF7GARL1 until Friday",
        identifiers_pending=True,
        replaces="An older title",
    )
    assert isinstance(effect, CreateTask)
    values: dict[str, Any] = {
        "id": an_id(state.value),
        "receipt_id": 1,
        "run_id": None,
        "place": deps.place,
        "actor_profile_id": deps.actor.profile_id,
        "actor_slack_user_id": deps.actor.slack_user_id,
        "actor_name": deps.actor.name,
        "effect": effect,
        "fingerprint": "f",
        "state": state,
        "created_at": NOON,
        "expires_at": NOON + timedelta(minutes=10),
    }
    return Proposal(**(values | fields))


def test_a_zone_that_nobody_knows_costs_no_answer() -> None:
    deps = demo_agency().run(timezone="Mars/Phobos")

    assert describe(deps, [], []).startswith("[Situation] Today is Wednesday 2026-11-18, 10:00 UTC")


async def test_an_open_card_is_told_whole_so_that_what_is_missing_can_be_said() -> None:
    deps = demo_agency().run()

    said = describe(deps, [await proposed(deps, ProposalState.OPEN)], [])

    assert said.splitlines()[2:] == snapshot(
        [
            "Proposal “20% coupon” for Copperleaf: waiting on its card, where only a press"
            " confirms it; Cancel on it drops it, and it expires at 12:10. On the card, as they "
            "read it: List: Space / List "
            "901005000011; Client: Brightkettle Group; Brand: Copperleaf; Assignee: "
            "unassigned; Objective: 20% off B0CF7GARL1 until Friday; Details: 20% off "
            "B0CF7GARL1 until Friday; Marketplace: CA (the brand's own; not stated); Steps: 6"
            " steps; Rests on: Coupons Promotion SOP. Still missing: Product identifiers "
            "(ASIN or SKU) are pending. Discount terms: not stated. Start date: not stated. "
            "End date: not stated. Budget: not stated. Owner: not stated. Due date: not "
            "stated."
        ]
    )


async def test_what_ends_in_a_full_stop_gets_no_second_one() -> None:
    deps = demo_agency().run()
    card = await proposed(deps, ProposalState.OPEN)
    whole = card.effect.model_copy(update={"objective": "Prepare the call.", "details": "Soon."})

    line = describe(deps, [card.model_copy(update={"effect": whole})], []).splitlines()[2]

    assert "Objective: Prepare the call; Details: Soon; " in line
    assert ".." not in line
    assert ".;" not in line


async def test_of_older_open_cards_only_what_is_missing_is_told() -> None:
    deps = demo_agency().run()
    cards = [
        await proposed(deps, ProposalState.OPEN, id=an_id(f"card {number}")) for number in range(3)
    ]

    newest, second, oldest = describe(deps, cards, []).splitlines()[2:]

    assert "On the card, " in newest
    assert "On the card, " in second
    assert oldest.startswith("Proposal “20% coupon” for Copperleaf: waiting on its card")
    assert "On the card, " not in oldest
    assert "Still missing: " in oldest


async def test_what_was_created_is_told_with_time_and_link_and_what_was_replaced_is_not() -> None:
    deps = demo_agency().run()
    done = await proposed(deps, ProposalState.DONE, settled_at=NOON, result={"url": URL})
    old = await proposed(deps, ProposalState.SUPERSEDED, settled_at=NOON)

    said = describe(deps, [done, old], [Note(text="Created it.\nIt is unassigned.")])

    assert said.splitlines()[2:] == snapshot(
        [
            f"Proposal “20% coupon” for Copperleaf (key e1): created, 12:00 ({URL}).",
            "The system said here: Created it. It is unassigned.",
        ]
    )


@pytest.mark.parametrize("minutes", [9, 10])
@pytest.mark.parametrize("ahead", [timedelta(), timedelta(days=3)])
async def test_while_a_change_can_be_undone_its_line_says_so(
    minutes: int, ahead: timedelta
) -> None:
    deps = demo_agency().run()
    at = deps.now - timedelta(minutes=minutes)
    deps = replace(deps, now=deps.now + ahead, ahead=ahead)
    result = {"url": URL, "can_undo": True}
    done = await proposed(deps, ProposalState.DONE, settled_at=at, result=result)

    line = describe(deps, [done], []).splitlines()[2]

    until = (at + timedelta(minutes=10)).astimezone(deps.actor.zone)
    assert line.endswith(f"; Undo is on its card until {until:%H:%M}.") is (minutes < 10)


async def test_how_a_proposal_ended_is_told_once() -> None:
    deps = demo_agency().run()
    done = await proposed(deps, ProposalState.DONE, settled_at=NOON, result={"url": URL})

    created = Note(text="Created “20% coupon” in Copperleaf.", about=done.id)

    said = describe(deps, [done], [created, Note(text="Paused by Ines.")])

    assert said.count("20% coupon") == 1
    assert "The system said here: Paused by Ines." in said


async def test_what_is_about_something_else_is_told_though_a_card_is_called_so_too() -> None:
    deps = demo_agency().run()
    done = await proposed(deps, ProposalState.DONE, settled_at=NOON, result={"url": URL})
    paused = "I paused the reminder “look at the 20% coupon”: its channel is archived."

    said = describe(deps, [done], [Note(text=paused), Note(text=paused, about=an_id("other"))])

    assert said.count(f"The system said here: {paused}") == 2


async def test_the_judge_is_not_told_how_a_card_is_confirmed_which_changes_with_every_message() -> (
    None
):
    deps = demo_agency().run()
    waiting = await proposed(deps, ProposalState.OPEN, words_until=deps.now + timedelta(minutes=9))

    [row] = change_rows([waiting], "UTC", now=deps.now)

    assert (row.waits, row.state) == (True, "waiting on its card")


def test_a_viewer_is_told_that_nothing_can_be_prepared() -> None:
    deps = demo_agency().run(tier=Tier.VIEWER)

    assert "No change can be prepared for them here" in describe(deps, [], [])


def test_the_day_is_the_persons() -> None:
    deps = demo_agency().run()
    late = replace(deps, now=datetime(2026, 11, 18, 23, 30, tzinfo=UTC))
    there = replace(late, actor=deps.actor.model_copy(update={"timezone": "Asia/Tokyo"}))

    assert "Today is Thursday 2026-11-19, 08:30 Asia/Tokyo" in describe(there, [], [])


async def test_the_text_of_a_comment_that_waits_is_told_with_its_card() -> None:
    deps = demo_agency().run()
    comment = CommentOnTask(
        client=Named(id=an_id("Glintly Inc"), name="Glintly Inc"),
        task_id="86a",
        url=URL,
        title="Fix listing",
        text="The feed is with Amazon; we hear on Friday.",
        author="Ines Varga",
        timezone="UTC",
    )

    waiting = await proposed(deps, ProposalState.OPEN, effect=comment)

    assert comment.text.rstrip(".") in describe(deps, [waiting], [])
