"""An answer is sent back with its faults, and ends with what it rests on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from uuid import UUID

import pytest
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ToolCallPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agencyclaw.agents.main import (
    Answered,
    AnsweredElsewhere,
    Failed,
    Limits,
    Models,
    answer,
    build_main,
)
from agencyclaw.agents.policies.journal import Journal
from agencyclaw.domain.journal import JournalPage
from agencyclaw.domain.people import ScopeKind, Tier
from agencyclaw.domain.replies import REPLY, ChangeRow, Reply
from agencyclaw.domain.sops import SopHit
from agencyclaw.tools import TOOLS, build_toolset
from tests.fakes.judges import Reader
from tests.fakes.ports import Agency, a_sop, demo_agency


class Unkept:
    """A journal that nobody reads."""

    async def append(self, run_id: UUID, page: JournalPage) -> None:
        """Forget it."""


Said = str | Reply


@dataclass
class Speaker:
    """Calls a tool first, and what follows it, then answers with these one after the other."""

    call: ToolCallPart
    answers: list[Said]
    then: list[ToolCallPart] = field(default_factory=list[ToolCallPart])
    told: list[ModelMessage] = field(default_factory=list[ModelMessage])
    instructed: str = ""

    async def speak(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        """Give the next response."""
        self.told, self.instructed = messages, info.instructions or ""
        if len(messages) == 1:
            return ModelResponse(parts=[self.call])
        if self.then:
            return ModelResponse(parts=[self.then.pop(0)])
        answer = self.answers.pop(0)
        if isinstance(answer, str):
            return ModelResponse(parts=[TextPart(answer)])
        return ModelResponse(parts=[ToolCallPart(REPLY, answer.model_dump())])


ROW = ChangeRow(key="e1", label="Rewrite the title", state="created, 2026-11-23 09:12")


async def said(
    agency: Agency,
    speaker: Speaker,
    request: str,
    *,
    judge: Reader | None = None,
    rows: tuple[ChangeRow, ...] = (),
    tier: Tier = Tier.ADMIN,
    scope: ScopeKind = ScopeKind.INTERNAL,
) -> Answered | AnsweredElsewhere | Failed:
    deps = replace(agency.run(request=request, tier=tier, scope=scope), rows=rows)
    models = Models(FunctionModel(speaker.speak), judge=judge.model() if judge else None)
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
CLIENTS = ToolCallPart("lookup_client", {}, "call_1")


def names(outcome: Answered) -> tuple[str, ...]:
    return tuple(source.title for source in outcome.sources)


async def test_no_answer_may_name_a_tool_or_a_skill_whichever_it_is() -> None:
    wrong: list[Said] = ["I asked search_kb.", "It came of sop_lookup."]
    speaker = Speaker(SEARCH, [*wrong, "The Coupons Promotion SOP says to check stock."])

    outcome = await said(demo_agency(), speaker, "how do coupons work?")

    assert isinstance(outcome, Answered)
    assert outcome.attempts == 3
    assert names(outcome) == ("Coupons Promotion SOP",)


async def test_a_first_answer_that_is_right_is_the_only_one() -> None:
    reply = Reply(text="Check stock first.", sources=["Coupons Promotion SOP"])
    outcome = await said(demo_agency(), Speaker(SEARCH, [reply]), "how do coupons work?")

    assert isinstance(outcome, Answered)
    assert (outcome.attempts, outcome.requests) == (1, 2)
    assert names(outcome) == ("Coupons Promotion SOP",)


async def test_plain_words_are_an_answer_and_cost_no_second_request() -> None:
    speaker = Speaker(SEARCH, ["The Coupons Promotion SOP says to check stock first."])
    outcome = await said(demo_agency(), speaker, "how do coupons work?")

    assert isinstance(outcome, Answered)
    assert (outcome.requests, outcome.reply.changes) == (2, "none")


async def test_a_paraphrased_procedure_without_its_name_goes_back_once() -> None:
    bare = Reply(text="Check stock first, then set the coupon.")
    outcome = await said(demo_agency(), Speaker(SEARCH, [bare, bare]), "how do coupons work?")

    assert isinstance(outcome, Answered)
    assert outcome.attempts == 2
    assert outcome.sources == ()


@pytest.mark.parametrize(
    "asking",
    [
        Reply(text="", question="Which brand is it for?"),
        Reply(text="Which brand is it for?", question="Which brand is it for?"),
        Reply(text="", question="Which brand: Copperleaf or Nordvent? And from when (which day?)"),
        Reply(text="**どのブランドですか？**", question="どのブランドですか？"),
    ],
    ids=lambda one: one.words,
)
async def test_a_mere_question_rests_on_no_document(asking: Reply) -> None:
    outcome = await said(demo_agency(), Speaker(SEARCH, [asking]), "how do coupons work?")

    assert isinstance(outcome, Answered)
    assert (outcome.attempts, outcome.sources) == (1, ())


async def test_what_is_not_given_as_the_question_is_told_however_it_ends() -> None:
    asking = Reply(text="Do you check stock first, then set 10 %, then submit?")
    outcome = await said(demo_agency(), Speaker(SEARCH, [asking, asking]), "how do coupons work?")

    assert isinstance(outcome, Answered)
    assert outcome.attempts == 2


WILLING = "I can prepare that for you."
GIVEN = replace(CLIENTS, tool_call_id="call_3")
# Asks for the brand and the products.
DRAFTING = ToolCallPart(
    "create_task",
    {"client": "Brightkettle Group", "title": "Coupon", "objective": "Set up the coupon."},
    "call_2",
)


async def test_what_a_wanted_change_still_needs_is_asked_without_naming_what_was_read() -> None:
    asking = Reply(changes="wanted_not_done", text=WILLING, question="Which brand is it for?")
    outcome = await said(demo_agency(), Speaker(SEARCH, [asking]), "make a coupon task")

    assert isinstance(outcome, Answered)
    assert (outcome.attempts, outcome.sources) == (1, ())


@pytest.mark.parametrize("asking", [WILLING, Reply(text=WILLING)], ids=["in words", "typed"])
async def test_a_tools_question_is_passed_on_without_naming_what_was_read(asking: Said) -> None:
    speaker = Speaker(SEARCH, [asking], then=[DRAFTING])
    outcome = await said(demo_agency(), speaker, "make a coupon task")

    assert isinstance(outcome, Answered)
    assert outcome.attempts == 1


async def test_a_tools_question_that_was_settled_since_excuses_no_missing_name() -> None:
    bare = Reply(text="Check stock first.")
    speaker = Speaker(SEARCH, [bare, bare], then=[DRAFTING, GIVEN])
    outcome = await said(demo_agency(), speaker, "how do coupons work?")

    assert isinstance(outcome, Answered)
    assert outcome.attempts == 2


async def test_a_procedure_told_beside_a_question_needs_its_name() -> None:
    told = Reply(text="Check stock first.", question="Which brand is it for?")
    outcome = await said(demo_agency(), Speaker(SEARCH, [told, told]), "how do coupons work?")

    assert isinstance(outcome, Answered)
    assert outcome.attempts == 2


async def test_an_answer_rests_on_a_document_as_on_a_procedure() -> None:
    agency = demo_agency()
    agency.knowledge.hits = {}
    handbook = a_sop("Packaging handbook", "", "Boxes are brown.", tier="internal")
    agency.knowledge.documents = {"coupon": SopHit(sop=handbook, match="text", score=0.6)}
    speaker = Speaker(SEARCH, ["The Packaging handbook says that boxes are brown."])

    outcome = await said(agency, speaker, "what colour are the boxes for a coupon?")

    assert isinstance(outcome, Answered)
    assert names(outcome) == ("Packaging handbook",)


FLATTERING = [
    Reply(text="It is on the card.", changes="prepared"),
    Reply(text="It was created.", changes="earlier", earlier="e2"),
    Reply(text="It was created.", changes="earlier"),
]


@pytest.mark.parametrize("false", FLATTERING, ids=lambda one: f"{one.changes} {one.earlier}")
async def test_a_field_that_the_rows_do_not_bear_out_goes_back(false: Reply) -> None:
    true = Reply(text="I can prepare it.", changes="wanted_not_done")
    outcome = await said(demo_agency(), Speaker(CLIENTS, [false, true]), "make it", rows=(ROW,))

    assert isinstance(outcome, Answered)
    assert (outcome.attempts, outcome.reply.changes) == (2, "wanted_not_done")


async def test_what_the_person_would_wrongly_believe_goes_back_in_any_language() -> None:
    judge = Reader(believed="Ich habe die Aufgabe erstellt.")
    false = Reply(text="Ich habe die Aufgabe erstellt.")
    true = Reply(text="Ich kann sie vorbereiten. Für welche Marke?", changes="wanted_not_done")

    outcome = await said(
        demo_agency(), Speaker(CLIENTS, [false, true]), "leg die Aufgabe an", judge=judge
    )

    assert isinstance(outcome, Answered)
    assert outcome.text == true.text
    assert "leg die Aufgabe an" in judge.read[0]
    assert f"- {TOOLS['lookup_client'].title}: " in judge.read[0]
    assert "Brightkettle Group" in judge.read[0]


@pytest.mark.parametrize(
    "promise",
    [
        "I'll remind you tomorrow at 9.",
        "I've attached the spreadsheet.",
        "I've asked your colleague.",
    ],
)
async def test_a_promise_of_what_no_tool_does_is_never_posted(promise: str) -> None:
    judge = Reader(believed=promise)
    outcome = await said(demo_agency(), Speaker(CLIENTS, [promise] * 3), "please", judge=judge)

    assert isinstance(outcome, Failed)
    assert "they reported changes that were not made" in outcome.message
    assert len(judge.read) == 3


async def test_the_key_of_one_change_does_not_prove_a_second() -> None:
    judge = Reader(believed="Both")
    replies = [
        Reply(text="Both are created.", changes="earlier", earlier="e1"),
        Reply(text="It was created at 9:12; the other is not.", changes="earlier", earlier="e1"),
    ]

    outcome = await said(
        demo_agency(), Speaker(CLIENTS, list(replies)), "both there?", judge=judge, rows=(ROW,)
    )

    assert isinstance(outcome, Answered)
    assert "the other is not" in outcome.text
    assert len(judge.read) == 2


PREPARING = ToolCallPart(
    "create_task",
    {
        "client": "Glintly Inc",
        "title": "Refresh the images",
        "objective": "Refresh the images.",
        "create_anyway": True,
    },
    "call_1",
)


async def test_a_card_does_not_prove_what_is_claimed_beside_it() -> None:
    judge = Reader(believed="told Yuki")
    replies = [
        Reply(text="It is on the card, and I told Yuki.", changes="prepared"),
        Reply(text="It is on the card; telling Yuki is up to you.", changes="prepared"),
    ]

    outcome = await said(
        demo_agency(), Speaker(PREPARING, list(replies)), "make it and tell Yuki", judge=judge
    )

    assert isinstance(outcome, Answered)
    assert "up to you" in outcome.text
    [first, _] = judge.read
    card = first.partition("[What comes with the answer]\n")[2].partition("\n\n")[0]
    assert card.startswith("- A card: ")
    assert "Refresh the images" in card
    assert "no card waits" not in first


async def test_the_rows_are_told_to_the_judge() -> None:
    judge = Reader()
    reply = Reply(text="Nothing else was done.")

    await said(demo_agency(), Speaker(CLIENTS, [reply]), "anything?", judge=judge, rows=(ROW,))

    assert "- “Rewrite the title”: created, 2026-11-23 09:12" in judge.read[0]


class Doubting(Speaker):
    """Looks the same up twice at once."""

    async def speak(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        """Give the next response."""
        response = await super().speak(messages, info)
        if len(messages) == 1:
            response.parts = [self.call, replace(self.call, tool_call_id="call_2")]
        return response


async def test_what_was_looked_up_twice_is_told_to_the_judge_once() -> None:
    judge = Reader()

    await said(demo_agency(), Doubting(CLIENTS, ["Seven clients."]), "which clients?", judge=judge)

    assert judge.read[0].count(f"- {TOOLS['lookup_client'].title}: ") == 1


async def test_the_judge_reads_of_a_procedure_beside_many_titles() -> None:
    agency, judge = demo_agency(), Reader()
    coupons = a_sop("Coupons Promotion SOP", "coupons", "Check the stock first.\n\n" * 60)
    agency.knowledge.hits = {"coupon": SopHit(sop=coupons, match="text", score=0.8)}
    for number in range(200):
        other = a_sop(f"Procedure of the agency number {number}", "", "Other.")
        agency.knowledge.hits[f"never {number}"] = SopHit(sop=other, match="text", score=0.1)
    search = ToolCallPart("search_kb", {"query": "coupon"})
    reply = Reply(text="First the stock is checked.", sources=["Coupons Promotion SOP"])

    await said(agency, Speaker(search, [reply]), "how do coupons go?", judge=judge)

    assert judge.read[0].count("Check the stock first.") > 10
    assert "Procedure of the agency number 1" in judge.read[0]


async def test_the_judge_reads_which_card_comes_back_and_not_all_that_wait() -> None:
    judge = Reader()
    waiting = ChangeRow(label="Rewrite the title", state="waits", waits=True)
    other = ChangeRow(label="Set the targets", state="waits", waits=True)
    text = "Here it is again: press its button."

    for named in ("set the targets", "something else"):
        reply = Reply(text=text, changes="waiting", earlier=named)
        rows = (waiting, other)
        await said(demo_agency(), Speaker(CLIENTS, [reply]), "yes", judge=judge, rows=rows)

    one, several = judge.read
    assert "- Shown again: Set the targets" in one
    assert "Shown again: Rewrite the title" not in one
    assert "- Shown again: Rewrite the title\n- Shown again: Set the targets" in several


async def test_where_no_changes_are_read_the_judge_is_not_told_that_there_are_none() -> None:
    none, judge = "no card waits", Reader()

    for scope in (ScopeKind.INTERNAL, ScopeKind.UNKNOWN):
        speaker = Speaker(CLIENTS, ["Seven."])
        await said(demo_agency(), speaker, "how many?", judge=judge, scope=scope)

    own, among_others = judge.read
    assert none in own
    assert none not in among_others
    assert "They were not read for this answer" in among_others


async def test_the_model_is_told_what_only_a_higher_tier_may() -> None:
    viewer, admin = Speaker(CLIENTS, ["Seven."]), Speaker(CLIENTS, ["Seven."])

    await said(demo_agency(), viewer, "make Yuki the manager", tier=Tier.VIEWER)
    await said(demo_agency(), admin, "make Yuki the manager", tier=Tier.ADMIN)

    assert "- an admin may: " in viewer.instructed
    assert "an admin may" not in admin.instructed


async def test_an_answer_that_the_judge_could_not_read_is_marked_as_unread() -> None:
    judge = Reader(is_away=True)
    outcome = await said(
        demo_agency(), Speaker(CLIENTS, ["It is on the board."]), "put it there", judge=judge
    )

    assert isinstance(outcome, Answered)
    assert not outcome.is_judged


async def test_a_question_that_stands_only_in_its_field_is_put_all_the_same() -> None:
    reply = Reply(text="There are three brands.", question="Which one is it?")
    outcome = await said(demo_agency(), Speaker(CLIENTS, [reply]), "a coupon")

    assert isinstance(outcome, Answered)
    assert outcome.text == "There are three brands.\n\nWhich one is it?"


async def test_an_answer_given_beside_calls_waits_for_their_results() -> None:
    """What was written before the results were seen rests on none of them."""
    early = ToolCallPart(REPLY, {"text": "There are no clients."})

    async def speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if len(messages) == 1:
            return ModelResponse(parts=[CLIENTS, early])
        return ModelResponse(parts=[ToolCallPart(REPLY, {"text": "Brightkettle Group is one."})])

    deps = demo_agency().run(request="which clients?")
    outcome = await answer(
        build_main(build_toolset()),
        Models(FunctionModel(speak)),
        deps,
        situation="",
        history=[],
        journal=Journal(Unkept(), deps.run_id),
        limits=Limits(),
    )

    assert isinstance(outcome, Answered)
    assert outcome.text == "Brightkettle Group is one."


class Hasty(Speaker):
    """Calls a tool beside each answer but the first."""

    async def speak(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        """Give the next response."""
        response = await super().speak(messages, info)
        if len(messages) > 3:
            call = replace(self.call, tool_call_id=f"call_{len(messages)}")
            response.parts = [call, *response.parts]
        return response


async def test_an_earlier_fault_is_not_the_reason_where_the_last_answer_came_beside_calls() -> None:
    judge = Reader(believed="created")
    replies = [Reply(text="It is created."), Reply(text="Nothing yet."), Reply(text="Nothing.")]

    outcome = await said(demo_agency(), Hasty(CLIENTS, list(replies)), "create it", judge=judge)

    assert isinstance(outcome, Failed)
    assert "they reported changes" not in outcome.message
