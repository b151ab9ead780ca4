"""What a run remembers: the thread first, then a short marked tail of the DM's session.

People's words stay whole; tool results are summarised, each with the key that brings it back.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import logfire
from pydantic import ValidationError
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    ToolSearchReturnPart,
    UserPromptPart,
)

from agencyclaw.agents.found_tools import let_go, tools_in_use, without
from agencyclaw.agents.past_results import shortened
from agencyclaw.agents.policies.journal import words_key
from agencyclaw.domain.replies import ENDINGS, REPLY, Reply
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.links import urls_of
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.tools.seen import is_feedback

# The newest exchanges keep what their tools returned; it goes block by block, so that what a
# provider has cached stays as it was for as many turns.
RESULTS_KEPT = 3
RESULTS_BLOCK = 4
# For so many turns more a pasted text stays whole, and may be rested on.
PASTED_TURNS = 3
_PASTED_CHARS = 400


@dataclass(frozen=True)
class Exchange:
    """One earlier run of this conversation, as it was stored.

    What tools returned to another person, or under other rights, is not for this one to see.
    `speaker` is who spoke then, where that was somebody else. With age it loses what its tools
    returned (`has_results`), and what was pasted (`is_pasted`) all but its beginning (`is_whole`).
    `tools_gone` were found in it and are not in use any more.
    """

    run_id: UUID
    is_same_thread: bool
    started_at: datetime
    contents: list[dict[str, Any]]
    is_own: bool = True
    speaker: str = ""
    is_pasted: bool = False
    has_results: bool = True
    is_whole: bool = True
    tools_gone: frozenset[str] = frozenset()
    message_ts: str = ""


def aged(exchanges: Sequence[Exchange]) -> list[Exchange]:
    """Return exchanges, oldest first, as they stand at their age."""
    count = len(exchanges)
    bare = max(0, (count - RESULTS_KEPT) // RESULTS_BLOCK * RESULTS_BLOCK)
    in_use = tools_in_use([one.contents for one in exchanges])
    return [
        replace(
            one,
            has_results=at >= bare,
            is_whole=not one.is_pasted or count - at <= PASTED_TURNS,
            tools_gone=let_go(one.contents, in_use),
        )
        for at, one in enumerate(exchanges)
    ]


@dataclass(frozen=True)
class Summary:
    """What was said in a thread up to a moment, condensed; `last_run` is the last one in it."""

    text: str
    until: datetime
    last_run: UUID


@dataclass(frozen=True)
class Replayed:
    """An earlier run as a model may read it again."""

    exchange: Exchange
    messages: list[ModelMessage]
    tokens: int


class Replays:
    """Stored exchanges, each read once: a finished run does not change any more."""

    def __init__(self, *, most: int = 1_000) -> None:
        self._most = most
        self._read: OrderedDict[tuple[object, ...], Replayed] = OrderedDict()

    def of(self, exchanges: list[Exchange]) -> list[Replayed]:
        """Return them as a model may read them; what can't be read any more is left out."""
        found = [self._one(exchange) for exchange in exchanges]
        while len(self._read) > self._most:
            self._read.popitem(last=False)
        return [one for one in found if one.messages]

    def _one(self, exchange: Exchange) -> Replayed:
        key = (
            *(exchange.run_id, exchange.is_same_thread, exchange.is_own, exchange.speaker),
            *(exchange.has_results, exchange.is_whole, exchange.tools_gone),
        )
        if key not in self._read:
            [read] = replay([exchange]) or [Replayed(exchange, [], 0)]
            # Only what is read again is kept, not the whole results it was cut from.
            self._read[key] = replace(read, exchange=replace(exchange, contents=[]))
        self._read.move_to_end(key)
        return self._read[key]


def replay(exchanges: list[Exchange]) -> list[Replayed]:
    """Read stored exchanges; what can't be read any more is left out."""
    read = [(exchange, _replayable(exchange)) for exchange in exchanges]
    return [
        Replayed(exchange, messages, sum(map(_size, messages)))
        for exchange, messages in read
        if messages
    ]


def fitting(
    replayed: list[Replayed], summary: Summary | None, *, budget_tokens: int
) -> list[Replayed]:
    """Return the exchanges that fit beside the summary, oldest first: the thread before the DM.

    Calls and their results stay together, as whole exchanges are kept or left.
    """
    left = budget_tokens - sum(map(_size, summary_message(summary) if summary else []))
    kept: list[Replayed] = []
    for one in sorted(replayed, key=lambda one: _precedence(one.exchange), reverse=True):
        if one.tokens > left:
            break
        left -= one.tokens
        kept.append(one)
    return sorted(kept, key=lambda one: _precedence(one.exchange))


def summary_message(summary: Summary) -> list[ModelMessage]:
    """A summary is told by the person's side: it is what was said, not an answer."""
    words = f"[Earlier in this thread, condensed] {summary.text}"
    return [ModelRequest(parts=[UserPromptPart(words)])]


def spoken_only(question: str, answer: str) -> list[dict[str, Any]]:
    """Return an exchange of which nothing is stored but what was said and what was answered."""
    if not question or not answer:
        return []
    messages = [
        ModelRequest(parts=[UserPromptPart(["", question])]),
        ModelResponse(parts=[TextPart(answer)]),
    ]
    return ModelMessagesTypeAdapter.dump_python(messages, mode="json")


def known_links(exchanges: list[Exchange]) -> frozenset[str]:
    """Return the addresses that tools returned in this person's earlier runs, before any cut."""
    returned = (
        part.get("content")
        for exchange in exchanges
        if exchange.is_own
        for message in exchange.contents
        for part in message.get("parts", ())
        if part.get("part_kind") == "tool-return"
    )
    return frozenset(url for content in returned for url in urls_of(content))


