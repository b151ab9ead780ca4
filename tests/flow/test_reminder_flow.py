"""A reminder is set by a person's own yes, comes to them alone, and comes once."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from acting import (
    INES,
    MIGUEL,
    OPS,
    PAUL,
    SARA_L,
    ScriptedModel,
    calls,
    in_hours,
    minded,
    offer,
    offer_in,
)
from stage import Stage, buttons, dm, eventually, whole_text
from test_commands_flow import typed
from test_home_flow import home_with

from agencyclaw.store.engine import Database
from agencyclaw.store.firings import Schedules
from workbench.fixture import Bench

SAID = "remind me every Friday at 9 to send Hana the report"
WORDS = "send Hana the report"
FIND = calls("search_tools", queries=["reminder"])


WEEKLY = {"time": "09:00", "every": "week", "weekdays": ["friday"]}
CALL = calls("remind", words=WORDS, when={"quote": "every Friday at 9", **WEEKLY})


def asked(**when: Any) -> ScriptedModel:
    """A model that looks for the tool first, as rarely needed ones must be, and calls it."""
    said = {"quote": "every Friday at 9", **(when or WEEKLY)}
    return ScriptedModel(FIND, calls("remind", words=WORDS, when=said), "See the card.")


async def set_by(stage: Stage, who: str = INES, said: str = SAID) -> str:
    """Ask for a reminder and confirm it; returns the thread."""
    root = await stage.say(who, said)
    await stage.press(who, await offer(stage, who, root, "Set reminder"), "Set reminder")
    await stage.reply_with(who, root, "I'll remind you")
    await stage.settled()
    return root


async def reminders(stage: Stage) -> list[dict[str, Any]]:
    rows = await stage.db.pool.fetch("select * from schedules order by created_at")
    return [dict(row) for row in rows]


async def comes_due(stage: Stage, *, late_by: timedelta = timedelta(0)) -> None:
    """Let the reminder's time come, or have come so long ago; it was set a while before."""
    earlier = {"day": "2026-01-01", "moment": None}
    await stage.db.pool.execute(
        "update schedules set next_at = now() - $1::interval, timing = timing || $2::jsonb",
        *(late_by, earlier),
    )
    await stage.db.pool.execute(
        "update procrastinate_jobs set scheduled_at = now() where task_name = 'remind'"
    )


async def told(stage: Stage, who: str = INES) -> list[dict[str, Any]]:
    """What a person was reminded of, in their direct messages."""
    return [one for one in await stage.bench.messages(dm(who)) if "⏰" in whole_text(one)]


async def was_told(stage: Stage, times: int = 1, who: str = INES) -> str:
    """Wait until a person was reminded so often; returns the last reminder."""

    async def there() -> bool:
        return len(await told(stage, who)) >= times

    await eventually(there)
    await stage.settled()
    assert len(await told(stage, who)) == times
    return whole_text((await told(stage, who))[-1])


async def test_it_is_set_by_its_card_and_comes_to_its_owner_alone(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, asked()) as stage:
        root = await stage.say(INES, SAID)
        card = await offer(stage, INES, root, "Set reminder")

        assert "Remind you: “send Hana the report”" in whole_text(card)
        assert "every Friday at 09:00 (Lisbon)" in whole_text(card)
        assert await reminders(stage) == []

        await stage.press(INES, card, "Set reminder")
        await stage.reply_with(INES, root, "I'll remind you every Friday at 09:00 (Lisbon)")
        await stage.settled()
        await comes_due(stage)

        assert "“send Hana the report”" in await was_told(stage)
        assert await told(stage, SARA_L) == []
        [kept] = await reminders(stage)
        assert kept["active"]
        assert f"{kept['next_at'].astimezone(ZoneInfo('Europe/Lisbon')):%A %H:%M}" == "Friday 09:00"


async def test_the_figure_of_a_time_is_no_count_of_days(bench: Bench, agency: Database) -> None:
    said = {"quote": "the day after tomorrow at 9", "time": "09:00"}
    model = asked(**said, day={"kind": "in", "count": 2})
    async with minded(bench, agency, model) as stage:
        root = await stage.say(INES, f"{WORDS} the day after tomorrow at 9, remind me")
        card = await offer(stage, INES, root, "Set reminder")

        day = datetime.now(ZoneInfo("Europe/Lisbon")).date() + timedelta(days=2)
        assert f"{day:%a} {day.day} {day:%b %Y} at 09:00 (Lisbon)" in whole_text(card)


async def test_it_comes_once_however_often_it_rings(bench: Bench, agency: Database) -> None:
    async with minded(bench, agency, asked()) as stage:
        await set_by(stage)
        [kept] = await reminders(stage)
        await stage.db.pool.execute("update schedules set next_at = now()")

        ring = Schedules(agency).ring
        await asyncio.gather(*(ring(kept["id"]) for _ in range(5)))

        await was_told(stage)
        assert len(await stage.events("reminder_sent")) == 1
        queued = "select count(*) from procrastinate_jobs where task_name = 'remind'"
        # The one it was set with, and the one for next Friday.
        assert await stage.db.pool.fetchval(queued) == 2


