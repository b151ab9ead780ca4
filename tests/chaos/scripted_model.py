"""What plays the model in a chaos run: any number of sentences, each with its own steps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from agencyclaw.agents.replay import own_words
from agencyclaw.agents.script import next_response
from agencyclaw.agents.script_file import Script, ScriptedCall, ScriptedTurn, ScriptStep

_LOOK = [
    ScriptedCall(tool="lookup_brand", args={"brand": "Copperleaf"}),
    ScriptedCall(tool="search_kb", args={"query": "create a coupon"}),
]


# Tasks of the demo agency that no other matter touches, one for each person who changes some.
CHANGED = (
    "Ask the client for the new Glintly brand guide",
    "Review the Glintly UK price against the two main rivals",
)


def title_of(number: str) -> str:
    """The title of the task that `job <number>` proposes; no two are alike."""
    return f"Set up coupon {number}"


def _task(number: str, **changes: Any) -> ScriptedCall:
    args: dict[str, Any] = {
        "client": "${lookup_brand.brands.0.client}",
        "brand": "Copperleaf",
        "title": title_of(number),
        "objective": f"Set up coupon {number} for Copperleaf",
        "identifiers_pending": True,
    }
    return ScriptedCall(tool="create_task", args={**args, **changes})


def _job(number: str) -> list[ScriptStep]:
    done = ScriptStep(text="I've prepared the task. Please check the card.")
    return [ScriptStep(calls=_LOOK), ScriptStep(calls=[_task(number)]), done]


def _two(number: str) -> list[ScriptStep]:
    both = [_task(f"{number}a"), _task(f"{number}b")]
    return [
        ScriptStep(calls=_LOOK),
        ScriptStep(calls=both),
        ScriptStep(text="Both tasks are on the card."),
    ]


def _hello(number: str) -> list[ScriptStep]:
    return [ScriptStep(text=f"Hello to number {number}.")]


def _due(_: str) -> list[ScriptStep]:
    call = ScriptedCall(
        tool="list_tasks",
        args={"client": "Brightkettle", "window": "this_week", "date_kind": "due"},
    )
    return [ScriptStep(calls=[call]), ScriptStep(text="That is what is due this week.")]


def _glance(_: str) -> list[ScriptStep]:
    """A look where no task of these runs is ever put: it stays the same, however long they are."""
    call = ScriptedCall(
        tool="list_tasks", args={"client": "Glintly", "window": "this_week", "date_kind": "due"}
    )
    return [ScriptStep(calls=[call]), ScriptStep(text="That is what is due this week.")]


def _file(_: str) -> list[ScriptStep]:
    """The same list, which comes below the answer as a file."""
    find = ScriptedCall(tool="search_tools", args={"queries": ["task list as a file"]})
    asked = {"client": "Brightkettle", "window": "any_time", "file_format": "csv"}
    return [
        ScriptStep(calls=[find]),
        ScriptStep(calls=[ScriptedCall(tool="export_tasks", args=asked)]),
        ScriptStep(text="Here is the list."),
    ]


# More than an ordinary turn may ask for, and less than one in the background.
_LONG = 12


def done_at_last(number: str) -> str:
    """What `long <number>` comes to, once it has gone on."""
    return f"The long work number {number} is done."


def _long(number: str) -> list[ScriptStep]:
    """Something that takes more steps than a turn has."""
    looks = [ScriptedCall(tool="search_kb", args={"query": f"coupon {n}"}) for n in range(_LONG)]
    return [*(ScriptStep(calls=[look]) for look in looks), ScriptStep(text=done_at_last(number))]


def changed_by(number: str) -> str:
    """The words that `note`, `remark`, `set` and `list` with this number bring into a task."""
    return f"Chaos note number {number}."


def _change(tool: str, query: str, which: str, **change: Any) -> list[ScriptStep]:
    find = ScriptedCall(tool="search_tools", args={"queries": [query]})
    args = {"task": CHANGED[int(which or 0)], "client": "Glintly Inc", **change}
    return [
        ScriptStep(calls=[find]),
        ScriptStep(calls=[ScriptedCall(tool=tool, args=args)]),
        ScriptStep(text="The change is on the card."),
    ]


def _note(said: str) -> list[ScriptStep]:
    """Words below the description of a task; added twice, they would stand there twice."""
    number, _, which = said.partition(" ")
    return _change("clickup_task_update", "update task", which, add_text=changed_by(number))


def _remark(said: str) -> list[ScriptStep]:
    """A comment below a task."""
    number, _, which = said.partition(" ")
    return _change("comment_on_task", "comment on a task", which, text=changed_by(number))


def _set(said: str) -> list[ScriptStep]:
    """Two custom fields and the priority of a task: three requests."""
    number, _, which = said.partition(" ")
    fields = [
        {"field": "ASIN", "value": changed_by(number)},
        {"field": "Budget", "value": int(number)},
    ]
    urgency = ("high", "low")[int(number) % 2]
    return _change("clickup_task_update", "update task", which, fields=fields, priority=urgency)


def _list(said: str) -> list[ScriptStep]:
    """A new checklist with two items: three requests, each of which would make another one."""
    number, _, which = said.partition(" ")
    made = {"new_checklist": f"Launch {number}", "add": ["Photos", changed_by(number)]}
    return _change("clickup_task_checklist", "make a checklist", which, **made)


def _hand_over(_: str) -> list[ScriptStep]:
    """All tasks of a person at a client, on one card."""
    find = ScriptedCall(tool="search_tools", args={"queries": ["hand over"]})
    change = {"client": "Brightkettle Group", "assignee": "Miguel", "new_assignee": "Tomas Reed"}
    return [
        ScriptStep(calls=[find]),
        ScriptStep(calls=[ScriptedCall(tool="change_tasks", args=change)]),
        ScriptStep(text="The changes are on the card."),
    ]


def _wrong(number: str) -> list[ScriptStep]:
    """A tool that is not there, arguments that are nonsense, then an answer after all."""
    strange = [ScriptStep(calls=[ScriptedCall(tool="delete_everything", args={"sure": True})])]
    nonsense = [ScriptStep(calls=[ScriptedCall(tool="create_task", args={"title": 7})])]
    return [*strange, *nonsense, *_hello(number)]


def _garbled(number: str) -> list[ScriptStep]:
    """An answer after arguments that were no JSON; those are put in by the player below."""
    return [ScriptStep(calls=[ScriptedCall(tool="create_task", args={})]), *_hello(number)]


def _mute(_: str) -> list[ScriptStep]:
    return [ScriptStep(text="")] * 6


def _failing(status: int) -> Callable[[str], list[ScriptStep]]:
    return lambda _: [ScriptStep(fail=status)]


def _away_for_a_while(status: int) -> Callable[[str], list[ScriptStep]]:
    """A model that is away now and then: whoever waits for it is answered."""

    def steps(number: str) -> list[ScriptStep]:
        return [ScriptStep(fail=status)] if time.time() % 3 < _AWAY_S else _hello(number)

    return steps


def _poison(_: str) -> list[ScriptStep]:
    """The player stumbles over a day that is none: a fault of ours, not of the model's."""
    return [ScriptStep(text="${next never}")]


