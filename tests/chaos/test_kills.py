"""A few kills at the worst moments; `make chaos` plays hundreds."""

from __future__ import annotations

import asyncio
import itertools
import random
import signal

import pytest
from crossings import FaultPlan, Point, statement_name
from crowd import Ledger, Person
from ground import Ground
from processes import PATIENCE_S
from reckoning import Verdict, reckon, settle

AFTER_THE_POST = Point(name="slack chat.postMessage", side="after")
IN_THE_REQUEST = Point(name="clickup POST list/task", side="during")
AFTER_THE_REQUEST = Point(name="clickup POST list/task", side="after")
MIGUEL, TOMAS = 100005, 100002
BEFORE_THE_END = Point(name="pg update proposals", nth=2, side="after")


class Keeper:
    """Starts an assistant again whenever one died."""

    def __init__(self, ground: Ground, fates: list[FaultPlan], *, blind: bool = False) -> None:
        self._ground = ground
        self._fates = fates
        self._last = FaultPlan(blind=blind)
        self._task = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        for plan in itertools.chain(self._fates, itertools.repeat(self._last)):
            life = await self._ground.start(plan)
            # To await the future itself would cancel it together with this task.
            await asyncio.wait({life.died})

    async def rest(self) -> None:
        """Start no more."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def killed_at_their_points(self) -> bool:
        """Whether everybody died where they should."""
        lives = self._ground.lives[: len(self._fates)]
        return all(
            life.died.done() and life.died.result() == -signal.SIGKILL for life in lives
        ) and len(lives) == len(self._fates)


def a_person(ground: Ground, ledger: Ledger, user: str = "U01MIG") -> Person:
    numbers, patience_s = itertools.count(1), PATIENCE_S
    return Person(ground, user, random.Random(7), ledger, numbers, patience_s=patience_s)


async def play(ground: Ground, points: list[Point], *, blind: bool = False) -> Verdict:
    """Have a task made, by a click and by words, while processes die at the given points."""
    ledger = Ledger()
    keeper = Keeper(ground, [FaultPlan(point=point, blind=blind) for point in points], blind=blind)
    person = a_person(ground, ledger)
    await person.press_create()
    await person.say_yes()
    left = await settle(ground)
    verdict = await reckon(ground, ledger)
    await keeper.rest()
    assert keeper.killed_at_their_points()
    assert left == {}
    return verdict


async def test_killed_three_times_it_answers_once_and_creates_once(ground: Ground) -> None:
    verdict = await play(ground, [AFTER_THE_POST, IN_THE_REQUEST, BEFORE_THE_END])

    assert verdict == Verdict(answered=3, created=2)


@pytest.mark.parametrize("side", ["before", "during", "after"])
@pytest.mark.parametrize(
    "name",
    ["slack files.getUploadURLExternal", "slack upload", "slack files.completeUploadExternal"],
)
async def test_killed_at_any_step_of_a_file_it_shows_the_file_once(
    ground: Ground, name: str, side: str
) -> None:
    ledger = Ledger()
    keeper = Keeper(ground, [FaultPlan(point=Point(name=name, side=side))])
    await a_person(ground, ledger).ask_for_a_file()
    left = await settle(ground)
    verdict = await reckon(ground, ledger)
    await keeper.rest()

    assert keeper.killed_at_their_points()
    assert left == {}
    assert verdict == Verdict(answered=1)


@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize(
    ("name", "nth"),
    [
        # It comes due, it is answered, its answer has arrived.
        ("pg commit", 1),
        ("pg commit", 2),
        ("pg commit", 3),
        ("pg update agent_runs", 1),
        ("slack chat.postMessage", 1),
    ],
)
async def test_killed_around_any_transaction_of_a_firing_it_posts_once(
    ground: Ground, name: str, nth: int, side: str
) -> None:
    ledger = Ledger()
    keeper = Keeper(ground, [FaultPlan(point=Point(name=name, nth=nth, side=side))])
    await a_person(ground, ledger).be_answered()
    left = await settle(ground)
    verdict = await reckon(ground, ledger)
    await keeper.rest()

    assert keeper.killed_at_their_points()
    assert left == {}
    assert verdict == Verdict(fired=1)


@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize(
    ("name", "nth"),
    [
        # It is accepted, each response is kept, its result is stored, and has arrived.
        ("pg insert into slack_event_receipts", 1),
        ("pg commit", 1),
        ("pg insert into agent_messages", 1),
        ("pg insert into agent_messages", 3),
        ("pg update agent_runs", 1),
        ("pg commit", 2),
        ("pg commit", 3),
        ("slack chat.postMessage", 1),
        ("slack chat.postMessage", 2),
    ],
)
async def test_killed_at_any_point_of_going_on_it_posts_its_result_once(
    ground: Ground, name: str, nth: int, side: str
) -> None:
    verdict = await go_on(ground, Point(name=name, nth=nth, side=side))

    assert verdict == Verdict(answered=1, gone_on=1)


async def test_killed_in_the_middle_of_going_on_no_stored_response_is_asked_for_again(
    ground: Ground,
) -> None:
    # The tenth was the last that was stored before it went on.
    await go_on(ground, Point(name="pg insert into agent_messages", nth=11, side="after"))

    async with ground.database() as database:
        asked = await database.fetch(_ASKED)
    assert [row["query"] for row in asked] == ["coupon 10", "coupon 11"]


_ASKED = """
select m.content #>> '{parts,0,args,query}' as query
from agent_messages m join agent_runs r on r.id = m.run_id
  join slack_event_receipts s on s.id = r.receipt_id
