"""Consent: by a click or by plain words, by the one who asked, once, in time."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from acting import (
    CLAW,
    INES,
    NOOR,
    OPS,
    RANDOM,
    SARA_L,
    TASK,
    TOMAS,
    Acting,
    call,
    count,
    create,
    creating,
    offer,
    offer_in,
    receipts_done,
    states,
    text,
    turn,
    whispered,
)
from stage import Message, Stage, buttons, dm, whole_text

ASK = "make the task"
OTHER = "Order the spring samples"
FRIDAY = {"day": {"kind": "weekday", "weekday": "friday", "which": "next"}, "quote": "Friday"}
MORE = {"title": OTHER, "objective": "order three boxes of samples for the spring photo shoot"}


async def asked(stage: Stage, user: str = INES) -> tuple[str, Message]:
    """Ask for the task in a DM; returns the thread and its card."""
    root = await stage.say(user, ASK)
    return root, await offer(stage, user, root)


async def asked_in_ops(stage: Stage, user: str = INES) -> tuple[str, Message]:
    root = await stage.bench.post_message(OPS, user, f"<@{CLAW}> {ASK}")
    return root, await offer_in(stage, OPS, root)


async def reply_in_ops(stage: Stage, root: str, words: str) -> Message:
    async def there() -> Message | None:
        found = await stage.replies_in(OPS, root)
        return next((one for one in found if words.lower() in whole_text(one).lower()), None)

    return await stage.bench.until(there)


async def card_now(stage: Stage, channel: str, card: Message) -> Message:
    messages = await stage.bench.messages(channel)
    return next(one for one in messages if one["ts"] == card["ts"])


async def runs(stage: Stage) -> int:
    return await count(stage, "agent_runs")


async def test_a_second_yes_creates_nothing_and_says_so(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root, _ = await asked(stage)

    await stage.say(INES, "yes", thread=root)
    await stage.reply_with(INES, root, "Created “")
    before = await runs(stage)
    await stage.say(INES, "yes", thread=root)

    await stage.reply_with(INES, root, "Nothing is waiting any more")
    await stage.settled()
    assert len(await stage.tasks_named(TASK)) == 1
    assert await runs(stage) == before
    assert await receipts_done(stage)


async def test_a_click_after_the_words_changes_nothing(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked(stage)
    pressed = _action_of(card, "Create task")

    await stage.say(INES, "go ahead", thread=root)
    await stage.reply_with(INES, root, "Created “")
    await stage.bench.interact(dm(INES), card["ts"], INES, pressed)

    await whispered(stage, INES, "already created")
    await stage.settled()
    assert await stage.creates_sent() == 1


def _action_of(card: Message, label: str) -> dict[str, Any]:
    """The button as it was shown, for a hand that presses it later."""
    return next(
        {**element, "block_id": block["block_id"]}
        for block in card["blocks"]
        if block["type"] == "actions"
        for element in block["elements"]
        if element["type"] == "button" and element["text"]["text"] == label
    )


async def expire_now(stage: Stage) -> None:
    await stage.db.pool.execute("update proposals set expires_at = now() - interval '1 second'")


async def words_over_now(stage: Stage) -> None:
    await stage.db.pool.execute("update proposals set words_until = now() - interval '1 second'")


async def test_a_word_after_ten_minutes_changes_nothing_and_a_press_still_counts(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked(stage)
    await stage.settled()
    [proposal] = await stage.proposals()
    shown_for = proposal["words_until"] - proposal["opened_at"]
    assert timedelta(minutes=10) <= shown_for < timedelta(minutes=11)
    await words_over_now(stage)

    await stage.say(INES, "yes", thread=root)

    await stage.reply_with(INES, root, "Press if it is still right.")
    await stage.settled()
    assert await states(stage) == ["open"]
    assert await stage.creates_sent() == 0
    await stage.press(INES, card, "Create task")
    await stage.reply_with(INES, root, "Created “")


async def test_a_word_after_twelve_hours_is_told_that_the_card_expired(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked(stage)
    await stage.settled()
    [proposal] = await stage.proposals()
    assert proposal["expires_at"] - proposal["opened_at"] == timedelta(hours=12)
    await expire_now(stage)

    await stage.say(INES, "yes", thread=root)

    said = await stage.reply_with(INES, root, "That card expired")
    assert buttons(said) == ["Prepare it again"]
    await stage.settled()
    assert await states(stage) == ["expired"]
    assert "Create task" not in buttons(await card_now(stage, dm(INES), card))
    assert await stage.creates_sent() == 0


async def test_a_click_after_twelve_hours_is_refused_as_expired(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked(stage)
    await expire_now(stage)

    await stage.press(INES, card, "Create task")

    await stage.reply_with(INES, root, "That card expired")
    await stage.settled()
    assert await states(stage) == ["expired"]
    assert await stage.creates_sent() == 0


async def test_somebody_elses_click_is_refused_and_the_requester_can_still_confirm(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked_in_ops(stage)

    await stage.bench.interact(OPS, card["ts"], TOMAS, "Create task")
    await whispered(stage, TOMAS, "Only Ines Varga")
    await stage.bench.interact(OPS, card["ts"], TOMAS, "Cancel")
    await stage.settled()
    assert await states(stage) == ["open"]
    for act in ("consent_confirm", "consent_cancel"):
        [event] = await stage.events(act)
        assert (event["reason"], event["slack_user_id"]) == ("wrong_actor", TOMAS)

    await stage.bench.interact(OPS, card["ts"], INES, "Create task")
    await reply_in_ops(stage, root, "Created “")
    assert len(await stage.tasks_named(TASK)) == 1


async def test_somebody_elses_word_in_the_thread_touches_no_proposal(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked_in_ops(stage)

    for words in ("yes", "go ahead", "no", "cancel"):
        await stage.bench.post_message(OPS, TOMAS, words, root)
    await stage.bench.until(lambda: _has_runs(stage, 5))
    await stage.settled()

    assert await states(stage) == ["open"]
    assert await stage.creates_sent() == 0
    await stage.bench.interact(OPS, card["ts"], INES, "Create task")
    await reply_in_ops(stage, root, "Created “")


async def _has_runs(stage: Stage, wanted: int) -> bool:
    return await runs(stage) == wanted


async def test_a_stranger_in_the_thread_is_told_and_changes_nothing(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked_in_ops(stage)

    await stage.bench.interact(OPS, card["ts"], NOOR, "Create task")

    await reply_in_ops(stage, root, "no team profile carries your Slack account")
    await stage.settled()
    assert await states(stage) == ["open"]


async def test_somebody_elses_create_anyway_leaves_the_requesters_button_alive(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    first, card = await asked_in_ops(stage)
    await stage.bench.interact(OPS, card["ts"], INES, "Create task")
    await reply_in_ops(stage, first, "Created “")
    second, card = await asked_in_ops(stage)
    await stage.bench.interact(OPS, card["ts"], INES, "Create task")
    card = await offer_in(stage, OPS, second, "Create anyway")

    await stage.bench.interact(OPS, card["ts"], TOMAS, "Create anyway")
    await whispered(stage, TOMAS, "Only Ines Varga")
    await stage.bench.interact(OPS, card["ts"], INES, "Create anyway")

    await reply_in_ops(stage, second, "Created “")
    assert len(await stage.tasks_named(TASK)) == 2


async def test_a_failure_keeps_the_proposal_and_trying_again_works(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked(stage)
    await stage.db.pool.execute(
        "alter table agent_tasks add constraint broken check (false) not valid"
    )

    await stage.press(INES, card, "Create task")

    await stage.reply_with(INES, root, "was not created")
    await stage.settled()
    assert await states(stage) == ["failed"]
    assert "Created" not in whole_text(await card_now(stage, dm(INES), card))
    await stage.db.pool.execute("alter table agent_tasks drop constraint broken")
    await stage.press(INES, await offer(stage, INES, root, "Try again"), "Try again")
    await stage.reply_with(INES, root, "Created “")
    assert len(await stage.tasks_named(TASK)) == 1


async def test_an_order_with_nothing_open_is_conversation(acting: Acting) -> None:
    stage = await acting()

    for words in ("confirm", "Create it!", "go ahead", "cancel that"):
        root = await stage.say(INES, words)
        await stage.reply_with(INES, root, "I don't know that.")

    assert await runs(stage) == 4
    assert await stage.creates_sent() == 0
    assert await receipts_done(stage)


async def test_a_bare_yes_with_nothing_open_is_conversation(acting: Acting) -> None:
    stage = await acting(turn("yes", text("Yes to what?")))

    await stage.reply_with(INES, await stage.say(INES, "yes"), "Yes to what?")

    assert await stage.proposals() == []


async def test_what_changes_things_is_only_ever_proposed() -> None:
    from agencyclaw.tools import TOOLS

    changing = {name for name, spec in TOOLS.items() if spec.rule.changes}

    assert changing == {name for name, spec in TOOLS.items() if spec.effect is not None}
    assert "create_task" in changing


async def test_yes_but_is_conversation_and_the_new_proposal_replaces_the_old(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK), creating("yes but Friday", due=FRIDAY))
    root, old = await asked(stage)

    await stage.say(INES, "yes but Friday", thread=root)

    async def replaced() -> bool:
        return await states(stage) == ["superseded", "open"]

    await stage.bench.until(replaced)
    await stage.settled()
    assert buttons(await card_now(stage, dm(INES), old)) == []
    await stage.bench.interact(dm(INES), old["ts"], INES, _action_of(old, "Create task"))
    await whispered(stage, INES, "replaced by a newer proposal")
    [event] = await stage.events("consent_confirm")
    assert event["reason"] == "already_superseded"
    assert await stage.creates_sent() == 0
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    await stage.reply_with(INES, root, "Created “")
    assert (await stage.tasks_named(TASK))[0]["due_date"]


def _both(say: str = ASK) -> dict[str, Any]:
    """A turn that shows two proposals on one card."""
    both = {"calls": [create()["calls"][0], create(**MORE)["calls"][0]]}
    return turn(say, both, text("Two cards."))


async def test_with_several_on_a_card_a_yes_is_conversation_and_boxes_decide(
    acting: Acting,
) -> None:
    stage = await acting(_both(), turn("yes", text("Please tick what you want.")))
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root, "Create selected")

    await stage.say(INES, "yes", thread=root)

    await stage.reply_with(INES, root, "Please tick what you want.")
    await stage.settled()
    assert await states(stage) == ["open", "open"]
    boxes = next(
        element
        for block in card["blocks"]
        if block["type"] == "actions"
        for element in block["elements"]
        if element["type"] == "checkboxes"
    )
    ticked = [one["value"] for one in boxes["options"] if OTHER in one["text"]["text"]]
    state = {"claw_selection": ticked}
    await stage.bench.interact(dm(INES), card["ts"], INES, "Create selected", state=state)
    await stage.created(OTHER)
    await stage.settled()
    assert await stage.tasks_named(TASK) == []
    assert sorted(await states(stage)) == ["done", "open"]


async def test_with_several_open_a_yes_in_a_thread_creates_none_of_them(acting: Acting) -> None:
    answer = turn("yes", text("Please use the buttons."))
    stage = await acting(creating(ASK), creating("make the other", **MORE), answer)
    await asked(stage)
    second = await stage.say(INES, "make the other")
    card = await offer(stage, INES, second)

    await stage.say(INES, "yes", thread=second)

    await stage.reply_with(INES, second, "Please use the buttons.")
    await stage.settled()
    assert await states(stage) == ["open", "open"]
    await stage.press(INES, card, "Create task")
    await stage.created(OTHER)
    await stage.settled()
    assert await states(stage) == ["open", "done"]


async def test_words_and_buttons_cancel(acting: Acting) -> None:
    stage = await acting(creating(ASK), creating("make the other", **MORE))
    root, card = await asked(stage)
    await stage.say(INES, "no, cancel it", thread=root)
    await stage.reply_with(INES, root, "was not created. Nothing was changed.")
    await stage.settled()
    second = await stage.say(INES, "make the other")
    dropped = await offer(stage, INES, second)
    await stage.press(INES, dropped, "Cancel")
    await stage.bench.until(lambda: _has_states(stage, ["cancelled", "cancelled"]))
    await stage.settled()
    assert "Cancelled" in whole_text(await card_now(stage, dm(INES), dropped))

    assert await states(stage) == ["cancelled", "cancelled"]
    assert buttons(await card_now(stage, dm(INES), card)) == []
    await stage.say(INES, "yes", thread=root)
    await stage.reply_with(INES, root, "was cancelled, so nothing is waiting")
    assert await stage.creates_sent() == 0


async def test_a_proposal_under_a_new_title_takes_the_place_of_the_one_it_names(
    acting: Acting,
) -> None:
    renamed = "call it something else"
    stage = await acting(creating(ASK), creating(renamed, title=OTHER, replaces=TASK))
    _, old = await asked(stage)

    root = await stage.say(INES, renamed)

    assert OTHER in whole_text(await offer(stage, INES, root))
    await stage.settled()
    assert await states(stage) == ["superseded", "open"]
    assert buttons(await card_now(stage, dm(INES), old)) == []


async def test_another_task_of_the_same_thread_stands_beside_the_first(acting: Acting) -> None:
    stage = await acting(creating(ASK), creating("and the other", **MORE))
    root, first = await asked(stage)

    await stage.say(INES, "and the other", thread=root)
    await stage.bench.until(lambda: _has_states(stage, ["open", "open"]))
    await stage.settled()

    await stage.press(INES, first, "Create task")
    await stage.created(TASK)
    await stage.settled()
    assert await states(stage) == ["done", "open"]
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    await stage.created(OTHER)


async def _has_states(stage: Stage, wanted: list[str]) -> bool:
    return await states(stage) == wanted


async def test_a_form_that_finds_no_records_says_so_kindly(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    _, card = await asked(stage)
    await stage.db.pool.execute("alter table profiles rename to out_of_reach")

    await stage.press(INES, card, "Edit")

    await whispered(stage, INES, "couldn't do that just now")


async def test_an_edited_proposal_is_the_one_that_is_created(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked(stage)
    await stage.press(INES, card, "Edit")
    [view] = await stage.bench.until(lambda: stage.bench.views(INES))

    answer = await stage.bench.submit_view(INES, view["id"], {"title": OTHER})

    assert answer["ok"], answer
    fresh = await offer(stage, INES, root)
    await stage.settled()
    fresh = await offer(stage, INES, root)
    assert OTHER in whole_text(fresh)
    assert await states(stage) == ["superseded", "open"]
    assert await stage.creates_sent() == 0
    await stage.say(INES, "yes", thread=root)
    await stage.created(OTHER)
    await stage.settled()
    assert await stage.tasks_named(TASK) == []
    assert await stage.creates_sent() == 1


async def test_the_form_takes_no_day_that_is_past_as_the_chat_takes_none(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    _, card = await asked(stage)
    await stage.press(INES, card, "Edit")
    [view] = await stage.bench.until(lambda: stage.bench.views(INES))

    past = {"due": "2026-01-05", "start": "2026-01-05"}
    answer = await stage.bench.submit_view(INES, view["id"], past)

    assert answer["errors"] == dict.fromkeys(past, "Mon 5 Jan 2026 is already past.")
    assert await states(stage) == ["open"]


async def test_the_form_takes_no_terms_without_the_promotion_that_they_are_of(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    _, card = await asked(stage)
    await stage.press(INES, card, "Edit")
    [view] = await stage.bench.until(lambda: stage.bench.views(INES))

    terms = {"discount": "30%", "ends": "2027-01-05"}
    answer = await stage.bench.submit_view(INES, view["id"], {"promotion_type": "none"} | terms)

    assert answer["errors"] == {
        "promotion_type": "Choose which promotion it is, or leave out: Discount, Promotion ends."
    }
    assert await states(stage) == ["open"]


async def test_what_a_task_has_no_room_for_is_said_at_its_field(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    _, card = await asked(stage)
    await stage.press(INES, card, "Edit")
    [view] = await stage.bench.until(lambda: stage.bench.views(INES))

    entered = {
        "products": " ".join(f"B0ABCDEF{number:02}" for number in range(51)),
        "marketplace": ", ".join(f"M{number}" for number in range(31)),
        "known": "\n".join(f"line {number}" for number in range(21)),
    }
    answer = await stage.bench.submit_view(INES, view["id"], entered)

    most = {"products": 50, "marketplace": 30, "known": 20}
    assert answer["errors"] == {
        field: f"These are too many: at most {number} fit." for field, number in most.items()
    }


async def test_a_forged_or_old_form_changes_nothing_and_is_kept_in_the_audit(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    _, card = await asked(stage)
    await stage.press(INES, card, "Edit")
    [view] = await stage.bench.until(lambda: stage.bench.views(INES))

    nobody = {"value": "00000000-0000-4000-8000-000000000000"}
    forged = {"assignee": {"value": nobody}}
    await stage.bench.submit_view(INES, view["id"], forged)
    await stage.press(INES, card, "Cancel")
    await stage.settled()
    late = await stage.bench.submit_view(INES, view["id"], {"title": OTHER})

    assert "cancelled" in str(late["errors"])
    assert await states(stage) == ["cancelled"]
    refused = await stage.events("press_refused")
    assert [event["reason"] for event in refused] == ["unknown_assignee", "not_open"]
    assert {event["slack_user_id"] for event in refused} == {INES}


async def test_forged_and_foreign_buttons_change_nothing(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked(stage)
    real = _action_of(card, "Create task")
    mark, version = real["value"].split(":")
    forged = [
        {**real, "value": "rubbish"},
        {**real, "value": f"{mark}:{'0' * 16}"},
        {**real, "value": f"00000000-0000-0000-0000-000000000000:{version}"},
        {**real, "action_id": "claw_delete_everything"},
        {**real, "action_id": "claw_create_anyway"},
    ]

    for action in forged:
        await stage.bench.interact(dm(INES), card["ts"], INES, action)
    await stage.bench.interact(OPS, await _ops_message(stage), INES, real)
    await stage.settled()

    assert await states(stage) == ["open"]
    assert await stage.creates_sent() == 0
    await whispered(stage, INES, "doesn't match anything I proposed here")
    said = json.dumps([one["text"] for one in await stage.replies(INES, root)])
    assert "expired" not in said
    refused = [*await stage.events("press_refused"), *await stage.events("consent_refused")]
    refused += await stage.events("consent_confirm")
    assert sorted(event["reason"] for event in refused) == [
        "forged_click",
        "forged_click",
        "forged_click",
        "forged_value",
        "forged_value",
        "stale_button",
    ]
    assert {event["slack_user_id"] for event in refused} == {INES}
    await stage.press(INES, card, "Create task")
    await stage.reply_with(INES, root, "Created “")


async def _ops_message(stage: Stage) -> str:
    """A message of ours in another channel, to press a stolen button on."""
    root = await stage.bench.post_message(OPS, INES, f"<@{CLAW}> help")
    await stage.reply_in(OPS, root)
    return (await stage.replies_in(OPS, root))[0]["ts"]


async def test_a_mention_works_in_a_thread_and_goes_on_there_without_one(acting: Acting) -> None:
    stage = await acting(
        creating(ASK),
        turn("what is left", call("list_tasks", client="Glintly"), text("All is well.")),
    )
    root, card = await asked_in_ops(stage)

    await stage.bench.post_message(OPS, INES, "what is left", root)

    await reply_in_ops(stage, root, "All is well.")
    await stage.bench.post_message(OPS, SARA_L, "what is left")
    await stage.bench.interact(OPS, card["ts"], INES, "Create task")
    await reply_in_ops(stage, root, "Created “")
    await stage.settled()
    top = [
        m for m in await stage.bench.messages(OPS) if m["user"] == CLAW and not m.get("thread_ts")
    ]
    assert top == []


async def test_a_thread_of_others_is_left_alone(acting: Acting) -> None:
    stage = await acting(turn("hello there", text("Hello!")))
    root = await stage.bench.post_message(RANDOM, SARA_L, "lunch?")

    await stage.bench.post_message(RANDOM, TOMAS, "yes", root)
    await stage.bench.post_message(RANDOM, TOMAS, "hello there", root)
    await stage.reply(INES, await stage.say(INES, "hello there"))

    assert await stage.replies_in(RANDOM, root) == []
    assert await count(stage, "slack_event_receipts") == 1


async def test_one_press_acts_on_exactly_what_is_ticked_and_the_rest_stays(
    acting: Acting,
) -> None:
    stage = await acting(_both())
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root, "Create selected")
    other = {"claw_selection": [value for label, value in _options(card) if OTHER in label]}

    await stage.bench.interact(dm(INES), card["ts"], INES, "Cancel selected", state=other)
    card = await offer(stage, INES, root, "Create task")

    await stage.settled()
    assert await states(stage) == ["open", "cancelled"]
    await stage.press(INES, card, "Create task")
    await stage.created(TASK)
    await stage.settled()
    assert await states(stage) == ["done", "cancelled"]
    assert await stage.tasks_named(OTHER) == []


def _options(card: Message) -> list[tuple[str, str]]:
    """The labels and values of a card's boxes."""
    return [
        (one["text"]["text"], one["value"])
        for block in card["blocks"]
        if block["type"] == "actions"
        for element in block["elements"]
        if element["type"] == "checkboxes"
        for one in element["options"]
    ]


async def test_nothing_is_ticked_beforehand_and_all_of_them_have_a_button_that_lists_them(
    acting: Acting,
) -> None:
    stage = await acting(_both())
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root, "Create selected")

    await stage.press(INES, card, "Create selected")
    await whispered(stage, INES, "Please tick at least one of them first.")
    assert await stage.creates_sent() == 0
    dialog = _action_of(card, "Create all 2")["confirm"]["text"]["text"]
    assert TASK in dialog
    assert OTHER in dialog
    await stage.press(INES, card, "Create all 2")

    await stage.created(TASK)
    await stage.created(OTHER)
    await stage.settled()
    assert await states(stage) == ["done", "done"]
    assert await stage.creates_sent() == 2