_STEPS: dict[str, Callable[[str], list[ScriptStep]]] = {
    "job": _job,
    "two": _two,
    "hello": _hello,
    "slow": _hello,
    "stall": _hello,
    "due": _due,
    "glance": _glance,
    "long": _long,
    "file": _file,
    "note": _note,
    "remark": _remark,
    "set": _set,
    "list": _list,
    "handover": _hand_over,
    "wrong": _wrong,
    "garbled": _garbled,
    "mute": _mute,
    "busy": _away_for_a_while(429),
    "down": _away_for_a_while(503),
    "refuses": _failing(400),
    "denied": _failing(401),
    "poison": _poison,
}
# So many of every three seconds.
_AWAY_S = 1.5
_NAMES = ("one", "two", "three", "four", "five", "six")
_BREATH_S = 0.12
_PAUSES_S = {"slow": 0.6, "stall": 60.0}


def play(_: object = None, **__: object) -> FunctionModel:
    """The model; a pure function of the history, so that it survives its process."""

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        said = _said(messages)
        await asyncio.sleep(_PAUSES_S.get(said.partition(" ")[0], 0.0))
        response = next_response(_script(said), messages, info)
        if said.startswith("garbled"):
            for part in response.parts:
                if isinstance(part, ToolCallPart):
                    part.args = '{"client": "Brightk'
        return response

    async def stream(
        messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls]:
        """The same; a tale comes sentence by sentence."""
        if _said(messages).startswith("tale "):
            async for sentence in _tale():
                yield sentence
            return
        for index, part in enumerate((await answer(messages, info)).parts):
            yield _piece(index, part)

    return FunctionModel(answer, stream_function=stream, model_name="chaos")


async def _tale() -> AsyncIterator[str]:
    """Something long, told slowly enough to die in the middle of it."""
    for name in _NAMES:
        yield f"This is sentence {name} of a tale that takes its time to be told. "
        await asyncio.sleep(_BREATH_S)


def _piece(index: int, part: ModelResponsePart) -> str | DeltaToolCalls:
    if isinstance(part, ToolCallPart):
        arguments = part.args_as_json_str()
        call = DeltaToolCall(part.tool_name, arguments, tool_call_id=part.tool_call_id)
        return {index: call}
    return part.content if isinstance(part, TextPart) else ""


def _script(said: str) -> Script:
    word, _, number = said.partition(" ")
    steps = _STEPS.get(word)
    turns = [ScriptedTurn(say=[said], steps=steps(number))] if steps else []
    return Script(name="chaos", otherwise="I don't know that one.", turns=turns)


def _said(messages: list[ModelMessage]) -> str:
    for message in reversed(messages):
        if isinstance(message, ModelRequest):
            for part in message.parts:
                if isinstance(part, UserPromptPart):
                    return own_words(part).strip()
    return ""