async def test_what_is_late_says_when_it_was_planned_and_comes_once(
    bench: Bench, agency: Database
) -> None:
    mind = asked(time=in_hours(6), every="day", quote="every Friday at 9")
    async with minded(bench, agency, mind) as stage:
        await set_by(stage)
        await comes_due(stage, late_by=timedelta(days=2, hours=1))

        late = await was_told(stage)

    assert "It was planned for" in late
    assert "It came due 2 times more since." in late


async def test_what_comes_once_is_gone_afterwards(bench: Bench, agency: Database) -> None:
    mind = asked(minutes=20, quote="in 20 minutes")
    async with minded(bench, agency, mind) as stage:
        await stage.bench.open_home(INES)
        said = "remind me in 20 minutes to send Hana the report"
        await set_by(stage, INES, said)
        await home_with(stage, INES, "Reminder, ")
        await comes_due(stage)
        await was_told(stage)

        [kept] = await reminders(stage)
        assert (kept["active"], kept["ended_because"]) == (False, "it was sent")

        async def gone() -> bool:
            return "Reminder, " not in str(await stage.bench.home(INES))

        await eventually(gone)


async def test_undo_takes_it_back_and_an_ended_one_comes_back(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, asked()) as stage:
        root = await set_by(stage)
        await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
        await stage.reply_with(INES, root, "The reminder “send Hana the report” has ended.")
        await stage.settled()
        await comes_due(stage)
        await stage.settled()

        assert await told(stage) == []
        assert [one["active"] for one in await reminders(stage)] == [False]


async def test_it_is_ended_in_words_on_the_home_tab_and_by_a_command(
    bench: Bench, agency: Database
) -> None:
    mind = asked()
    async with minded(bench, agency, mind) as stage:
        await set_by(stage)
        mind.answers(
            calls("recall"),
            calls("search_tools", queries=["end a reminder"]),
            calls("forget", fact="the report for Hana"),
            "See the card.",
        )
        root = await stage.say(INES, "what reminders have I? and end the one about the report")
        card = await offer(stage, INES, root, "End reminder")
        heard = mind.heard()
        assert "Reminder, every Friday at 09:00 (Lisbon): send Hana the report" in heard
        await stage.press(INES, card, "End reminder")
        await stage.reply_with(INES, root, "has ended")
        await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
        await stage.reply_with(INES, root, "Undone.")
        assert [one["active"] for one in await reminders(stage)] == [True]

        await stage.bench.open_home(INES)
        view = await home_with(stage, INES, "Reminder, every Friday at 09:00 (Lisbon)")
        [line] = [
            {**block["accessory"], "block_id": block["block_id"]}
            for block in view["blocks"]
            if WORDS in str(block) and block.get("accessory", {}).get("action_id") == "claw_forget"
        ]
        await stage.bench.interact_in_view(INES, view["id"], line)

        async def ended() -> bool:
            return [one["active"] for one in await reminders(stage)] == [False]

        await eventually(ended)
        assert "nothing" in (await typed(stage, INES, f"forget {WORDS}", dm(INES))).lower()


async def test_a_time_that_nobody_gave_stands_on_the_card_as_assumed(
    bench: Bench, agency: Database
) -> None:
    day = {"kind": "weekday", "weekday": "friday"}
    async with minded(bench, agency, asked(day=day, quote="Friday")) as stage:
        root = await stage.say(INES, "remind me on Friday to send Hana the report")
        card = await offer(stage, INES, root, "Set reminder")

    assert "No time of day was given: 09:00 is assumed." in whole_text(card)


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ({"time": "09:00", "quote": "tomorrow at 9"}, SAID),
        ({"time": "09:00", "quote": "every Friday at 9"}, "remind me every Friday at 9"),
        (
            {"day": {"kind": "date", "date": "2020-01-03"}, "time": "09:00", "quote": "3.1.2020"},
            "remind me on 3.1.2020 to send Hana the report",
        ),
    ],
)
async def test_words_and_times_that_nobody_said_are_refused(
    bench: Bench, agency: Database, when: dict[str, Any], said: str
) -> None:
    async with minded(bench, agency, asked(**when)) as stage:
        root = await stage.say(INES, said)
        await stage.reply(INES, root)
        await stage.settled()

        assert await stage.proposals() == []
        assert (await stage.result("remind"))["kind"] == "refusal"


