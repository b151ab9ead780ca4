"""A change that takes several requests ends as ClickUp shows it, wherever it was cut off."""

from __future__ import annotations

from typing import Any, cast

import pytest

from agencyclaw.clickup.shapes import TaskEdit
from agencyclaw.domain.checklists import Checklist, ChecklistItem, ChecklistLine, new_line
from agencyclaw.domain.clients import Named
from agencyclaw.domain.errors import Refused, Throttled, Unavailable, Unclear
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.task_changes import TaskFacts, TaskState, UpdateTask
from agencyclaw.domain.task_fields import FieldValue, TaskCustomField
from agencyclaw.proposals.outcomes import Delayed, Done, NotDone, Unknown
from agencyclaw.proposals.task_change import TaskChange
from agencyclaw.proposals.task_homes import TaskHomes
from tests.fakes.ports import FakeDirectory, an_id
from tests.fakes.slack_store import a_proposal

NAMES = ("Marketplace", "ASIN")
POINTS = ("Photos", "Title")


def value(name: str, *values: str) -> FieldValue:
    return FieldValue(id=name, name=name, kind="short_text", values=values, shown=", ".join(values))


BEFORE = TaskFacts(title="Images", status="to do", custom=tuple(value(name) for name in NAMES))
AFTER = TaskFacts(title="Images", status="done", custom=tuple(value(one, "new") for one in NAMES))
EFFECT = UpdateTask(
    client=Named(id=an_id("Glintly Inc"), name="Glintly Inc"),
    task_id="86x1",
    url="https://app.clickup.com/t/86x1",
    before=BEFORE,
    after=AFTER,
    timezone="Europe/Lisbon",
)


class Lost(Unclear):
    """The answer to what was done."""


class OneTask:
    """A ClickUp with one task; `faults` are raised by the requests for a field, one each."""

    def __init__(self, *faults: Exception | None, facts: TaskFacts = BEFORE) -> None:
        self.facts = facts
        self.faults = list(faults)
        self.sent: list[str] = []
        self.checklists: list[Checklist] = []

    async def task_state(self, task_id: str) -> TaskState:
        fields = tuple(TaskCustomField(value=one) for one in self.facts.custom)
        plain = self.facts.model_copy(update={"custom": ()})
        lists = tuple(self.checklists)
        return TaskState(
            id=task_id, url="", list_id="901", facts=plain, fields=fields, checklists=lists
        )

    async def update_task(self, task_id: str, edit: TaskEdit) -> TaskState:
        self.sent.append("status")
        self.facts = self.facts.model_copy(update={"status": edit.status})
        return await self.task_state(task_id)

    async def set_field(self, task_id: str, after: FieldValue, before: FieldValue) -> None:
        self.sent.append(after.name)
        if self.faults and (fault := self.faults.pop(0)):
            raise fault
        custom = tuple(after if one.key == after.key else one for one in self.facts.custom)
        self.facts = self.facts.model_copy(update={"custom": custom})

    async def set_line(self, task_id: str, after: ChecklistLine, before: ChecklistLine) -> str:
        """Make a checklist, or an item below those of the one with this id."""
        self.sent.append(after.says)
        fault = self.faults.pop(0) if self.faults else None
        if fault and not isinstance(fault, Lost):
            raise fault
        if after.called:
            [old] = [one for one in self.checklists if one.id == before.checklist_id]
            new = ChecklistItem(id=after.says, name=after.says)
            self.checklists = [old.model_copy(update={"items": (*old.items, new)})]
        else:
            self.checklists = [Checklist(id="c1", name=after.says)]
        if fault:
            raise fault
        return "c1"

    async def forget(self) -> None:
        """Keep no lists."""


def change(clickup: OneTask) -> TaskChange:
    return TaskChange(clickup, cast("Any", clickup), TaskHomes(FakeDirectory()), first_look_s=1.0)


def proposed(**state: Any) -> Proposal:
    return a_proposal(effect=EFFECT).model_copy(update=state)


def begun() -> Proposal:
    """One that a process was carrying out when it was killed."""
    return proposed(was_begun=True)


