"""Of which changes a person is told that they made them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from agencyclaw.domain.people import Tier
from agencyclaw.domain.proposals import CONFIRMED_READ, UNDO_WINDOW, Proposal, ProposalState
from agencyclaw.domain.remembering import RememberNote
from agencyclaw.domain.unsupported import UnsupportedEffect
from agencyclaw.knowledge.links import urls_of
from agencyclaw.tools.own_changes import OwnChanges, list_own_changes
from tests.fakes.ports import NOW, Agency, FakeMessages, a_client, an_id, context, demo_agency


async def a_change(agency: Agency, client: str, **fields: Any) -> Proposal:
    """A note on a client that was confirmed and kept."""
    effect = RememberNote(client=a_client(client).named, note="Likes short mails.")
    kept = {"state": ProposalState.DONE, "settled_at": NOW, "result": {"can_undo": True}}
    return (await agency.proposals.draft(effect)).model_copy(update=kept | fields)


async def changes(agency: Agency) -> OwnChanges:
    return await list_own_changes(context(agency.run(tier=Tier.MEMBER)))


async def test_a_change_of_a_client_that_they_lost_is_counted_and_not_shown() -> None:
    agency = demo_agency()
    agency.directory.visible = {"Pawtrail"}
    agency.proposals.confirmed_before = [
        await a_change(agency, "Pawtrail"),
        await a_change(agency, "Glintly Inc"),
    ]
    found = await changes(agency)

    assert [one.clients for one in found.changes] == [("Pawtrail",)]
    assert "Not listed: 1 change of clients that are out of sight here, such as" in found.note
    assert "Glintly" not in found.model_dump_json()


async def test_whose_changes_are_all_of_clients_not_listed_is_not_said_to_have_made_none() -> None:
    agency = demo_agency()
    agency.directory.visible = {"Pawtrail"}
    assert "They confirmed nothing in that time." in (await changes(agency)).note

    agency.proposals.confirmed_before = [await a_change(agency, "Glintly Inc")]
    found = await changes(agency)

    assert found.changes == ()
    assert "nothing" not in found.note
    assert "Not listed: 1 change of clients" in found.note


async def test_more_changes_than_are_read_at_once_are_said_to_be_more() -> None:
    agency = demo_agency()
    one = await a_change(agency, "Pawtrail")
    agency.proposals.confirmed_before = [one] * (CONFIRMED_READ - 1)
    assert "at least" not in (await changes(agency)).note

    agency.proposals.confirmed_before = [one] * CONFIRMED_READ
    assert "The total is at least that: 200 are read at most." in (await changes(agency)).note


async def test_on_a_clock_moved_ahead_undo_and_today_are_by_the_clock_of_the_cards() -> None:
    agency = demo_agency()
    ahead = timedelta(days=3)
    agency.proposals.confirmed_before = [
        await a_change(agency, "Pawtrail", settled_at=NOW - timedelta(minutes=1)),
        await a_change(agency, "Pawtrail", settled_at=NOW - UNDO_WINDOW),
    ]
    deps = replace(agency.run(now=NOW + ahead), ahead=ahead)
    found = await list_own_changes(context(deps))

    fresh, old = found.changes
    assert fresh.undo.endswith("until 10:09")
    assert old.undo == ""
    assert found.range == (await changes(agency)).range


async def test_a_change_offers_its_undo_as_long_as_a_press_undoes_it() -> None:
    agency = demo_agency()
    before = NOW - UNDO_WINDOW
    agency.proposals.confirmed_before = [
        await a_change(agency, "Pawtrail", settled_at=before + timedelta(minutes=1)),
        await a_change(agency, "Pawtrail", settled_at=before),
        await a_change(agency, "Pawtrail", undone_by=an_id("undo")),
    ]
    fresh, old, undone = (await changes(agency)).changes

    assert fresh.undo.endswith("until 10:01")
    assert old.undo == undone.undo == ""


async def test_a_change_that_failed_or_is_unclear_is_not_said_to_be_done() -> None:
    agency = demo_agency()
    agency.proposals.confirmed_before = [
        await a_change(agency, "Pawtrail", state=ProposalState.FAILED),
        await a_change(agency, "Pawtrail", state=ProposalState.UNCLEAR),
        await a_change(agency, "Pawtrail", state=ProposalState.EXECUTING, settled_at=None),
    ]
    failed, unclear, under_way = (one.outcome for one in (await changes(agency)).changes)

    assert failed.startswith("not ")
    assert unclear.startswith("sent, but not known")
    assert under_way.startswith("confirmed, being")


async def test_what_waits_is_listed_with_its_place_and_not_of_a_client_that_they_lost() -> None:
    agency = demo_agency()
    agency.directory.visible = {"Pawtrail"}
    waits = {"state": ProposalState.OPEN, "settled_at": None, "result": None}
    here = await a_change(agency, "Pawtrail", **waits, expires_at=NOW + timedelta(hours=1))
    place = here.place.model_copy(update={"channel_id": "D0OTHER"})
    agency.proposals.cards = [
        here,
        here.model_copy(update={"place": place}),
        await a_change(agency, "Glintly Inc", **waits),
    ]

    found = await changes(agency)

    first, second = found.waiting
    assert (first.where, second.where) == ("this thread", "another thread, and their Home tab")
    assert first.until.endswith("11:00")
    assert "Not listed: 1 waiting card of clients" in found.note
    assert "Glintly" not in found.model_dump_json()


async def test_every_change_and_card_leads_to_where_it_is_shown() -> None:
    agency = demo_agency()
    address = "https://agency.slack.com/archives/D01INES/p17000000000001"
    agency.proposals.confirmed_before = [await a_change(agency, "Pawtrail")]
    agency.proposals.cards = [await a_change(agency, "Pawtrail", state=ProposalState.OPEN)]
    deps = replace(agency.run(tier=Tier.MEMBER), messages=FakeMessages(cards_at=address))

    found = await list_own_changes(context(deps))

    for one in (*found.changes, *found.waiting):
        assert one.card
        assert one.card.url == address
    assert address in urls_of(found), "so that an answer may link to it"


async def test_what_this_version_cannot_read_is_counted_and_told_nothing_of() -> None:
    agency = demo_agency()
    unread = UnsupportedEffect(
        stored={"title": "Secret launch"}, prepared_by="create_task", stored_entity="task:1"
    )
    agency.proposals.confirmed_before = [
        await a_change(agency, "Pawtrail"),
        await a_change(agency, "Pawtrail", effect=unread),
    ]
    agency.proposals.cards = [
        await a_change(agency, "Pawtrail", effect=unread, state=ProposalState.OPEN)
    ]
    found = await changes(agency)

    assert found.total == 1
    assert "Not listed: 1 change of another version" in found.note
    assert "Not listed: 1 waiting card of another version" in found.note
    assert "Secret" not in found.model_dump_json()
