"""Turns the model's stored responses into the steps of a script; future days become relative."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from pydantic import JsonValue
from pydantic_ai.messages import (
    ModelMessagesTypeAdapter,
    ModelResponse,
    ToolCallPart,
)

from agencyclaw.agents.script_file import ScriptedCall, ScriptedReply, ScriptStep
from agencyclaw.domain.replies import ENDINGS, REPLY
from agencyclaw.domain.runs import RunStatus
from agencyclaw.store.interrupted_runs import read_arguments
from agencyclaw.store.run_exports import ExportedRun

_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
# How a day is written within words and arguments, and as the value of a field.
IN_SCRIPT, _IN_EXPECTATION = "${{today+{}}}", "today+{}"
# What a reply claims about changes, where a script would not fill it in itself.
_CLAIMS = ("earlier", "waiting", "wanted_not_done")


def script_of(responses: Sequence[dict[str, Any]], status: str, today: date) -> list[ScriptStep]:
    """Return a step per response; a run that failed without an answer ends with a failure."""
    steps = [_step(response, today) for response in _parsed(responses)]
    has_answer = bool(steps) and not steps[-1].calls
    if status == RunStatus.FAILED and not has_answer:
        steps.append(ScriptStep(fail=400))
    return steps


def calls_of(run: ExportedRun) -> list[ToolCallPart]:
    """Return the tool calls of a run, without its answer."""
    return [call for response in _parsed(run.responses) for call in _calls_in(response)]


def arguments_of(call: ToolCallPart, today: date) -> dict[str, Any]:
    """Return a call's arguments, in which future days are relative to today."""
    arguments = read_arguments(call.args) or {}
    return {name: relative_days(value, today, IN_SCRIPT) for name, value in arguments.items()}


def relative_days(value: JsonValue, today: date, form: str = _IN_EXPECTATION) -> JsonValue:
    """Return a JSON value with the days from today on written relative to today."""

    def as_relative(match: re.Match[str]) -> str:
        try:
            days = (date.fromisoformat(match[0]) - today).days
        except ValueError:
            return match[0]
        return form.format(days) if days >= 0 else match[0]

    match value:
        case str():
            return _DAY.sub(as_relative, value)
        case list():
            return [relative_days(item, today, form) for item in value]
        case dict():
            return {name: relative_days(item, today, form) for name, item in value.items()}
        case _:
            return value


def _parsed(responses: Sequence[dict[str, Any]]) -> list[ModelResponse]:
    messages = ModelMessagesTypeAdapter.validate_python(list(responses))
    return [message for message in messages if isinstance(message, ModelResponse)]


def _calls_in(response: ModelResponse) -> list[ToolCallPart]:
    return [call for call in response.tool_calls if call.tool_name not in ENDINGS]


def _step(response: ModelResponse, today: date) -> ScriptStep:
    calls = [
        ScriptedCall(tool=call.tool_name, args=arguments_of(call, today))
        for call in _calls_in(response)
    ]
    return ScriptStep(calls=calls) if calls else _answer(response)


def _answer(response: ModelResponse) -> ScriptStep:
    """Return a response's answer, with the fields that a script would not fill in itself."""
    replies = [call for call in response.tool_calls if call.tool_name == REPLY]
    reply = read_arguments(replies[0].args) or {} if replies else {}
    text = str(reply.get("text") or response.text or "").replace("${", "$ {") or " "
    changes = reply.get("changes")
    fields = ScriptedReply(
        changes=changes if changes in _CLAIMS else None,
        earlier=reply.get("earlier") or "",
        question=reply.get("question") or "",
    )
    return ScriptStep(text=text, reply=fields)
