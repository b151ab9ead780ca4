"""A thumb under an answer: kept with its run, one a person, and never a consent."""

from __future__ import annotations

import json
from typing import Any

from acting import (
    INES,
    OPS,
    TOMAS,
    YUKI,
    Acting,
    call,
    count,
    creating,
    offer,
    states,
    text,
    turn,
)
from stage import Message, Stage, dm, whole_text

from agencyclaw.cli.reports import show_run
from agencyclaw.settings import Settings
from agencyclaw.slack.feedback import thumbs
from agencyclaw.store.retention import forget_old

UP, DOWN = "This helped", "This didn't help"
ASK = "what can you do?"
SAID = "I look things up, and you decide."


def thumbs_of(message: Message) -> list[dict[str, Any]]:
    return [block for block in message["blocks"] if block["type"] == "context_actions"]


async def answered(acting: Acting) -> tuple[Stage, Message]:
    stage = await acting(turn(ASK, text(SAID)))
    message = await stage.reply_with(YUKI, await stage.say(YUKI, ASK), SAID)
    await stage.settled()
    return stage, message


async def feedback(stage: Stage) -> list[tuple[str, str, str]]:
    rows = await stage.db.pool.fetch(
        "select slack_user_id, rating, comment from answer_feedback order by slack_user_id"
    )
    return [tuple(row) for row in rows]


async def form_of(stage: Stage, user: str) -> dict[str, Any]:
    async def there() -> dict[str, Any] | None:
        return (await stage.bench.views(user) or [None])[-1]

    return await stage.bench.until(there)


async def commented(stage: Stage, message: Message, words: str, user: str = YUKI) -> None:
    await stage.press(user, message, DOWN)
    form = await form_of(stage, user)
    sent = await stage.bench.submit_view(user, form["id"], {"comment": {"value": words}})
    assert sent["ok"]


async def queue(stage: Stage, user: str, channel: str = "") -> Message:
    await stage.bench.command(channel or dm(user), user, "/claw", "feedback")
    return (await stage.bench.ephemerals(user))[-1]


async def test_a_thumb_is_kept_with_the_run_and_can_be_changed(acting: Acting) -> None:
    stage, message = await answered(acting)
    run = await stage.db.pool.fetchval("select id from agent_runs")
    assert thumbs_of(message)[0]["elements"][0]["type"] == "feedback_buttons"

    await stage.press(YUKI, message, UP)
    assert await feedback(stage) == [(YUKI, "up", "")]
    assert await stage.db.pool.fetchval("select run_id from answer_feedback") == run

    await commented(stage, message, "  It named the\x00 wrong client.\n")
    assert await feedback(stage) == [(YUKI, "down", "It named the wrong client.")]

    await stage.press(YUKI, message, UP)
    assert await feedback(stage) == [(YUKI, "up", "")]
    assert await stage.whispers(YUKI) == []


async def test_a_window_that_is_closed_leaves_the_thumb(acting: Acting) -> None:
    stage, message = await answered(acting)

    await stage.press(YUKI, message, DOWN)
    form = await form_of(stage, YUKI)
    await stage.bench.close_view(YUKI, form["id"])

    assert await feedback(stage) == [(YUKI, "down", "")]


async def test_a_thumb_is_no_consent_and_leaves_the_card_as_it_is(acting: Acting) -> None:
    stage = await acting(creating())
    root = await stage.say(INES, "make the task")
    card = await offer(stage, INES, root)
    answer = await stage.reply_with(INES, root, "It is on the card.")
    await stage.settled()
    before = dict((await stage.proposals())[0])

    await stage.press(INES, answer, UP)
    await commented(stage, answer, "yes, create it", INES)
    await stage.settled()

    assert dict((await stage.proposals())[0]) == before
    assert await stage.creates_sent() == 0
    # It lies not between the card and a word either.
    assert await stage.whispers(INES) == []
    assert thumbs_of(card) == []

    await stage.say(INES, "yes", thread=root)
    await stage.created(before["arguments"]["title"])
    receipt = await stage.reply_with(INES, root, "From the records")
    assert thumbs_of(receipt) == []
    assert await states(stage) == ["done"]


async def test_only_answers_take_a_thumb_and_notices_do_not(acting: Acting) -> None:
    stage = await acting(turn(ASK, text(SAID)), turn("fail", {"fail": 400}))

    helped = await stage.reply_with(YUKI, await stage.say(YUKI, "help"), "look things up")
    failed = await stage.reply(YUKI, await stage.say(YUKI, "fail"))

    assert thumbs_of(helped) == []
    assert "sorry" in whole_text(failed)
    assert thumbs_of(failed) == []


async def test_a_forged_thumb_is_turned_away(acting: Acting) -> None:
    stage, message = await answered(acting)
    run = await stage.db.pool.fetchval("select id from agent_runs")
    pair = thumbs(run)["elements"][0]
    forged = {"type": "feedback_buttons", "action_id": pair["action_id"]}
    value = pair["positive_button"]["value"]

    # Another channel's message with this answer's thumb, then one of no answer at all.
    other = await stage.bench.post_message(OPS, TOMAS, "hello all")
    await stage.bench.interact(OPS, other, TOMAS, forged | {"value": value})
    await stage.bench.interact(dm(YUKI), message["ts"], YUKI, forged | {"value": "up:everything"})
    await stage.settled()

    assert await feedback(stage) == []
    reasons = [event["reason"] for event in await stage.events("press_refused")]
    assert reasons == ["unknown_answer", "forged_value"]


