"""A recurring question: begun by a press, answered once with its owner's rights of that day."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from acting import (
    BRIGHT,
    INES,
    MIGUEL,
    OPS,
    TASK,
    TOMAS,
    YUKI,
    Answer,
    ScriptedModel,
    calls,
    in_hours,
    minded,
    offer,
    offer_in,
    whispered,
)
from fakes.judges import Reader
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo
from stage import Stage, buttons, dm, eventually, whole_text
from test_home_flow import home_with

from agencyclaw.domain.days import WEEKDAYS
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.domain.replies import NOTHING_TO_SAY
from agencyclaw.store.engine import Database
from agencyclaw.store.firing_receipts import POSTS_A_DAY
from agencyclaw.store.firings import Schedules
from agencyclaw.store.homes import Homes
from agencyclaw.store.schedules import ring_at
from workbench.fixture import Bench

# Not today or tomorrow: its own time must not come while a test runs.
DAY = f"{date.today() + timedelta(days=3):%A}"
WORDS = "what is due for Glintly Inc"
SAID = f"every {DAY} at 9: {WORDS}"
WHEN = {"quote": f"every {DAY} at 9", "time": "09:00", "every": "week", "weekdays": [DAY.lower()]}
FIND = calls("search_tools", queries=["recurring question"])
PREPARE = calls("ask_regularly", words=WORDS, when=WHEN)
ACCEPTED = "I'm trying it now; the card comes below the answer."
TRIAL = "Two tasks are due now."
ANSWER = "Two tasks are due for Glintly today."


@asynccontextmanager
async def asking(
    bench: Bench, db: Database, *answers: Answer, who: str = INES, where: str = ""
) -> AsyncGenerator[tuple[Stage, ScriptedModel]]:
    """Run the assistant with a recurring question that has begun; `answers` follow."""
    mind = ScriptedModel(FIND, PREPARE, ACCEPTED, TRIAL)
    async with minded(bench, db, mind) as stage:
        channel = where or dm(who)
        said = f"<@U01CLAW> {SAID}" if where else SAID
        root = await bench.post_message(channel, who, said)
        card = await offer_in(stage, channel, root, "Start")
        await bench.interact(channel, card["ts"], who, "Start")
        await eventually(lambda: begun(stage))
        await stage.settled()
        mind.answers(*(answers or (ANSWER,)))
        yield stage, mind


async def begun(stage: Stage) -> bool:
    return bool(await schedules(stage))


async def schedules(stage: Stage) -> list[dict[str, Any]]:
    rows = await stage.db.pool.fetch("select * from schedules order by created_at")
    return [dict(row) for row in rows]


async def comes_due(
    stage: Stage, *, late_by: timedelta = timedelta(0), which: str = "true"
) -> None:
    """Let the question come due, or have come due so long ago, and wait until that is handled."""
    await fires(stage, late_by=late_by, which=which)
    await stage.settled()


async def fires(stage: Stage, *, late_by: timedelta = timedelta(0), which: str = "true") -> None:
    """Let the question come due, or have come due so long ago, and wait until it has fired."""
    await stage.db.pool.execute(
        "update schedules set next_at = now() - $1::interval,"
        f' timing = timing || \'{{"day": "2026-01-01"}}\' where active and {which}',
        late_by,
    )
    await stage.db.pool.execute(
        "update procrastinate_jobs set scheduled_at = now() where task_name = 'remind'"
    )

    async def moved_on() -> bool:
        due = "select count(*) from schedules where active and next_at <= now()"
        return not await stage.db.pool.fetchval(due)

    await eventually(moved_on)


async def test_that_a_question_is_tried_by_itself_is_told_to_the_judge(
    bench: Bench, agency: Database
) -> None:
    judge = Reader()
    mind = ScriptedModel(FIND, PREPARE, ACCEPTED, TRIAL)
    async with minded(bench, agency, mind, judge=judge.model()) as stage:
        await offer(stage, INES, await stage.say(INES, SAID), "Start")

    assert "answered once right after this, by itself" in judge.read[0]


async def firings(stage: Stage) -> list[dict[str, Any]]:
    rows = await stage.db.pool.fetch(
        "select * from slack_event_receipts"
        " where event_type = 'firing' and lane like 'schedule:%' order by id"
    )
    return [dict(row) for row in rows]


async def posts(stage: Stage, channel: str, words: str = ANSWER) -> list[dict[str, Any]]:
    """Return the messages outside threads that contain these words."""
    return [one for one in await stage.bench.messages(channel) if words in whole_text(one)]


async def test_it_is_tried_shown_with_its_dates_and_begins_with_a_press(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, PREPARE, ACCEPTED, TRIAL)
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, SAID)
        card = await offer(stage, INES, root, "Start")

        shown = whole_text(card)
        assert f"Answer regularly: “{WORDS}”" in shown
        assert f"every {DAY} at 09:00 (Lisbon)" in shown
        assert shown.count(f"{DAY[:3]} ") >= 2
        replies = [whole_text(one) for one in await stage.replies_in(dm(INES), root)]
        tried = next(at for at, text in enumerate(replies) if TRIAL in text)
        begins = next(at for at, text in enumerate(replies) if "Answer regularly" in text)
        assert tried < begins
        assert "This is the trial" in replies[tried]
        assert await schedules(stage) == []

        await stage.press(INES, card, "Start")
        await stage.reply_with(INES, root, "I'll answer “what is due for Glintly Inc”")

        [kept] = await schedules(stage)
        assert (kept["work"], kept["channel_id"]) == ("ask", dm(INES))


async def test_one_that_could_not_be_tried_does_not_begin(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(FIND, PREPARE, ACCEPTED, ModelHTTPError(503, "mind"))
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, SAID)

        async def said() -> bool:
            await stage.db.pool.execute(
                "update procrastinate_jobs set scheduled_at = null where task_name = 'fire'"
            )
            replies = await stage.replies_in(dm(INES), root)
            return any("it could not be answered" in whole_text(one) for one in replies)

        await eventually(said)
        await stage.settled()

        replies = await stage.replies_in(dm(INES), root)
        assert not any("Start" in buttons(one) for one in replies)
        assert [one["state"] for one in await stage.proposals()] == ["expired"]


async def test_a_question_that_was_never_tried_begins_by_no_press(
    bench: Bench, agency: Database
) -> None:
    """The press is of a card that was shown too early: its trial is not done."""
    mind = ScriptedModel(FIND, PREPARE, ACCEPTED, TRIAL)
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, SAID)
        card = await offer(stage, INES, root, "Start")
        await stage.db.pool.execute(
            "update slack_event_receipts set status = 'received' where event_type = 'firing'"
        )
        await stage.press(INES, card, "Start")
        await stage.reply_with(INES, root, "it has to be tried first")

        assert await schedules(stage) == []


async def test_it_is_answered_once_however_often_it_rings_and_continues_below(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, mind):
        [kept] = await schedules(stage)
        await stage.db.pool.execute("update schedules set next_at = now()")
        ring = Schedules(agency).ring
        await asyncio.gather(*(ring(kept["id"]) for _ in range(5)))
        await stage.settled()

        [post] = await posts(stage, dm(INES))
        assert f"From “{WORDS}”, every {DAY} at 09:00 (Lisbon)." in whole_text(post)
        [receipt] = await firings(stage)
        assert (receipt["thread_ts"], receipt["status"]) == (post["ts"], "done")

        mind.answers("The second is the banner.")
        await stage.say(INES, "which is the second?", thread=post["ts"])
        await stage.reply_with(INES, post["ts"], "The second is the banner.")
        assert ANSWER in mind.heard()


async def test_its_run_starts_from_no_history_and_enters_none(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, mind):
        await comes_due(stage)

        heard = mind.heard()
        assert "Nobody is there" in heard
        assert TRIAL not in heard
        runs = await stage.db.pool.fetch(
            "select * from agent_runs where run_type = 'heartbeat' order by started_at"
        )
        [kept] = await schedules(stage)
        assert [run["schedule_id"] for run in runs] == [None, kept["id"]]

        mind.answers("Hello.")
        root = await stage.say(INES, "good morning")
        await stage.reply_with(INES, root, "Hello.")
        assert ANSWER not in mind.heard()


async def test_what_it_prepares_waits_as_a_card_that_only_a_press_carries_out(
    bench: Bench, agency: Database
) -> None:
    prepares = calls("create_task", client="Glintly Inc", title=TASK, objective=WORDS)
    async with asking(bench, agency, prepares, ANSWER) as (stage, _):
        # The card waits until the next time, a day at most.
        far = {"weekdays": [WEEKDAYS[(datetime.now(UTC).weekday() + 3) % 7]]}
        await stage.db.pool.execute("update schedules set timing = timing || $1", far)
        await comes_due(stage)

        [post] = await posts(stage, dm(INES))
        await offer(stage, INES, post["ts"])
        assert await stage.creates_sent() == 0
        [proposal] = [one for one in await stage.proposals() if one["state"] == "open"]
        assert proposal["press_only"]
        assert proposal["expires_at"] - proposal["opened_at"] > timedelta(hours=20)

        await stage.say(INES, "yes", thread=post["ts"])
        await stage.settled()
        assert await stage.creates_sent() == 0

        await stage.press(INES, await offer(stage, INES, post["ts"]), "Create task")
        await stage.created(TASK)


async def test_one_day_of_downtime_gives_one_late_answer_that_says_so(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, _):
        daily = {"every": "day", "at": in_hours(6)}
        await stage.db.pool.execute("update schedules set timing = timing || $1", daily)
        await comes_due(stage, late_by=timedelta(days=2, hours=1))

        [post] = await posts(stage, dm(INES))
        assert "It was planned for" in whole_text(post)
        assert "It came due 2 times more" in whole_text(post)
        assert [one["unsaid"] for one in await schedules(stage)] == [0]


async def test_nothing_to_say_posts_nothing(bench: Bench, agency: Database) -> None:
    async with asking(bench, agency, calls(NOTHING_TO_SAY)) as (stage, _):
        before = len(await stage.bench.messages(dm(INES)))
        await comes_due(stage)

        assert len(await stage.bench.messages(dm(INES))) == before
        [receipt] = await firings(stage)
        assert receipt["reason"] == "nothing_to_say"


async def test_nobody_who_wrote_is_left_without_an_answer(bench: Bench, agency: Database) -> None:
    """To say nothing is offered to a schedule alone, and refused elsewhere."""
    mind = ScriptedModel(calls(NOTHING_TO_SAY), "Here I am.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "are you there?")
        await stage.reply_with(INES, root, "Here I am.")


@pytest.mark.parametrize(
    "loss",
    [
        "update profiles set employment_status = 'inactive' where slack_user_id = $1",
        "update profiles set role = 'viewer', is_admin = false where slack_user_id = $1",
        "guest",
        "deactivated",
    ],
)
async def test_who_left_or_may_not_ask_any_more_is_answered_nothing_and_admins_hear(
    bench: Bench, agency: Database, loss: str
) -> None:
    async with asking(bench, agency, who=MIGUEL) as (stage, mind):
        asked = len(mind.told)
        await lose(stage, loss)
        await comes_due(stage)

        assert len(mind.told) == asked
        assert await posts(stage, dm(MIGUEL)) == []
        is_here = "viewer" in loss
        assert len(await posts(stage, dm(MIGUEL), "I paused “")) == (1 if is_here else 0)
        [kept] = await schedules(stage)
        assert kept["active"]
        assert kept["next_at"] is None
        assert kept["paused_because"]
        assert len(await posts(stage, dm(INES), "I paused a recurring question")) == 1


async def lose(stage: Stage, loss: str) -> None:
    """Let Miguel lose his rights by a statement, or his membership of the workspace."""
    if loss.startswith("update"):
        await stage.db.pool.execute(loss, MIGUEL)
    else:
        await stage.bench.change_membership(MIGUEL, loss)


@pytest.mark.parametrize(
    ("loss", "is_here"),
    [
        ("update profiles set role = 'viewer', is_admin = false where slack_user_id = $1", True),
        ("update profiles set employment_status = 'inactive' where slack_user_id = $1", False),
        ("deactivated", False),
    ],
)
async def test_one_that_came_for_the_last_time_and_may_not_be_answered_says_so_to_who_is_here(
    bench: Bench, agency: Database, loss: str, *, is_here: bool
) -> None:
    away = ModelHTTPError(503, "mind")
    async with asking(bench, agency, away, who=MIGUEL) as (stage, mind):
        await stage.db.pool.execute('update schedules set timing = timing || \'{"every": "once"}\'')
        await fires(stage)
        await eventually(lambda: has_waited(stage))
        asked, before = len(mind.told), len(await bench.messages(dm(MIGUEL)))
        await lose(stage, loss)
        await retried_until_done(stage, firing=1)

        assert len(mind.told) == asked
        [receipt] = await firings(stage)
        assert receipt["status"] == "ignored"
        told = await posts(stage, dm(MIGUEL), "and it does not come again: ")
        assert len(told) == (1 if is_here else 0)
        assert len(await bench.messages(dm(MIGUEL))) == before + len(told)


async def test_a_service_that_is_away_is_tried_again_and_the_third_failure_pauses(
    bench: Bench, agency: Database
) -> None:
    away = ModelHTTPError(503, "mind")
    async with asking(bench, agency, away) as (stage, mind):
        for failure in range(1, 4):
            asked = len(mind.told)
            await fires(stage)
            await retried_until_done(stage, firing=failure)
            assert len(mind.told) > asked
            told = await posts(stage, dm(INES), "twice in a row")
            assert len(told) == (1 if failure >= 2 else 0)

        [kept] = await schedules(stage)
        assert kept["paused_because"] == "it could not be answered three times in a row"
        assert await posts(stage, dm(INES)) == []


async def retried_until_done(stage: Stage, *, firing: int) -> None:
    """Let the pauses between tries pass until this firing has ended."""

    async def done() -> bool:
        await stage.db.pool.execute(
            "update procrastinate_jobs set scheduled_at = null where task_name = 'fire'"
        )
        rows = await firings(stage)
        return len(rows) == firing and all(row["status"] != "received" for row in rows)

    await eventually(done)
    await stage.settled()


@pytest.mark.parametrize("spoiled", ["payload = '{}'", "attempts = 100"])
async def test_one_that_ended_every_worker_or_can_not_be_read_is_a_failure(
    bench: Bench, agency: Database, spoiled: str
) -> None:
    async with asking(bench, agency) as (stage, mind):
        asked = len(mind.told)
        await agency.pool.execute(
            "create function spoil() returns trigger language plpgsql as"
            f" $$ begin new.{spoiled}; return new; end $$;"
            " create trigger spoiled before insert on slack_event_receipts for each row"
            " when (new.event_type = 'firing') execute function spoil()"
        )

        await comes_due(stage)

        assert len(mind.told) == asked
        [kept] = await schedules(stage)
        assert (kept["failures"], kept["unsaid"]) == (1, 1)
        assert await posts(stage, dm(INES)) == []


async def test_an_attempt_that_waits_leaves_no_run_behind_and_is_no_failed_answer(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency, ModelHTTPError(503, "mind")) as (stage, _):
        await fires(stage)
        await eventually(lambda: has_waited(stage))

        assert await statuses(stage) == ["cancelled"]
        [[team]] = await agency.pool.fetch("select distinct team_id from agent_runs")
        assert (await Homes(agency).overview(team)).failed_answers == 0


async def has_waited(stage: Stage) -> bool:
    """Return whether the first attempt at a question has ended and the next waits for its time."""
    waiting = "select count(*) from procrastinate_jobs where task_name = 'fire' and status = 'todo'"
    return [one["failures"] for one in await firings(stage)] == [
        1
    ] and await stage.db.pool.fetchval(waiting)


async def statuses(stage: Stage) -> list[str]:
    """Return how the runs of questions that came due have ended."""
    rows = await stage.db.pool.fetch(
        "select status from agent_runs where schedule_id is not null order by started_at"
    )
    return [row["status"] for row in rows]


@pytest.mark.parametrize(
    "ending",
    [
        "update profiles set employment_status = 'inactive' where slack_user_id = 'U01INES'",
        "update slack_event_receipts set failures = 3 where lane like 'schedule:%'",
        "update schedules set active = false, ended_because = 'ended'",
    ],
)
async def test_what_a_killed_attempt_left_ends_with_its_question(
    bench: Bench, agency: Database, ending: str
) -> None:
    async with asking(bench, agency, ModelHTTPError(503, "mind")) as (stage, _):
        await fires(stage)
        await eventually(lambda: has_waited(stage))
        await stage.db.pool.execute(
            "update agent_runs set status = 'running', completed_at = null"
            " where schedule_id is not null"
        )
        await stage.db.pool.execute(ending)
        await retried_until_done(stage, firing=1)

        assert await statuses(stage) == ["failed"]


@pytest.mark.parametrize(
    ("answer", "status"),
    [(calls(NOTHING_TO_SAY), "cancelled"), (ModelHTTPError(400, "mind"), "failed")],
)
async def test_a_run_whose_question_was_closed_meanwhile_ends(
    bench: Bench, agency: Database, answer: Answer, status: str
) -> None:
    async with asking(bench, agency) as (stage, mind):

        async def closed_meanwhile(_: list[ModelMessage], __: AgentInfo) -> Answer:
            await stage.db.pool.execute(
                "update slack_event_receipts set status = 'done' where lane like 'schedule:%'"
            )
            return answer

        mind.answers(closed_meanwhile)
        await comes_due(stage)

        assert await statuses(stage) == [status]


async def test_an_admin_has_one_answered_in_a_clients_channel_and_others_go_on_below(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency, who=INES, where=BRIGHT) as (stage, mind):
        await comes_due(stage)
        [post] = await posts(stage, BRIGHT)

        mind.answers("The banner is the second.")
        await stage.bench.post_message(BRIGHT, MIGUEL, "and the second?", thread_ts=post["ts"])

        async def continued() -> bool:
            replies = await stage.replies_in(BRIGHT, post["ts"])
            return any("The banner is the second." in whole_text(one) for one in replies)

        await eventually(continued)


async def test_what_one_in_a_channel_prepares_is_carried_out_by_its_owners_press(
    bench: Bench, agency: Database
) -> None:
    prepares = calls(
        "create_task", client="Brightkettle Group", brand="Copperleaf", title=TASK, objective=WORDS
    )
    async with asking(bench, agency, prepares, ANSWER, where=BRIGHT) as (stage, _):
        await comes_due(stage)
        [post] = await posts(stage, BRIGHT)

        card = await offer_in(stage, BRIGHT, post["ts"])
        await bench.interact(BRIGHT, card["ts"], INES, "Create task")
        await stage.settled()

        states = {one["skill_id"]: one["state"] for one in await stage.proposals()}
        assert states["create_task"] == "done"


async def test_a_member_has_none_answered_in_a_channel(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(FIND, PREPARE, "An admin has to do that.")
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(OPS, MIGUEL, f"<@U01CLAW> {SAID}")
        answer = await stage.reply_in(OPS, root)
        await stage.settled()

        assert "Start" not in buttons(answer)
        assert await stage.proposals() == []


async def test_a_day_has_only_so_many_answers_and_the_next_says_what_was_missed(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, _):
        await has_had_enough(stage)
        await comes_due(stage)
        assert await posts(stage, dm(INES)) == []

        await stage.db.pool.execute(
            "delete from slack_event_receipts where event_key like 'earlier:%'"
        )
        await comes_due(stage)
        [post] = await posts(stage, dm(INES))
        assert "It came due 1 time more" in whole_text(post)


_FOLLOWER = """
insert into schedules (person_id, team_id, words, timing, work, channel_id, after_id, next_at)
select person_id, team_id, 'what follows', timing || $1, work, channel_id, id, now() + $2::interval
from schedules returning id, team_id
"""


async def followed(stage: Stage, *, its_time_in: timedelta) -> UUID:
    """Let a second question follow the first, on the same day of a clock where it is noon."""
    await stage.settled()
    zone = {"zone": f"Etc/GMT{datetime.now(UTC).hour - 12:+d}", "every": "day"}
    await stage.db.pool.execute("update schedules set timing = timing || $1", zone)
    async with stage.db.transaction() as conn:
        row = await conn.fetchrow(_FOLLOWER, zone, its_time_in)
        assert row is not None
        # `fires` lets it ring; a ring that is lost is queued anew only after a minute.
        later = datetime.now(UTC) + timedelta(days=1)
        await ring_at(conn, row["id"], row["team_id"], later)
        return row["id"]


async def test_what_follows_a_question_comes_once_that_is_answered_and_not_again(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, mind):
        follower = await followed(stage, its_time_in=timedelta(hours=1))
        mind.answers(ANSWER, "And so it follows.")
        await comes_due(stage, which="after_id is null")
        assert len(await posts(stage, dm(INES), "And so it follows.")) == 1

        await Schedules(agency, clock=lambda: datetime.now(UTC) + timedelta(hours=2)).ring(follower)
        await stage.settled()
        assert len(await posts(stage, dm(INES), "And so it follows.")) == 1
        assert await posts(stage, dm(INES), "Skipped") == []


async def test_what_follows_a_question_that_was_not_answered_says_that_it_is_skipped(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, mind):
        await followed(stage, its_time_in=timedelta(0))
        asked = len(mind.told)
        await comes_due(stage, which="after_id is not null")

        [skipped] = await posts(stage, dm(INES), "Skipped: “what follows”")
        assert WORDS in whole_text(skipped)
        assert len(mind.told) == asked
        assert all(one["next_at"] for one in await schedules(stage))


@pytest.mark.parametrize(
    "other", ["next_at = null", """timing = timing || '{"every": "once", "day": "2020-01-01"}'"""]
)
async def test_what_follows_a_question_that_is_paused_or_of_another_day_is_skipped_in_silence(
    bench: Bench, agency: Database, other: str
) -> None:
    async with asking(bench, agency) as (stage, mind):
        await followed(stage, its_time_in=timedelta(0))
        await stage.db.pool.execute(f"update schedules set {other} where after_id is null")
        asked = len(mind.told)
        await comes_due(stage, which="after_id is not null")

        assert await posts(stage, dm(INES), "Skipped") == []
        assert len(mind.told) == asked
        [follower] = [one for one in await schedules(stage) if one["after_id"]]
        assert follower["next_at"] > datetime.now(UTC)


async def test_what_follows_a_question_that_came_for_the_last_time_waits_for_its_answer(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, mind):
        await followed(stage, its_time_in=timedelta(0))
        await stage.db.pool.execute(
            "update schedules set active = false, next_at = null, ended_because = 'it was sent'"
            " where after_id is null"
        )
        asked = len(mind.told)
        await comes_due(stage, which="after_id is not null")

        assert len(await posts(stage, dm(INES), "Skipped: “what follows”")) == 1
        assert len(mind.told) == asked


async def test_what_follows_a_question_that_has_ended_comes_at_its_own_time(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency, "And so it follows.") as (stage, _):
        await followed(stage, its_time_in=timedelta(0))
        await stage.db.pool.execute("update schedules set active = false where after_id is null")
        await comes_due(stage, which="after_id is not null")

        assert len(await posts(stage, dm(INES), "And so it follows.")) == 1


@pytest.mark.parametrize("latest", ["10:00", "08:00"])
async def test_a_question_may_be_asked_to_follow_another_later_on_its_days(
    bench: Bench, agency: Database, latest: str
) -> None:
    async with asking(bench, agency) as (stage, mind):
        when = {"quote": f"until {latest}", "time": latest, "every": "day"}
        prepare = calls("ask_regularly", words="what is left", when=when, after=WORDS)
        mind.answers(FIND, prepare, ACCEPTED, "Nothing is left.")
        root = await stage.say(INES, f"after that, until {latest}: what is left")
        if latest == "08:00":
            await stage.reply(INES, root)
            await stage.settled()
            assert len(await schedules(stage)) == 1
            assert "later on the same day" in mind.heard()
            return
        card = await offer(stage, INES, root, "Start")
        assert f"every {DAY} at {latest} (Lisbon) at the latest" in whole_text(card)
        assert f"“{WORDS}”, as soon as that has been answered" in whole_text(card)
        # What it follows has been answered on its next day before the press.
        await stage.db.pool.execute("update schedules set next_at = next_at + interval '7 days'")
        await stage.press(INES, card, "Start")
        await stage.settled()

        first, second = await schedules(stage)
        assert second["after_id"] == first["id"]
        assert second["next_at"] - first["next_at"] == timedelta(hours=1)
        once_answered = "at the latest, as soon as another question has been answered"
        await stage.reply_with(INES, root, once_answered)
        await stage.bench.open_home(INES)
        await home_with(stage, INES, f"Question, every {DAY} at {latest} (Lisbon) {once_answered}")


async def test_the_same_question_ten_minutes_later_is_refused_and_an_hour_later_begins(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, mind):
        for at, began in (("09:10", 1), ("10:00", 2)):
            when = {**WHEN, "quote": f"every {DAY} at {at}", "time": at}
            mind.answers(FIND, calls("ask_regularly", words=WORDS, when=when), ACCEPTED, TRIAL)
            root = await stage.say(INES, f"every {DAY} at {at}: {WORDS}")
            await stage.press(INES, await offer(stage, INES, root, "Start"), "Start")
            await stage.settled()
            assert len(await schedules(stage)) == began
            if began == 1:
                told = await stage.reply_with(INES, root, "an hour is the least")
                assert f"every {DAY} at 09:00" in whole_text(told)


async def test_a_late_one_that_comes_again_within_the_hour_waits_for_that_and_is_said(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, _):
        # Down since yesterday's time, and up again half an hour before today's.
        soon = datetime.now(UTC) + timedelta(minutes=30)
        daily = {"every": "day", "zone": "UTC", "at": f"{soon:%H:%M}", "day": "2026-01-01"}
        await stage.db.pool.execute("update schedules set timing = timing || $1", daily)
        await comes_due(stage, late_by=timedelta(hours=23, minutes=30))
        assert await firings(stage) == []

        [kept] = await schedules(stage)
        await Schedules(agency, clock=lambda: soon + timedelta(minutes=1)).ring(kept["id"])
        await stage.settled()
        [post] = await posts(stage, dm(INES))
        assert "It came due 1 time more" in whole_text(post)


async def test_run_now_within_an_hour_of_an_answer_says_when_that_was(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, _):
        [kept] = await schedules(stage)
        await Schedules(agency).run_now(press("1"), kept["id"])
        await stage.settled()
        told = await Schedules(agency).run_now(press("2"), kept["id"])
        assert "less than an hour ago" in told
        assert len(await firings(stage)) == 1

        await stage.db.pool.execute(
            "update slack_event_receipts set slack_ts = (slack_ts::numeric - 3600)::text"
            " where event_type = 'firing'"
        )
        await Schedules(agency).run_now(press("3"), kept["id"])
        await stage.settled()
        assert len(await firings(stage)) == 2


_COPIES = """
insert into schedules (person_id, team_id, words, timing, work, channel_id, next_at)
select person_id, team_id, words, timing, work, channel_id, next_at
from schedules, generate_series(1, 5)
"""


async def test_questions_that_come_due_together_are_no_more_than_a_day_may_have(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, _):
        await has_had_enough(stage, but=1)
        await stage.db.pool.execute(_COPIES)
        await stage.db.pool.execute("update schedules set next_at = now()")
        ring = Schedules(agency).ring
        await asyncio.gather(*(ring(one["id"]) for one in await schedules(stage)))
        await stage.settled()

        assert len(await firings(stage)) == 1
        assert sum(one["unsaid"] for one in await schedules(stage)) == 5


async def has_had_enough(stage: Stage, but: int = 0) -> None:
    """Let as many questions have been answered today as a day may have, or fewer."""
    [kept] = await schedules(stage)
    await stage.db.pool.execute(
        "insert into slack_event_receipts (event_key, event_source, event_type, team_id,"
        " channel_id, thread_ts, slack_ts, is_direct, slack_user_id, lane, status)"
        " select 'earlier:' || n, 'schedules', 'firing', $1, $2, '0',"
        " extract(epoch from now()), true, $3, 'earlier', 'done'"
        " from generate_series(1, $4::int) as n",
        kept["team_id"],
        dm(INES),
        INES,
        POSTS_A_DAY - but,
    )


@pytest.mark.parametrize("is_away", [True, False])
async def test_one_that_does_not_come_again_says_that_it_was_not_answered(
    bench: Bench, agency: Database, is_away: bool
) -> None:
    async with asking(bench, agency, ModelHTTPError(503, "mind")) as (stage, _):
        await stage.db.pool.execute('update schedules set timing = timing || \'{"every": "once"}\'')
        if is_away:
            await fires(stage)
            await retried_until_done(stage, firing=1)
        else:
            await has_had_enough(stage)
            await comes_due(stage)

        assert len(await posts(stage, dm(INES), "it does not come again")) == 1
        assert [one["active"] for one in await schedules(stage)] == [False]


async def test_one_that_ends_between_its_ring_and_its_turn_is_not_answered(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, mind):
        asked = len(mind.told)
        await stage.db.pool.execute(
            "create function ends() returns trigger language plpgsql as $$ begin"
            " update schedules set active = false, ended_because = 'ended'; return new; end $$;"
            " create trigger ends after insert on slack_event_receipts"
            " for each row execute function ends()"
        )
        await stage.db.pool.execute("update schedules set next_at = now()")
        [kept] = await schedules(stage)
        await Schedules(agency).ring(kept["id"])
        await stage.settled()

        assert len(mind.told) == asked
        [receipt] = await firings(stage)
        assert receipt["reason"] == "schedule_ended"


async def test_four_posts_without_a_reaction_ask_once_whether_it_is_still_wanted(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, mind):
        for _ in range(6):
            mind.answers(ANSWER)
            await comes_due(stage)

        asks = ["still wanted" in whole_text(post) for post in await posts(stage, dm(INES))]
        assert asks == [False] * 4 + [True, False]


async def test_a_reaction_begins_the_count_anew(bench: Bench, agency: Database) -> None:
    async with asking(bench, agency) as (stage, mind):
        for number in range(5):
            mind.answers(ANSWER)
            await comes_due(stage)
            if number == 1:
                [_, second] = await posts(stage, dm(INES))
                mind.answers("You're welcome.")
                await stage.say(INES, "thanks", thread=second["ts"])
                await stage.reply_with(INES, second["ts"], "You're welcome.")

        assert not any("still wanted" in whole_text(post) for post in await posts(stage, dm(INES)))


async def test_buttons_below_a_post_pause_it_thin_it_out_and_end_it(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, _):
        await comes_due(stage)
        [post] = await posts(stage, dm(INES))
        assert {"Pause", "Less often", "End"} <= set(buttons(post))

        await stage.press(INES, post, "Less often")
        await whispered(stage, INES, "comes every month on day")
        await stage.press(INES, post, "Pause")
        await whispered(stage, INES, "is paused")
        [kept] = await schedules(stage)
        assert (kept["next_at"], kept["timing"]["every"]) == (None, "month")

        await stage.press(INES, post, "End")
        await eventually(lambda: ended(stage))


async def test_home_resumes_what_was_paused(bench: Bench, agency: Database) -> None:
    async with asking(bench, agency) as (stage, _):
        await stage.bench.open_home(INES)
        await press_at_home(stage, "Pause", shown_by=f"Question, every {DAY}")
        await press_at_home(stage, "Resume", shown_by="Question, paused")
        await home_with(stage, INES, f"Question, every {DAY}")

        [kept] = await schedules(stage)
        assert kept["next_at"] is not None
        assert kept["paused_because"] is None


async def test_one_that_has_cost_too_much_this_month_is_paused_before_it_costs_more(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, mind):
        await comes_due(stage)
        await stage.db.pool.execute(
            "update ai_token_usage set cost_usd = 5 where run_id in"
            " (select id from agent_runs where schedule_id is not null)"
        )
        asked = len(mind.told)
        await comes_due(stage)

        assert len(mind.told) == asked
        assert len(await posts(stage, dm(INES), "the most that one may")) >= 1
        [kept] = await schedules(stage)
        assert kept["next_at"] is None


async def test_one_that_came_for_the_last_time_at_its_cap_says_that_it_was_not_answered(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, mind):
        await comes_due(stage)
        await stage.db.pool.execute(
            "update ai_token_usage set cost_usd = 5 where run_id in"
            " (select id from agent_runs where schedule_id is not null)"
        )
        await stage.db.pool.execute('update schedules set timing = timing || \'{"every": "once"}\'')
        asked = len(mind.told)
        await comes_due(stage)

        assert len(mind.told) == asked
        [told] = await posts(stage, dm(INES), "and it does not come again: ")
        assert "the most that one may" in whole_text(told)


async def test_what_its_sub_agents_cost_counts_too(bench: Bench, agency: Database) -> None:
    finds, researches = (
        calls("search_tools", queries=["research"]),
        calls("research", questions=[WORDS]),
    )
    async with asking(bench, agency, finds, researches, ANSWER) as (stage, mind):
        await comes_due(stage)
        spent = await stage.db.pool.execute(
            "update ai_token_usage set cost_usd = 5 where run_id in"
            " (select id from agent_runs where run_type = 'child')"
        )
        assert spent != "UPDATE 0"
        asked = len(mind.told)
        await comes_due(stage)

        assert len(mind.told) == asked
        [kept] = await schedules(stage)
        assert kept["next_at"] is None


async def test_run_now_answers_besides_its_times_once_for_a_press(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, _):
        [before] = await schedules(stage)
        await stage.bench.open_home(INES)
        await press_at_home(stage, "Run now", shown_by=f"Question, every {DAY}")
        await eventually(lambda: has_posts(stage, 1))
        await stage.settled()

        [post] = await posts(stage, dm(INES))
        assert "It was planned for" not in whole_text(post)
        [after] = await schedules(stage)
        assert after["next_at"] == before["next_at"]
        assert after["unsaid"] == 0


async def test_run_now_that_fails_is_told_at_once_and_counts_as_no_missed_time(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency, ModelHTTPError(400, "mind")) as (stage, _):
        [kept] = await schedules(stage)
        await Schedules(agency).run_now(press("1"), kept["id"])
        await stage.settled()

        [after] = await schedules(stage)
        assert (after["unsaid"], after["failures"]) == (0, 0)
        assert after["next_at"] == kept["next_at"]
        assert len(await posts(stage, dm(INES), f"I could not answer “{WORDS}” just now")) == 1


@pytest.mark.parametrize("is_due", [False, True])
async def test_two_that_want_an_answer_in_the_same_moment_get_one(
    bench: Bench, agency: Database, is_due: bool
) -> None:
    """Two presses of "Run now", or a press in the moment that it comes due."""
    async with asking(bench, agency) as (stage, _):
        [kept] = await schedules(stage)
        if is_due:
            await stage.db.pool.execute("update schedules set next_at = now()")
        firing = Schedules(agency)
        async with agency.transaction() as conn:
            await conn.execute("select from schedules for update")
            first = asyncio.create_task(firing.run_now(press("1"), kept["id"]))
            await eventually(lambda: wait_for_locks(stage, 1))
            other = firing.ring(kept["id"]) if is_due else firing.run_now(press("2"), kept["id"])
            second = asyncio.create_task(other)
            await eventually(lambda: wait_for_locks(stage, 2))
        await asyncio.gather(first, second)
        await stage.settled()

        assert len(await firings(stage)) == 1


def press(key: str) -> Incoming:
    return Incoming(
        key=key,
        source="interactions",
        kind=ReceiptKind.COMMAND,
        place=Place.home_tab("T0LANTERN"),
        slack_ts="1800000000.000001",
        slack_user_id=INES,
    )


async def wait_for_locks(stage: Stage, number: int) -> bool:
    """Return whether so many statements wait for the lock of a row."""
    waiting = (
        "select count(*) from pg_stat_activity"
        " where datname = current_database() and wait_event_type = 'Lock'"
    )
    return await stage.db.pool.fetchval(waiting) == number


async def has_posts(stage: Stage, number: int) -> bool:
    return len(await posts(stage, dm(INES))) == number


async def test_a_command_lists_ones_schedules_with_their_buttons(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency):
        reply = (await bench.command(dm(INES), INES, "/claw", "schedules"))["response"]
        assert WORDS in whole_text(reply)
        assert {"Pause", "Run now"} <= set(buttons(reply))

        other = await bench.command(dm(MIGUEL), MIGUEL, "/claw", "schedules")
        assert WORDS not in str(other)


async def test_an_admin_pauses_anothers_and_nobody_else_does(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency, who=MIGUEL) as (stage, _):
        [kept] = await schedules(stage)
        for who in (YUKI, INES):
            reply = await bench.command(dm(who), who, "/claw", "schedules")
            assert (WORDS in str(reply)) is (who == INES)
            pressed = {"type": "button", "action_id": "claw_schedule_pause"}
            await press_below(stage, who, {**pressed, "value": f"pause:{kept['id']}"})
            [now] = await schedules(stage)
            assert (now["next_at"] is None) is (who == INES)


async def press_below(stage: Stage, who: str, pressed: dict[str, Any]) -> None:
    """Press a button below what a command listed, as this person's client would send it."""
    await stage.bench.open_home(who)
    view = await home_with(stage, who, "")
    await stage.bench.interact_in_view(who, view["id"], {**pressed, "block_id": "b"})
    await stage.settled()