def partly() -> TaskFacts:
    custom = (value("Marketplace", "new"), value("ASIN"))
    return AFTER.model_copy(update={"custom": custom})


async def test_what_one_request_takes_goes_together_and_each_field_by_itself() -> None:
    clickup = OneTask()
    outcome = await change(clickup).carry_out(proposed())

    assert isinstance(outcome, Done)
    assert clickup.sent == ["status", *NAMES]
    assert clickup.facts == AFTER
    assert outcome.result["not_taken"] == []


async def test_a_process_killed_in_between_is_continued_with_what_is_missing() -> None:
    clickup = OneTask(facts=partly())
    outcome = await change(clickup).carry_out(begun())

    assert isinstance(outcome, Done)
    assert clickup.sent == ["ASIN"]
    assert not outcome.result["was_so"]


async def test_a_part_that_somebody_else_did_is_shown_anew_before_anything_is_sent() -> None:
    clickup = OneTask(facts=partly())
    outcome = await change(clickup).carry_out(proposed())

    assert isinstance(outcome, NotDone)
    assert clickup.sent == []
    assert isinstance(outcome.renewed, UpdateTask)
    assert outcome.renewed.fields == ("custom:ASIN",)


async def test_what_somebody_changed_in_between_is_not_overwritten() -> None:
    custom = (value("Marketplace", "new"), value("ASIN", "theirs"))
    clickup = OneTask(facts=AFTER.model_copy(update={"custom": custom}))
    outcome = await change(clickup).carry_out(begun())

    assert isinstance(outcome, NotDone)
    assert clickup.sent == []


@pytest.mark.parametrize("fault", [Throttled("busy", after=1.0), Unavailable("away"), Unclear("?")])
async def test_what_is_written_in_part_is_looked_for_and_never_called_untouched(
    fault: Exception,
) -> None:
    outcome = await change(OneTask(None, fault)).carry_out(proposed())

    assert isinstance(outcome, Unknown)


async def test_what_is_not_written_at_all_waits() -> None:
    effect = EFFECT.model_copy(
        update={"before": BEFORE, "after": BEFORE.taking(AFTER, ["custom:ASIN"])}
    )
    clickup = OneTask(Unavailable("away"))
    outcome = await change(clickup).carry_out(a_proposal(effect=effect))

    assert isinstance(outcome, Delayed)


async def test_a_field_that_is_refused_is_named_with_the_reason_and_offered_again() -> None:
    clickup = OneTask(Refused("That is no choice.", reason="clickup_400"))
    outcome = await change(clickup).carry_out(proposed())

    assert isinstance(outcome, Done)
    assert outcome.result["not_taken"] == ["custom:Marketplace"]
    assert isinstance(outcome.renewed, UpdateTask)
    assert outcome.renewed.fields == ("custom:Marketplace",)
    proposal = proposed(result=outcome.result)
    note = change(clickup).receipt(proposal, outcome)
    assert "Marketplace: not changed. That is no choice." in note.text
    back = change(clickup).undo(proposal)
    assert isinstance(back, UpdateTask)
    assert back.fields == ("status", "custom:ASIN")


async def test_a_right_that_is_lost_in_between_leaves_what_is_done_and_says_what_is_not() -> None:
    clickup = OneTask(facts=partly())
    why = NotDone("not_allowed", "You may not do that any more.", can_retry=False)
    outcome = await change(clickup).stopped(begun(), why)

    assert isinstance(outcome, Done)
    assert outcome.result["not_taken"] == ["custom:ASIN"]
    assert outcome.renewed is None
    assert clickup.sent == []


async def test_a_field_that_is_not_there_any_more_is_said() -> None:
    clickup = OneTask(facts=BEFORE.model_copy(update={"custom": BEFORE.custom[:1]}))
    outcome = await change(clickup).carry_out(proposed())

    assert isinstance(outcome, NotDone)
    assert "“ASIN” is “not there any more” now" in outcome.message
    assert clickup.sent == []


