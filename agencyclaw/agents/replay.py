"""Prepares stored exchanges for the model: drops rejected answers and shortens tool results."""

from __future__ import annotations

from dataclasses import dataclass, replace

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

from agencyclaw.agents.found_tools import without_tools
from agencyclaw.agents.history import (
    Exchange,
    Summary,
    answer_in_sight,
    precedence,
    summary_message,
    text_in_sight,
)
from agencyclaw.agents.past_results import newest_key, shortened
from agencyclaw.domain.recent import RecentCache
from agencyclaw.domain.replies import ENDINGS, REPLY, Reply
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.tools.visible_texts import is_feedback


@dataclass(frozen=True)
class ReplayedRun:
    """An earlier run as a model reads it again, and its size in tokens."""

    exchange: Exchange
    messages: list[ModelMessage]
    tokens: int


class ReplayCache:
    """Parses each stored exchange once: a finished run does not change."""

    def __init__(self, *, max_size: int = 1_000) -> None:
        self._runs: RecentCache[tuple[object, ...], ReplayedRun] = RecentCache(max_size=max_size)

    def get_all(self, exchanges: list[Exchange]) -> list[ReplayedRun]:
        """Return exchanges as a model reads them, without those that can't be read any more."""
        runs = [self._get(exchange) for exchange in exchanges]
        return [run for run in runs if run.messages]

    def _get(self, exchange: Exchange) -> ReplayedRun:
        key = (
            exchange.run_id,
            exchange.is_same_thread,
            exchange.is_own,
            exchange.speaker,
            exchange.has_results,
            exchange.is_recent,
            exchange.is_whole,
            exchange.dropped_tools,
            exchange.edited,
        )
        return self._runs.get(key, lambda: _replayed(exchange))


def _replayed(exchange: Exchange) -> ReplayedRun:
    """Return a run without its stored contents, which are much larger."""
    messages = _messages_of(exchange)
    return ReplayedRun(replace(exchange, contents=[]), messages, sum(map(_size, messages)))


def fit_window(
    runs: list[ReplayedRun], summary: Summary | None, *, budget_tokens: int
) -> list[ReplayedRun]:
    """Return the runs that fit beside the summary, oldest first.

    This thread takes precedence over the rest of the DM. A run is kept or dropped whole, so that a
    call never loses its result.
    """
    left = budget_tokens - sum(map(_size, summary_message(summary) if summary else []))
    kept: list[ReplayedRun] = []
    ordered = sorted(runs, key=lambda run: precedence(run.exchange))
    for run in reversed(ordered):
        if run.tokens > left:
            break
        left -= run.tokens
        kept.append(run)
    return kept[::-1]


def own_words(part: UserPromptPart) -> str:
    """Return the person's words: the last text of a prompt, after the situation."""
    return part.content if isinstance(part.content, str) else str(part.content[-1])


def _messages_of(exchange: Exchange) -> list[ModelMessage]:
    try:
        messages = ModelMessagesTypeAdapter.validate_python(exchange.contents)
    except ValidationError:
        logfire.warn("exchange unreadable", run=str(exchange.run_id))
        return []
    messages = [_with_answer_text(message) for message in _without_rejected(messages)]
    key = newest_key(messages, exchange.run_id)
    if not (exchange.is_own and exchange.has_results):
        messages = _public_part(messages, exchange)
    return [short for m in messages if (short := _shorten(m, exchange, key)).parts]


def _without_rejected(messages: list[ModelMessage]) -> list[ModelMessage]:
    """Drop answers that did not pass the checks: nobody has seen them."""
    kept: list[ModelMessage] = []
    for message in messages:
        if isinstance(message, ModelRequest) and any(map(_is_rejection, message.parts)):
            if kept and isinstance(kept[-1], ModelResponse):
                kept[-1] = _without_answer(kept[-1])
            message = replace(message, parts=[p for p in message.parts if not _is_rejection(p)])
        kept.append(message)
    return [message for message in kept if message.parts]


def _is_rejection(part: ModelRequestPart) -> bool:
    """Whether a part rejects an answer or acknowledges one."""
    return is_feedback(part) or (isinstance(part, ToolReturnPart) and part.tool_name in ENDINGS)


