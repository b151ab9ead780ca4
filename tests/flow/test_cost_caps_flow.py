"""What a month's answers may cost: a word before, a plain sentence at the limit, nothing lost."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from acting import INES, SARA_L, TOMAS, Acting, ScriptedModel, minded, text, turn
from stage import Stage, dm, stage_settings, whole_text
from test_home_flow import home_with

from agencyclaw.cli.doctor import examine
from agencyclaw.conversation.cost_limits import CostLimits
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.domain.schedules import Firing
from agencyclaw.domain.spending import CostCaps
from agencyclaw.store.engine import Database
from agencyclaw.store.retries import retries_left
from workbench.fixture import Bench

HELLO = turn("hello there", text("Hello!"))
_SPEND = "update ai_token_usage set cost_usd = $1::float8 / (select count(*) from ai_token_usage)"


async def hello(stage: Stage, user: str) -> str:
    root = await stage.say(user, "hello there")
    said = whole_text(await stage.reply(user, root))
    await stage.settled()
    return said


async def told(stage: Stage, words: str) -> list[str]:
    """Whom a notice with these words was queued for."""
    rows = await stage.db.pool.fetch(
        "select slack_user_id, body::text as body from outbox where key like 'cost:%' order by seq"
    )
    return [row["slack_user_id"] for row in rows if words in row["body"]]


async def test_who_has_reached_the_limit_reads_what_can_be_done_and_others_are_served(
    acting: Acting,
) -> None:
    stage = await acting(HELLO, agencyclaw_cost_a_month_person=2)
    assert "Hello!" in await hello(stage, SARA_L)
    await stage.db.pool.execute(_SPEND, 2.0)

    said = await hello(stage, SARA_L)
    assert "I left this unanswered: the answers for you have reached $2.00 this month" in said
    assert "an admin asks me to try it again" in said
    assert "Nothing was changed." in said
    assert "Hello!" in await hello(stage, TOMAS)
    run = await stage.db.pool.fetchrow("select * from agent_runs where status = 'failed'")
    assert run is not None
    assert run["output_payload"]["reason"] == "over_cost_cap"
    assert await retries_left(stage.db, run["id"]) == 3


async def test_what_was_left_unanswered_is_read_again_once_the_limit_is_raised(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Hello!")
    async with minded(bench, agency, mind, agencyclaw_cost_a_month=2) as stage:
        root = await stage.say(SARA_L, "hello")
        await stage.reply(SARA_L, root)
        await stage.settled()
        await agency.pool.execute(_SPEND, 2.0)
        await stage.say(SARA_L, "which tasks are late?", thread=root)
        await stage.reply_with(SARA_L, root, "all answers together have reached $2.00")
        await stage.settled()

        await agency.pool.execute(_SPEND, 0.0)
        mind.answers("None of them.")
        await stage.say(SARA_L, "again", thread=root)
        await stage.reply_with(SARA_L, root, "None of them.")
        assert "which tasks are late?" in mind.heard()


async def test_a_person_is_told_once_before_the_limit(acting: Acting) -> None:
    stage = await acting(HELLO, agencyclaw_cost_a_month_person=2)
    await hello(stage, SARA_L)
    await stage.db.pool.execute(_SPEND, 1.7)

    assert "Hello!" in await hello(stage, SARA_L)
    assert "Hello!" in await hello(stage, SARA_L)

    words = "have cost $1.70 this month, and at $2.00 I stop"
    shown = [whole_text(one) for one in await stage.bench.messages(dm(SARA_L))]
    assert len([one for one in shown if words in one]) == 1
    assert await told(stage, words) == [SARA_L]


@pytest.mark.parametrize(("spent", "words"), [(1.7, "$1.70 this month"), (2.5, "$2.00 this month")])
async def test_admins_are_told_once_of_the_limit_of_the_workspace(
    acting: Acting, spent: float, words: str
) -> None:
    stage = await acting(HELLO, agencyclaw_cost_a_month=2)
    await hello(stage, SARA_L)
    await stage.db.pool.execute(_SPEND, spent)

    answers = [await hello(stage, user) for user in (SARA_L, TOMAS)]

    assert all(("Hello!" in one) == (spent < 2) for one in answers)
    assert sorted(await told(stage, words)) == [INES, TOMAS]
    assert len(await told(stage, "raises AGENCYCLAW_COST_A_MONTH")) == 2


async def test_without_a_limit_nothing_is_stopped_or_told(acting: Acting) -> None:
    stage = await acting(HELLO)
    await hello(stage, SARA_L)
    await stage.db.pool.execute(_SPEND, 1_000_000.0)

    assert "Hello!" in await hello(stage, SARA_L)
    assert await told(stage, "") == []


async def test_admins_see_the_limits_in_home(
    acting: Acting,
) -> None:
    stage = await acting(HELLO, agencyclaw_cost_a_month=50, agencyclaw_cost_a_month_person=2)
    await hello(stage, SARA_L)
    await stage.db.pool.execute(_SPEND, 3.0)
    await stage.bench.open_home(INES)

    home = json.dumps(await home_with(stage, INES, "Models have cost"))
    assert "3.00 USD this month, of at most 50.00." in home
    assert "People at their own limit of 2.00 USD: 1." in home


async def test_the_doctor_says_what_the_month_has_cost_and_that_a_limit_is_reached(
    acting: Acting, bench: Bench
) -> None:
    stage = await acting(HELLO)
    await hello(stage, SARA_L)
    await stage.db.pool.execute(_SPEND, 3.0)

    async def finding(**caps: object) -> tuple[bool, str]:
        settings = stage_settings(bench, database_url=stage.db.dsn, **caps)
        [found] = [one for one in await examine(settings) if one.what == "costs"]
        return found.is_good, found.says

    assert await finding() == (True, "3.00 USD this month, without a limit")
    is_good, says = await finding(agencyclaw_cost_a_month=10)
    assert (is_good, says) == (True, "3.00 USD this month, at most 10.00 in a workspace")
    for cap in ("agencyclaw_cost_a_month", "agencyclaw_cost_a_month_person"):
        is_good, says = await finding(**{cap: 3})
        assert not is_good
        assert f"the 3.00 of {cap.upper()}" in says


async def test_a_schedule_is_paused_by_its_own_limit_and_by_that_of_its_owner(
    acting: Acting,
) -> None:
    stage = await acting(HELLO)
    await hello(stage, SARA_L)
    await stage.db.pool.execute(_SPEND, 5.0)
    sara = await stage.db.pool.fetchval("select actor_profile_id from agent_runs")
    team = await stage.db.pool.fetchval("select team_id from agent_runs")
    actor = Actor(profile_id=sara, name="Sara", tier=Tier.MEMBER, slack_user_id=SARA_L)
    schedule = uuid4()
    firing = Firing.model_construct(schedule_id=schedule)

    own, free = CostLimits(stage.db, CostCaps(person=5)), CostLimits(stage.db, CostCaps())
    assert "the answers for you" in await own.stopping(team, actor, firing)
    assert await free.stopping(team, actor, firing) == ""
    await stage.db.pool.execute(
        "insert into schedules (id, person_id, team_id, words, timing)"
        " values ($1, $2, $3, 'what is late?', '{}')",
        *(schedule, sara, team),
    )
    await stage.db.pool.execute("update agent_runs set schedule_id = $1", schedule)
    assert "its answers have reached $5" in await free.stopping(team, actor, firing)