def launching() -> UpdateTask:
    """A new checklist with two items."""
    lines = [new_line("Launch"), *(new_line("Launch", item=one) for one in POINTS)]
    made = tuple(one.changed(says=one.called or one.checklist) for one in lines)
    before, after = (BEFORE.model_copy(update={"custom": one}) for one in (tuple(lines), made))
    return EFFECT.model_copy(update={"before": before, "after": after})


def launch(clickup: OneTask) -> list[str]:
    return [item.name for one in clickup.checklists for item in one.items]


def in_launch(*items: str) -> list[Checklist]:
    entries = tuple(ChecklistItem(id=one, name=one) for one in items)
    return [Checklist(id="c1", name="Launch", items=entries)]


@pytest.mark.parametrize("there", [[], in_launch(), in_launch("Photos"), in_launch(*POINTS)])
async def test_a_checklist_that_was_being_made_is_completed_wherever_it_was_cut_off(
    there: list[Checklist],
) -> None:
    clickup = OneTask()
    clickup.checklists = there
    proposal = a_proposal(effect=launching()).model_copy(update={"was_begun": True})
    outcome = await change(clickup).carry_out(proposal)

    assert isinstance(outcome, Done)
    assert launch(clickup) == list(POINTS)
    assert not outcome.result["was_so"]


@pytest.mark.parametrize("nth", [0, 1, 2])
async def test_what_was_made_without_an_answer_is_found_and_the_rest_made_once(nth: int) -> None:
    clickup = OneTask(*[None] * nth, Lost("?"))
    outcome = await change(clickup).carry_out(a_proposal(effect=launching()))
    assert isinstance(outcome, Unknown)

    waiting = {"state": ProposalState.UNCLEAR, "result": outcome.result}
    proposal = a_proposal(effect=launching()).model_copy(update=waiting)
    assert isinstance(await change(clickup).look(proposal), Done)
    assert clickup.sent == ["Launch", *POINTS]
    assert launch(clickup) == list(POINTS)


async def test_what_may_be_under_way_is_not_made_again_and_a_person_decides() -> None:
    clickup = OneTask(None, Unclear("?"))
    outcome = await change(clickup).carry_out(a_proposal(effect=launching()))
    assert isinstance(outcome, Unknown)

    waiting = {"state": ProposalState.UNCLEAR, "result": outcome.result}
    proposal = a_proposal(effect=launching()).model_copy(update=waiting)
    assert await change(clickup).look(proposal) == Unknown(None)
    assert clickup.sent == ["Launch", "Photos"]


async def test_an_item_that_was_certainly_not_sent_is_made_later_whatever_was_sent_before() -> None:
    """Of what was cut off, ClickUp takes the next item only some time after."""
    clickup = OneTask(Throttled("busy", after=1.0))
    clickup.checklists = in_launch()
    outcome = await change(clickup).carry_out(
        a_proposal(effect=launching()).model_copy(update={"was_begun": True})
    )
    assert isinstance(outcome, Unknown)

    waiting = {"state": ProposalState.UNCLEAR, "result": outcome.result}
    proposal = a_proposal(effect=launching()).model_copy(update=waiting)
    assert isinstance(await change(clickup).look(proposal), Done)
    assert launch(clickup) == list(POINTS)


async def test_a_field_that_is_as_wanted_already_is_not_called_refused() -> None:
    """What was sent in between fails, and the plain part goes alone when it is continued."""
    custom = tuple(value(name, "new") for name in NAMES)
    clickup = OneTask(facts=BEFORE.model_copy(update={"custom": custom}))
    outcome = await change(clickup).carry_out(begun())

    assert isinstance(outcome, Done)
    assert clickup.sent == ["status"]
    assert outcome.result["not_taken"] == []


async def test_a_value_in_an_unknown_form_is_not_taken_for_an_empty_field() -> None:
    odd = value("ASIN").model_copy(update={"is_readable": False})
    clickup = OneTask(facts=BEFORE.model_copy(update={"custom": (value("Marketplace"), odd)}))
    outcome = await change(clickup).carry_out(proposed())

    assert isinstance(outcome, NotDone)
    assert clickup.sent == []
