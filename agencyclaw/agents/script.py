"""Plays a script as a language model, for the keyless demo, tests and evals.

A script is a list of turns: what the person says, and the model's steps, which are calls (their
arguments may come from earlier results) or a closing text. The player is a pure function of the
message history, so it survives restarts and needs no state.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from difflib import SequenceMatcher
from typing import Any, cast
from uuid import UUID, uuid5

from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from pydantic_core import to_jsonable_python

from agencyclaw.agents.planner import PROMPT as PLANNER
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.agents.replay import own_words
from agencyclaw.agents.research import PROMPT as RESEARCH
from agencyclaw.agents.script_file import (
    Script,
    ScriptedCall,
    ScriptedReply,
    ScriptedTurn,
)
from agencyclaw.agents.script_quotes import prompts, quoted_in
from agencyclaw.agents.summary import PROMPT as SUMMARY
from agencyclaw.domain.replies import REPLY
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.tool_search import SEARCH_TOOLS
from agencyclaw.tools.visible_texts import is_feedback

_NAMESPACE = UUID("6f2d1c1e-52c1-4d53-9f5b-2f0f6a4f8a11")
_PLACEHOLDER = re.compile(r"\$\{([^}]+)\}")
_INDEX = re.compile(r"\d+|-1")
_TODAY = re.compile(r"Today is \w+ (\d{4}-\d{2}-\d{2})")
_AHEAD = re.compile(r"today(?: ?\+ ?(\d+))?")
_REFUSAL = re.compile(r"If they want one, tell them: “([^”]+)”")
_REPEATED = re.compile(r"\$\{([\w.]+)\.\*")
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_LINES_CONDENSED = 16
_OFFERED = 3
# Of the time that an answer takes, what lies between two of its words.
_BETWEEN_WORDS = 1 / 40
_DOCUMENTS = ("procedures", "documents")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def play(script: Script, *, pace_s: float = 0.0) -> FunctionModel:
    """Return a model that plays the script, with and without streaming.

    It takes `pace_s` to begin each response, so that people see what is done meanwhile.
    """

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        await asyncio.sleep(pace_s)
        if info.instructions == load_prompt(SUMMARY).text:
            return _text(_condensed(messages))
        return next_response(script, messages, info)

    async def stream(
        messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls]:
        await asyncio.sleep(pace_s)
        for index, part in enumerate(next_response(script, messages, info).parts):
            if isinstance(part, TextPart):
                for piece in re.findall(r"\S+\s*", part.content) or [""]:
                    yield piece
                    await asyncio.sleep(pace_s * _BETWEEN_WORDS)
            elif isinstance(part, ToolCallPart):
                for delta in _deltas(part):
                    yield {index: delta}
                    await asyncio.sleep(pace_s * _BETWEEN_WORDS)

    return FunctionModel(answer, stream_function=stream, model_name=f"script:{script.name}")


def _condensed(messages: Sequence[ModelMessage]) -> str:
    """Summarise without a language model: by the beginnings of the newest lines."""
    text, _ = _current_turn(messages)
    lines = [one_line(line, 90) for line in text.splitlines() if line.strip()]
    return " ".join(lines[-_LINES_CONDENSED:])


def _deltas(part: ToolCallPart) -> Iterator[DeltaToolCall]:
    """Stream a call as a whole and an answer word by word."""
    args = part.args_as_json_str()
    pieces = re.findall(r"\S+\s*", args) if part.tool_name == REPLY else [args]
    first, *rest = pieces
    yield DeltaToolCall(name=part.tool_name, json_args=first, tool_call_id=part.tool_call_id)
    for piece in rest:
        yield DeltaToolCall(json_args=piece)


def next_response(
    script: Script, messages: Sequence[ModelMessage], info: AgentInfo
) -> ModelResponse:
    """Return the next response to a history."""
    text, since = _current_turn(messages)
    is_child = _is_child(info)
    turn = _find_turn(script.children if is_child else script.known, text)
    values = _Values({"said": text} | quoted_in(messages) | _results(since), messages, info)

    def answer(text: str, reply: ScriptedReply | None = None) -> ModelResponse:
        opened = text if is_child or turn is None else _opened(script, messages, text)
        return _answer(opened, reply or ScriptedReply(), values)

    if turn is None:
        return answer(script.otherwise if is_child else _unknown(script, text))
    responses = sum(isinstance(message, ModelResponse) for message in since)
    steps = [step for step in turn.steps if not step.when or values.at(step.when)]
    if responses >= len(steps):
        return _answer(script.otherwise, ScriptedReply(), values)
    step = steps[responses]
    if step.fail:
        raise ModelHTTPError(status_code=step.fail, model_name=script.name)
    if script.barred and not _offers(info, step.calls):
        return answer(values.fill_text(script.barred))
    if not step.calls:
        return answer(values.fill_answer(step.text), step.reply)
    return ModelResponse(
        parts=[
            ToolCallPart(call.tool, values.fill(call.args), tool_call_id=_call_id(messages, index))
            for index, call in enumerate(step.calls)
        ]
    )


def _answer(text: str, reply: ScriptedReply, values: _Values) -> ModelResponse:
    """Answer with the agent's typed reply, or in plain text if it has none."""
    if REPLY not in {tool.name for tool in values.info.output_tools}:
        return _text(text)
    is_prepared = any(values.at(f"{tool}.kind") == "proposed" for tool in values.seen)
    fields = {
        "changes": reply.changes or ("prepared" if is_prepared else "none"),
        "earlier": reply.earlier,
        "text": text,
        "question": reply.question,
        "sources": values.first_titles() if reply.sources is None else reply.sources,
    }
    arguments = {name: value for name, value in fields.items() if value}
    call_id = _call_id(values.messages, 0)
    return ModelResponse(parts=[ToolCallPart(REPLY, arguments, tool_call_id=call_id)])


