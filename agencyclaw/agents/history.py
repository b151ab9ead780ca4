"""Earlier runs of a conversation: how much of each a model still reads, and what they contain.

People's words stay whole; tool results and the tail of long answers are dropped first, then the
tail of pasted texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    UserPromptPart,
)

from agencyclaw.agents.found_tools import loaded_after, stored_searches, unused_tools
from agencyclaw.agents.past_answers import shortened_answer
from agencyclaw.agents.policies.journal import words_key
from agencyclaw.agents.stored_parts import parts_of

# Tool results and whole answers are kept for the newest one or two exchanges and dropped two
# exchanges at a time, so that the prefix a provider has cached changes only every second turn.
RESULTS_KEPT = 1
RESULTS_BLOCK = 2
# So much is kept of the answer just before these, which "the first one" may mean still.
_RECENT_CHARS = 1_600
# Of an older answer so many characters are kept, and its last paragraph if it has no more than
# the second number.
_ANSWER_CHARS, _END_CHARS = 400, 200
# A pasted text stays whole, and counts as evidence, for this many more turns.
PASTED_TURNS = 3
_PASTED_CHARS = 400


@dataclass(frozen=True)
class Exchange:
    """One earlier run of this conversation, as stored, and how much of it may still be read.

    `is_own`: the same person with the same rights; nobody else may read its tool results.
    `speaker` is the person's name if it was another one. `has_results`: tool results and all of a
    long answer are still read; `is_recent`: most of one is. `is_whole`: so is all of a pasted text,
    else only its beginning. `dropped_tools` were found in it and are no longer loaded. `message_ts`
    is the message's Slack ts, "" if unknown. `edited` is what the message was edited to since.
    """

    run_id: UUID
    is_same_thread: bool
    started_at: datetime
    contents: list[dict[str, Any]]
    is_own: bool = True
    speaker: str = ""
    is_pasted: bool = False
    has_results: bool = True
    is_recent: bool = True
    is_whole: bool = True
    dropped_tools: frozenset[str] = frozenset()
    message_ts: str = ""
    edited: str = ""


def apply_age(exchanges: Sequence[Exchange]) -> list[Exchange]:
    """Return exchanges in reading order, each with what is still read of it at its age.

    Those of this thread come last and so count as the newest.
    """
    exchanges = sorted(exchanges, key=precedence)
    count = len(exchanges)
    first_with_results = max(0, (count - RESULTS_KEPT) // RESULTS_BLOCK * RESULTS_BLOCK)
    own = [exchange.contents for exchange in exchanges if exchange.is_own]
    loaded = loaded_after(stored_searches(own))
    return [
        replace(
            exchange,
            has_results=index >= first_with_results,
            # They change together, so that the cached prefix does.
            is_recent=index >= first_with_results - 1,
            is_whole=not exchange.is_pasted or count - index <= PASTED_TURNS,
            dropped_tools=unused_tools(exchange.contents, loaded),
        )
        for index, exchange in enumerate(exchanges)
    ]


def precedence(exchange: Exchange) -> tuple[bool, datetime]:
    """Return the key of the reading order: other threads first, each oldest first."""
    return (exchange.is_same_thread, exchange.started_at)


@dataclass(frozen=True)
class Summary:
    """A summary of a thread up to `until`; `last_run` is the last run it covers."""

    text: str
    until: datetime
    last_run: UUID


def summary_message(summary: Summary) -> list[ModelMessage]:
    """Return a summary as a user message, because it is no answer of the assistant."""
    words = f"[Earlier in this thread, condensed] {summary.text}"
    return [ModelRequest(parts=[UserPromptPart(words)])]


def as_contents(question: str, answer: str) -> list[dict[str, Any]]:
    """Return the stored form of an exchange that has only its question and answer."""
    if not question or not answer:
        return []
    messages = [
        ModelRequest(parts=[UserPromptPart(["", question])]),
        ModelResponse(parts=[TextPart(answer)]),
    ]
    return ModelMessagesTypeAdapter.dump_python(messages, mode="json")


def user_texts(exchanges: list[Exchange]) -> tuple[str, ...]:
    """Return what people wrote in this thread, and what this person wrote elsewhere in the DM.

    In a stored prompt they follow the situation. Answers of the assistant are not included.
    """
    return tuple(
        text_in_sight(str(part["content"][-1]), exchange)
        for exchange in exchanges
        if exchange.is_same_thread or exchange.is_own
        for part in parts_of(exchange.contents)
        if part.get("part_kind") == "user-prompt" and isinstance(part.get("content"), list)
    )


def answer_in_sight(answer: str, exchange: Exchange, key: str = "") -> str:
    """Return an answer; of an older one that is long its beginning and a short last paragraph.

    That paragraph may be the question that somebody answers later. `key` brings back what was
    looked up for it.
    """
    if exchange.has_results:
        return answer
    limit = _RECENT_CHARS if exchange.is_recent else _ANSWER_CHARS
    return shortened_answer(answer, limit, _END_CHARS, key if exchange.is_own else "")


def text_in_sight(words: str, exchange: Exchange) -> str:
    """Return a person's words; of an old pasted text only its beginning and the key to the rest."""
    if exchange.is_whole or len(words) <= _PASTED_CHARS:
        return words
    hidden = len(words) - _PASTED_CHARS
    rest = f"whole text: {words_key(exchange.run_id)}" if exchange.is_own else "to be pasted again"
    note = f"{hidden} more characters were pasted, out of sight by now; {rest}"
    return f"{words[:_PASTED_CHARS]}… [{note}]"