where s.event_key like 'goes_on:%' and m.role = 'assistant'
  and (m.content #>> '{usage,input_tokens}')::int > 0
  and m.content #>> '{parts,0,args,query}' is not null
order by m.id
"""


async def go_on(ground: Ground, point: Point) -> Verdict:
    """Have something go on in a process that dies at a point, after another one has offered it."""
    ledger = Ledger()
    person, first = a_person(ground, ledger), await ground.start()
    said = await person.ask_too_much()
    first.kill()
    await first.ended_within(10)
    ground.lives.clear()
    keeper = Keeper(ground, [FaultPlan(point=point)])
    await person.let_it_go_on(said)
    left = await settle(ground)
    verdict = await reckon(ground, ledger)
    await keeper.rest()
    assert keeper.killed_at_their_points()
    assert left == {}
    return verdict


@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize("nth", [1, 2, 3])
async def test_killed_around_any_transaction_of_run_now_it_posts_once(
    ground: Ground, nth: int, side: str
) -> None:
    ledger = Ledger()
    keeper = Keeper(ground, [FaultPlan(point=Point(name="pg commit", nth=nth, side=side))])
    await a_person(ground, ledger).run_now()
    left = await settle(ground)
    verdict = await reckon(ground, ledger)
    await keeper.rest()

    assert keeper.killed_at_their_points()
    assert left == {}
    assert verdict == Verdict(fired=1)


@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize("nth", [1, 2, 3, 4])
async def test_killed_around_any_transaction_of_two_that_follow_each_other_each_posts_once(
    ground: Ground, nth: int, side: str
) -> None:
    ledger = Ledger()
    keeper = Keeper(ground, [FaultPlan(point=Point(name="pg commit", nth=nth, side=side))])
    await a_person(ground, ledger).be_followed()
    left = await settle(ground)
    verdict = await reckon(ground, ledger)
    await keeper.rest()

    assert keeper.killed_at_their_points()
    assert left == {}
    assert verdict == Verdict(fired=2)


@pytest.mark.parametrize(
    ("name", "side"),
    [
        ("clickup PUT task", "before"),
        ("clickup PUT task", "during"),
        ("clickup PUT task", "after"),
        ("pg update proposals", "before"),
        ("pg update proposals", "after"),
        ("slack chat.postMessage", "after"),
    ],
)
async def test_killed_around_a_change_of_a_task_it_changes_it_once(
    ground: Ground, name: str, side: str
) -> None:
    ledger = Ledger()
    keeper = Keeper(ground, [FaultPlan(point=Point(name=name, side=side))])
    await a_person(ground, ledger, "U01INES").add_a_note()
    left = await settle(ground)
    verdict = await reckon(ground, ledger)
    await keeper.rest()

    assert keeper.killed_at_their_points()
    assert left == {}
    assert verdict == Verdict(answered=1, changed=1)


@pytest.mark.parametrize("side", ["before", "during", "after"])
@pytest.mark.parametrize(
    ("name", "nth"),
    [("clickup PUT task", 1), ("clickup POST task/field", 1), ("clickup POST task/field", 2)],
)
async def test_killed_among_the_requests_of_one_change_it_sets_each_field(
    ground: Ground, name: str, nth: int, side: str
) -> None:
    ledger = Ledger()
    keeper = Keeper(ground, [FaultPlan(point=Point(name=name, nth=nth, side=side))])
    await a_person(ground, ledger, "U01INES").set_fields()
    left = await settle(ground)
    verdict = await reckon(ground, ledger)
    await keeper.rest()

    assert keeper.killed_at_their_points()
    assert left == {}
    assert verdict == Verdict(answered=1, changed=1)
    held = [one for task in await ground.bench.clickup_tasks() for one in task["custom_fields"]]
    assert [one["value"] for one in held if "value" in one] == [ledger.values[0], "1"]


@pytest.mark.parametrize("side", ["before", "during", "after"])
@pytest.mark.parametrize(
    ("name", "nth"),
    [
        ("clickup POST task/checklist", 1),
        ("clickup POST checklist/checklist_item", 1),
        ("clickup POST checklist/checklist_item", 2),
    ],
)
async def test_killed_while_a_checklist_is_made_it_makes_it_once_with_each_item(
    ground: Ground, name: str, nth: int, side: str
) -> None:
    ledger = Ledger()
    keeper = Keeper(ground, [FaultPlan(point=Point(name=name, nth=nth, side=side))])
    await a_person(ground, ledger, "U01INES").make_checklist()
    left = await settle(ground)
    verdict = await reckon(ground, ledger)
    await keeper.rest()

    assert keeper.killed_at_their_points()
    assert left == {}
    assert verdict == Verdict(answered=1, changed=1)
    made = [one for task in await ground.bench.clickup_tasks() for one in task["checklists"]]
    [items] = [one["items"] for one in made if one["name"].startswith("Launch ")]
    assert [one["name"] for one in items] == ["Photos", *ledger.notes]


@pytest.mark.parametrize(("side", "posted"), [("before", 0), ("during", 1), ("after", 1)])
async def test_killed_around_a_comment_it_posts_it_once_or_leaves_it_to_a_person(
    ground: Ground, side: str, posted: int
) -> None:
    ledger = Ledger()
    point = Point(name="clickup POST task/comment", side=side)
    keeper = Keeper(ground, [FaultPlan(point=point)])
    await a_person(ground, ledger, "U01INES").comment()
    left = await settle(ground)
    verdict = await reckon(ground, ledger)
    await keeper.rest()

    assert keeper.killed_at_their_points()
    assert left == {}
    # Of a process that was killed before, nobody knows whether it sent anything.
    assert verdict == Verdict(answered=1, changed=posted)


@pytest.mark.parametrize(
    ("nth", "side"),
    [(1, "during"), (2, "before"), (3, "before"), (1, "after"), (2, "after"), (3, "after")],
)
async def test_killed_among_many_changes_it_changes_each_task_and_says_so_once(
    ground: Ground, nth: int, side: str
) -> None:
    ledger = Ledger()
    keeper = Keeper(ground, [FaultPlan(point=Point(name="clickup PUT task", nth=nth, side=side))])
    before = await tasks_of(ground, MIGUEL)
    await a_person(ground, ledger, "U01INES").hand_over()
    left = await settle(ground)
    verdict = await reckon(ground, ledger)
    await keeper.rest()

    assert keeper.killed_at_their_points()
    assert left == {}
    assert verdict == Verdict(answered=1, changed=1)
    assert len(before) == 3
    assert await tasks_of(ground, MIGUEL) == set()
    assert before <= await tasks_of(ground, TOMAS)


async def tasks_of(ground: Ground, person: int) -> set[str]:
    """Return somebody's open tasks of the client whose tasks are handed over."""
    return {
        task["id"]
        for task in await ground.bench.clickup_tasks()
        if task["list"]["name"] == "Brightkettle Backlog"
        and task["status"]["type"] not in ("done", "closed")
        and person in [who["id"] for who in task["assignees"]]
    }


async def test_without_the_looks_before_a_resend_the_referee_finds_doubles(ground: Ground) -> None:
    verdict = await play(ground, [AFTER_THE_POST, AFTER_THE_REQUEST], blind=True)

    assert any("stands 2 times" in trouble for trouble in verdict.doubled)
    assert any("has 2 tasks" in trouble for trouble in verdict.doubled)


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        (
            "with kept as (insert into receipts (id) values ($1)) select 1",
            "pg insert into receipts",
        ),
        ("update outbox set state = 'sent' from before", "pg update outbox"),
        ("select pg_try_advisory_lock(1)", "pg pg_try_advisory_lock"),
        ("COMMIT;", "pg commit"),
    ],
)
def test_a_statement_is_named_after_what_it_changes(sql: str, name: str) -> None:
    assert statement_name(sql) == name