def _is_child(info: AgentInfo) -> bool:
    return info.instructions in {load_prompt(name).text for name in (RESEARCH, PLANNER)}


def _offers(info: AgentInfo, calls: Sequence[ScriptedCall]) -> bool:
    offered = {tool.name for tool in (*info.function_tools, *info.output_tools)} | {SEARCH_TOOLS}
    return all(call.tool in offered for call in calls)


def _text(content: str) -> ModelResponse:
    return ModelResponse(parts=[TextPart(content)])


def _call_id(messages: Sequence[ModelMessage], index: int) -> str:
    """Return an id that is equal for equal histories and unique within a conversation."""
    stamp = messages[-1].timestamp if isinstance(messages[-1], ModelRequest) else None
    return "call_" + uuid5(_NAMESPACE, f"{len(messages)}:{index}:{stamp}").hex[:16]


def _current_turn(messages: Sequence[ModelMessage]) -> tuple[str, list[ModelMessage]]:
    for position in range(len(messages) - 1, -1, -1):
        message = messages[position]
        if isinstance(message, ModelRequest):
            for part in reversed(message.parts):
                if isinstance(part, UserPromptPart) and not is_feedback(part):
                    return own_words(part), list(messages[position + 1 :])
    return "", []


def _find_turn(turns: Sequence[ScriptedTurn], text: str) -> ScriptedTurn | None:
    normal = _normal(text)
    for turn in turns:
        if any(_normal(line) == normal for line in turn.say):
            return turn
    return None


def _unknown(script: Script, text: str) -> str:
    """Answer what the script does not contain; offers its own sentences, guesses nothing."""
    if not script.closest:
        return script.otherwise
    normal = _normal(text)

    def likeness(line: str) -> float:
        return SequenceMatcher(None, _normal(line), normal).ratio()

    closest = [max(turn.say, key=likeness) for turn in script.known]
    closest.sort(key=likeness, reverse=True)
    offered = "\n".join(f"- {line}" for line in closest[:_OFFERED])
    return f"{script.otherwise}\n\n{script.closest}\n{offered}"


def _normal(text: str) -> str:
    return folded(re.sub(r"[^\w\s%]", " ", text))


def _opened(script: Script, messages: Sequence[ModelMessage], text: str) -> str:
    """Add the opening before the first answer of a conversation."""
    is_first = not any(
        isinstance(message, ModelResponse)
        and any(isinstance(p, TextPart) and p.content.strip() for p in message.parts)
        for message in messages
    )
    return f"{script.opening}\n\n{text}" if script.opening and is_first else text