async def test_a_comment_without_a_thumb_is_kept_nowhere(acting: Acting) -> None:
    stage, message = await answered(acting)
    await stage.press(YUKI, message, DOWN)
    form = await form_of(stage, YUKI)
    await stage.press(YUKI, message, UP)

    await stage.bench.submit_view(YUKI, form["id"], {"comment": {"value": "too late"}})

    assert await feedback(stage) == [(YUKI, "up", "")]


async def test_admins_see_who_asked_what_and_take_it_off_the_queue(acting: Acting) -> None:
    stage, message = await answered(acting)
    await commented(stage, message, "<@U01INES> *see* https://evil.example")

    shown = await queue(stage, INES)
    said = whole_text(shown)
    assert "1 answer that didn't help waits" in said
    for words in ("Yuki Tan", ASK, SAID, "*What was wrong:*", "agencyclaw runs show"):
        assert words in said
    assert "<@U01INES>" not in said

    await stage.bench.interact(dm(INES), shown["ts"], INES, "Done")

    async def redrawn() -> str | None:
        now = whole_text((await stage.bench.ephemerals(INES))[-1])
        return now if "No answer waits" in now else None

    await stage.bench.until(redrawn)
    row = await stage.db.pool.fetchrow(
        "select f.handled_at, p.slack_user_id from answer_feedback f"
        " join profiles p on p.id = f.handled_by"
    )
    assert row["handled_at"]
    assert row["slack_user_id"] == INES
    # What is said anew is to be looked at anew.
    await commented(stage, message, "still wrong")
    assert "still wrong" in whole_text(await queue(stage, INES))


async def _slack_knows_nobody(stage: Stage) -> None:
    """Let Slack not say who anybody is, and nothing be known from before."""
    await stage.db.pool.execute("delete from slack_members")
    await stage.bench.set_fault("slack", "error_before", method="users.info", times=1_000)


async def test_a_thumb_counts_while_slack_does_not_say_who_pressed(acting: Acting) -> None:
    stage, message = await answered(acting)
    await _slack_knows_nobody(stage)

    await commented(stage, message, "It named the wrong client.")

    assert await feedback(stage) == [(YUKI, "down", "It named the wrong client.")]
    assert await stage.whispers(YUKI) == []


async def test_a_complaint_stays_on_the_list_while_slack_does_not_say_who_pressed_done(
    acting: Acting,
) -> None:
    stage, message = await answered(acting)
    await commented(stage, message, "wrong")
    shown = await queue(stage, INES)
    await _slack_knows_nobody(stage)

    await stage.bench.interact(dm(INES), shown["ts"], INES, "Done")

    assert "the answer is still on the list" in json.dumps(await form_of(stage, INES))
    assert ASK in (await stage.whispers(INES))[-1]
    await stage.bench.clear_faults()
    await stage.bench.interact(dm(INES), shown["ts"], INES, "Done")
    await stage.bench.until(lambda: _is_handled(stage))


async def _is_handled(stage: Stage) -> bool:
    return await stage.db.pool.fetchval("select handled_at is not null from answer_feedback")


async def test_nobody_but_an_admin_sees_it_or_takes_it_off(acting: Acting) -> None:
    stage, message = await answered(acting)
    await commented(stage, message, "wrong")
    waiting = await stage.db.pool.fetchval("select id from answer_feedback")

    refused = await queue(stage, YUKI)
    assert "Only an admin" in whole_text(refused)
    assert ASK not in whole_text(refused)
    done = {"type": "button", "action_id": "claw_looked_at", "value": str(waiting)}
    await stage.bench.interact(dm(YUKI), refused["ts"], YUKI, done)
    await stage.settled()

    assert await stage.db.pool.fetchval("select handled_at from answer_feedback") is None


async def test_a_clients_channel_shows_that_clients_and_an_open_one_shows_nothing(
    acting: Acting,
) -> None:
    stage, message = await answered(acting)
    await commented(stage, message, "wrong")
    bound = await stage.db.pool.fetchrow(
        "select channel_id from surface_bindings where client_id is not null limit 1"
    )

    assert ASK not in whole_text(await queue(stage, INES, bound["channel_id"]))
    assert "direct messages" in whole_text(await queue(stage, INES, "C01RANDOM"))
    assert ASK in whole_text(await queue(stage, INES))


async def test_it_goes_with_its_run(acting: Acting) -> None:
    stage, message = await answered(acting)
    await stage.press(YUKI, message, UP)
    await stage.db.pool.execute("update agent_runs set started_at = now() - interval '40 days'")

    await forget_old(stage.db, 30)

    assert await count(stage, "answer_feedback") == 0


async def test_the_record_of_a_run_says_what_people_thought_of_it(acting: Acting) -> None:
    listed = call("list_tasks", client="Glintly Inc", window="this_week")
    stage = await acting(turn(ASK, listed, text(SAID)))
    message = await stage.reply_with(YUKI, await stage.say(YUKI, ASK), SAID)
    await stage.settled()
    await commented(stage, message, "It named the wrong week.\nAsk for this one.")

    run = str(await stage.db.pool.fetchval("select id from agent_runs"))
    shown = await show_run(stage.db, run, Settings(), as_json=False)

    said = "  Yuki Tan: it did not help: It named the wrong week.\n    Ask for this one.\n"
    assert said in shown
    assert 'list_tasks(client="Glintly Inc", window="this_week")' in shown
