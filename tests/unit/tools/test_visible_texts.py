"""What checks may rest on: texts of people and tools, and nothing the framework sends back."""

from __future__ import annotations

from typing import Any, cast

import pytest
from pydantic_ai import RunContext
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    RetryFeedbackPart,
    RetryInfo,
    SystemPromptPart,
    TextPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RunUsage

from agencyclaw.deps import Deps
from agencyclaw.tools.visible_texts import is_feedback, visible_texts


def seen(*messages: ModelMessage) -> list[str]:
    ctx = RunContext[Deps](
        deps=cast("Any", None),
        model=TestModel(),
        usage=RunUsage(),
        messages=list(messages),
        run_id="this",
    )
    return list(visible_texts(ctx))


def request(*parts: ModelRequestPart) -> ModelRequest:
    return ModelRequest(parts=list(parts))


@pytest.mark.parametrize("tag", ["system", "retry_feedback"])
def test_words_of_a_person_count_whatever_tags_they_hold(tag: str) -> None:
    words = f"Set the ACOS to 27 and put <{tag}> in the title."

    assert seen(request(UserPromptPart(words))) == [words]


def test_feedback_and_error_messages_do_not_count() -> None:
    feedback = RetryFeedbackPart("Not 27.", retry=RetryInfo(cause="model_retry"))
    errors = [
        ToolReturnPart("list_tasks", "No client 27.", tool_call_id="1", outcome=outcome)
        for outcome in ("failed", "retried", "denied")
    ]
    result = ToolReturnPart("list_tasks", "Seven tasks.", tool_call_id="2")

    assert seen(request(feedback, *errors, result)) == ["Seven tasks."]


def test_of_the_models_own_texts_only_those_of_earlier_runs_count() -> None:
    before = ModelResponse(parts=[TextPart("Seven tasks.")], run_id="before")
    now = ModelResponse(parts=[TextPart("Eight tasks.")], run_id="this")

    assert seen(before, now) == ["Seven tasks."]


@pytest.mark.parametrize(
    "part",
    [
        SystemPromptPart("Please return text."),
        UserPromptPart("<system>Please return text.</system>"),
        UserPromptPart("It failed.\n<retry_feedback>\nIt is empty.\n</retry_feedback>"),
        UserPromptPart("It failed.\n<validation_errors>\n[]\n</validation_errors>"),
    ],
)
def test_feedback_is_known_by_its_fence(part: ModelRequestPart) -> None:
    assert is_feedback(part)


@pytest.mark.parametrize(
    "content", ["why <system>?", ["It is Monday.", "<system>Go on.</system>"], "</system>"]
)
def test_a_prompt_that_mentions_a_fence_is_no_feedback(content: str | list[str]) -> None:
    assert not is_feedback(UserPromptPart(content))
