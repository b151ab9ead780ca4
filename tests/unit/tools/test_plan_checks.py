"""A plan is sent back when nobody could carry it out."""

from __future__ import annotations

import pytest

from agencyclaw.domain.people import Tier
from agencyclaw.domain.planning import ActionTaken, Plan, PlannerReport, PlanStep
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.tools.plan_checks import check_plan, describe_tools, refused_steps
from agencyclaw.tools.planning import TOKENS_AT_MOST, delegate_planner
from tests.fakes.ports import Agency, context, demo_agency

LIST = PlanStep(tool="list_tasks", arguments={"client": "Glintly Inc"})


def a_plan(*steps: PlanStep, intent: str = "see what is due") -> Plan:
    return Plan(intent=intent, summary="Glintly is a client.", steps=steps)


@pytest.fixture
def agency() -> Agency:
    return demo_agency()


def test_a_plan_that_can_be_carried_out_passes() -> None:
    assert check_plan(a_plan(LIST, LIST, LIST)) == []
    assert check_plan(a_plan(intent="Unknown")) == []


@pytest.mark.parametrize(
    ("plan", "fault"),
    [
        (a_plan(LIST, LIST, LIST, LIST), "At most 3 steps"),
        (a_plan(PlanStep(tool="launch")), "There is no tool “launch”"),
        (a_plan(PlanStep(tool="research", arguments={"questions": ["x"]})), "There is no tool"),
        (a_plan(PlanStep(tool="read_task")), "read_task can't be called like that: task"),
        (
            a_plan(LIST.model_copy(update={"arguments": {"client": "x", "force": True}})),
            "list_tasks can't be called like that: force",
        ),
        (a_plan(), "Without a step the intent is “unknown”"),
    ],
)
def test_what_is_wrong_with_a_plan_is_said(plan: Plan, fault: str) -> None:
    [said] = check_plan(plan)
    assert said.startswith(fault)


def test_the_intent_of_a_plan_is_checked_like_its_other_words() -> None:
    assert "see that ACOS is 31%" in a_plan(LIST, intent="see that ACOS is 31%").words


def test_a_plan_that_was_checked_can_no_longer_change() -> None:
    whole = a_plan(LIST)
    assert all(isinstance(value, tuple) for value in (whole.steps, whole.open_questions))
    assert isinstance(whole.success_criteria, tuple)


def test_steps_that_fill_the_report_are_sent_back() -> None:
    wordy = LIST.model_copy(update={"reason": "\U0001f9f9" * 400})

    assert check_plan(a_plan(wordy, wordy)) == ["The steps are too long: say it in fewer words."]


def test_ten_thousand_steps_cost_no_more_than_four() -> None:
    assert len(check_plan(a_plan(*[PlanStep(tool="launch")] * 10_000))) == 4


def test_a_planner_is_told_only_of_what_this_person_may_use(agency: Agency) -> None:
    member, admin = (describe_tools(agency.run(tier=tier)) for tier in (Tier.MEMBER, Tier.ADMIN))

    assert "- create_task(client*, title*, objective" in member
    assert "assign_person" not in member
    assert "- assign_person(" in admin
    assert "research" not in admin
    assert count_tokens(admin) < 2_900, (
        "shorten the first paragraph of a tool's docstring, or raise this if every tool is worth it"
    )


def test_a_step_that_the_person_may_not_take_is_told_apart(agency: Agency) -> None:
    assigning = PlanStep(tool="assign_person", arguments={"person": "Yuki", "role": "csl"})

    [(step, why)] = refused_steps(agency.run(tier=Tier.MEMBER), a_plan(LIST, assigning))

    assert step == assigning
    assert "admin" in why


async def test_a_report_is_no_longer_than_a_child_may_tell(agency: Agency) -> None:
    broom = "\U0001f9f9"
    steps = [LIST.model_copy(update={"reason": broom * 60, "success": broom * 60})] * 3
    whole = a_plan(*steps, intent=broom * 200)
    assert check_plan(whole) == []
    long = whole.model_copy(
        update={"summary": "Glintly sells “wipes”. " * 130, "open_questions": (broom * 400,) * 6}
    )
    agency.planners.report = PlannerReport(state="completed", goal=broom * 900, plan=long)

    told = await delegate_planner(context(agency.run()), "g")

    assert count_tokens(told.model_dump_json()) <= TOKENS_AT_MOST
    assert [step.arguments for step in told.steps] == [LIST.arguments] * 3
    assert told.summary.startswith("Glintly sells")


async def test_a_long_report_keeps_what_the_person_is_asked_and_says_what_it_lacks(
    agency: Agency,
) -> None:
    broom = "\U0001f9f9" * 120
    look = ActionTaken(tool="list_tasks", arguments={"q": broom}, outcome=broom, evidence="e1")
    plan = a_plan(LIST).model_copy(update={"open_questions": ("Which launch date?",)})
    agency.planners.report = PlannerReport(
        state="completed", goal="g", plan=plan, actions=(look,) * 8
    )

    report = await delegate_planner(context(agency.run()), "g")

    assert report.open_questions == ("Which launch date?",)
    assert report.actions_taken == ()
    assert report.note.endswith("Too long to show: its look-ups.")


async def test_what_a_long_report_never_had_is_not_called_too_long(agency: Agency) -> None:
    long = a_plan(LIST).model_copy(update={"open_questions": ("\U0001f9f9" * 800,)})
    agency.planners.report = PlannerReport(state="completed", goal="g", plan=long)

    report = await delegate_planner(context(agency.run()), "g")

    assert report.open_questions == ()
    assert "look-ups" not in report.note
    assert report.note.endswith("Too long to show: its open questions.")
