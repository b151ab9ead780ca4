"""Lists as files: written by code from the rows, below the answer, once, for who may see them."""

from __future__ import annotations

import csv
import re
import struct
import zipfile
from base64 import b64decode
from io import BytesIO, StringIO
from typing import Any

import pytest
from acting import CLAW, INES, RANDOM, YUKI, ScriptedModel, calls, minded
from fakes.judges import Reader
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo
from stage import Stage, dm, eventually, whole_text

from agencyclaw.slack.edge import SlackTiming
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASK = "what is due this week for Brightkettle, as a file"
FIND = calls("search_tools", queries=["task list as a file"])
SAID = "Here is the list."
GLINTLY = "C01GLINTLY"
BRIGHTKETTLE_LIST = "901005000011"
COMPLETE = "files.completeUploadExternal"
FORMULA = '=HYPERLINK("http://evil.example","Free")'


def export(client: str = "Brightkettle", **more: Any) -> Any:
    return calls("export_tasks", client=client, window="any_time", **more)


async def wants_a_file(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    """Find the tool, call it, and answer, whatever was asked before."""
    returned = [part.tool_name for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
    if "export_tasks" in returned:
        return ModelResponse(parts=[TextPart(SAID)])
    return export() if returned else FIND


async def add_task(bench: Bench, name: str) -> None:
    """Create a task in ClickUp, as a person would."""
    url = f"{bench.clickup_api_url}/list/{BRIGHTKETTLE_LIST}/task"
    headers = {"Authorization": "pk_workbench"}
    async with bench.http.post(url, json={"name": name}, headers=headers) as answer:
        assert answer.status == 200, await answer.text()


async def files_in(bench: Bench, channel: str) -> list[dict[str, Any]]:
    """The messages that show a file."""
    return [one for one in await bench.messages(channel) if one.get("files")]


def content(bench: Bench, message: dict[str, Any]) -> bytes:
    [file] = message["files"]
    kept = bench.storage.get("slack/file_contents", file["id"])
    assert kept
    return b64decode(kept["base64"])


async def ask(stage: Stage, user: str = INES) -> str:
    root = await stage.say(user, ASK)
    await stage.reply(user, root)
    await stage.settled()
    return root


async def test_a_list_comes_as_csv_below_its_answer_with_every_row_and_no_formula(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, export(file_format="csv"), SAID)
    async with minded(bench, agency, mind) as stage:
        await add_task(bench, FORMULA)

        root = await ask(stage)

    [shown] = await files_in(bench, dm(INES))
    answer, below = await stage.replies(INES, root)
    assert below["ts"] == shown["ts"]
    [file] = shown["files"]
    assert re.fullmatch(r"Tasks of Brightkettle Group any time as of [\d-]+\.csv", file["name"])
    assert file["title"].startswith("Tasks of Brightkettle Group, any time, as of ")
    head, *rows = csv.reader(StringIO(content(bench, shown).decode("utf-8-sig")))
    assert head == [
        *("Task", "Status", "Assignees", "Priority", "Due"),
        *("Changed", "Finished", "Client", "Brand", "Link"),
    ]
    assert f'"rows":{len(rows)}' in mind.heard()
    assert [row[0] for row in rows if "HYPERLINK" in row[0]] == [f"'{FORMULA}"]
    assert all(re.fullmatch(r"(\d{4}-\d{2}-\d{2})?", row[4]) for row in rows)
    assert SAID in whole_text(answer)


async def test_a_workbook_has_texts_and_days_and_no_formula(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(FIND, export(), SAID)
    async with minded(bench, agency, mind) as stage:
        await add_task(bench, FORMULA)

        await ask(stage)

    [shown] = await files_in(bench, dm(INES))
    with zipfile.ZipFile(BytesIO(content(bench, shown))) as book:
        names = book.namelist()
        page = book.read("xl/worksheets/sheet1.xml").decode()
        texts = book.read("xl/sharedStrings.xml").decode()
    assert "=HYPERLINK" in texts
    assert "<f>" not in page
    assert "hyperlink" not in page
    assert not [name for name in names if "rels" in name and "sheet" in name]


@pytest.mark.parametrize("method", ["files.getUploadURLExternal", COMPLETE])
@pytest.mark.parametrize("kind", ["error_before", "error_after", "reset_before", "reset_after"])
async def test_whatever_breaks_on_the_way_the_file_comes_once(
    bench: Bench, agency: Database, kind: str, method: str
) -> None:
    mind = ScriptedModel(FIND, export(file_format="csv"), SAID)
    async with minded(bench, agency, mind) as stage:
        await bench.set_fault("slack", kind, method=method)

        await ask(stage)
        await eventually(lambda: files_in(bench, dm(INES)))
        await stage.settled()

    [shown] = await files_in(bench, dm(INES))
    assert content(bench, shown)
    calls_made = await bench.log(target="slack", method=method)
    assert len(calls_made) >= 1


async def test_a_file_that_slack_took_and_shows_nowhere_is_uploaded_again(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind = ScriptedModel(FIND, export(file_format="csv"), SAID)
    monkeypatch.setattr("agencyclaw.slack.edge.SlackTiming", lambda: SlackTiming(settle_s=0.0))
    async with minded(bench, agency, mind) as stage:
        await bench.set_fault("slack", "unshared", method=COMPLETE)

        await ask(stage)
        await eventually(lambda: files_in(bench, dm(INES)))
        await stage.settled()

    [shown] = await files_in(bench, dm(INES))
    assert content(bench, shown)
    assert len(await bench.log(target="slack", method=COMPLETE)) == 3


async def test_a_file_that_slack_never_shows_is_said_to_be_missing(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind = ScriptedModel(FIND, export(file_format="csv"), SAID)
    monkeypatch.setattr("agencyclaw.slack.edge.SlackTiming", lambda: SlackTiming(settle_s=0.0))
    async with minded(bench, agency, mind) as stage:
        await bench.set_fault("slack", "unshared", method=COMPLETE, times=9)

        root = await ask(stage)
        told = whole_text(await stage.reply(INES, root, index=1))
        await stage.settled()

    assert "I could not attach" in told
    assert "Slack did not take the file" in told
    assert await files_in(bench, dm(INES)) == []


async def test_code_says_below_the_answer_which_file_comes_and_that_nothing_else_was_done(
    bench: Bench, agency: Database
) -> None:
    judge = Reader()
    mind = ScriptedModel(FIND, export(file_format="csv"), SAID)
    async with minded(bench, agency, mind, judge=judge.model()) as stage:
        root = await ask(stage)
        [answer, shown] = await stage.replies(INES, root)

    [file] = shown["files"]
    rows = len(content(bench, shown).decode("utf-8-sig").splitlines()) - 1
    assert f"The file below is “{file['name']}”, with {rows} rows." in whole_text(answer)
    assert "Apart from that, this answer prepared, changed and sent nothing." in whole_text(answer)
    [read] = judge.read
    assert f"[What comes with the answer]\n- A file: {file['name']}\n" in read


async def test_talk_of_a_file_that_there_is_not_is_sent_back(
    bench: Bench, agency: Database
) -> None:
    judge = Reader(believed="Here is the list")
    mind = ScriptedModel(SAID, "I can put it into a file.")
    async with minded(bench, agency, mind, judge=judge.model()) as stage:
        root = await ask(stage)
        [answer] = await stage.replies(INES, root)

    assert "I can put it into a file." in whole_text(answer)
    assert "The file below" not in whole_text(answer)
    assert len(judge.read) == 2


async def test_who_judges_a_later_answer_reads_of_the_file(bench: Bench, agency: Database) -> None:
    judge = Reader()
    mind = ScriptedModel(FIND, export(file_format="csv"), SAID, "It is right above, as a file.")
    async with minded(bench, agency, mind, judge=judge.model()) as stage:
        root = await ask(stage)
        await stage.say(INES, "where is it?", thread=root)
        await stage.reply_with(INES, root, "right above")

    [_, read] = judge.read
    assert "Tasks of Brightkettle Group any time as of" in read


async def test_without_the_scope_it_says_what_is_missing(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(FIND, export(), SAID)
    async with minded(bench, agency, mind) as stage:
        await bench.change_install(lacks=["files:write"])

        root = await ask(stage)
        told = whole_text(await stage.reply(INES, root, index=1))

    assert "the Slack app may not upload files yet (it lacks the scope files:write)" in told
    assert await files_in(bench, dm(INES)) == []


async def test_a_clients_channel_gets_no_file_of_another_client(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, export(), "That is not for here.")
    async with minded(bench, agency, mind) as stage:
        await bench.command(GLINTLY, INES, "/claw", "link Glintly Inc")
        root = await bench.post_message(GLINTLY, INES, f"<@{CLAW}> {ASK}")
        await stage.reply_in(GLINTLY, root)
        await stage.settled()

    assert await files_in(bench, GLINTLY) == []
    assert await files_in(bench, dm(INES)) == []


async def test_nobody_gets_a_file_of_a_client_that_is_not_theirs(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, export(), "I can't see that client.")
    async with minded(bench, agency, mind) as stage:
        await ask(stage, YUKI)

    assert await files_in(bench, dm(YUKI)) == []


async def test_in_an_unlinked_channel_the_file_goes_to_direct_messages(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(wants_a_file, wants_a_file, wants_a_file, wants_a_file, wants_a_file, SAID)
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(RANDOM, INES, f"<@{CLAW}> {ASK}")
        await stage.reply_in(RANDOM, root)
        await eventually(lambda: files_in(bench, dm(INES)))
        await stage.settled()

    assert await files_in(bench, RANDOM) == []
    assert len(await files_in(bench, dm(INES))) == 1


async def test_finished_tasks_come_as_a_file_with_the_day_they_were_finished(
    bench: Bench, agency: Database
) -> None:
    done = {"window": "last_n_days", "days": 7, "date_kind": "done", "file_format": "csv"}
    mind = ScriptedModel(FIND, calls("export_tasks", client="Brightkettle", **done), SAID)
    async with minded(bench, agency, mind) as stage:
        await ask(stage)

    [shown] = await files_in(bench, dm(INES))
    assert shown["files"][0]["name"].startswith("Finished tasks of Brightkettle Group")
    _, *rows = csv.reader(StringIO(content(bench, shown).decode("utf-8-sig")))
    assert len(rows) == 3
    assert all(re.fullmatch(r"\d{4}-\d{2}-\d{2}", row[6]) for row in rows)


async def test_a_list_without_rows_is_no_file(bench: Bench, agency: Database) -> None:
    due = calls("export_tasks", client="Roderick", window="this_week")
    mind = ScriptedModel(FIND, due, "There are no tasks.")
    async with minded(bench, agency, mind) as stage:
        await ask(stage)

    assert await files_in(bench, dm(INES)) == []
    assert "There are no such tasks, so there is no file." in mind.heard()


async def test_a_file_is_named_for_its_rows_and_its_line_says_whose_they_are(
    bench: Bench, agency: Database
) -> None:
    overdue = calls(
        *("export_tasks",),
        **{"client": "Brightkettle", "window": "overdue", "date_kind": "done"},
        file_format="csv",
    )
    sara, tessera = export(file_format="csv", assignee="Sara"), export(brand="Tessera")
    mind = ScriptedModel(FIND, overdue, sara, tessera, SAID)
    async with minded(bench, agency, mind) as stage:
        root = await ask(stage)

    names = [one["files"][0]["title"] for one in await files_in(bench, dm(INES))]
    told = "\n".join(whole_text(one) for one in await stage.replies(INES, root))
    assert sorted(name.split(", ")[:2] for name in names) == [
        ["Tasks of Brightkettle Group", "Tessera"],
        ["Tasks of Brightkettle Group", "assigned to Sara"],
        ["Tasks of Brightkettle Group", "overdue"],
    ]
    assert "“Sara” fits " in told


@pytest.mark.parametrize(
    ("tool", "arguments", "title", "shows"),
    [
        (
            "usage_cost_report",
            {"group_by": "week", "days": 30},
            r"Model costs by week, 30 days to [\d-]+",
            r"USD: [\d-]{10}: 0\.5",
        ),
        (
            "cc_role_capacity_snapshot",
            {},
            r"Slots by person, as of [\d-]+",
            r"Slots: .*Sara Lindqvist: \d+",
        ),
    ],
)
async def test_a_report_comes_as_a_chart_below_its_answer_with_its_numbers_in_words(
    bench: Bench,
    agency: Database,
    tool: str,
    arguments: dict[str, Any],
    title: str,
    shows: str,
) -> None:
    find = calls("search_tools", queries=[tool])
    mind = ScriptedModel("Hello.", find, calls(tool, chart=True, **arguments), "Here it is.")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, "hello"))
        await agency.pool.execute("update ai_token_usage set cost_usd = 0.5")

        root = await ask(stage)
        await eventually(lambda: files_in(bench, dm(INES)))

    [shown] = await files_in(bench, dm(INES))
    [file] = shown["files"]
    picture = content(bench, shown)
    width, height = struct.unpack(">II", picture[16:24])
    assert picture.startswith(b"\x89PNG")
    assert width > 1_000 < 20 * height
    assert re.fullmatch(title, file["title"])
    assert re.search(shows, file["alt_txt"])
    [answer, _] = await stage.replies(INES, root)
    assert f"The chart below is “{file['title']}”." in whole_text(answer)


async def test_a_chart_that_cannot_be_drawn_is_said_and_not_tried_for_ever(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.slack.charts.specification", lambda _: {"mark": "no such"})
    chart = calls("cc_role_capacity_snapshot", chart=True)
    mind = ScriptedModel(calls("search_tools", queries=["slots by person"]), chart, "Here it is.")
    async with minded(bench, agency, mind) as stage:
        root = await ask(stage)
        replies = await stage.replies(INES, root)

    assert await files_in(bench, dm(INES)) == []
    assert "I could not draw “Slots by person" in whole_text(replies[-1])
