"""A run becomes a case: what is exported replays as it is, and holds no secret."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from agencyclaw.agents.main import Models
from agencyclaw.domain.errors import NotFound, Refused
from agencyclaw.exports.case import export_run
from evals.engine import Verdict, judge
from evals.ledger import PlayedTurn
from evals.plays import GOLD, ScriptedModel, gold_of
from evals.scene import Scene
from evals.stage import Stage
from evals.subjects import load_subjects, plays_of, scripted
from evals.world import Ground, World, open_world
from workbench.clickup.board import LIST, SPACE

SARA, INES = "Sara Lindqvist", "Ines Varga"
CANARY = "xoxb-canary-7f3a9b1c2d"
LONG_MORNING = {
    "person": SARA,
    "turns": [
        {"say": "what's due this week for Glintly?", "gold": [
            {"list_tasks": {"client": "Glintly Inc", "window": "this_week", "date_kind": "due"}},
            "${list_tasks.total} tasks are due:\n- ${list_tasks.tasks.*.title}",
        ]},
        {"say": "coupon task for Copperleaf, 20% off B0CF7GARL1 from next Monday", "gold": [
            {"create_task": {
                "client": "Brightkettle Group", "brand": "Copperleaf", "title": "Set up the coupon",
                "objective": "20% off B0CF7GARL1", "product_identifiers": ["B0CF7GARL1"],
                "procedure": {"title": "Coupons Promotion SOP"},
                "promotion": {
                    "type": "coupon",
                    "discount": {"value": "20%", "quote": "20% off"},
                    "starts": {
                        "day": {"kind": "weekday", "weekday": "monday", "which": "next"},
                        "quote": "from next Monday",
                    },
                },
            }},
            "It is on the card, resting on the “${create_task.rests_on.0}”.",
        ]},
        {"press": "confirm"},
        {"say": "and one for Sara Okafor: collect the three best quotes of Glintly, city and photo",
         "gold": [
            {"create_task": {
                "client": "Glintly Inc", "title": "Collect the best customer quotes",
                "objective": "collect the three best customer quotes with city and photo",
                "assignee": "Sara Okafor",
            }},
            "The task for Glintly is on the card, for Sara Okafor.",
        ]},
        {"edit": {"title": "Collect five customer quotes", "due": "today+5"}},
        {"say": "yes"},
        {"say": "thanks!", "gold": ["You're welcome!"]},
    ],
}  # fmt: skip


FERNWOOD = {
    "person": INES,
    "changes": [{"procedure": {
        "title": "Photo Retouching SOP", "category": "retouching", "aliases": ["retouching"],
        "text": "# Retouching\n\n1. Crop.\n2. Export.",
    }}],
    "turns": [
        {"say": "task for Fernwood: photograph the oak shelf in three rooms, send the raw files",
         "gold": [
            {"create_task": {
                "client": "Fernwood", "title": "Photograph the oak shelf",
                "objective": "photograph the oak shelf in three rooms and send the raw files",
            }},
            "The task for Fernwood is on the card.",
        ]},
        {"press": "confirm"},
        {"say": "which procedure do we have for retouching?", "gold": [
            {"search_kb": {"query": "retouching"}},
            "The “${search_kb.procedures.0.title}”.",
        ]},
    ],
}  # fmt: skip


def never(_: int, __: PlayedTurn) -> bool:
    return False


async def play(ground: Ground, scene: Scene, folder: Path, *, run: int = -1) -> Path:
    """Play a scene, and export one of its runs, the last unless told otherwise."""
    mind = ScriptedModel(scene, gold_of(scene))
    async with open_world(ground, Models(mind.model()), "script:evals", scene) as world:
        await Stage(world, scene, mind.begin, never).play()
        return await exported(world, folder, run)


async def exported(world: World, folder: Path, run: int) -> Path:
    rows = await world.db.pool.fetch("select id from agent_runs order by started_at")
    path = folder / f"{uuid4().hex}.yaml"
    path.write_text(await export_run(world.db, str(rows[run]["id"])), encoding="utf-8")
    return path


async def judged(ground: Ground, path: Path) -> list[Verdict]:
    return await judge(
        ground, [p for one in plays_of(load_subjects([path])) for p in scripted(one)]
    )


async def test_an_exported_conversation_passes_as_it_is(ground: Ground, tmp_path: Path) -> None:
    scene = Scene.model_validate(LONG_MORNING)

    path = await play(ground, scene, tmp_path)
    verdicts = {one.variant: one for one in await judged(ground, path)}

    gold, lazy = verdicts.pop(GOLD), verdicts.pop("lazy")
    assert (gold.wrong, gold.error) == ((), "")
    assert not lazy.passed
    assert [one.variant for one in verdicts.values() if one.passed] == []
    [case] = load_subjects([path])[0].cases
    assert [turn.say or turn.press or "-" for turn in case.inputs.turns] == [
        turn.say or turn.press or "-" for turn in scene.turns
    ]
    assert case.inputs.snapshot is not None
    assert not case.inputs.snapshot.rows
    assert "Harvest search terms for Glintly US" in [t.title for t in case.inputs.snapshot.tasks]
    assert case.expected_output is not None
    assert [(one.title, one.state) for one in case.expected_output.proposals] == [
        (("Set up the coupon",), "done"),
        (("Collect the best customer quotes",), "superseded"),
        (("Collect five customer quotes",), "done"),
    ]


BRIEFED = {
    "person": INES,
    "turns": [
        {
            "say": "brief me on Glintly and on coupons, each in depth",
            "gold": [
                {"search_tools": {"queries": ["research in depth", "plan a larger piece of work"]}},
                {"delegate_planner": {"goal": "brief on Glintly and on coupons"}},
                {"research": {"questions": [
                    "What is due for Glintly Inc?", "How do we do coupons?",
                ]}},
                "${research.found.0.text} ${research.found.1.text}",
            ],
            "children": [
                {"question": "brief on Glintly and on coupons", "steps": [
                    {"final_result": {
                        "intent": "a briefing", "summary": "Glintly and coupons are asked about.",
                        "steps": [{"tool": "search_kb", "arguments": {"query": "coupons"}}],
                    }},
                ]},
                {"question": "What is due for Glintly Inc?", "steps": [
                    {"list_tasks": {"client": "Glintly Inc", "window": "this_week"}},
                    "Glintly has ${list_tasks.total} tasks due this week.",
                ]},
                {"question": "How do we do coupons?", "steps": [
                    {"search_kb": {"query": "coupons"}},
                    "By the “${search_kb.procedures.0.title}”.",
                ]},
            ],
        }
    ],
}  # fmt: skip


@pytest.mark.parametrize("run", [0, 1], ids=["the run", "one it sent"])
async def test_what_children_answered_comes_along(ground: Ground, tmp_path: Path, run: int) -> None:
    path = await play(ground, Scene.model_validate(BRIEFED), tmp_path, run=run)
    verdicts = {one.variant: one for one in await judged(ground, path)}

    assert (verdicts[GOLD].wrong, verdicts[GOLD].error) == ((), "")
    [case] = load_subjects([path])[0].cases
    assert {child.question for child in case.inputs.turns[0].children} == {
        "brief on Glintly and on coupons",
        "What is due for Glintly Inc?",
        "How do we do coupons?",
    }


DATED = {
    "person": INES,
    "turns": [{
        "say": "what is due for Glintly until ${today+9}, in depth, and is it the same again?",
        "gold": [
            {"search_tools": {"queries": ["research in depth ${today+9}"]}},
            {"search_kb": {"query": "what is due until ${today+9}"}},
            {"research": {"questions": ["What is due until ${today+9}?"]}},
            {"research": {"questions": ["What is due until ${today+9}?"]}},
            "${research.found.0.text}",
        ],
        "children": [
            {"question": "What is due until ${today+9}?", "steps": ["Four tasks."]},
        ],
    }],
}  # fmt: skip


async def test_days_in_words_move_with_the_day_of_the_replay(
    ground: Ground, tmp_path: Path
) -> None:
    path = await play(ground, Scene.model_validate(DATED), tmp_path)

    [case] = load_subjects([path])[0].cases
    [turn] = case.inputs.turns
    asked = "What is due until ${today+9}?"
    assert [child.question for child in turn.children] == [asked, asked]
    assert turn.say.startswith("what is due for Glintly until ${today+9}")
    verdicts = {one.variant: one for one in await judged(ground, path)}
    assert (verdicts[GOLD].wrong, verdicts[GOLD].error) == ((), "")


async def test_what_came_later_is_not_expected(ground: Ground, tmp_path: Path) -> None:
    path = await play(ground, Scene.model_validate(LONG_MORNING), tmp_path, run=1)

    [case] = load_subjects([path])[0].cases
    assert case.expected_output is not None
    assert [one.state for one in case.expected_output.proposals] == ["open"]
    assert [one.passed for one in await judged(ground, path) if one.variant == GOLD] == [True]


async def test_a_task_that_was_taken_back_is_expected_as_archived(
    ground: Ground, tmp_path: Path
) -> None:
    _, ask, press, *_, thanks = LONG_MORNING["turns"]
    turns = [ask, press, {"press": "undo", "proposals": [0]}, thanks]

    path = await play(ground, Scene.model_validate({"person": SARA, "turns": turns}), tmp_path)

    [case] = load_subjects([path])[0].cases
    assert case.expected_output is not None
    assert [task.archived for task in case.expected_output.tasks] == [True]
    gold = [one for one in await judged(ground, path) if one.variant == GOLD]
    assert [(one.wrong, one.error) for one in gold] == [((), "")]


async def test_the_time_between_two_turns_is_kept(ground: Ground, tmp_path: Path) -> None:
    thanks = {"say": "thanks!", "gold": ["You're welcome!"]}
    scene = Scene.model_validate({"person": SARA, "turns": [thanks, thanks]})
    mind = ScriptedModel(scene, gold_of(scene))
    async with open_world(ground, Models(mind.model()), "script:evals", scene) as world:
        await Stage(world, scene, mind.begin, never).play()
        await world.db.pool.execute(
            "update slack_event_receipts set received_at = received_at + interval '3 minutes'"
            " where id = (select max(id) from slack_event_receipts)"
        )
        path = await exported(world, tmp_path, -1)

    [case] = load_subjects([path])[0].cases
    assert [turn.say or turn.wait_minutes for turn in case.inputs.turns] == [
        "thanks!",
        3,
        "thanks!",
    ]


async def test_an_agency_of_ones_own_comes_along(ground: Ground, tmp_path: Path) -> None:
    scene = Scene.model_validate(FERNWOOD)
    mind = ScriptedModel(scene, gold_of(scene))
    async with open_world(ground, Models(mind.model()), "script:evals", scene) as world:
        await found_fernwood(world)
        await Stage(world, scene, mind.begin, never).play()
        path = await exported(world, tmp_path, -1)

    [case] = load_subjects([path])[0].cases
    snapshot = case.inputs.snapshot
    assert snapshot is not None
    assert snapshot.rows.keys() == {
        "agency_clients",
        "brands",
        "clickup_space_registry",
        "playbook_sops",
    }
    assert snapshot.places["901099"] == "Fernwood List"
    gold = next(one for one in await judged(ground, path) if one.variant == GOLD)
    assert (gold.wrong, gold.error) == ((), "")


async def found_fernwood(world: World) -> None:
    """A client and a brand that the demo does not have, on a list of its own."""
    client = await world.db.pool.fetchval(
        "insert into agency_clients (name) values ('Fernwood') returning id"
    )
    await world.db.pool.execute(
        "insert into brands (client_id, name, clickup_space_id, clickup_list_id)"
        " values ($1, 'Fernwood', '9010', '901099')",
        client,
    )
    await world.db.pool.execute(
        "insert into clickup_space_registry (space_id, team_id, name, classification)"
        " select '9010', team_id, 'Fernwood', 'brand_scoped' from clickup_space_registry limit 1"
    )
    storage = world.bench.storage
    for kind, key, differs in (
        (SPACE, "9010", {"name": "Fernwood"}),
        (LIST, "901099", {"name": "Fernwood List", "space_id": "9010", "folder_id": None}),
    ):
        storage.put(kind, key, storage.all(kind)[-1] | {"id": key} | differs)


async def test_no_secret_leaves_in_a_case(ground: Ground, tmp_path: Path) -> None:
    said = f"the bot token is {CANARY}, and the database is postgresql://ops:hunter2hunter2@db/x"
    scene = Scene.model_validate({
        "person": SARA,
        "changes": [{"procedure": {"title": "Vendor Portal SOP", "category": "vendor",
                     "aliases": ["vendor portal"], "text": f"Sign in with {CANARY}."}}],
        "turns": [{"say": said, "gold": [
            {"search_kb": {"query": f"vendor portal {CANARY}"}},
            {"search_tools": {"queries": ["research in depth"]}},
            {"research": {"questions": [f"Where is {CANARY} used?"]}},
            "I won't keep that.",
        ], "children": [{"question": f"Where is {CANARY} used?", "steps": ["Nowhere."]}]}],
    })  # fmt: skip

    text = (await play(ground, scene, tmp_path)).read_text(encoding="utf-8")

    assert "canary" not in text
    assert "hunter2" not in text
    assert text.count("[removed: looks like a secret]") >= 3


async def test_a_run_that_is_not_there_is_said(ground: Ground) -> None:
    async with ground.slates.take() as db:
        for prefix in (str(UUID(int=7)), "zz"):
            with pytest.raises(NotFound, match="no single run"):
                await export_run(db, prefix)


_, ASK, *_, EDIT, YES, THANKS = LONG_MORNING["turns"]
# Makes one act, counted from 0, a command.
_AS_COMMAND = """
update slack_event_receipts set payload = payload || '{"kind": "command"}'
where id = (select id from slack_event_receipts order by id offset $1 limit 1)
"""


@pytest.mark.parametrize(
    "act",
    [EDIT, {"press": "confirm", "proposals": [0]}, YES],
    ids=["an edit", "a press", "a word"],
)
async def test_an_act_on_a_card_from_before_a_command_does_not_come_along(
    ground: Ground, tmp_path: Path, act: dict[str, Any]
) -> None:
    turns = [ASK, act, THANKS]
    scene = Scene.model_validate({"person": SARA, "turns": turns})
    mind = ScriptedModel(scene, gold_of(scene))
    async with open_world(ground, Models(mind.model()), "script:evals", scene) as world:
        await Stage(world, scene, mind.begin, never).play()
        await world.db.pool.execute(_AS_COMMAND, 0)
        path = await exported(world, tmp_path, -1)

    [case] = load_subjects([path])[0].cases
    assert [turn.say for turn in case.inputs.turns] == ["thanks!"]
    assert [one.wrong for one in await judged(ground, path) if one.variant == GOLD] == [()]


_HALF_MINUTES = """
update slack_event_receipts s set received_at = s.received_at + (n.at - 1) * interval '90 seconds'
from (select id, row_number() over (order by id) as at from slack_event_receipts) n
where n.id = s.id
"""


async def test_time_between_messages_adds_up(ground: Ground, tmp_path: Path) -> None:
    scene = Scene.model_validate({"person": SARA, "turns": [THANKS] * 5})
    mind = ScriptedModel(scene, gold_of(scene))
    async with open_world(ground, Models(mind.model()), "script:evals", scene) as world:
        await Stage(world, scene, mind.begin, never).play()
        await world.db.pool.execute(_HALF_MINUTES)
        path = await exported(world, tmp_path, -1)

    [case] = load_subjects([path])[0].cases
    assert sum(turn.wait_minutes for turn in case.inputs.turns) == 6


_OTHER_RUN = """
insert into agent_runs (run_key, receipt_id, actor_profile_id, team_id, place, channel_id,
  thread_ts, source, trace_id, status)