async def press_at_home(stage: Stage, label: str, *, shown_by: str) -> None:
    """Press a button of the Home tab as soon as the tab shows these words."""
    view = await home_with(stage, INES, shown_by)
    [pressed] = [
        {**element, "block_id": block["block_id"]}
        for block in view["blocks"]
        for element in block.get("elements", ())
        if element.get("text", {}).get("text") == label
    ]
    await stage.bench.interact_in_view(INES, view["id"], pressed)


async def test_a_press_of_somebody_else_changes_nothing(bench: Bench, agency: Database) -> None:
    async with asking(bench, agency, where=BRIGHT) as (stage, _):
        await comes_due(stage)
        [post] = await posts(stage, BRIGHT)
        for label in ("Pause", "Less often", "End"):
            await bench.interact(BRIGHT, post["ts"], MIGUEL, label)
        await stage.settled()

        [kept] = await schedules(stage)
        assert kept["active"]
        assert kept["next_at"] is not None
        assert kept["timing"]["every"] == "week"


async def test_who_presses_below_anothers_post_or_an_ended_one_is_told_why_nothing_changes(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency, where=BRIGHT) as (stage, _):
        await comes_due(stage)
        [post] = await posts(stage, BRIGHT)
        for label in ("Pause", "Less often", "End"):
            await bench.interact(BRIGHT, post["ts"], MIGUEL, label)
        await bench.interact(BRIGHT, post["ts"], TOMAS, "End")
        await stage.settled()
        told = await stage.whispers(MIGUEL)
        assert len([one for one in told if "That is Ines Varga's, so only they or" in one]) == 3
        await whispered(stage, TOMAS, "only they can end it. You can pause it")
        assert [one["active"] for one in await schedules(stage)] == [True]

        await bench.interact(BRIGHT, post["ts"], INES, "End")
        await whispered(stage, INES, f"The question “{WORDS}” has ended")
        for label in ("Pause", "Less often", "End"):
            await bench.interact(BRIGHT, post["ts"], INES, label)
        await stage.settled()
        told = await stage.whispers(INES)
        assert len([one for one in told if "That has ended already" in one]) == 3
        assert "no longer remembered" not in str([*told, *await stage.whispers(MIGUEL)])