async def test_what_was_asked_for_in_a_channel_comes_to_its_owner_alone(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, asked()) as stage:
        root = await stage.bench.post_message(OPS, MIGUEL, f"<@U01CLAW> {SAID}")
        card = await offer_in(stage, OPS, root, "Set reminder")
        await stage.bench.interact(OPS, card["ts"], MIGUEL, "Set reminder")
        await eventually(partial(reminders, stage))
        await stage.settled()
        await comes_due(stage)

        await was_told(stage, who=MIGUEL)
        assert "⏰" not in "".join(map(whole_text, await stage.replies_in(OPS, root)))


async def test_who_left_is_reminded_of_nothing(bench: Bench, agency: Database) -> None:
    async with minded(bench, agency, asked()) as stage:
        await set_by(stage)
        await stage.db.pool.execute(
            "update profiles set employment_status = 'inactive' where slack_user_id = $1", INES
        )
        await comes_due(stage)

        async def ended() -> bool:
            return [one["active"] for one in await reminders(stage)] == [False]

        await eventually(ended)
        await stage.settled()
        assert await told(stage) == []
        [event] = await stage.events("reminder_ended")
        assert event["payload"]["why"] == "its owner has left"


async def test_a_viewer_sets_none(bench: Bench, agency: Database) -> None:
    async with minded(bench, agency, asked()) as stage:
        root = await stage.say(PAUL, SAID)
        answer = await stage.reply(PAUL, root)
        await stage.settled()

        assert "Set reminder" not in buttons(answer)
        assert await stage.proposals() == []


async def test_a_lost_ring_is_rung_again(bench: Bench, agency: Database) -> None:
    """A dump is restored without its jobs, and an earlier version knows no such job."""
    async with minded(bench, agency, asked()) as stage:
        await set_by(stage)
        await stage.db.pool.execute("delete from procrastinate_jobs where task_name = 'remind'")
        await stage.db.pool.execute(
            "update schedules set next_at = now() - interval '10 minutes',"
            ' timing = timing || \'{"day": "2026-01-01"}\''
        )

        assert "It was planned for" in await was_told(stage)
        assert [one["active"] for one in await reminders(stage)] == [True]


async def test_nobody_waits_for_a_reminder_of_somebody_else(bench: Bench, agency: Database) -> None:
    mind = asked()
    async with minded(bench, agency, mind) as stage:
        await set_by(stage)
        mind.answers(FIND, CALL, "See the card.")
        await set_by(stage, MIGUEL)
        await comes_due(stage)
        await was_told(stage)
        await was_told(stage, who=MIGUEL)


async def test_the_same_one_is_set_once_whenever_it_begins(bench: Bench, agency: Database) -> None:
    mind = asked()
    async with minded(bench, agency, mind) as stage:
        await set_by(stage)
        await stage.db.pool.execute(
            'update schedules set timing = timing || \'{"day": "2026-01-01"}\''
        )
        mind.answers(FIND, CALL, "See the card.")
        root = await stage.say(INES, SAID)
        await stage.press(INES, await offer(stage, INES, root, "Set reminder"), "Set reminder")
        await stage.reply_with(INES, root, "that reminder is set already")

        assert len(await reminders(stage)) == 1


async def test_another_time_for_the_same_words_replaces_the_card(
    bench: Bench, agency: Database
) -> None:
    mind = asked()
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, SAID)
        await offer(stage, INES, root, "Set reminder")
        later = {"quote": "at 10", "time": "10:00", "every": "week", "weekdays": ["friday"]}
        mind.answers(calls("remind", words=WORDS, when=later), "See the card.")
        await stage.say(INES, "make it at 10 instead", thread=root)

        async def replaced() -> bool:
            return [one["state"] for one in await stage.proposals()] == ["superseded", "open"]

        await eventually(replaced)


async def test_ones_own_reminders_are_not_shown_in_a_channel(
    bench: Bench, agency: Database
) -> None:
    mind = asked()
    async with minded(bench, agency, mind) as stage:
        await set_by(stage)
        find = calls("search_tools", queries=["end a reminder"])
        mind.answers(find, calls("forget", fact="the report for Hana"), "I can't.")
        root = await stage.bench.post_message(OPS, INES, "<@U01CLAW> end that of the report")
        await stage.reply_in(OPS, root)
        await stage.settled()

        assert WORDS not in "".join(map(whole_text, await stage.replies_in(OPS, root)))
        assert len(await stage.proposals()) == 1


@pytest.mark.parametrize("tells", [True, False])
@pytest.mark.parametrize("membership", ["guest", "deactivated"])
async def test_who_is_no_member_any_more_is_reminded_of_nothing(
    bench: Bench, agency: Database, membership: str, *, tells: bool
) -> None:
    async with minded(bench, agency, asked()) as stage:
        await set_by(stage)
        await stage.bench.change_membership(INES, membership, tells=tells)
        await comes_due(stage)

        async def ended() -> bool:
            return [one["active"] for one in await reminders(stage)] == [False]

        await eventually(ended)
        await stage.settled()
        assert await told(stage) == []
