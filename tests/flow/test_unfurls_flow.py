"""Links to ClickUp tasks show short cards to those who may see the tasks, and to nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from acting import BRIGHT, INES, MIGUEL, OPS, RANDOM, SARA_L, ScriptedModel, minded
from stage import Stage, dm, on_stage, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import HUB, Bench
from workbench.slack.events import event_callback

BRIGHTKETTLE, GLINTLY = "Brightkettle", "Glintly"


async def task_of(stage: Stage, client: str) -> dict[str, Any]:
    """A task in a list of a client's brand."""
    lists = await stage.db.pool.fetch(
        "select b.clickup_list_id as id from brands b join agency_clients c on c.id = b.client_id"
        " where c.name like $1 and b.clickup_list_id is not null",
        f"{client}%",
    )
    ids = {row["id"] for row in lists}
    tasks = await stage.bench.clickup_tasks()
    return next(one for one in tasks if one["list"]["id"] in ids and one["assignees"])


async def posted(stage: Stage, channel: str, user: str, text: str) -> dict[str, Any]:
    """Post a message, wait until the app has done what it does about its links, and return it."""
    bench = stage.bench
    ts = await bench.post_message(channel, user, text)
    await bench.until(lambda: not bench.storage.all("slack/deliveries"))
    inbound = stage.edge._opened.inbound  # pyright: ignore[reportPrivateUsage]
    await inbound.settle(10)
    return next(one for one in await bench.messages(channel) if one["ts"] == ts)


def cards(message: dict[str, Any]) -> list[str]:
    """The text of each card under a message."""
    return [whole_text(one) for one in message.get("attachments", [])]


async def test_in_its_clients_channel_a_link_shows_title_status_assignee_due_and_list(
    stage: Stage,
) -> None:
    task = await task_of(stage, BRIGHTKETTLE)

    message = await posted(stage, BRIGHT, INES, f"have you seen {task['url']}?")

    [card] = cards(message)
    assert task["name"] in card
    assert f"Status: {task['status']['status']}" in card
    assert f"Assignee: {task['assignees'][0]['username']}" in card
    assert "Due: " in card
    assert f"List: {task['list']['name']}" in card
    assert not task["description"] or task["description"] not in card


async def test_in_direct_messages_whoever_may_see_it_sees_it(stage: Stage) -> None:
    task = await task_of(stage, BRIGHTKETTLE)

    message = await posted(stage, dm(INES), INES, task["url"])

    assert len(cards(message)) == 1


async def test_whoever_may_not_see_it_is_shown_nothing(stage: Stage) -> None:
    clients = await stage.db.pool.fetch(
        "select c.name from agency_clients c where c.status = 'active' and not exists ("
        " select from client_assignments a join profiles p on p.id = a.team_member_id"
        " where a.client_id = c.id and p.slack_user_id = $1) and exists (select from brands b"
        " where b.client_id = c.id and b.clickup_list_id is not null)",
        MIGUEL,
    )
    for row in clients:
        try:
            task = await task_of(stage, row["name"])
        except StopIteration:
            continue
        message = await posted(stage, dm(MIGUEL), MIGUEL, task["url"])
        assert cards(message) == []
        return
    pytest.fail("there is no client that Miguel may not see")


async def test_where_it_is_no_member_nothing_is_shown(stage: Stage) -> None:
    """In direct messages of two colleagues the other one may not see the poster's clients."""
    task = await task_of(stage, BRIGHTKETTLE)
    link = {"domain": "app.clickup.com", "url": task["url"]}
    told: dict[str, Any] = {
        "type": "link_shared",
        "channel": "D01COLLEAGUES",
        "user": INES,
        "links": [link],
    }
    told |= {"message_ts": "1795457769.478134", "event_ts": "1795457769.478135"}
    told["is_bot_user_member"] = False
    stage.bench.app[HUB].send_event("link_shared", event_callback(told, "T0LANTERN"))

    # What is posted afterwards is told afterwards.
    assert len(cards(await posted(stage, dm(INES), INES, task["url"]))) == 1
    assert len(await stage.bench.log(target="slack", method="chat.unfurl")) == 1


@pytest.mark.parametrize("channel", [OPS, RANDOM])
async def test_in_channels_of_no_client_nothing_is_shown(stage: Stage, channel: str) -> None:
    task = await task_of(stage, BRIGHTKETTLE)

    assert cards(await posted(stage, channel, INES, task["url"])) == []


