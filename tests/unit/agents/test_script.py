"""The script player: a pure function of the message history."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from uuid import uuid4

import pytest
import yaml
from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessagesTypeAdapter

from agencyclaw.agents.prompts import load_prompt
from agencyclaw.agents.script import play
from agencyclaw.agents.script_file import Script, tour
from agencyclaw.conversation.fixed_texts import HELP
from agencyclaw.domain.clients import Client
from agencyclaw.domain.suggested_prompts import prompts_for

ROOT = Path(__file__).parents[3]


class Brand(BaseModel):
    """A tool's result."""

    name: str
    client: str


class Found(BaseModel):
    """A tool's result with a list."""

    brands: list[Brand]


def script(*turns: dict[str, object], **more: object) -> Script:
    return Script.model_validate(
        {"name": "t", "otherwise": "not in the script", "turns": list(turns), **more}
    )


def agent_on(played: Script) -> tuple[Agent[None, str], list[dict[str, object]]]:
    agent = Agent(play(played))
    calls: list[dict[str, object]] = []

    @agent.tool_plain
    def look_up(name: str) -> Found:
        return Found(brands=[Brand(name=name, client="Brightkettle Group")])

    @agent.tool_plain
    def create(client: str, start: str = "", title: str = "") -> str:
        calls.append({"client": client, "start": start, "title": title})
        return "proposed"

    return agent, calls


COUPON = {
    "say": ["Create a coupon task for Copperleaf!"],
    "steps": [
        {"calls": [{"tool": "look_up", "args": {"name": "Copperleaf"}}]},
        {
            "calls": [
                {
                    "tool": "create",
                    "args": {
                        "client": "${look_up.brands.0.client}",
                        "start": "${next monday}",
                        "title": "For ${look_up.brands.0.name}",
                    },
                }
            ]
        },
        {"text": "Prepared for ${look_up.brands.0.name}."},
    ],
}


async def test_arguments_are_taken_from_earlier_results() -> None:
    agent, calls = agent_on(script(COUPON))

    result = await agent.run(
        ["Today is Saturday 2026-11-21.", "create a coupon task for copperleaf"]
    )

    assert result.output == "Prepared for Copperleaf."
    assert calls == [
        {"client": "Brightkettle Group", "start": "2026-11-23", "title": "For Copperleaf"}
    ]


async def test_a_sentence_outside_the_script_gets_the_honest_answer() -> None:
    agent, calls = agent_on(script(COUPON))

    result = await agent.run("create a coupon task for Nordvent")

    assert result.output == "not in the script"
    assert calls == []


async def test_the_opening_stands_before_the_first_answer_only() -> None:
    played = script({"say": ["hi"], "steps": [{"text": "Hello."}]}, opening="(a script)")
    agent, _ = agent_on(played)

    first = await agent.run("hi")
    second = await agent.run("hi", message_history=first.all_messages())

    assert first.output == "(a script)\n\nHello."
    assert second.output == "Hello."


async def test_the_player_goes_on_from_a_stored_history() -> None:
    agent, _ = agent_on(script(COUPON))
    asked = ["Today is Saturday 2026-11-21.", "create a coupon task for copperleaf"]
    whole = (await agent.run(asked)).all_messages()

    stored = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(whole[:3]))
    result = await agent.run(None, message_history=stored)

    assert result.output == "Prepared for Copperleaf."


async def test_streaming_says_the_same() -> None:
    agent, _ = agent_on(script(COUPON))
    asked = ["Today is Saturday 2026-11-21.", "create a coupon task for copperleaf"]

    async with agent.run_stream_events(asked) as events:
        last = [event async for event in events][-1]

    assert last.result.output == "Prepared for Copperleaf."  # pyright: ignore


async def test_a_script_that_takes_its_time_begins_later_and_goes_on_word_by_word() -> None:
    turn = {"say": ["hi"], "steps": [{"text": "Good morning to you."}]}
    pauses: list[float] = []
    clock = asyncio.get_running_loop().time
    before = clock()
    agent = Agent(play(script(turn), pace_s=0.2))
    async with agent.run_stream("hi") as streamed:
        async for _ in streamed.stream_text(delta=True, debounce_by=None):
            pauses.append(clock() - before)

    assert pauses[0] >= 0.2
    assert pauses == sorted(set(pauses))
    assert len(pauses) == 4


async def test_a_scripted_failure_is_a_failure_of_the_service() -> None:
    agent, _ = agent_on(script({"say": ["hi"], "steps": [{"fail": 503}]}))

    with pytest.raises(ModelHTTPError):
        await agent.run("hi")


def test_a_script_with_a_mistake_is_refused_with_its_place() -> None:
    with pytest.raises(ValueError, match=r"turns\.0\.steps\.0\.call"):
        script({"say": ["hi"], "steps": [{"call": []}]})


