"""What a killed process, a pause or a lost answer leaves: done once, and called what it is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from acting import (
    INES,
    OPS,
    TASK,
    Acting,
    call,
    creating,
    offer,
    states,
    text,
    turn,
)
from stage import Message, Stage, dm, eventually, whole_text

from agencyclaw.domain.conversations import Period
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import OutboxKind
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.proposals import execute
from agencyclaw.proposals.consent import Consent
from agencyclaw.store.background import read_background
from agencyclaw.store.intents import Intents
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.outbox import post
from agencyclaw.store.proposal_states import cancel_by_no, release_confirmed, reopen
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.restored import put_aside
from workbench.fixture import Bench
from workbench.slack.workspace import WORKSPACE

ASK = "make the task"
GUIDE = "Ask the client for the new Glintly brand guide"
RENAME, RENAMED = "rename it", "Get the brand guide"
DAYS = Period(since=datetime(2020, 1, 1, tzinfo=UTC), until=datetime(2100, 1, 1, tzinfo=UTC))
COMMENT = "tell them on it that the invoice is with the client"

pytestmark = pytest.mark.usefixtures("brisk")


def changing(say: str = RENAME, **arguments: Any) -> dict[str, Any]:
    whole = {"task": GUIDE, "client": "Glintly Inc", **(arguments or {"new_title": RENAMED})}
    find = call("search_tools", queries=["update task"])
    return turn(say, find, call("clickup_task_update", **whole), text("See the card."))


def commenting() -> dict[str, Any]:
    find = call("search_tools", queries=["comment on a task"])
    words = "the invoice is with the client"
    comment = call("comment_on_task", task=GUIDE, client="Glintly Inc", text=words)
    return turn(COMMENT, find, comment, text("It is on the card."))


async def by_hand(stage: Stage, name: str, changes: dict[str, Any]) -> None:
    """Change a task as somebody does who works in ClickUp."""
    [found] = await stage.tasks_named(name)
    async with httpx.AsyncClient(headers={"Authorization": "pk_workbench"}) as http:
        url = f"{stage.bench.clickup_api_url}/task/{found['id']}"
        assert (await http.put(url, json=changes)).status_code == 200


async def cut_off(stage: Stage) -> None:
    """Leave the only open proposal as a process does that is killed while it carries it out."""
    await stage.db.pool.execute(
        "update proposals set state = 'executing', confirmed_by = actor_profile_id,"
        " confirming_receipt_id = receipt_id, settled_by = actor_name"
    )


async def carry_on(stage: Stage) -> None:
    """Carry the newest proposal out, as whatever comes back from a dead worker is."""
    row = (await stage.proposals())[-1]
    async with stage.db.transaction() as conn:
        arguments = {"proposal_id": str(row["id"])}
        await defer(conn, "execute", arguments, queue=queue_of(row["team_id"]))


async def is_in(stage: Stage, state: str) -> bool:
    return (await states(stage))[-1] == state


async def pause(stage: Stage) -> None:
    await stage.db.pool.execute(
        "insert into execution_pauses (team_id, paused_by)"
        " select team_id, actor_profile_id from proposals limit 1"
    )


async def resume(stage: Stage) -> None:
    await stage.db.pool.execute("update execution_pauses set resumed_at = now()")


async def receipts(stage: Stage, root: str) -> str:
    return "\n".join([whole_text(one) for one in await stage.replies(INES, root)])


async def test_what_a_pause_met_in_the_middle_is_looked_for_and_not_sent_again(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK), clickup_look_delays=(600.0,))
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)
    await stage.bench.set_fault("clickup", "error_after", method="create_task")
    await stage.press(INES, card, "Create task")
    await eventually(lambda: is_in(stage, "unclear"))
    await stage.db.pool.execute("update agent_tasks set status = 'dispatching'")
    await cut_off(stage)

    await pause(stage)
    await carry_on(stage)
    await eventually(lambda: is_settled(stage))
    await resume(stage)

    await stage.reply_with(INES, root, "Created “")
    assert len(await stage.tasks_named(TASK)) == 1
    assert await stage.creates_sent() == 1


async def is_settled(stage: Stage) -> bool:
    """Whether it is executing no more: done, or waiting for the pause to end."""
    return (await states(stage))[-1] != "executing"


async def test_what_waits_to_be_sent_again_cannot_be_withdrawn_once_that_is_begun(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(INES, ASK)
    await offer(stage, INES, root)
    await cut_off(stage)
    [row] = await stage.proposals()
    [proposal] = await ProposalStore(stage.db).by_ids([row["id"]])
    assert isinstance(proposal.effect, CreateTask)
    intents = Intents(stage.db)
    await intents.begin(proposal, proposal.effect)
    # ClickUp took nothing, and the proposal waits: then it is begun once more.
    await stage.db.pool.execute("update agent_tasks set status = 'failed'")
    await intents.begin(proposal, proposal.effect)

    async with stage.db.transaction() as conn:
        assert await cancel_by_no(conn, proposal.id, actor=actor_of(proposal), reason="no") is None


def actor_of(proposal: Proposal) -> Actor:
    return Actor(
        profile_id=proposal.actor_profile_id,
        name=proposal.actor_name,
        tier=Tier.SUPER_ADMIN,
        slack_user_id=proposal.actor_slack_user_id,
        timezone="UTC",
    )


async def test_a_change_that_a_killed_process_made_is_ours_though_clickup_is_away_at_first(
    acting: Acting,
) -> None:
    stage = await acting(changing(), clickup_look_delays=(0.2,))
    root = await stage.say(INES, RENAME)
    await offer(stage, INES, root, "Change task")
    await by_hand(stage, GUIDE, {"name": RENAMED})
    await cut_off(stage)

    await stage.bench.set_fault("clickup", "error_before", method="get_task", times=3)
    await carry_on(stage)

    await stage.reply_with(INES, root, "Changed the task")
    await stage.settled()
    assert "nothing was changed yet" not in await receipts(stage, root)
    assert "nothing" not in "".join(await stage.whispers(INES)).lower()
    await offer(stage, INES, root, "Undo")


async def undecided(stage: Stage, root: str, label: str) -> None:
    """Have a change made whose answer is lost, and which nobody can look at for a long time."""
    card = await offer(stage, INES, root, label)
    await stage.bench.set_fault("clickup", "error_after", method="update_task", times=3)
    await stage.press(INES, card, label)
    await stage.reply_with(INES, root, "ClickUp didn't say whether")
    await stage.bench.set_fault("clickup", "error_before", method="get_task", times=300)
    await stage.db.pool.execute("update proposals set settled_at = now() - interval '16 minutes'")
    await stage.reply_with(INES, root, "I could not find out")
    await stage.bench.clear_faults()


async def test_what_is_tried_again_and_turns_out_to_be_made_is_ours_and_can_be_undone(
    acting: Acting,
) -> None:
    stage = await acting(changing(), clickup_look_delays=(0.2,))
    root = await stage.say(INES, RENAME)
    await undecided(stage, root, "Change task")

    await stage.press(INES, await offer(stage, INES, root, "Try again"), "Try again")
    await stage.reply_with(INES, root, "Changed the task")
    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")

    assert len(await stage.tasks_named(GUIDE)) == 1


async def test_what_may_not_be_tried_again_is_not_called_unchanged_if_it_was_made(
    acting: Acting,
) -> None:
    stage = await acting(changing(), clickup_look_delays=(0.2,))
    root = await stage.say(INES, RENAME)
    await undecided(stage, root, "Change task")
    card = await offer(stage, INES, root, "Try again")
    # Allowed when it is pressed, and no more when its turn comes.
    await stage.db.pool.execute(
        "create function archived() returns trigger language plpgsql as $$ begin"
        " update agency_clients set status = 'inactive' where name = 'Glintly Inc';"
        " return new; end $$;"
        " create trigger archived after update on proposals for each row"
        " when (new.state = 'confirmed') execute function archived();"
    )

    await stage.press(INES, card, "Try again")

    await stage.reply_with(INES, root, "Changed the task")
    assert "was not changed" not in await receipts(stage, root)


@pytest.mark.parametrize("is_paused", [False, True])
async def test_a_comment_that_a_killed_process_may_have_posted_is_not_posted_again(
    acting: Acting, monkeypatch: pytest.MonkeyPatch, *, is_paused: bool
) -> None:
    """ClickUp lists a comment some time after it took it, and nobody knows whether it did."""
    monkeypatch.setattr(execute, "_LATER_LOOK_S", 0.1)
    stage = await acting(commenting(), clickup_look_delays=(0.2,), clickup_list_lag_s=0.2)
    root = await stage.say(INES, COMMENT)
    await offer(stage, INES, root, "Comment")
    await cut_off(stage)

    if is_paused:
        await pause(stage)
    await carry_on(stage)
    await eventually(lambda: is_settled(stage))
    await resume(stage)

    await stage.reply_with(INES, root, "I could not find out whether this was commented on")
    assert await stage.bench.log(target="clickup", operation="create_comment") == []
    await stage.press(INES, await offer(stage, INES, root, "Try again"), "Try again")
    await stage.reply_with(INES, root, "Commented on the task")
    assert len(await stage.bench.log(target="clickup", operation="create_comment")) == 1


@pytest.mark.parametrize("how", ["taken back", "paused"])
async def test_who_confirms_again_what_once_waited_has_ten_minutes_from_then_on(
    acting: Acting, how: str
) -> None:
    stage = await acting(changing(), clickup_look_delays=(0.2,))
    root = await stage.say(INES, RENAME)
    card = await offer(stage, INES, root, "Change task")
    await stage.bench.set_fault("clickup", "error_before", method="get_task", times=3_000)
    said = await stage.say(INES, "yes, go ahead", thread=root) if how == "taken back" else ""
    if how == "paused":
        await stage.press(INES, card, "Change task")
    await eventually(lambda: waits(stage))
    if how == "taken back":
        delete(stage.bench, said)
    else:
        await stage.bench.command(OPS, INES, "/claw", "pause")
    await eventually(lambda: is_in(stage, "open"))
    await stage.bench.command(OPS, INES, "/claw", "resume")
    await stage.db.pool.execute(
        "update proposals set waiting_since = now() - interval '1 hour'"
        " where waiting_since is not null"
    )
    [row] = await stage.proposals()
    assert (row["reason"], row["result"]) == (None, None)

    await stage.press(INES, await offer(stage, INES, root, "Change task"), "Change task")
    await eventually(lambda: waits(stage))
    await stage.bench.clear_faults()
    await stage.reply_with(INES, root, "Changed the task")
    assert "in vain" not in await receipts(stage, root)


def delete(bench: Bench, ts: str) -> None:
    workspace = bench.app[WORKSPACE]
    place, message = (
        workspace.records.channel(dm(INES)),
        workspace.records.message(dm(INES), ts),
    )
    assert place
    assert message
    workspace.posts.remove(place, message)


async def waits(stage: Stage) -> bool:
    [row] = await stage.proposals()
    return row["reason"] == "waiting" and row["state"] == "confirmed"


async def test_a_card_says_undone_only_once_it_is(acting: Acting) -> None:
    stage = await acting(changing(), clickup_look_delays=(600.0,))
    root = await stage.say(INES, RENAME)
    await stage.press(INES, await offer(stage, INES, root, "Change task"), "Change task")
    card = await offer(stage, INES, root, "Undo")
    await stage.bench.set_fault("clickup", "error_after", method="update_task", times=3)

    await stage.press(INES, card, "Undo")
    await stage.reply_with(INES, root, "ClickUp didn't say whether")
    await stage.settled()

    assert "Undone since" not in await shown(stage, root, card)
    assert "Being undone" in await shown(stage, root, card)
    [undo] = [row for row in await stage.proposals() if row["undo_of"]]
    assert await being_undone(stage, undo["undo_of"]) == [True] * 5
    async with stage.db.transaction() as conn:
        await defer(conn, "look", {"proposal_id": str(undo["id"])}, queue=queue_of(undo["team_id"]))
    await stage.reply_with(INES, root, "Undone.")
    await stage.settled()
    assert "Undone since" in await shown(stage, root, card)
    assert await being_undone(stage, undo["undo_of"]) == [False] * 5


async def being_undone(stage: Stage, proposal_id: UUID) -> list[bool]:
    """Whether it is being undone, in each reading that its author or the model is told from."""
    store = ProposalStore(stage.db)
    [one] = await store.by_ids([proposal_id])
    ines = actor_of(one)
    other = ines.model_copy(update={"profile_id": uuid4()})
    found = [
        [one],
        await store.recent_of(one.place.team_id, INES),
        await store.confirmed_by(one.place.team_id, ines, DAYS),
        (await read_background(stage.db, one.place, ines, {}, idle_s=60)).proposals,
        (await read_background(stage.db, one.place, other, {}, idle_s=60)).of_others,
    ]
    return [one.is_being_undone for read in found for one in read if one.id == proposal_id]


@pytest.mark.parametrize("is_undone", [True, False])
async def test_a_card_says_how_an_undo_ended_that_the_previous_version_ended(
    acting: Acting, *, is_undone: bool
) -> None:
    stage = await acting(changing(), clickup_look_delays=(600.0,))
    root = await stage.say(INES, RENAME)
    await stage.press(INES, await offer(stage, INES, root, "Change task"), "Change task")
    card = await offer(stage, INES, root, "Undo")
    await stage.bench.set_fault("clickup", "error_after", method="update_task", times=3)
    await stage.press(INES, card, "Undo")
    await stage.reply_with(INES, root, "ClickUp didn't say whether")
    await stage.settled()

    # It knows of the two states and the mark, and of nothing else.
    await stage.db.pool.execute(
        "update proposals set state = case when $1 then 'done' else 'failed' end,"
        " reason = null, settled_at = now() where undo_of is not null",
        is_undone,
    )
    if not is_undone:
        await stage.db.pool.execute("update proposals set undone_by = null")
    [done] = await ProposalStore(stage.db).by_ids(
        [row["id"] for row in await stage.proposals() if not row["undo_of"]]
    )
    async with stage.db.transaction() as conn:
        await post(
            conn,
            key="redraw:ended",
            kind=OutboxKind.CARD_UPDATE,
            place=done.place,
            proposal_ids=(done.id,),
        )
    await stage.settled()

    assert "Being undone" not in await shown(stage, root, card)
    assert ("Undone since" in await shown(stage, root, card)) is is_undone
    if not is_undone:
        await offer(stage, INES, root, "Undo")


async def shown(stage: Stage, root: str, card: Message) -> str:
    found = await stage.replies(INES, root)
    return whole_text(next(one for one in found if one["ts"] == card["ts"]))


async def test_an_undo_that_a_restored_dump_leaves_open_can_be_pressed_again(
    acting: Acting,
) -> None:
    stage = await acting(changing(), clickup_look_delays=(600.0,))
    root = await stage.say(INES, RENAME)
    await stage.press(INES, await offer(stage, INES, root, "Change task"), "Change task")
    card = await offer(stage, INES, root, "Undo")
    await stage.bench.set_fault("clickup", "error_before", method="update_task", times=3)
    await stage.press(INES, card, "Undo")
    await stage.reply_with(INES, root, "ClickUp didn't say whether")
    await stage.settled()

    await put_aside(stage.db, silence_s=-600.0)
    await stage.settled()

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    assert len(await stage.tasks_named(GUIDE)) == 1


async def test_who_says_yes_to_what_nobody_knows_is_not_told_that_it_is_still_looked_for(
    acting: Acting,
) -> None:
    stage = await acting(changing(), clickup_look_delays=(0.2,))
    root = await stage.say(INES, RENAME)
    await undecided(stage, root, "Change task")

    await stage.say(INES, "yes, go ahead", thread=root)
    await stage.reply_with(INES, root, "“Try again” on its card")
    assert "still finding out" not in await receipts(stage, root)


async def test_a_stop_drops_nothing_that_was_carried_out_in_the_same_moment(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await acting(changing())
    root = await stage.say(INES, RENAME)
    await offer(stage, INES, root, "Change task")
    await stage.settled()
    read = Consent.open_here

    async def then_done(*arguments: Any) -> list[Proposal]:
        waiting = await read(*arguments)
        await stage.db.pool.execute("update proposals set state = 'done', settled_at = now()")
        return waiting

    monkeypatch.setattr(Consent, "open_here", then_done)
    await stage.say(INES, "stop", thread=root)

    await stage.reply_with(INES, root, "was already changed")
    assert "Dropped" not in await receipts(stage, root)
    assert await states(stage) == ["done"]


async def test_a_stop_that_was_too_late_for_one_card_says_of_nothing_that_it_was_not_changed(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await acting(changing(), commenting())
    root = await stage.say(INES, RENAME)
    await offer(stage, INES, root, "Change task")
    await stage.say(INES, COMMENT, thread=root)
    await offer(stage, INES, root, "Comment")
    await stage.settled()
    read = Consent.open_here

    async def then_one_done(*arguments: Any) -> list[Proposal]:
        waiting = await read(*arguments)
        await stage.db.pool.execute(
            "update proposals set state = 'done', settled_at = now() where skill_id = $1",
            "clickup_task_update",
        )
        return waiting

    monkeypatch.setattr(Consent, "open_here", then_one_done)
    await stage.say(INES, "stop", thread=root)

    told = whole_text(await stage.reply_with(INES, root, "Dropped, as you asked: "))
    assert "was already changed" in told
    assert "Nothing was changed" not in told
    assert await states(stage) == ["done", "cancelled"]


async def test_what_was_sent_once_and_is_tried_again_is_not_called_cancelled(
    acting: Acting,
) -> None:
    stage = await acting(changing(), clickup_look_delays=(0.2,))
    root = await stage.say(INES, RENAME)
    await undecided(stage, root, "Change task")
    # As it is between the press on “Try again” and the worker that begins with it.
    await stage.db.pool.execute("update proposals set state = 'confirmed'")
    [proposal] = await ProposalStore(stage.db).by_ids([(await stage.proposals())[0]["id"]])

    async with stage.db.transaction() as conn:
        assert await cancel_by_no(conn, proposal.id, actor=actor_of(proposal), reason="no") is None
        assert await reopen(conn, proposal.id, by=actor_of(proposal)) is None
        assert await release_confirmed(conn, proposal.place.team_id) == []