async def test_in_another_clients_channel_and_in_a_group_nothing_is_shown(stage: Stage) -> None:
    task = await task_of(stage, GLINTLY)
    group = await stage.bench.add_group(INES, SARA_L)

    assert cards(await posted(stage, BRIGHT, INES, task["url"])) == []
    assert cards(await posted(stage, group, INES, task["url"])) == []


async def test_where_another_company_reads_along_nothing_is_shown(stage: Stage) -> None:
    task = await task_of(stage, BRIGHTKETTLE)
    await stage.bench.change_channel(BRIGHT, "share")

    assert cards(await posted(stage, BRIGHT, INES, task["url"])) == []


async def test_a_guest_shows_nothing_to_anybody(stage: Stage) -> None:
    task = await task_of(stage, BRIGHTKETTLE)
    await stage.bench.change_membership(SARA_L, "guest")

    assert cards(await posted(stage, BRIGHT, SARA_L, task["url"])) == []


async def test_a_list_of_two_clients_is_nobodys(stage: Stage) -> None:
    task = await task_of(stage, BRIGHTKETTLE)
    await stage.db.pool.execute(
        "update brands set clickup_list_id = $1 where client_id ="
        " (select id from agency_clients where name like 'Glintly%' limit 1)",
        task["list"]["id"],
    )

    assert cards(await posted(stage, BRIGHT, INES, task["url"])) == []


@pytest.mark.parametrize("kind", ["error_before", "rate_limited", "reset_before"])
async def test_what_clickup_does_not_tell_is_not_shown(
    bench: Bench, agency: Database, brisk: None, kind: str
) -> None:
    del brisk
    async with on_stage(bench, agency, clickup_timeout_s=1.0) as stage:
        task = await task_of(stage, BRIGHTKETTLE)
        await bench.set_fault("clickup", kind, method="get_task", times=20)

        message = await posted(stage, BRIGHT, INES, task["url"])

        assert cards(message) == []


async def test_a_task_that_is_gone_and_one_elsewhere_are_not_shown(stage: Stage) -> None:
    task = await task_of(stage, BRIGHTKETTLE)
    base = task["url"].rsplit("/", 1)[0]
    evil = task["url"].replace("http://", "http://app.clickup.com@")

    message = await posted(
        stage, BRIGHT, INES, f"{base}/86nosuchtask {evil} https://evil.example/t/{task['id']}"
    )

    assert cards(message) == []


async def test_several_links_get_a_card_each_and_five_at_most(stage: Stage) -> None:
    first = await task_of(stage, BRIGHTKETTLE)
    tasks = [
        one for one in await stage.bench.clickup_tasks() if one["list"]["id"] == first["list"]["id"]
    ]
    links = " ".join(one["url"] for one in tasks[:7])

    message = await posted(stage, BRIGHT, INES, links)

    assert len(cards(message)) == 5


async def test_names_from_clickup_stay_text(stage: Stage) -> None:
    task = await task_of(stage, BRIGHTKETTLE)
    title = "<!channel> *now* <https://evil.example|press>"
    await stage.bench.http.put(
        f"{stage.bench.clickup_api_url}/task/{task['id']}",
        json={"name": title},
        headers={"Authorization": "pk_workbench"},
    )

    [card] = cards(await posted(stage, BRIGHT, INES, task["url"]))

    assert "<!channel>" not in card
    assert "<https://evil.example" not in card


async def test_no_model_is_asked(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel("Hello.")
    async with minded(bench, agency, mind) as stage:
        task = await task_of(stage, BRIGHTKETTLE)

        assert cards(await posted(stage, BRIGHT, INES, task["url"]))

    assert mind.told == []


@pytest.mark.parametrize("scope", ["links:read", "links:write"])
async def test_an_install_without_the_scope_goes_on_without_cards_and_says_so_at_home(
    bench: Bench, agency: Database, scope: str
) -> None:
    await bench.change_install(lacks=[scope])
    async with minded(bench, agency, ScriptedModel("Hello.")) as stage:
        task = await task_of(stage, BRIGHTKETTLE)

        message = await posted(stage, BRIGHT, INES, task["url"])
        root = await stage.say(INES, "hello")
        await stage.reply(INES, root)
        await bench.open_home(INES)
        home = await bench.until(lambda: bench.home(INES))

    assert cards(message) == []
    assert f"`{scope}`" in whole_text({"blocks": home["blocks"]})
