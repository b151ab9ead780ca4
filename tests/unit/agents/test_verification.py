"""An answer is sent back with its faults, and ends with what it rests on."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agencyclaw.agents.main import Answered, Failed, Limits, Models, answer, build_main
from agencyclaw.agents.policies.journal import Journal
from agencyclaw.domain.journal import JournalPage
from agencyclaw.domain.sops import SopHit
from agencyclaw.tools import build_toolset
from tests.fakes.ports import Agency, a_sop, lanternfish


class Unkept:
    """A journal that nobody reads."""

    async def append(self, run_id: UUID, page: JournalPage) -> None:
        """Forget it."""


@dataclass
class Speaker:
    """Calls a tool first, then says these texts one after the other."""

    call: ToolCallPart
    texts: list[str]
    told: list[ModelMessage] = field(default_factory=list[ModelMessage])

    async def speak(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        """Give the next response."""
        self.told = messages
        if len(messages) == 1:
            return ModelResponse(parts=[self.call])
        return ModelResponse(parts=[TextPart(self.texts.pop(0))])


async def said(agency: Agency, speaker: Speaker, request: str) -> Answered | Failed:
    deps = agency.run(request=request)
    models = Models(FunctionModel(speaker.speak))
    return await answer(
        build_main(build_toolset()),
        models,
        deps,
        situation="",
        history=[],
        journal=Journal(Unkept(), deps.run_id),
        limits=Limits(),
    )


SEARCH = ToolCallPart("search_kb", {"query": "coupon"}, "call_1")


async def test_no_answer_may_name_a_tool_whichever_it_is() -> None:
    wrong = ["I asked search_kb.", "It came of cc_policy_explain."]
    speaker = Speaker(SEARCH, [*wrong, "The Coupons Promotion SOP says to check stock."])

    outcome = await said(lanternfish(), speaker, "how do coupons work?")

    assert isinstance(outcome, Answered)
    assert outcome.attempts == 3
    assert outcome.sources == ("Coupons Promotion SOP",)


async def test_o02_a_first_answer_that_is_right_is_the_only_one() -> None:
    speaker = Speaker(SEARCH, ["This SOP covers it: check stock first."])

    outcome = await said(lanternfish(), speaker, "how do coupons work?")

    assert isinstance(outcome, Answered)
    assert outcome.attempts == 1


async def test_an_answer_rests_on_a_document_as_on_a_procedure() -> None:
    agency = lanternfish()
    agency.knowledge.hits = {}
    handbook = a_sop("Packaging handbook", "", "Boxes are brown.", tier="internal")
    agency.knowledge.documents = {"coupon": SopHit(sop=handbook, match="text", score=0.6)}
    speaker = Speaker(SEARCH, ["The Packaging handbook says that boxes are brown [1]."])

    outcome = await said(agency, speaker, "what colour are the boxes for a coupon?")

    assert isinstance(outcome, Answered)
    assert outcome.sources == ("Packaging handbook",)
