"""Long conversations over the wire: what a person sees of each act, and what it took."""

from __future__ import annotations

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo

from evals.conversations.__main__ import closing_line, transcript
from evals.conversations.cases import Act, Conversation, load_conversations
from evals.conversations.playing import play
from evals.threads.playing import Script
from evals.world import Ground


class Clumsy(Script):
    """Names a key of its own making first, and then says what it found."""

    async def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        said = str(messages[-1])
        is_first = "What is late" in said and "not delivered" not in said
        text = '{"late": 3}' if is_first else "Nothing new."
        return ModelResponse(parts=[TextPart(text)])


class Boastful(Script):
    """Says first that something is prepared."""

    changes = "prepared"

    async def answer(self, _: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        args = {"text": "It is all there.", "changes": self.changes}
        self.changes = "none"
        return ModelResponse(parts=[ToolCallPart("reply", args)])


def test_there_is_one_of_seventeen_acts_and_ten_others() -> None:
    every = load_conversations()

    assert len(every) == 11
    assert len(every[0].acts) == 17


async def test_a_transcript_has_what_was_seen_and_sent_back(ground: Ground) -> None:
    acts = (Act(say="What is late?"), Act(press="Create task"), Act(wait_minutes=5))
    short = Conversation(name="short", about="a question", person="Ines Varga", acts=acts)

    played = await play(ground, short, "", Clumsy())

    told = transcript(played)
    assert "**person:** What is late?" in told
    assert "> Nothing new." in told
    assert "(sent back: " in told
    assert "(there is no such button)" in told
    assert closing_line([played]).startswith(
        "conversations: 1, 3 acts, 1 answers sent back, 1 presses of what was not there,"
        " 1 without an answer; first requests: median "
    )


async def test_a_reply_that_was_sent_back_is_told_with_its_reason(ground: Ground) -> None:
    acts = (Act(say="What is late?"),)
    short = Conversation(name="short", about="a question", person="Ines Varga", acts=acts)

    [played] = (await play(ground, short, "", Boastful())).acts

    [why] = played.sent_back
    assert why.startswith("You say something is prepared")
    assert "It is all there." in played.seen[0]