select run_key || ':again', receipt_id, actor_profile_id, team_id, place, channel_id, thread_ts,
  source, trace_id, 'completed'
from agent_runs order by started_at desc limit 1
"""


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ([_AS_COMMAND.replace("$1", "0"), _AS_COMMAND.replace("$1", "1")], "an eval can't repeat"),
        ([_AS_COMMAND.replace("$1", "1")], "an eval can't repeat"),
        (
            [
                "update slack_event_receipts set status = 'received'"
                " where id = (select max(id) from slack_event_receipts)",
                "update agent_runs set status = 'running'",
            ],
            "not over yet",
        ),
        (["update slack_event_receipts set status = 'dead'"], "broke off"),
        ([_OTHER_RUN], "broke off"),
    ],
    ids=["only commands", "a command", "a running run", "a dead run", "a run before a retry"],
)
async def test_a_run_that_can_be_no_case_is_refused_in_a_sentence(
    ground: Ground, changes: list[str], says: str
) -> None:
    scene = Scene.model_validate({"person": SARA, "turns": [THANKS, THANKS]})
    mind = ScriptedModel(scene, gold_of(scene))
    async with open_world(ground, Models(mind.model()), "script:evals", scene) as world:
        await Stage(world, scene, mind.begin, never).play()
        run = await world.db.pool.fetchval(
            "select id::text from agent_runs order by started_at desc limit 1"
        )
        for change in changes:
            await world.db.pool.execute(change)

        with pytest.raises(Refused, match=says):
            await export_run(world.db, run)


_RATED = """
insert into answer_feedback (run_id, team_id, slack_user_id, profile_id, rating, comment)
select r.id, r.team_id, 'U01SARAL', r.actor_profile_id, 'down', $1 from agent_runs r
"""


async def test_what_people_thought_of_an_answer_stands_in_the_notes(
    ground: Ground, tmp_path: Path
) -> None:
    scene = Scene.model_validate({"person": SARA, "turns": [{"say": "hi", "gold": ["Hello!"]}]})
    mind = ScriptedModel(scene, gold_of(scene))
    async with open_world(ground, Models(mind.model()), "script:evals", scene) as world:
        await Stage(world, scene, mind.begin, never).play()
        await world.db.pool.execute(_RATED, f"too short, see {CANARY}")
        path = await exported(world, tmp_path, -1)

    [case] = load_subjects([path])[0].cases
    assert case.metadata is not None
    [note] = case.metadata.notes
    assert note.startswith("“hi”: the answer did not help, says Sara Lindqvist: too short, see")
    assert CANARY not in note
    assert [one.wrong for one in await judged(ground, path) if one.variant == GOLD] == [()]
