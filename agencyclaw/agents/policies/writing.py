"""Shows an answer while the model writes it, as far as it has been checked.

A person sees the text up to the last whole sentence, after the same repairs and checks as a whole
answer. The first fault holds back everything after it. Text before a tool call is not an answer,
and the text of an answer that was sent back is removed.

Only what the judge has read is shown. It reads beginnings that grow threefold, so at most four for
the longest answer; without a judge, all that was checked is shown.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic_ai import RunContext
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_core import from_json

from agencyclaw.agents.verification import examine, judge_of
from agencyclaw.deps import Deps
from agencyclaw.domain.replies import REPLY
from agencyclaw.domain.text import SENTENCE_ENDS, WIDE_SENTENCE_ENDS, scrub
from agencyclaw.knowledge.secrets import redacted

_WHOLE = re.compile(rf".*(?:[{SENTENCE_ENDS}:](?=\s)|[{WIDE_SENTENCE_ENDS}]|\n)", re.DOTALL)
# A beginning may still be empty.
_NOT_YET = frozenset({"empty"})
# The first beginning that is judged has this many characters; the next is three times as long.
_FIRST_JUDGED = 240
_GROWTH = 3
# Repairs a beginning, and returns it with the codes of its faults.
Check = Callable[[str], tuple[str, list[str]]]
# Whether a beginning may be shown.
Judges = Callable[[str], Awaitable[bool]]


@dataclass
class Draft:
    """What has been written of an answer so far.

    `attempt` counts how often shown text was removed. `cleared` is how many characters the judge
    allows to be shown; None if nobody has to judge.
    """

    attempt: int = 0
    cleared: int | None = None
    _received: list[str] = field(default_factory=list[str])
    _is_reply: bool = False
    _shown: str = ""
    _seen: int = 0
    _is_frozen: bool = False
    _check: Check = field(default=lambda text: (text, []))

    @property
    def written(self) -> int:
        """The number of characters received."""
        return len(self.words)

    @property
    def words(self) -> str:
        """The text of the answer so far."""
        return str(self.fields.get("text") or "") if self._is_reply else "".join(self._received)

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of a typed reply, as far as received."""
        if not self._is_reply:
            return {}
        try:
            read: Any = from_json("".join(self._received), allow_partial="trailing-strings")
        except ValueError:
            return {}
        return cast("dict[str, Any]", read) if isinstance(read, dict) else {}

    def begin(self, check: Check) -> None:
        """Start a new response; text shown of the last one no longer counts."""
        self._check = check
        self.discard()

    def append(self, words: str) -> None:
        """Add text, or a piece of a typed reply."""
        self._received.append(words)

    def discard(self, *, is_reply: bool = False) -> None:
        """Discard the text; a typed reply may follow."""
        self.attempt += bool(self._shown)
        self._received, self._is_reply, self.cleared = [], is_reply, None
        self._shown, self._seen, self._is_frozen = "", 0, False

    def freeze(self) -> None:
        """Show no more of this response."""
        self._is_frozen = True

    def checked(self) -> str:
        """Return the text that may be shown; it only grows until `attempt` does."""
        words = self.words
        whole = whole_part(words) if self.cleared is None else words[: self.cleared]
        if self._is_frozen or not whole or len(whole) == self._seen:
            return self._shown
        self._seen = len(whole)
        text, faults = self._check(scrub(whole))
        text = redacted(text)
        if set(faults) - _NOT_YET or not text.startswith(self._shown):
            self._is_frozen = True
        else:
            self._shown = text
        return self._shown


def whole_part(words: str) -> str:
    """Return a text up to its last whole sentence."""
    whole = _WHOLE.match(words)
    return whole[0] if whole else ""


@dataclass
class BeginningJudge:
    """Has the judge read beginnings of an answer while it is written."""

    draft: Draft
    judges: Judges
    _next: int = _FIRST_JUDGED
    _task: asyncio.Task[None] | None = None

    def judge_next(self) -> None:
        """Start to judge the next beginning once it is long enough, one at a time."""
        draft = self.draft
        if draft.cleared is None:
            draft.cleared, self._next = 0, _FIRST_JUDGED
        if self._task is not None and not self._task.done():
            return
        beginning = whole_part(draft.words)
        if len(beginning) >= self._next:
            self._next = len(beginning) * _GROWTH
            self._task = asyncio.create_task(self._read(beginning), name="judge of a beginning")

    async def _read(self, beginning: str) -> None:
        may_be_read = await self.judges(beginning)
        if not self.draft.words.startswith(beginning):
            return  # it was discarded meanwhile
        if may_be_read:
            self.draft.cleared = len(beginning)
        else:
            self.draft.freeze()

    async def close(self) -> None:
        """Cancel the judgement of a beginning, because the whole answer is there."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})


@asynccontextmanager
async def observed(
    ctx: RunContext[Deps], model: Model, draft: Draft | None
) -> AsyncGenerator[Model]:
    """Begin a response in the draft, and yield the model that streams into it if it can."""
    if draft is None:
        yield model
        return

    def check(text: str) -> tuple[str, list[str]]:
        text, issues = examine(ctx, text)
        return text, [issue.code for issue in issues]

    draft.begin(check)
    if not can_stream(model):
        yield model
        return
    judges = judge_of(ctx)
    reading = BeginningJudge(draft, judges) if judges else None
    try:
        yield ObservedModel(model, draft, reading)
    finally:
        if reading is not None:
            await reading.close()


def can_stream(model: Model) -> bool:
    """Return whether a model streams; a function model may only answer as a whole."""
    if isinstance(model, FallbackModel):
        return all(map(can_stream, model.models))
    return not (isinstance(model, FunctionModel) and model.stream_function is None)


class ObservedModel(WrapperModel):
    """A model whose text is observed while it streams; its response is unchanged."""

    def __init__(self, wrapped: Model, draft: Draft, reading: BeginningJudge | None = None) -> None:
        super().__init__(wrapped)
        self._draft = draft
        self._reading = reading

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Stream the request, observe it, and return the complete response."""
        answer = _AnswerFilter(self._draft)
        async with self.wrapped.request_stream(
            messages, model_settings, model_request_parameters
        ) as stream:
            async for event in stream:
                answer.feed(event)
                if self._reading is not None and not answer.has_called:
                    self._reading.judge_next()
            return stream.get()


@dataclass
class _AnswerFilter:
    """Separates an answer from text before a call; `reply_index` is the part of a typed reply."""

    draft: Draft
    reply_index: int | None = None
    has_called: bool = False

    def feed(self, event: object) -> None:
        """Process one stream event."""
        match event:
            case PartStartEvent(index=index, part=ToolCallPart(tool_name=name, args=args)):
                self.has_called = self.has_called or name != REPLY
                self.draft.discard(is_reply=not self.has_called)
                self.reply_index = index
                if not self.has_called and isinstance(args, str):
                    self.draft.append(args)
            case PartStartEvent(part=TextPart(content=words)) if self._is_plain:
                self.draft.append(words)
            case PartDeltaEvent(delta=TextPartDelta(content_delta=words)) if self._is_plain:
                self.draft.append(words)
            case PartDeltaEvent(index=index, delta=ToolCallPartDelta(args_delta=str(words))) if (
                index == self.reply_index and not self.has_called
            ):
                self.draft.append(words)
            case _:
                pass

    @property
    def _is_plain(self) -> bool:
        return self.reply_index is None