async def test_a_child_is_played_by_the_turns_of_children_and_opens_nothing() -> None:
    played = script(
        {"say": ["hello"], "steps": [{"text": "Hello!"}]},
        opening="(A script plays.)",
        children=[{"say": ["hello"], "steps": [{"text": "Nothing is due."}]}],
    )
    child = Agent(play(played), instructions=load_prompt("research").text)

    assert (await child.run("hello")).output == "Nothing is due."
    assert (await agent_on(played)[0].run("hello")).output == "(A script plays.)\n\nHello!"


async def test_what_a_script_does_not_know_is_answered_with_its_own_sentences() -> None:
    also = [{"say": ["goodbye"], "steps": [{"text": "Bye!"}]}]
    hello = {"say": ["hello", "good morning"], "steps": [{"text": "Hello!"}]}
    played = script(COUPON, hello, closest="I know these:", also=also)
    agent = agent_on(played)[0]

    assert (await agent.run("Goodbye!")).output == "Bye!"
    assert (await agent.run("good morning to you")).output == (
        "not in the script\n\nI know these:\n"
        "- good morning\n- goodbye\n- Create a coupon task for Copperleaf!"
    )


CLIENTS = yaml.safe_load((ROOT / "agencyclaw/store/demo/clients.yaml").read_text(encoding="utf-8"))
OPENERS = [
    opener.message
    for one in CLIENTS
    if one.get("status") != "archived"
    for opener in prompts_for([Client(id=uuid4(), name=one["name"])], waiting=1)
]
EXAMPLES = re.findall(r"“([^”]+)”", HELP)


@pytest.mark.parametrize("text", [*EXAMPLES, *dict.fromkeys(OPENERS)])
async def test_the_tour_knows_what_help_and_the_suggested_prompts_say(text: str) -> None:
    known = tour()
    agent = agent_on(known)[0]

    assert known.otherwise not in (await agent.run(text)).output


async def test_the_tour_tells_who_wrote_what_in_the_thread_it_is_called_into() -> None:
    known = tour()
    agent = agent_on(known)[0]
    thread = (
        "[The thread, as it stands in Slack] What people wrote.\n"
        "- Ines Varga (11-23 09:00): who does the banner?\n"
        "- Yuki Tan (11-23 09:05): I do\n"
        "    - Ines Varga (11-23 09:06): by Friday"
    )
    told = (await agent.run([f"Today is Monday.\n\n{thread}", "summarise this thread"])).output
    alone = (await agent.run("summarise this thread")).output

    assert told.endswith("here:\n- Ines Varga: who does the banner?\n- Yuki Tan: I do")
    assert alone.endswith("Nobody wrote anything here before you called me.")


@pytest.mark.parametrize("rests_on", [["Coupons Promotion SOP"], []])
async def test_the_tour_names_a_procedure_only_where_one_was_found(rests_on: list[str]) -> None:
    agent = Agent(play(tour()))

    @agent.tool_plain
    def lookup_brand(brand: str) -> Found:
        return Found(brands=[Brand(name=brand, client="Brightkettle Group")])

    @agent.tool_plain
    def search_kb(query: str) -> dict[str, list[dict[str, str]]]:
        del query
        return {"procedures": [{"title": title} for title in rests_on]}

    @agent.tool_plain
    def create_task(
        client: str,
        brand: str,
        title: str,
        objective: str,
        procedure: dict[str, str | None],
        identifiers_pending: bool,
    ) -> dict[str, object]:
        del brand, objective, procedure, identifiers_pending
        return {"summary": f"{title} for {client}", "rests_on": rests_on}

    answer = (await agent.run("create a coupon task for Copperleaf")).output

    assert ("resting on “Coupons Promotion SOP”" in answer) is bool(rests_on)
    assert ("no procedure was found" in answer) is not bool(rests_on)
    assert "“”" not in answer


def test_the_tour_can_be_read() -> None:
    first = tour().turns[0].say[0]

    assert first == (
        "create a coupon task for Copperleaf: 20% off the garlic press B0CF7GARL1, starting Monday"
    )


LIST = {
    "say": ["which brands"],
    "steps": [
        {"calls": [{"tool": "look_up", "args": {"name": "2026-11-23"}}]},
        {"text": "Found:\n- ${look_up.brands.*.name} of ${look_up.brands.*.client}${look_up.note}"},
    ],
}


async def test_a_line_is_written_for_each_item_with_days_as_people_say_them() -> None:
    agent, _ = agent_on(script(LIST))

    result = await agent.run("which brands?")

    assert result.output == "Found:\n- Mon 23 Nov of Brightkettle Group"


async def test_a_tool_that_is_not_offered_is_not_called_but_the_reason_told_on() -> None:
    barred = {
        "say": ["delete it"],
        "steps": [{"calls": [{"tool": "delete"}]}, {"text": "I deleted it."}],
    }
    agent, _ = agent_on(script(barred, barred="${told refusal}"))

    result = await agent.run(
        [
            "No change can be prepared for them here. If they want one, tell them: “Ask an admin.”",
            "delete it",
        ]
    )

    assert result.output == "Ask an admin."
