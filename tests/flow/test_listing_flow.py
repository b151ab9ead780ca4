"""Task lists from ClickUp itself: complete, honest about what is missing, not invented later."""

from __future__ import annotations

from acting import INES, SARA_L, YUKI, Acting, ScriptedModel, call, calls, minded, text, turn
from stage import whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASK = "what is going on"
NOTED = text("${list_tasks.shown} of ${list_tasks.total}. ${list_tasks.range}. ${list_tasks.note}")


async def test_one_list_for_all_brands_with_link_status_and_people(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("list_tasks", client="Brightkettle", window="this_week"), "Seven are due."
    )
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, ASK))

        lists = [one["path"] for one in await bench.log(target="clickup", operation="list_tasks")]

    seen = mind.heard(1)
    assert "Upload the new gallery images for the Copperleaf Garlic Press" in seen
    assert '"status":"in progress"' in seen
    assert "Miguel Duarte" in seen
    assert f'"url":"{bench.url}/t/' in seen
    assert '"range":"this week, Mon' in seen
    assert '"total":7' in seen
    assert '"brands":["Copperleaf","Nordvent","Tessera"]' in seen
    assert lists == ["/list/901005000011/task"]


async def test_ranges_without_tasks_and_clients_without_lists(
    acting: Acting,
) -> None:
    stage = await acting(
        turn("empty", call("list_tasks", client="Roderick", window="this_week"), NOTED),
        turn("unmapped", call("list_tasks", client="Northwater"), text("${list_tasks.message}")),
        turn(
            "fourteen",
            call("list_tasks", client="Glintly Inc", window="next_n_days", days="14"),
            NOTED,
        ),
        turn(
            "wrong",
            call("list_tasks", client="Glintly Inc", window="next_n_days", days=True),
            text("How many days do you mean?"),
        ),
    )

    empty = await stage.say(INES, "empty")
    unmapped = await stage.say(INES, "unmapped")
    fourteen = await stage.say(INES, "fourteen")
    wrong = await stage.say(INES, "wrong")

    await stage.reply_with(INES, empty, "Brands checked: Rodric, Rodric Home")
    await stage.reply_with(INES, unmapped, "You can link it, as an admin")
    await stage.reply_with(INES, fourteen, "the next 14 days")
    await stage.reply_with(INES, wrong, "How many days do you mean?")


async def test_a_long_list_says_how_much_of_it_is_shown(acting: Acting) -> None:
    stage = await acting(
        turn(ASK, call("list_tasks", client="Casa Mundo", window="any_time"), NOTED)
    )

    root = await stage.say(INES, ASK)

    await stage.reply_with(INES, root, "of 250; page 2 has the next.")


async def test_the_top_of_the_week_by_due_date(acting: Acting) -> None:
    top = call("list_tasks", client="Brightkettle", window="this_week", top=5)
    five = "\n".join(f"- ${{list_tasks.tasks.{at}.title}}" for at in range(5))
    stage = await acting(
        turn(
            ASK,
            top,
            text(f"${{list_tasks.shown}} of ${{list_tasks.total}}:\n\n{five}\n\nStart there."),
        )
    )

    root = await stage.say(INES, ASK)

    answer = whole_text(await stage.reply_with(INES, root, "5 of 7:"))
    assert "None" not in answer


async def test_ones_own_tasks_of_all_clients_are_one_request(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(calls("list_tasks", window="any_time", assignee="me"), "Here they are.")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(SARA_L, await stage.say(SARA_L, "what's on my plate?"))
        asked = await bench.log(target="clickup")

    seen = mind.heard(1)
    assert "Review the Glintly UK price against the two main rivals" in seen
    assert "Rewrite the bullets of the Copperleaf Garlic Press in silver" in seen
    assert '"client":"Brightkettle Group"' in seen
    assert "Negative keyword sweep" not in seen
    [read] = [one for one in asked if one["operation"] == "list_team_tasks"]
    assert read["query"]["assignees[]"] == ["100003"]
    assert [one for one in asked if one["operation"] == "list_tasks"] == []


async def test_overdue_tasks_are_mentioned_beside_the_week(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(calls("list_tasks", client="Brightkettle"), "Seven are due.")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, ASK))

    seen = mind.heard(1)
    assert 'not among these: 2, 2 of them overdue (window \\"overdue\\"). Mention' in seen
    assert '"due_before":[{"title":"' in seen


async def test_nobody_sees_tasks_of_clients_that_are_not_theirs(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(calls("list_tasks", window="any_time"), "Here they are.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(YUKI, "all open tasks")
        answer = await stage.reply(YUKI, root)

    assert "Nordvent Tower Fan" not in mind.heard(1)
    assert "assigned to" in whole_text(answer)


async def test_a_follow_up_is_answered_from_the_earlier_result(
    bench: Bench, agency: Database
) -> None:
    async def look_back(_messages: object, _info: object) -> object:
        key = mind.heard().split("[whole result: ")[1].split("]")[0]
        return calls("load_prior_skill_result", key=key)

    mind = ScriptedModel(
        calls("list_tasks", client="Brightkettle", window="this_week"),
        "Seven tasks are due.",
        look_back,
        "Two of them are Miguel's.",
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, ASK)
        await stage.reply(INES, root)
        asked = len(await bench.log(target="clickup"))

        await stage.say(INES, "which of those are Miguel's?", thread=root)

        await stage.reply_with(INES, root, "Two of them are Miguel's")
        assert len(await bench.log(target="clickup")) == asked
    assert "Appeal the Tessera tea caddy category change" in mind.heard()