async def test_who_is_not_known_and_presses_end_is_not_told_that_it_is_gone(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency, where=BRIGHT) as (stage, _):
        await comes_due(stage)
        [post] = await posts(stage, BRIGHT)
        await agency.pool.execute(
            "update profiles set slack_user_id = null where slack_user_id = $1", MIGUEL
        )

        await bench.interact(BRIGHT, post["ts"], MIGUEL, "End")

        await stage.settled()
        assert [one["active"] for one in await schedules(stage)] == [True]
        [told] = await stage.whispers(MIGUEL)
        assert "no longer remembered" not in told


@pytest.mark.parametrize("is_ended", [True, False])
async def test_run_now_of_what_is_paused_or_has_ended_meanwhile_says_so(
    bench: Bench, agency: Database, is_ended: bool
) -> None:
    async with asking(bench, agency) as (stage, _):
        await stage.bench.open_home(INES)
        await home_with(stage, INES, "Run now")
        change = "active = false, next_at = null" if is_ended else "next_at = null"
        await stage.db.pool.execute(f"update schedules set {change}, paused_because = 'paused'")
        await press_at_home(stage, "Run now", shown_by="Run now")
        notice = await stage.bench.until(lambda: stage.bench.views(INES))

        assert ("has ended already" if is_ended else "Resume it first") in str(notice)
        assert await firings(stage) == []


