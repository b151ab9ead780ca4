"""A judge of answers that believes what a test says."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel


@dataclass
class Reader:
    """A judge that believes what it was told to believe, and remembers what it read."""

    believed: str = ""
    is_away: bool = False
    read: list[str] = field(default_factory=list[str])

    def model(self) -> FunctionModel:
        """Return the model that has this mind."""
        return FunctionModel(self._judge)

    async def _judge(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        [told] = messages[0].parts
        assert isinstance(told, UserPromptPart)
        self.read.append(str(told.content))
        if self.is_away:
            raise ModelHTTPError(503, "judge")
        answer = str(told.content).partition("[The answer to judge]\n")[2]
        believes = bool(self.believed) and self.believed in answer
        [tool] = info.output_tools
        return ModelResponse(parts=[ToolCallPart(tool.name, {"believes_done": believes})])