def user_texts(exchanges: list[Exchange]) -> tuple[str, ...]:
    """Return what people wrote in this thread, and what this person wrote elsewhere in the DM.

    A person's words come after the situation; what the assistant said is not among them.
    """
    return tuple(
        _in_sight(str(part["content"][-1]), exchange)
        for exchange in exchanges
        if exchange.is_same_thread or exchange.is_own
        for message in exchange.contents
        for part in message.get("parts", ())
        if part.get("part_kind") == "user-prompt" and isinstance(part.get("content"), list)
    )


def _precedence(exchange: Exchange) -> tuple[bool, datetime]:
    return (exchange.is_same_thread, exchange.started_at)


def _replayable(exchange: Exchange) -> list[ModelMessage]:
    try:
        messages = ModelMessagesTypeAdapter.validate_python(exchange.contents)
    except ValidationError:
        logfire.warn("exchange unreadable", run=str(exchange.run_id))
        return []
    messages = [_with_words(message) for message in _without_rejected(messages)]
    if not (exchange.is_own and exchange.has_results):
        messages = _overheard(messages)
    return [short for m in messages if (short := _shorten(m, exchange)).parts]


def spoken(part: UserPromptPart) -> str:
    """Return the person's own words: the last text of a prompt; the situation stands before."""
    return part.content if isinstance(part.content, str) else str(part.content[-1])


def _without_rejected(messages: list[ModelMessage]) -> list[ModelMessage]:
    """Leave out answers that did not pass the checks: nobody has seen them."""
    kept: list[ModelMessage] = []
    for message in messages:
        if isinstance(message, ModelRequest) and any(map(_is_rejection, message.parts)):
            if kept and isinstance(kept[-1], ModelResponse):
                kept[-1] = _without_answer(kept[-1])
            message = replace(message, parts=[p for p in message.parts if not _is_rejection(p)])
        kept.append(message)
    return [message for message in kept if message.parts]


def _is_rejection(part: ModelRequestPart) -> bool:
    """Whether a part sends an answer back, or says that it was taken."""
    return is_feedback(part) or (isinstance(part, ToolReturnPart) and part.tool_name in ENDINGS)


def _without_answer(response: ModelResponse) -> ModelResponse:
    calls = [
        p for p in response.parts if isinstance(p, ToolCallPart) and p.tool_name not in ENDINGS
    ]
    return replace(response, parts=calls)


def _with_words(message: ModelMessage) -> ModelMessage:
    """Return a message in which an answer is what the person read, not how it was given."""
    if isinstance(message, ModelRequest):
        return message
    return replace(message, parts=[_words_of(part) for part in message.parts])


def _words_of(part: ModelResponsePart) -> ModelResponsePart:
    if not isinstance(part, ToolCallPart) or part.tool_name != REPLY:
        return part
    try:
        return TextPart(Reply.model_validate(part.args_as_dict()).words)
    except ValueError:
        return TextPart("")


def _overheard(messages: list[ModelMessage]) -> list[ModelMessage]:
    """Return what anybody in the thread could read: the person's words and the last answer."""
    requests = [
        replace(m, parts=[p for p in m.parts if isinstance(p, UserPromptPart)])
        for m in messages
        if isinstance(m, ModelRequest)
    ]
    answers = [
        replace(m, parts=[p for p in m.parts if isinstance(p, TextPart)])
        for m in messages
        if isinstance(m, ModelResponse)
    ]
    return [*requests, *answers[-1:]]


def _shorten(message: ModelMessage, exchange: Exchange) -> ModelMessage:
    if isinstance(message, ModelResponse):
        parts = [p for p in message.parts if not isinstance(p, ThinkingPart)]
        return replace(message, parts=[p for p in parts if not _is_blank(p)])
    return replace(message, parts=[_shorten_part(p, exchange) for p in message.parts])


def _is_blank(part: object) -> bool:
    return isinstance(part, TextPart) and not part.content.strip()


def _shorten_part(part: ModelRequestPart, exchange: Exchange) -> ModelRequestPart:
    if isinstance(part, UserPromptPart):
        return replace(part, content=f"{_mark(exchange)}{_in_sight(spoken(part), exchange)}")
    # Which tools a search found is read from its result: cut, it would not be one any more.
    if isinstance(part, ToolSearchReturnPart):
        return without(part, exchange.tools_gone)
    if isinstance(part, ToolReturnPart):
        return replace(part, content=shortened(part, exchange.run_id))
    return part


def _in_sight(words: str, exchange: Exchange) -> str:
    """Return what is still in sight of a person's words: of an old pasted text its beginning."""
    if exchange.is_whole or len(words) <= _PASTED_CHARS:
        return words
    gone = len(words) - _PASTED_CHARS
    back = f"whole text: {words_key(exchange.run_id)}" if exchange.is_own else "to be pasted again"
    note = f"{gone} more characters were pasted, out of sight by now; {back}"
    return f"{words[:_PASTED_CHARS]}… [{note}]"


def _mark(exchange: Exchange) -> str:
    """Say where and by whom it was said, unless here and by the person who speaks now."""
    where = "" if exchange.is_same_thread else "(earlier, in another thread) "
    return f"{where}({one_line(exchange.speaker, 60)} said) " if exchange.speaker else where


def _size(message: ModelMessage) -> int:
    """Count the tokens a model reads; the envelope around them is not sent."""
    return sum(count_tokens(_readable(part)) for part in message.parts)


def _readable(part: ModelRequestPart | ModelResponsePart) -> str:
    match part:
        case TextPart(content=content):
            return content
        case ToolCallPart():
            return part.tool_name + part.args_as_json_str()
        case UserPromptPart() | ToolReturnPart():
            return str(part.content)
        case _:
            return ""
