"""Message shortcuts: any message a person sees can be made a task of, or be asked about."""

from __future__ import annotations

from typing import Any

import pytest
from acting import (
    BRIGHT,
    CLAW,
    INES,
    MIGUEL,
    OPS,
    SARA_L,
    TASK,
    TOMAS,
    YUKI,
    ScriptedModel,
    calls,
    count,
    minded,
    offer,
    offer_in,
    states,
    whispered,
)
from stage import Stage, dm, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench
from workbench.slack.socket_delivery import PayloadDelivery
from workbench.slack.workspace import WORKSPACE

MAKE, ASK = "claw_make_task", "claw_ask_about"
BANNER = "the Glintly Inc storefront banner needs three new photos from the spring shoot"
MADE = calls(
    "create_task",
    client="Glintly Inc",
    title=TASK,
    objective=BANNER,
)
ON_CARD = "It is on the card."


async def asks(stage: Stage, channel: str, ts: str, user: str, question: str) -> None:
    """Use "Ask about this" on a message, and send the form."""
    assert (await stage.bench.use_shortcut(channel, ts, user, ASK))["ok"]
    [view] = await stage.bench.until(lambda: stage.bench.views(user))
    state = {"question": question}
    assert (await stage.bench.submit_view(user, view["id"], state))["ok"]


async def own_messages(stage: Stage, user: str) -> list[dict[str, Any]]:
    """What the assistant wrote into a person's direct messages, oldest first."""
    return [one for one in await stage.bench.messages(dm(user)) if one["user"] == CLAW]


async def begun(stage: Stage, user: str) -> str:
    """Wait for the thread that a shortcut begins in a person's direct messages."""

    async def root() -> str | None:
        found = await own_messages(stage, user)
        return next((one["ts"] for one in found if "You asked" in whole_text(one)), None)

    return await stage.bench.until(root)


