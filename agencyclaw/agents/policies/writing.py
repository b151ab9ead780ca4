"""An answer while it is being written: heard word by word, shown as far as it has been checked.

What a person may see of it is its beginning up to the last whole sentence, after the same repairs
and checks as a whole answer. The first fault keeps everything after it back. Words before a tool's
call are no answer, and words of an answer that was sent back are taken back.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Protocol
from uuid import UUID

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
)
from pydantic_ai.models import Model, ModelRequestContext, ModelRequestParameters
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from agencyclaw.agents.verification import examine
from agencyclaw.deps import Deps
from agencyclaw.domain.people import Place
from agencyclaw.domain.text import scrub
from agencyclaw.knowledge.secrets import redacted

_WHOLE = re.compile(r".*(?:[.!?…:](?=\s)|\n)", re.DOTALL)
# A beginning need not be complete, nor have anything in it yet.
_NOT_YET = frozenset({"empty", "sample_for_all"})


class Voice(Protocol):
    """Shows an answer while it is being written; what can't be shown costs nothing but the show."""

    def works_on(self, task_id: str, title: str) -> None:
        """Show a piece of work as begun."""
        ...

    def finished(self, task_id: str, *, well: bool) -> None:
        """Show a piece of work as ended."""
        ...

    async def close(self) -> None:
        """Show no more; returns when nothing is under way any more."""
        ...


class Stage(Protocol):
    """Where answers are shown while they are written."""

    def write(
        self, place: Place, draft: Draft, *, receipt_id: int, run_id: UUID, slack_user_id: str
    ) -> Voice | None:
        """Begin to show what a draft holds; None where nobody watches."""
        ...


@dataclass
class Draft:
    """What has been written so far of an answer.

    `attempt` counts how often what had been shown was taken back.
    """

    raw: str = ""
    attempt: int = 0
    _shown: str = ""
    _seen: int = 0
    _is_held: bool = False
    _check: Callable[[str], tuple[str, list[str]]] = field(default=lambda text: (text, []))

    @property
    def written(self) -> int:
        """How many characters have been heard."""
        return len(self.raw)

    def begin(self, check: Callable[[str], tuple[str, list[str]]]) -> None:
        """A new response begins; what was shown of the last one does not stand."""
        self._check = check
        self.drop()

    def drop(self) -> None:
        """Take back what was written."""
        self.attempt += bool(self._shown)
        self.raw, self._shown, self._seen, self._is_held = "", "", 0, False

    def checked(self) -> str:
        """Return as much as may be shown; it only grows until `attempt` does."""
        whole = _WHOLE.match(self.raw)
        if self._is_held or whole is None or whole.end() == self._seen:
            return self._shown
        self._seen = whole.end()
        text, faults = self._check(scrub(whole[0]))
        text = redacted(text)
        if set(faults) - _NOT_YET or not text.startswith(self._shown):
            self._is_held = True
        else:
            self._shown = text
        return self._shown


@dataclass
class Writing(AbstractCapability[Deps]):
    """Lets a draft hear what the model writes. One instance per run."""

    draft: Draft

    async def wrap_model_request(
        self,
        ctx: RunContext[Deps],
        *,
        request_context: ModelRequestContext,
        handler: Callable[[ModelRequestContext], Awaitable[ModelResponse]],
    ) -> ModelResponse:
        """Have the response streamed, where the model can."""

        def check(text: str) -> tuple[str, list[str]]:
            text, issues = examine(ctx, text)
            return text, [issue.code for issue in issues if issue.severity == "error"]

        self.draft.begin(check)
        model = request_context.model
        if can_stream(model):
            request_context = replace(request_context, model=Overheard(model, self.draft))
        return await handler(request_context)


def can_stream(model: Model) -> bool:
    """Return whether a model can be listened to: a function may answer only as a whole."""
    if isinstance(model, FallbackModel):
        return all(map(can_stream, model.models))
    return not (isinstance(model, FunctionModel) and model.stream_function is None)


class Overheard(WrapperModel):
    """A model whose words are heard while they come; its response is the same."""

    def __init__(self, wrapped: Model, draft: Draft) -> None:
        super().__init__(wrapped)
        self._draft = draft

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask for a stream, listen to it, and return what it came to."""
        calls = False
        async with self.wrapped.request_stream(
            messages, model_settings, model_request_parameters
        ) as stream:
            async for event in stream:
                match event:
                    case PartStartEvent(part=ToolCallPart()):
                        calls = True
                        self._draft.drop()
                    case PartStartEvent(part=TextPart(content=words)) if not calls:
                        self._draft.raw += words
                    case PartDeltaEvent(delta=TextPartDelta(content_delta=words)) if not calls:
                        self._draft.raw += words
                    case _:
                        pass
            return stream.get()
