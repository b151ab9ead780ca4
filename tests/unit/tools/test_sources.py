"""What counts as others' words when something is prepared."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from pydantic_ai.messages import ModelRequest, ToolReturnPart, ToolSearchReturnPart

from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.runs import Evidence
from agencyclaw.tools.catalogue import TOOLS
from agencyclaw.tools.messages import SlackMessage, SlackMessages
from agencyclaw.tools.prior_results import PriorResult, load_prior_skill_result
from agencyclaw.tools.sops import Document, EarlierTask, KnowledgeAnswer, OpenedProcedure, Procedure
from agencyclaw.tools.sources import WITHOUT_PROSE, brings_prose, found_by_tools, shown_by
from agencyclaw.tools.task_texts import CommentText, TaskReading
from tests.fakes.ports import NOW, context, demo_agency

# A tool brings sentences of somebody, unless it is known for names and figures alone.
WITH_PROSE = {name for name, spec in TOOLS.items() if spec.effect is None} - WITHOUT_PROSE
PROCEDURE = Procedure(
    title="Coupons",
    category="promo",
    version="1",
    confidence="high",
    match="alias",
    excerpt="Set a cap.",
)
DOCUMENT = Document(
    title="A hand-over", tier="internal", version="1", confidence="low", excerpt="Ask Leo."
)
EARLIER = EarlierTask(title="Set up the spring coupon", created=date(2026, 11, 2))


def found(tool: str, content: Any) -> list[Material]:
    part = ToolReturnPart(tool_name=tool, content=content, tool_call_id="call_1")
    return list(found_by_tools([ModelRequest(parts=[part])]))


def test_what_a_reading_tool_returned_earlier_is_a_record_of_others() -> None:
    [material] = found("list_tasks", '{"tasks": [{"title": "Refresh the banner"}]}')

    assert material.origin is Origin.RECORD
    assert "Refresh the banner" in material.text


def test_a_comment_is_the_words_of_who_wrote_it_and_the_rest_is_the_tasks() -> None:
    said = CommentText(who="Miguel Duarte", at="2026-11-23 09:00", text="Still no invoice.")
    task = TaskReading(
        title="Appeal the change",
        url="https://app.clickup.com/t/86b1",
        client="Brightkettle Group",
        status="in progress",
        description="By Friday.",
        comments=(said,),
        note="These are their words.",
    )

    for materials in (found("read_task", task), list(shown_by("read_task", task.model_dump()))):
        rest, comment = materials
        assert (rest.origin, rest.whose, rest.taints) == (Origin.RECORD, "Appeal the change", True)
        assert "By Friday." in rest.text
        assert "invoice" not in rest.text
        assert (comment.origin, comment.whose) == (Origin.OTHERS, "Miguel Duarte")
        assert (comment.text, comment.taints) == ("Still no invoice.", True)


def test_what_a_preparing_tool_answered_earlier_is_nobody_elses_words() -> None:
    """Else the second task of a conversation would rest on the card of the first."""
    earlier = '{"kind": "proposed", "missing": ["Product identifiers (ASIN or SKU) are pending."]}'

    assert found("create_task", earlier) == []


@pytest.mark.parametrize("tool", [*sorted(WITH_PROSE - {"search_kb"}), "a_tool_of_long_ago"])
def test_after_sentences_of_others_the_assistants_own_wording_may_rest_on_them(tool: str) -> None:
    assert all(one.taints for one in found(tool, '{"text": "Ask Leo before anything is moved."}'))


@pytest.mark.parametrize("tool", sorted(WITHOUT_PROSE))
def test_names_and_figures_taint_nothing(tool: str) -> None:
    assert not any(one.taints for one in found(tool, '{"tasks": [{"title": "Refresh"}]}'))


def test_of_a_search_only_documents_taint() -> None:
    clean = KnowledgeAnswer(
        found=True, confidence=1, procedures=(PROCEDURE,), earlier_tasks=(EARLIER,)
    )
    beside = clean.model_copy(update={"documents": (DOCUMENT,)})

    assert not any(one.taints for one in found("search_kb", clean))
    assert [one.origin for one in found("search_kb", beside) if one.taints] == [Origin.DOCUMENT]
    assert not any(one.taints for one in found("search_kb", clean.model_dump_json()))
    assert all(one.taints for one in found("search_kb", beside.model_dump_json()))
    assert all(one.taints for one in found("search_kb", beside.model_dump(mode="json")))


def test_a_procedure_that_was_opened_is_a_procedure_and_taints_nothing() -> None:
    opened = OpenedProcedure(title="Coupons", category="promo", version="1", text="Set a cap.")

    [material] = found("read_procedure", opened)
    assert (material.origin, material.text) == (Origin.PROCEDURE, "Set a cap.")
    assert not material.taints


def brought_back(skill: str, content: dict[str, Any]) -> PriorResult:
    return PriorResult(skill=skill, created_at=NOW, data={"result": content})


def test_a_result_that_is_brought_back_has_the_words_it_had_when_it_was_found() -> None:
    opened = OpenedProcedure(title="Coupons", category="promo", version="1", text="Set a cap.")
    tasks = {"tasks": [{"title": "Refresh the banner"}]}
    note = {"notes": [{"note": "Ask Leo before anything is moved."}]}

    again = found("load_prior_skill_result", brought_back("read_procedure", opened.model_dump()))
    assert [one.text for one in again if one.origin is Origin.PROCEDURE] == ["Set a cap."]
    assert not any(one.taints for one in again)
    listed = brought_back("list_tasks", tasks)
    assert not any(one.taints for one in found("load_prior_skill_result", listed))
    for skill in ("recall", "pasted", "research"):
        others = brought_back(skill, note)
        assert all(one.taints for one in found("load_prior_skill_result", others))
        assert brings_prose("load_prior_skill_result", others.model_dump(mode="json"))


@pytest.mark.parametrize("kind", ["ask", "refusal"])
def test_an_earlier_question_or_refusal_is_worded_by_code(kind: str) -> None:
    stored = {"kind": kind, "question": "Which client?", "message": "You have no clients."}

    assert not brings_prose("get_client_context", stored)
    assert not brings_prose("search_kb", stored | {"documents": []})
    assert brings_prose("get_client_context", {"notes": ["Ask Leo."]})


def test_which_tools_were_found_is_told_in_our_own_words() -> None:
    content = {"discovered_tools": [{"name": "recall", "description": "Look at what is kept."}]}
    part = ToolSearchReturnPart(content=content, tool_call_id="call_1")  # pyright: ignore[reportArgumentType]

    assert list(found_by_tools([ModelRequest(parts=[part])])) == []


def test_what_an_answer_was_sent_back_with_is_nobodys_words() -> None:
    assert (
        found("reply", "In this turn you read “Coupons”. Name in `sources` what it rests on.") == []
    )


def test_a_stored_search_gives_back_procedures_and_their_titles_and_nothing_else() -> None:
    answer = KnowledgeAnswer(
        found=True,
        confidence=0.9,
        procedures=(PROCEDURE,),
        other_titles=("Portfolio Budgets SOP",),
        documents=(DOCUMENT,),
        earlier_tasks=(EARLIER,),
    )

    kept = list(shown_by("search_kb", answer.model_dump(mode="json")))

    assert {one.origin for one in kept} == {Origin.PROCEDURE}
    assert [one.whose for one in kept] == ["Coupons", "Portfolio Budgets SOP"]
    assert list(shown_by("list_tasks", {"tasks": [{"title": "Coupons"}]})) == []
    assert list(shown_by("search_kb", "A question.")) == []


def test_titles_beside_a_search_are_a_source_at_once_too() -> None:
    answer = KnowledgeAnswer(found=True, confidence=0.9, other_titles=("Top 100 Keywords SOP",))

    assert [one.text for one in found("search_kb", answer)] == ["Top 100 Keywords SOP"]


@pytest.mark.parametrize("tool", ["search_tools", "list_tasks"])
def test_an_error_message_is_no_record(tool: str) -> None:
    kind = "tool-search" if tool == "search_tools" else None
    part = ToolReturnPart(
        tool, "No client “27 %”.", tool_call_id="1", tool_kind=kind, outcome="failed"
    )

    assert list(found_by_tools([ModelRequest(parts=[part])])) == []


async def test_a_long_result_that_is_brought_back_keeps_who_wrote_what() -> None:
    messages = [
        SlackMessage(who="Tomas Reed", at="today, 10:00", text=f"Line {number}.", url="")
        for number in range(80)
    ]
    result = SlackMessages(period="today", messages=tuple(messages)).model_dump(mode="json")
    agency = demo_agency()
    agency.notebook.kept["ev:1/2"] = Evidence(
        key="ev:1/2", skill="read_conversation", payload={"result": result}, created_at=NOW
    )

    content = await load_prior_skill_result(context(agency.run()), "ev:1/2")
    again = found("load_prior_skill_result", content)
    others = [one for one in again if one.origin is Origin.OTHERS]
    assert [one.text for one in others] == [f"Line {number}." for number in range(60)]
    assert {one.whose for one in others} == {"Tomas Reed"}
