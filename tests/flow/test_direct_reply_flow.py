"""A plain yes or no belongs to the card it directly replies to, and to nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from acting import (
    INES,
    OPS,
    TASK,
    Acting,
    Step,
    Turn,
    call,
    count,
    create,
    creating,
    offer,
    states,
    text,
    turn,
)
from stage import Message, Stage, buttons, dm, eventually, whole_text

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.store.receipts import Receipts
from workbench.slack.records import TEAM

ASK = "make the task"
OTHER = "Order the spring samples"
MORE = {"title": OTHER, "objective": "order three boxes of samples for the spring photo shoot"}


async def asked(stage: Stage) -> tuple[str, Message]:
    """Ask for the task in a DM; returns the thread and its card."""
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)
    await stage.settled()
    return root, card


async def nothing_came_of_it(stage: Stage) -> None:
    await stage.settled()
    assert await states(stage) == ["open"]
    assert await stage.creates_sent() == 0


async def test_a_yes_right_below_the_card_creates_the_task(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root, _ = await asked(stage)

    await stage.say(INES, "yes", thread=root)

    await stage.reply_with(INES, root, "Created “")
    assert len(await stage.tasks_named(TASK)) == 1


async def test_a_yes_at_the_top_of_the_direct_message_counts_when_nothing_came_since(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    await asked(stage)

    await stage.say(INES, "yes")

    await stage.created(TASK)


async def test_a_yes_to_a_question_without_a_question_mark_creates_nothing(
    acting: Acting,
) -> None:
    """What is asked is a field of the answer: no mark has to say so."""
    words = text("It is on the card.", question="Tell me whether to list next week's too.")
    stage = await acting(turn(ASK, create(), words), turn("yes", text("Next week is empty.")))
    root, _ = await asked(stage)

    await stage.say(INES, "yes", thread=root)

    await stage.reply_with(INES, root, "Next week is empty.")
    await nothing_came_of_it(stage)


async def test_a_yes_to_a_further_question_of_the_same_answer_creates_nothing(
    acting: Acting,
) -> None:
    shown = turn(ASK, create(), text("It is on the card. Shall I list next week's too?"))
    stage = await acting(shown, turn(["yes", "sure"], text("Next week is empty.")))
    root, card = await asked(stage)
    assert "Create task" in buttons(card)

    for word in ("sure", "yes"):
        await stage.say(INES, word, thread=root)
        await stage.settled()

    await stage.reply_with(INES, root, "Next week is empty.")
    await nothing_came_of_it(stage)


async def test_a_yes_to_a_later_question_creates_nothing(acting: Acting) -> None:
    sop = turn("is there a procedure for it", text("There is one for banners. Shall I show it?"))
    stage = await acting(creating(ASK), sop, turn("yes", text("Here is the procedure.")))
    root, _ = await asked(stage)
    await stage.say(INES, "is there a procedure for it", thread=root)
    await stage.reply_with(INES, root, "Shall I show it?")
    await stage.settled()

    await stage.say(INES, "yes", thread=root)

    await stage.reply_with(INES, root, "Here is the procedure.")
    await nothing_came_of_it(stage)


@pytest.mark.parametrize("word", ["yes", "no", "ok"])
async def test_a_word_in_another_thread_of_the_direct_message_is_about_that_thread(
    acting: Acting, word: str
) -> None:
    hello = turn("hello there", text("Hello! What is it about?"))
    stage = await acting(hello, creating(ASK), turn(word, text("I take note.")))
    other = await stage.say(INES, "hello there")
    await stage.reply_with(INES, other, "What is it about?")
    await asked(stage)

    await stage.say(INES, word, thread=other)

    await stage.reply_with(INES, other, "I take note.")
    await nothing_came_of_it(stage)


async def test_a_no_in_one_thread_leaves_the_card_of_another_one(acting: Acting) -> None:
    stage = await acting(creating(ASK), creating("and the other", **MORE))
    await asked(stage)
    second = await stage.say(INES, "and the other")
    await offer(stage, INES, second)
    await stage.settled()

    await stage.say(INES, "no", thread=second)

    await stage.reply_with(INES, second, "Nothing was changed.")
    await stage.settled()
    assert await states(stage) == ["open", "cancelled"]


async def test_a_no_is_not_read_past_what_was_said_since_an_older_card(acting: Acting) -> None:
    """What came between is also seen where a later card waits in another thread."""
    later = turn("what is left", call("list_tasks", client="Glintly"), text("All is well."))
    said = turn("no", text("No to what, please."))
    stage = await acting(creating(ASK), later, creating("and the other", **MORE), said)
    root, _ = await asked(stage)
    await stage.say(INES, "what is left", thread=root)
    await stage.reply_with(INES, root, "All is well.")
    second = await stage.say(INES, "and the other")
    await offer(stage, INES, second)
    await stage.settled()

    await stage.say(INES, "no", thread=root)

    await stage.reply_with(INES, root, "No to what, please.")
    await stage.settled()
    assert await states(stage) == ["open", "open"]


@pytest.mark.parametrize("word", ["ja", "Sí!", "oui", "sì, per favore", "sim"])
async def test_a_yes_is_understood_in_the_languages_people_use(acting: Acting, word: str) -> None:
    stage = await acting(creating(ASK))
    root, _ = await asked(stage)

    await stage.say(INES, word, thread=root)

    await stage.created(TASK)


@pytest.mark.parametrize("word", ["nein", "no, gracias", "não"])
async def test_a_no_is_understood_in_the_languages_people_use(acting: Acting, word: str) -> None:
    stage = await acting(creating(ASK))
    root, _ = await asked(stage)

    await stage.say(INES, word, thread=root)

    await stage.reply_with(INES, root, "Nothing was changed.")
    assert await states(stage) == ["cancelled"]


@pytest.mark.parametrize("word", ["ok", "Okay great thanks", "sure", "fine", "👍"])
async def test_a_mere_acknowledgement_goes_to_the_model(acting: Acting, word: str) -> None:
    stage = await acting(creating(ASK), turn(word, text("Glad to hear it.")))
    root, _ = await asked(stage)

    await stage.say(INES, word, thread=root)

    await stage.reply_with(INES, root, "Glad to hear it.")
    await nothing_came_of_it(stage)


async def test_a_late_yes_is_told_that_its_card_expired_and_offers_it_again(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root, _ = await asked(stage)
    await stage.db.pool.execute("update proposals set expires_at = now() - interval '1 minute'")
    before = await count(stage, "agent_runs")

    await stage.say(INES, "yes", thread=root)

    said = await stage.reply_with(INES, root, "That card expired at")
    assert buttons(said) == ["Prepare it again"]
    assert await count(stage, "agent_runs") == before
    await stage.press(INES, said, "Prepare it again")
    await stage.settled()
    assert await states(stage) == ["expired", "open"]
    assert await stage.creates_sent() == 0


@pytest.mark.parametrize("word", ["go ahead", "create it", "yes"])
async def test_the_answer_to_our_own_question_reaches_the_model(acting: Acting, word: str) -> None:
    question = turn("what about the banner", text("Shall I look for its procedure?"))
    stage = await acting(question, turn(word, text("It is called “Banners”.")))
    root = await stage.say(INES, "what about the banner")
    await stage.reply_with(INES, root, "Shall I look for its procedure?")

    await stage.say(INES, word, thread=root)

    await stage.reply_with(INES, root, "It is called “Banners”.")


async def test_a_yes_while_another_version_is_asked_about_creates_nothing(acting: Acting) -> None:
    change = "give it to Sara"
    other = create(assignee="Sara", replaces=TASK)
    asking = turn(change, other, text("${create_task.question}"))
    stage = await acting(creating(ASK), asking, turn("yes", text("Which of them?")))
    root, _ = await asked(stage)
    await stage.say(INES, change, thread=root)
    await eventually(lambda: _is_asked_about(stage))
    await stage.settled()

    await stage.say(INES, "yes", thread=root)

    await stage.reply_with(INES, root, "Which of them?")
    await nothing_came_of_it(stage)


async def test_the_card_comes_back_after_each_question_about_it_that_nobody_answered(
    acting: Acting,
) -> None:
    other = create(assignee="Sara", replaces=TASK)
    wishes = ("give it to Sara", "Sara is to do it after all")
    stage = await acting(
        creating(ASK), *(turn(wish, other, text("${create_task.question}")) for wish in wishes)
    )
    root, card = await asked(stage)
    shown = [card["ts"]]
    for wish in wishes:
        await stage.say(INES, wish, thread=root)
        await eventually(lambda: _is_asked_about(stage))
        await stage.settled()

        await _let_the_question_pass(stage)

        await eventually(lambda: _is_shown_anew(stage, root, shown[-1]))
        await stage.settled()
        shown.append((await offer(stage, INES, root))["ts"])
    assert await states(stage) == ["open"]
    assert len(set(shown)) == 3


async def _is_asked_about(stage: Stage) -> bool:
    [row] = await stage.proposals()
    return row["suspended_by"] is not None and row["suspended_until"] is not None


async def _let_the_question_pass(stage: Stage) -> None:
    await stage.db.pool.execute("update proposals set suspended_until = now()")
    await stage.db.pool.execute(
        "update procrastinate_jobs set scheduled_at = now()"
        " where task_name = 'resume' and status = 'todo'"
    )


async def _is_shown_anew(stage: Stage, root: str, before: str) -> bool:
    return (await offer(stage, INES, root))["ts"] != before


async def test_a_word_that_led_to_nothing_shows_the_card_again_and_then_counts(
    acting: Acting,
) -> None:
    stage = await acting(
        creating(ASK),
        turn("what else", text("Nothing else is due.")),
        turn("yes", text("I show it once more.")),
    )
    root, _ = await asked(stage)
    await stage.say(INES, "what else", thread=root)
    await stage.reply_with(INES, root, "Nothing else is due.")
    await stage.settled()

    await stage.say(INES, "yes", thread=root)
    await stage.reply_with(INES, root, "I show it once more.")
    await nothing_came_of_it(stage)
    await stage.say(INES, "yes", thread=root)

    await stage.created(TASK)
    assert await stage.creates_sent() == 1


async def test_words_that_mean_a_card_from_before_bring_it_back_and_a_yes_then_counts(
    acting: Acting,
) -> None:
    stage = await acting(
        creating(ASK),
        turn("looks good", text("Press the button, or say yes.", changes="waiting")),
    )
    root, _ = await asked(stage)
    await stage.say(INES, "looks good", thread=root)
    await stage.reply_with(INES, root, "Press the button, or say yes.")
    await nothing_came_of_it(stage)

    await stage.say(INES, "yes", thread=root)

    await stage.created(TASK)
    assert await stage.creates_sent() == 1


async def cards(stage: Stage) -> list[str]:
    """Where cards with buttons stand in the direct message."""
    found = await stage.bench.messages(dm(INES))
    return [one["ts"] for one in found if "Create task" in buttons(one)]


OF_PAWTRAIL = call("list_tasks", client="Pawtrail", window="any_time")


@pytest.mark.parametrize(
    ("before", "steps"),
    [
        ((), (text("Press it.", changes="waiting", question="Or shall it be Friday?"),)),
        ((), (text("Press it. Or shall it be Friday?", changes="waiting"),)),
        ((creating("and this", **MORE),), (text("Press it.", changes="waiting"),)),
        ((), (OF_PAWTRAIL, text("Press it.", changes="waiting"))),
    ],
    ids=["a question", "a question in the text", "two cards", "another client"],
)
async def test_a_card_stays_where_it_is_beside_a_question_another_card_or_client(
    acting: Acting, before: tuple[Turn, ...], steps: tuple[Step, ...]
) -> None:
    stage = await acting(creating(ASK), *before, turn("looks good", *steps))
    root, _ = await asked(stage)
    for one in before:
        await stage.say(INES, one["say"][0], thread=root)
    shown = await stage.bench.until(lambda: so_many_cards(stage, 1 + len(before)))

    await stage.say(INES, "looks good", thread=root)
    await stage.reply_with(INES, root, "Press it.")
    await stage.settled()

    assert await cards(stage) == shown


async def test_of_two_cards_the_one_that_the_answer_names_is_brought_back(acting: Acting) -> None:
    stage = await acting(
        creating(ASK),
        creating("and this", **MORE),
        turn("ok, the first", text("Press it.", changes="waiting", earlier=TASK)),
    )
    root, card = await asked(stage)
    await stage.say(INES, "and this", thread=root)
    shown = await stage.bench.until(lambda: so_many_cards(stage, 2))

    await stage.say(INES, "ok, the first", thread=root)
    await stage.reply_with(INES, root, "Press it.")
    await stage.settled()

    now = await cards(stage)
    assert now[:-1] == [ts for ts in shown if ts != card["ts"]]
    assert now[-1] not in shown


async def test_of_two_tasks_on_one_card_the_named_one_gets_a_card_of_its_own(
    acting: Acting,
) -> None:
    stage = await acting(
        turn(ASK, create(), create(**MORE), text("Both are on the card.")),
        turn("ok, the first", text("Press it.", changes="waiting", earlier=TASK)),
    )
    root = await stage.say(INES, ASK)
    await offer(stage, INES, root, "Create selected")
    await stage.settled()

    await stage.say(INES, "ok, the first", thread=root)
    await stage.reply_with(INES, root, "Press it.")
    await stage.settled()

    card = await offer(stage, INES, root)
    assert TASK in whole_text(card)
    assert OTHER not in whole_text(card)
    await stage.press(INES, card, "Create task")
    await stage.created(TASK)
    await stage.settled()
    assert await states(stage) == ["done", "open"]


async def test_a_card_that_is_being_changed_in_its_thread_is_not_brought_to_another(
    acting: Acting,
) -> None:
    instead = call("create_task", client="Pawtrail", title=TASK, objective=ASK, replaces=TASK)
    stage = await acting(
        creating(ASK),
        turn("for Pawtrail instead", instead, text("Which brand is it for?")),
        turn("looks good", text("Press it.", changes="waiting")),
    )
    root, _ = await asked(stage)
    await stage.say(INES, "for Pawtrail instead", thread=root)
    await stage.reply_with(INES, root, "Which brand is it for?")
    shown = await stage.bench.until(lambda: so_many_cards(stage, 1))

    other = await stage.say(INES, "looks good")
    await stage.reply_with(INES, other, "Press it.")
    await stage.settled()

    assert await cards(stage) == shown


async def so_many_cards(stage: Stage, count: int) -> list[str]:
    """Those cards, once there are so many."""
    await stage.settled()
    found = await cards(stage)
    return found if len(found) == count else []


async def test_an_answer_that_means_a_card_where_none_waits_is_sent_back(acting: Acting) -> None:
    wrong, right = text("Press it.", changes="waiting"), text("It is done.", changes="none")
    stage = await acting(creating(ASK), turn("looks good", wrong, right))
    root, card = await asked(stage)
    await stage.press(INES, card, "Create task")
    await stage.created(TASK)
    await stage.settled()

    await stage.say(INES, "looks good", thread=root)

    await stage.reply_with(INES, root, "It is done.")
    assert await cards(stage) == []


async def test_a_card_that_was_shown_again_has_one_outcome_and_one_undo(acting: Acting) -> None:
    stage = await acting(creating(ASK), turn("yes", text("I show it once more.")))
    root, old = await asked(stage)
    await stage.say(INES, "thanks!", thread=root)
    await stage.settled()
    await stage.say(INES, "yes", thread=root)
    await stage.reply_with(INES, root, "I show it once more.")
    await stage.settled()
    new = await offer(stage, INES, root)
    assert new["ts"] != old["ts"]

    await stage.press(INES, new, "Create task")

    await stage.created(TASK)
    await stage.reply_with(INES, root, "Created “")
    await stage.settled()
    shown = await stage.replies(INES, root)
    assert [one["ts"] for one in shown if "Undo" in buttons(one)] == [new["ts"]]
    [left] = [whole_text(one) for one in shown if one["ts"] == old["ts"]]
    assert "– shown again below." in left
    assert "Created" not in left


@pytest.mark.parametrize(
    "kind", [ReceiptKind.CLICK, ReceiptKind.EDIT, ReceiptKind.OVERHEARD, ReceiptKind.FIRING]
)
async def test_what_is_no_word_is_taken_for_neither_a_no_nor_a_message(
    acting: Acting, kind: ReceiptKind
) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked(stage)
    place = Place(team_id=TEAM, channel_id=dm(INES), thread_ts=root, is_direct=True)
    act = Incoming(
        key="never",
        source="events",
        kind=kind,
        place=place,
        slack_ts=f"{float(card['ts']) + 1:.6f}",
        slack_user_id=INES,
        carries=(),
    )

    await Receipts(stage.db).accept(act)

    async def tried() -> Any:
        query = "select event_type, failures from slack_event_receipts where event_key = 'never'"
        row = await stage.db.pool.fetchrow(query)
        return row if row["failures"] or row["event_type"] == "message" else None

    assert (await stage.bench.until(tried))["event_type"] == kind
    assert await states(stage) == ["open"]


async def test_a_yes_counts_by_the_rules_of_its_card_while_an_older_one_waits_for_clickup(
    acting: Acting,
) -> None:
    later = creating("and the other", client="Pawtrail", brand="Pawtrail Lite", **MORE)
    stage = await acting(creating(ASK), later, turn("yes", text("It takes a press.")))
    await asked(stage)
    await stage.db.pool.execute("update proposals set state = 'confirmed', reason = 'waiting'")
    second = await stage.say(INES, "and the other")
    await offer(stage, INES, second)
    await stage.settled()
    await stage.bench.command(OPS, INES, "/claw", "consent press Pawtrail")

    yes = await stage.say(INES, "yes")

    await stage.reply_with(INES, yes, "It takes a press.")
    assert await states(stage) == ["confirmed", "open"]
