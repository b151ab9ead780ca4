"""Which questions of tools are still open when a run answers: their options become buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolReturnPart

from agencyclaw.domain.choices import Choice
from agencyclaw.domain.quotes import occurs_in
from agencyclaw.domain.replies import ENDINGS
from agencyclaw.domain.text import folded
from agencyclaw.tools import TOOLS
from agencyclaw.tools.results import Ask, Proposed

# No name has it.
_NAMED = "\n"


@dataclass(frozen=True)
class _Called:
    """The tool of a call, and the title in its arguments; "" without one."""

    tool: str
    title: str

    def settles(self, asked: _Called) -> bool:
        """Whether this later call is about what `asked` put a question on."""
        return self.tool == asked.tool and asked.title in ("", self.title)


def open_questions(messages: Sequence[ModelMessage], answer: str = "") -> list[Ask]:
    """Return the questions that tools put and that nothing settled since, oldest first.

    A further call for the same title settles one. After a look-up, which may have settled it too, a
    question is open only if the `answer` names all its options; so is a look-up's own question
    after something was prepared.
    """
    calls = _calls_by_id(messages)
    questions: list[Ask] = []
    later: list[ToolReturnPart] = []
    for request in reversed(messages):
        returns = tool_returns([request])
        for part in reversed(returns):
            question = part.content
            if not isinstance(question, Ask) or _is_settled(part, later, calls):
                continue
            if not _may_be_settled(part, later) or names_all(answer, question.options):
                questions.insert(0, question)
        later += returns
    return questions


def tool_returns(messages: Sequence[ModelMessage]) -> list[ToolReturnPart]:
    """Return the tools' results in these messages."""
    return [
        part
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart) and part.tool_name not in ENDINGS
    ]


def _is_settled(
    asked: ToolReturnPart, later: Sequence[ToolReturnPart], calls: Mapping[str, _Called]
) -> bool:
    call = calls.get(asked.tool_call_id)
    later_calls = (calls.get(part.tool_call_id) for part in later)
    return call is not None and any(other and other.settles(call) for other in later_calls)


def _may_be_settled(asked: ToolReturnPart, later: Sequence[ToolReturnPart]) -> bool:
    spec = TOOLS.get(asked.tool_name)
    leaves_open = (Ask, Proposed) if spec and spec.rule.changes else Ask
    return not all(isinstance(part.content, leaves_open) for part in later)


def names_all(answer: str, options: Sequence[Choice]) -> bool:
    """Return whether an answer names all of these options as whole words, and there is one.

    One whose name is part of another's has to be named beside it.
    """
    words = folded(answer)
    for label in sorted({folded(one.label) for one in options}, key=len, reverse=True):
        if not occurs_in(label, words):
            return False
        words = words.replace(label, _NAMED)
    return bool(options)


def _calls_by_id(messages: Sequence[ModelMessage]) -> dict[str, _Called]:
    return {
        call.tool_call_id: _Called(
            call.tool_name, folded(str(call.args_as_dict().get("title") or ""))
        )
        for message in messages
        if isinstance(message, ModelResponse)
        for call in message.tool_calls
    }