@dataclass(frozen=True)
class _Values:
    """What a script's placeholders can name: results of the turn, quoted messages, the date.

    `seen` are the person's words, the quoted messages, and each tool's latest result.
    """

    seen: dict[str, Any]
    messages: Sequence[ModelMessage]
    info: AgentInfo

    def fill(self, value: Any) -> Any:
        """Fill `${…}` in arguments; one that is a whole argument keeps the type of its value."""
        if isinstance(value, str):
            whole = _PLACEHOLDER.fullmatch(value)
            return self._named(whole[1]) if whole else self.fill_text(value)
        if isinstance(value, list):
            return [self.fill(item) for item in cast(list[Any], value)]
        if isinstance(value, dict):
            return {key: self.fill(item) for key, item in cast(dict[str, Any], value).items()}
        return value

    def fill_text(self, text: str, show: Callable[[Any], str] = str) -> str:
        """Fill every `${…}` of a text; a missing value becomes nothing."""

        def shown(placeholder: re.Match[str]) -> str:
            value = self._named(placeholder[1])
            return "" if value is None else show(value)

        return _PLACEHOLDER.sub(shown, text)

    def fill_answer(self, text: str) -> str:
        """Fill a text for a person; a line with `*` in a path is repeated for each item."""
        lines = [line for pattern in text.splitlines() for line in self._repeated(pattern)]
        return self.fill_text("\n".join(lines), _as_people_write).strip()

    def at(self, path: str) -> Any:
        """Follow `tool.field.0.field`; None if the path ends early."""
        value: Any = self.seen
        for key in path.split("."):
            if isinstance(value, dict):
                value = cast(dict[str, Any], value).get(key)
            elif isinstance(value, list) and _INDEX.fullmatch(key):
                items = cast(list[Any], value)
                value = next(iter(items[int(key) :]), None)
            else:
                return None
        return value

    def first_titles(self) -> list[str]:
        """Return the first document of each list found, which a script's answers cite."""
        paths = (f"{tool}.{name}.0.title" for tool in self.seen for name in _DOCUMENTS)
        return [str(title) for path in paths if (title := self.at(path))]

    def _repeated(self, line: str) -> list[str]:
        repeated = _REPEATED.search(line)
        if repeated is None:
            return [line]
        items: list[Any] = self.at(repeated[1]) or []
        return [line.replace(".*", f".{index}") for index in range(len(items))]

    def _named(self, name: str) -> Any:
        if name == "told refusal":
            return self._last_match(_REFUSAL)
        if name.startswith("next "):
            return self._next_weekday(name.removeprefix("next ")).isoformat()
        if ahead := _AHEAD.fullmatch(name):
            return (self._today() + timedelta(days=int(ahead[1] or 0))).isoformat()
        return self.at(name)

    def _next_weekday(self, name: str) -> date:
        """Compute a weekday from the date in the situation, as a model would."""
        today = self._today()
        ahead = (_WEEKDAYS.index(name) - today.weekday()) % 7 or 7
        return today + timedelta(days=ahead)

    def _today(self) -> date:
        return date.fromisoformat(self._last_match(_TODAY))

    def _last_match(self, pattern: re.Pattern[str]) -> str:
        """Return the latest match of a pattern in the prompts and instructions."""
        texts = [str(self.info.instructions or ""), *prompts(self.messages)]
        return (pattern.findall("\n".join(texts)) or [""])[-1]


def _as_people_write(value: Any) -> str:
    """Return a day or a list as people write it; everything else unchanged."""
    if isinstance(value, list):
        return ", ".join(map(str, cast(list[Any], value)))
    if not _ISO_DAY.fullmatch(str(value)):
        return str(value)
    day = date.fromisoformat(str(value))
    return f"{day:%a} {day.day} {day:%b}"


def _results(since: Sequence[ModelMessage]) -> dict[str, Any]:
    """Return each tool's latest result since the person spoke."""
    return {
        part.tool_name: to_jsonable_python(part.content, fallback=str)
        for message in since
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    }