async def test_a_paused_one_that_is_to_come_less_often_says_when_it_would(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, _):
        await comes_due(stage)
        [post] = await posts(stage, dm(INES))
        await stage.press(INES, post, "Pause")
        await whispered(stage, INES, "is paused")
        await stage.press(INES, post, "Less often")
        await whispered(stage, INES, "is paused. Once resumed, it comes every month")

        await stage.press(INES, post, "Less often")
        await whispered(stage, INES, "can't come less often than that")


async def test_in_a_channel_none_follows_what_is_answered_elsewhere(
    bench: Bench, agency: Database
) -> None:
    async with asking(bench, agency) as (stage, mind):
        prepare = calls("ask_regularly", words="what is late", when=WHEN, after=WORDS)
        mind.answers(FIND, prepare, "There is none.")
        said = f"<@U01CLAW> {SAID.replace(WORDS, 'what is late')}, after the other"
        root = await bench.post_message(BRIGHT, INES, said)
        await stage.reply_in(BRIGHT, root)
        await stage.settled()

        assert (await stage.result("ask_regularly"))["reason"] == "nothing_to_follow"
        shown = [whole_text(one) for one in await stage.replies_in(BRIGHT, root)]
        assert WORDS not in f"{shown} {await stage.result('ask_regularly')}"


async def ended(stage: Stage) -> bool:
    return [one["active"] for one in await schedules(stage)] == [False]