async def test_a_message_becomes_a_card_in_its_thread_that_names_its_author_and_takes_a_press(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(MADE, ON_CARD)
    async with minded(bench, agency, mind) as stage:
        ts = await bench.post_message(OPS, SARA_L, BANNER)

        assert (await bench.use_shortcut(OPS, ts, INES, MAKE))["ok"]

        card = await offer_in(stage, OPS, ts)
        shown = whole_text(card)
        [proposal] = await stage.proposals()
        await bench.interact(OPS, card["ts"], INES, "Create task")
        [task] = await stage.created(TASK)

    heard = mind.heard(0)
    [line] = [one for one in heard.splitlines() if "[The message they mean]" in one]
    assert "no order in it" in line
    assert "- Sara Lindqvist (" in heard
    assert heard.rstrip().endswith("Make a task of this message.")
    assert "words of Sara Lindqvist" in shown
    assert "Press the button" in shown or proposal["words_until"] is None
    link = f"{bench.url}/archives/{OPS}/p{ts.replace('.', '')}"
    assert link in task["description"]
    assert "a message of Sara Lindqvist" in task["description"]


async def test_a_reply_is_answered_in_its_thread_and_linked_as_a_reply(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(MADE, ON_CARD)
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(OPS, TOMAS, "what about spring?")
        ts = await bench.post_message(OPS, SARA_L, BANNER, root)
        await bench.post_message(OPS, YUKI, "no idea", root)

        await bench.use_shortcut(OPS, ts, INES, MAKE)

        await offer_in(stage, OPS, root)
        [proposal] = await stage.proposals()

    assert f"?thread_ts={root}&cid={OPS}" in str(proposal["arguments"])
    heard = mind.heard(0)
    assert heard.index("no idea") < heard.index("[The message they mean]")


async def test_in_a_conversation_without_us_it_is_answered_in_direct_messages_without_files(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(MADE, ON_CARD)
    async with minded(bench, agency, mind) as stage:
        private = await bench.add_group(INES, SARA_L, with_app=False)
        ts = await bench.post_message(private, SARA_L, BANNER, files=("shoot.pdf",))

        assert (await bench.use_shortcut(private, ts, INES, MAKE))["ok"]

        root = await begun(stage, INES)
        card = await offer(stage, INES, root)
        opening = whole_text((await own_messages(stage, INES))[0])
        [proposal] = await stage.proposals()

    assert "about a message of Sara Lindqvist" in opening
    assert "without 1 file attached to it" in opening
    assert f"/archives/{private}/p{ts.replace('.', '')}" in opening
    assert "words of Sara Lindqvist" in whole_text(card)
    assert f"/archives/{private}/" in str(proposal["arguments"])
    heard = mind.heard(0)
    assert BANNER in heard
    assert "left out" in heard
    assert "shoot.pdf" not in heard
    assert "read_attached_file" not in mind.offered[0]
    assert [one for one in await bench.messages(private) if one["user"] == CLAW] == []


async def test_a_public_channel_without_us_is_one_we_are_not_in(
    bench: Bench, agency: Database
) -> None:
    workspace = bench.app[WORKSPACE]
    channel = workspace.records.channel(OPS)
    assert channel
    channel["members"].remove(CLAW)
    channel["is_member"] = False
    workspace.records.save_channel(channel)
    async with minded(bench, agency, ScriptedModel("Three photos.")) as stage:
        ts = await bench.post_message(OPS, SARA_L, BANNER)

        await asks(stage, OPS, ts, INES, "how many photos?")

        await stage.reply(INES, await begun(stage, INES))


async def test_a_question_is_typed_in_a_form_and_answered_in_the_thread(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Three photos.", "From the spring shoot.")
    async with minded(bench, agency, mind) as stage:
        ts = await bench.post_message(OPS, SARA_L, BANNER)

        await asks(stage, OPS, ts, INES, "how many photos does it need?")

        assert "Three photos." in whole_text(await stage.reply_in(OPS, ts))
        assert await bench.views(INES) == []
        await bench.post_message(OPS, INES, "and from where?", ts)
        await stage.reply_in(OPS, ts, index=1)

    assert mind.heard(0).rstrip().endswith("how many photos does it need?")
    assert mind.heard(1).count(BANNER) == 1


async def test_the_form_names_people_and_shows_no_ids(bench: Bench, agency: Database) -> None:
    async with minded(bench, agency, ScriptedModel("Hello.")):
        ts = await bench.post_message(OPS, SARA_L, f"<@{YUKI}> has *all* photos")
        await bench.use_shortcut(OPS, ts, INES, ASK)

        [view] = await bench.until(lambda: bench.views(INES))

    [about] = view["blocks"][0]["elements"]
    # In plain text Slack would show the id.
    assert about["type"] == "mrkdwn"
    assert f"“<@{YUKI}> has" in about["text"]


async def test_who_gets_no_form_is_told_to_try_again(bench: Bench, agency: Database) -> None:
    async with minded(bench, agency, ScriptedModel("Hello.")) as stage:
        ts = await bench.post_message(OPS, SARA_L, BANNER)
        await bench.set_fault("slack", "error_before", method="views.open", times=1_000)

        await bench.use_shortcut(OPS, ts, INES, ASK)

        await whispered(stage, INES, "please try again in a moment")
        await bench.clear_faults()
        await bench.use_shortcut(OPS, ts, INES, ASK)
        assert await bench.until(lambda: bench.views(INES))


async def test_a_form_that_is_closed_leaves_nothing_behind(bench: Bench, agency: Database) -> None:
    async with minded(bench, agency, ScriptedModel("Hello.")) as stage:
        ts = await bench.post_message(OPS, SARA_L, BANNER)
        await bench.use_shortcut(OPS, ts, INES, ASK)
        [view] = await bench.until(lambda: bench.views(INES))

        await bench.close_view(INES, view["id"])
        await bench.post_message(OPS, INES, "so what do we do?", ts)
        await stage.settled()

        assert await stage.replies_in(OPS, ts) == []


async def test_in_direct_messages_what_was_asked_about_stays_in_sight(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Whose banner is it?", MADE, ON_CARD)
    async with minded(bench, agency, mind) as stage:
        private = await bench.add_group(INES, SARA_L, with_app=False)
        ts = await bench.post_message(private, SARA_L, BANNER)
        await bench.use_shortcut(private, ts, INES, MAKE)
        root = await begun(stage, INES)
        await stage.reply(INES, root)

        await stage.say(INES, "Glintly Inc's", thread=root)

        card = await offer(stage, INES, root)
        [proposal] = await stage.proposals()

    assert mind.heard(1).count(BANNER) == 1
    assert "words of Sara Lindqvist" in whole_text(card)
    assert proposal["words_until"] is None
    assert f"/archives/{private}/" in str(proposal["arguments"])


async def test_ones_own_message_takes_a_press_too(bench: Bench, agency: Database) -> None:
    async with minded(bench, agency, ScriptedModel(MADE, ON_CARD)) as stage:
        private = await bench.add_group(INES, SARA_L, with_app=False)
        ts = await bench.post_message(private, INES, BANNER)

        await bench.use_shortcut(private, ts, INES, MAKE)

        root = await begun(stage, INES)
        await offer(stage, INES, root)
        await stage.say(INES, "yes, create it", thread=root)
        await stage.settled()

        assert await states(stage) == ["open"]
        assert await stage.creates_sent() == 0


async def test_a_message_that_is_gone_by_then_is_said_to_be_gone(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("That message is gone.")
    workspace = bench.app[WORKSPACE]
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(OPS, TOMAS, "what about spring?")
        ts = await bench.post_message(OPS, SARA_L, BANNER, root)
        channel, said = workspace.records.channel(OPS), workspace.records.message(OPS, ts)
        assert channel
        assert said
        await bench.use_shortcut(OPS, ts, INES, ASK)
        [view] = await bench.until(lambda: bench.views(INES))
        workspace.posts.remove(channel, said)
        await bench.submit_view(INES, view["id"], {"question": "how many?"})
        await stage.reply_in(OPS, root)

    assert "three new photos" not in mind.heard()
    assert "does not stand in the thread any more" in mind.heard()


@pytest.mark.parametrize("change", ["edited", "deleted"])
async def test_later_turns_of_a_thread_know_which_message_was_meant_as_it_stands(
    bench: Bench, agency: Database, change: str
) -> None:
    mind = ScriptedModel("For which client?", "Ready.", "Ready.")
    workspace = bench.app[WORKSPACE]
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(OPS, TOMAS, "what about spring?")
        ts = await bench.post_message(OPS, SARA_L, BANNER, root)
        await bench.post_message(OPS, YUKI, "no idea", root)
        await bench.use_shortcut(OPS, ts, INES, MAKE)
        await stage.reply_in(OPS, root)

        await bench.post_message(OPS, INES, "Glintly Inc", root)
        await stage.reply_in(OPS, root, index=1)
        channel, said = workspace.records.channel(OPS), workspace.records.message(OPS, ts)
        assert channel
        assert said
        if change == "deleted":
            workspace.posts.remove(channel, said)
        else:
            workspace.posts.replace(channel, said, {**said, "text": "four photos, please"})
        await bench.post_message(OPS, INES, f"<@{CLAW}> and now?", root)
        await stage.reply_in(OPS, root, index=2)

    [meant] = [one for one in mind.heard(1).split("\n\n") if "[The message they mean]" in one]
    assert "- Sara Lindqvist (" in meant
    assert BANNER[:50] in meant
    assert mind.heard(1).count(BANNER) == 1
    now = "four photos, please" if change == "edited" else "does not stand in the thread any more"
    [meant] = [one for one in mind.heard(2).split("\n\n") if "[The message they mean]" in one]
    assert now in meant
    assert BANNER[:50] not in mind.heard(2)


async def test_later_turns_read_what_a_later_version_stored_of_the_message(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("It needs photos.", "Three of them.")
    async with minded(bench, agency, mind) as stage:
        ts = await bench.post_message(OPS, SARA_L, BANNER)
        await asks(stage, OPS, ts, INES, "what does it need?")
        await stage.reply_in(OPS, ts)
        await stage.settled()
        await stage.db.pool.execute(
            "update slack_event_receipts set"
            " payload = jsonb_set(payload, '{quoted,added_later}', '1') where payload ? 'quoted'"
        )

        await bench.post_message(OPS, INES, f"<@{CLAW}> how many?", ts)
        await stage.reply_in(OPS, ts, index=1)

    assert mind.heard().rstrip().endswith("how many?")


async def test_what_was_deleted_since_is_no_source_of_a_card(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("For which client?", MADE, ON_CARD)
    workspace = bench.app[WORKSPACE]
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(OPS, TOMAS, "what about spring?")
        ts = await bench.post_message(OPS, SARA_L, BANNER, root)
        await bench.use_shortcut(OPS, ts, INES, MAKE)
        await stage.reply_in(OPS, root)
        channel, said = workspace.records.channel(OPS), workspace.records.message(OPS, ts)
        assert channel
        assert said
        workspace.posts.remove(channel, said)

        await bench.post_message(OPS, INES, f"<@{CLAW}> Glintly Inc", root)
        card = await offer_in(stage, OPS, root)

    assert "words of Sara Lindqvist: “" not in whole_text(card)


async def test_later_turns_know_that_the_files_of_the_message_were_left_out(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("For which client?", "Ready.")
    async with minded(bench, agency, mind) as stage:
        private = await bench.add_group(INES, SARA_L, with_app=False)
        ts = await bench.post_message(private, SARA_L, BANNER, files=("shoot.pdf",))
        await bench.use_shortcut(private, ts, INES, MAKE)
        root = await begun(stage, INES)
        await stage.reply_with(INES, root, "For which client?")

        await stage.say(INES, "Glintly Inc's", thread=root)
        await stage.reply_with(INES, root, "Ready.")

    assert "Its files are left out" in mind.heard(1)


async def test_the_assistants_own_message_can_be_meant(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel("The banner of Glintly Inc needs photos.", MADE, ON_CARD)
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(OPS, INES, f"<@{CLAW}> what is open for Glintly?")
        answer = await stage.reply_in(OPS, root)

        await bench.use_shortcut(OPS, answer["ts"], INES, MAKE)

        await offer_in(stage, OPS, root)
        assert "[The message they mean]" in mind.heard(1)
        assert mind.heard(1).count("The banner of Glintly Inc needs photos.") == 2


async def test_the_same_trigger_told_again_is_answered_once(bench: Bench, agency: Database) -> None:
    async with minded(bench, agency, ScriptedModel(MADE, ON_CARD)) as stage:
        ts = await bench.post_message(OPS, SARA_L, BANNER)
        await bench.use_shortcut(OPS, ts, INES, MAKE)
        await offer_in(stage, OPS, ts)
        payload = use_of(bench, OPS, ts, INES, MAKE)
        for _ in range(2):
            await bench.app[WORKSPACE].hub.ask(
                PayloadDelivery("interactive", "message_action", dict(payload))
            )
        await stage.settled()

        assert await count(stage, "agent_runs") == 2


def use_of(bench: Bench, channel: str, ts: str, user: str, callback: str) -> dict[str, Any]:
    """A payload as Slack, or somebody in its place, would send it."""
    workspace = bench.app[WORKSPACE]
    team = workspace.records.team()
    return {
        "type": "message_action",
        "callback_id": callback,
        "trigger_id": "1.2.forged",
        "action_ts": workspace.records.new_ts(),
        "user": {"id": user, "team_id": team["id"]},
        "team": {"id": team["id"]},
        "channel": {"id": channel, "name": "somewhere"},
        "message_ts": ts,
        "message": {"type": "message", "ts": ts, "user": SARA_L, "text": BANNER},
    }


async def test_a_conversation_that_the_person_is_not_in_is_neither_read_nor_written_to(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Hello.")) as stage:
        group = await bench.add_group(TOMAS, SARA_L)
        ts = await bench.post_message(group, SARA_L, BANNER)

        payload = use_of(bench, group, ts, INES, MAKE)
        await bench.app[WORKSPACE].hub.ask(
            PayloadDelivery("interactive", "message_action", payload)
        )

        await bench.until(lambda: stage.events("shortcut_refused"))
        await stage.settled()
        [event] = await stage.events("shortcut_refused")
        assert event["reason"] == "shortcut_not_seen"
        assert [one for one in await bench.messages(group) if one["user"] == CLAW] == []
        assert await stage.db.pool.fetchval("select count(*) from agent_runs") == 0
        assert "did nothing with it" in whole_text((await own_messages(stage, INES))[-1])


@pytest.mark.parametrize("membership", ["guest", "outsider", "deactivated"])
async def test_whoever_is_no_member_is_told_so_alone(
    bench: Bench, agency: Database, membership: str
) -> None:
    async with minded(bench, agency, ScriptedModel("Hello.")) as stage:
        ts = await bench.post_message(OPS, SARA_L, BANNER)
        await bench.change_membership(MIGUEL, membership)

        await bench.use_shortcut(OPS, ts, MIGUEL, MAKE)

        await bench.until(lambda: stage.events("shortcut_refused"))
        await stage.settled()
        assert await stage.replies_in(OPS, ts) == []
        assert len(await bench.ephemerals(MIGUEL)) == 1


async def test_a_form_that_was_opened_for_somebody_else_is_refused(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Hello.")) as stage:
        ts = await bench.post_message(OPS, SARA_L, BANNER)
        await bench.use_shortcut(OPS, ts, INES, ASK)
        [view] = await bench.until(lambda: bench.views(INES))
        workspace = bench.app[WORKSPACE]
        submitted = {
            "type": "view_submission",
            "user": {"id": MIGUEL},
            "team": {"id": workspace.records.team()["id"]},
            "view": {
                "id": "V0FORGED",
                "callback_id": "claw_ask_form",
                "private_metadata": view["private_metadata"],
                "state": {"values": {"question": {"value": {"value": "what is in there?"}}}},
            },
        }
        await workspace.hub.ask(PayloadDelivery("interactive", "view_submission", submitted))
        await stage.settled()

        assert await stage.replies_in(OPS, ts) == []
        assert [one["reason"] for one in await stage.events("press_refused")] == ["forged_form"]


async def test_while_slack_does_not_say_where_it_stands_it_waits(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Three photos.")) as stage:
        ts = await bench.post_message(OPS, SARA_L, BANNER)
        await bench.set_fault("slack", "error_before", method="conversations.info", times=2)

        await bench.use_shortcut(OPS, ts, INES, MAKE)

        await stage.reply_in(OPS, ts)


async def test_a_conversation_of_too_many_members_is_answered_at_once(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.slack.access._PAGE_SIZE", 1)
    monkeypatch.setattr("agencyclaw.slack.access._PAGES", 1)
    async with minded(bench, agency, ScriptedModel("Hello.")) as stage:
        group = await bench.add_group(TOMAS, INES)
        ts = await bench.post_message(group, TOMAS, BANNER)

        await bench.use_shortcut(group, ts, INES, MAKE)

        await whispered(stage, INES, "did nothing with it")


async def test_a_client_channel_answers_by_its_own_rules(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(call_for("Northwater"), "I can't show that here.")
    async with minded(bench, agency, mind) as stage:
        ts = await bench.post_message(BRIGHT, SARA_L, "Northwater needs photos, too")

        await asks(stage, BRIGHT, ts, INES, "what is due there?")

        await stage.reply_in(BRIGHT, ts)
        refused = await stage.result("list_tasks")

    assert refused["kind"] == "refusal"


def call_for(client: str) -> Any:
    """A look at a client's tasks."""
    return calls("list_tasks", client=client)


@pytest.mark.parametrize("named", ["", "D0GROUP1"])
async def test_in_a_group_conversation_it_stays_in_its_thread_whatever_its_id(
    bench: Bench, agency: Database, named: str
) -> None:
    async with minded(bench, agency, ScriptedModel("It needs three.")) as stage:
        group = await bench.add_group(INES, SARA_L, named=named)
        ts = await bench.post_message(group, SARA_L, BANNER)

        await asks(stage, group, ts, INES, "how many photos?")

        await stage.reply_in(group, ts)
        kinds = await stage.db.pool.fetch("select input_payload ->> 'place' as at from agent_runs")
        assert [row["at"] for row in kinds] == ["group_dm"]
        asked = await stage.db.pool.fetch(
            "select lane, is_direct from slack_event_receipts where event_type = 'message'"
        )
        assert [row["is_direct"] for row in asked] == [False]
        assert asked[0]["lane"].endswith(f":{ts}")


async def test_that_it_failed_on_a_shortcut_is_told_to_who_used_it_alone(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def access(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("agencyclaw.slack.access.Conversations.access", access)
    async with minded(bench, agency, ScriptedModel("Hello.")) as stage:
        ts = await bench.post_message(OPS, SARA_L, BANNER)

        await bench.use_shortcut(OPS, ts, INES, MAKE)

        await whispered(stage, INES, "set it aside")
        assert await stage.replies_in(OPS, ts) == []
