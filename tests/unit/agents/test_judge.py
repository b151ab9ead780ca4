"""What the judge reads of the evidence for an answer."""

from __future__ import annotations

from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agencyclaw.agents.judge import (
    AnswerJudge,
    JudgedMaterial,
    describe_case,
    instructions_for,
)
from agencyclaw.domain.journal import ModelCost

REMARKS = [f"Sara Lindqvist: remark {number} on the banner" for number in range(400)]
LATE = "Miguel Santos: the blue one, then"


def test_the_judge_reads_the_latest_part_of_a_long_thread_in_whole_lines() -> None:
    thread = "\n".join([*REMARKS, LATE])

    case = describe_case("The blue one.", JudgedMaterial("which one?", thread=thread))

    assert LATE in case
    assert REMARKS[0] not in case
    assert "its beginning is left out here]\nSara Lindqvist: remark " in case


def test_the_judge_reads_the_end_of_a_single_long_message() -> None:
    case = describe_case("Blue.", JudgedMaterial("which?", thread="so " * 5_000 + "blue"))

    assert "so blue\n" in case


def test_a_short_thread_is_read_as_a_whole() -> None:
    case = describe_case("Blue.", JudgedMaterial("which?", thread=LATE))

    assert f"[The thread of people that was read]\n{LATE}\n" in case


def test_the_instructions_say_whether_anything_is_prepared() -> None:
    bare, with_card = JudgedMaterial("make it"), JudgedMaterial("make it", comes_with=("A card",))

    assert "with this answer it has prepared none. It" in instructions_for(bare)
    assert "it has prepared what [What comes with the answer] lists" in instructions_for(with_card)
    assert "[What comes with the answer]" not in describe_case("Made.", bare)


def test_of_many_results_the_newest_are_read_and_the_others_counted() -> None:
    results = tuple((f"Search {number}", f"found {number} " * 400) for number in range(9))

    case = describe_case("It says so.", JudgedMaterial("what?", results=results))

    assert "- 5 earlier ones are left out here.\n- Search 5: found 5" in case
    assert case.count("more characters]") == 4


def test_a_single_long_result_may_be_as_long_as_several() -> None:
    case = describe_case("It says so.", JudgedMaterial("what?", results=(("A", "word " * 900),)))

    assert "word " * 900 in case


PRICED = "gpt-5.2"


class Costs:
    """Keeps what was recorded."""

    def __init__(self) -> None:
        self.kept: list[ModelCost] = []

    async def record(self, cost: ModelCost) -> None:
        self.kept.append(cost)


async def test_a_judgement_costs_what_both_of_its_requests_cost() -> None:
    costs = Costs()

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if len(messages) == 1:
            return ModelResponse(parts=[TextPart("It is fine.")])
        [verdict] = info.output_tools
        return ModelResponse(parts=[ToolCallPart(verdict.name, {"believes_done": False})])

    judge = AnswerJudge(FunctionModel(answer, model_name=PRICED), costs.record)
    assert await judge.judge("Blue.", JudgedMaterial("which?"))

    [cost] = costs.kept
    # Of gpt-5.2 a million tokens cost 1.75 dollars as input and 14 as output.
    price = (cost.prompt_tokens * 1.75 + cost.completion_tokens * 14) / 1_000_000
    assert cost.cost_usd is not None
    assert abs(cost.cost_usd - price) < 1e-9


async def test_what_comes_to_no_judgement_has_cost_something_unless_nobody_answered() -> None:
    costs = Costs()

    async def answer(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart("It is fine.")])

    async def refuse(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        raise ModelHTTPError(503, PRICED)

    for one in (refuse, answer):
        judge = AnswerJudge(FunctionModel(one, model_name=PRICED), costs.record)
        assert await judge.judge("Blue.", JudgedMaterial("which?")) is None

    [cost] = costs.kept
    assert cost.model == PRICED
    assert cost.cost_usd