def _without_answer(response: ModelResponse) -> ModelResponse:
    calls = [
        p for p in response.parts if isinstance(p, ToolCallPart) and p.tool_name not in ENDINGS
    ]
    return replace(response, parts=calls)


def _with_answer_text(message: ModelMessage) -> ModelMessage:
    """Replace a reply call by the text that the person read."""
    if isinstance(message, ModelRequest):
        return message
    return replace(message, parts=[_answer_text(part) for part in message.parts])


def _answer_text(part: ModelResponsePart) -> ModelResponsePart:
    if not isinstance(part, ToolCallPart) or part.tool_name != REPLY:
        return part
    try:
        return TextPart(Reply.model_validate(part.args_as_dict()).words)
    except ValueError:
        return TextPart("")


def _public_part(messages: list[ModelMessage], exchange: Exchange) -> list[ModelMessage]:
    """Return what everybody in the thread could read: the person's words and the last answer.

    Searches for tools that are still in use stay, too: without them the tools would be unloaded.
    """
    searches = _searches_in_use(messages, exchange)
    last = next((m for m in reversed(messages) if isinstance(m, ModelResponse)), None)
    kept: list[ModelMessage] = []
    for m in messages:
        if isinstance(m, ModelRequest):
            asked = [p for p in m.parts if isinstance(p, UserPromptPart) or _is_of(p, searches)]
            kept.append(replace(m, parts=asked))
        else:
            answered = [
                p for p in m.parts if (m is last and isinstance(p, TextPart)) or _is_of(p, searches)
            ]
            kept.append(replace(m, parts=answered))
    return kept


def _searches_in_use(messages: list[ModelMessage], exchange: Exchange) -> frozenset[str]:
    """Return the calls of this person's searches that found a tool which is still in use."""
    found = (p for m in messages for p in m.parts if isinstance(p, ToolSearchReturnPart))
    return frozenset(
        p.tool_call_id
        for p in found
        if exchange.is_own
        and any(tool["name"] not in exchange.dropped_tools for tool in p.discovered_tools)
    )


def _is_of(part: ModelRequestPart | ModelResponsePart, calls: frozenset[str]) -> bool:
    return isinstance(part, ToolCallPart | ToolReturnPart) and part.tool_call_id in calls


def _shorten(message: ModelMessage, exchange: Exchange, key: str) -> ModelMessage:
    if isinstance(message, ModelResponse):
        parts = [p for p in message.parts if not isinstance(p, ThinkingPart)]
        kept = [_in_sight(part, exchange, key) for part in parts if not _is_blank(part)]
        return replace(message, parts=kept)
    return replace(message, parts=[_shorten_part(p, exchange) for p in message.parts])


def _in_sight(part: ModelResponsePart, exchange: Exchange, key: str) -> ModelResponsePart:
    if not isinstance(part, TextPart):
        return part
    return replace(part, content=answer_in_sight(part.content, exchange, key))


def _is_blank(part: object) -> bool:
    return isinstance(part, TextPart) and not part.content.strip()


def _shorten_part(part: ModelRequestPart, exchange: Exchange) -> ModelRequestPart:
    if isinstance(part, UserPromptPart):
        words = text_in_sight(own_words(part), exchange)
        return replace(part, content=f"{_speaker_note(exchange)}{words}")
    # pydantic-ai reads the loaded tools from a search's result, so that is never cut.
    if isinstance(part, ToolSearchReturnPart):
        return without_tools(part, exchange.dropped_tools)
    if isinstance(part, ToolReturnPart):
        return replace(part, content=shortened(part, exchange.run_id))
    return part


def _speaker_note(exchange: Exchange) -> str:
    """Name the thread and the speaker where they are not the present ones."""
    where = "" if exchange.is_same_thread else "(earlier, in another thread) "
    return f"{where}({one_line(exchange.speaker, 60)} said) " if exchange.speaker else where


def _size(message: ModelMessage) -> int:
    """Return the tokens of what a model reads, without metadata."""
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
