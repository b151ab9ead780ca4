"""What may have been sent before is looked for: it is not sent again, nor called untouched."""

from __future__ import annotations

from typing import Any, cast

import pytest

from agencyclaw.clickup.shapes import SeenTask, TaskEdit
from agencyclaw.domain.archiving import ArchiveTask, TaskSnapshot
from agencyclaw.domain.bulk_changes import UpdateTasks
from agencyclaw.domain.clients import Named
from agencyclaw.domain.errors import Throttled, Unavailable
from agencyclaw.domain.proposals import LOOKING, UNDECIDED, Proposal, ProposalState
from agencyclaw.domain.task_changes import TaskFacts, TaskState, UpdateTask
from agencyclaw.domain.task_comments import CommentOnTask
from agencyclaw.proposals.bulk_changes import BulkTaskChange
from agencyclaw.proposals.handlers import IdempotentHandler
from agencyclaw.proposals.outcomes import Delayed, NotDone, Unknown
from agencyclaw.proposals.task_archiving import TaskArchiving
from agencyclaw.proposals.task_change import TaskChange
from agencyclaw.proposals.task_commenting import TaskCommenting
from agencyclaw.proposals.task_homes import TaskHomes
from tests.fakes.ports import FakeDirectory, an_id
from tests.fakes.slack_store import a_proposal

URL = "https://app.clickup.com/t/86x1"
BEFORE = TaskFacts(title="Update the images", status="to do")
AFTER = BEFORE.model_copy(update={"status": "done"})
LOOK = TaskSnapshot(facts="a", updated_ms=1)
OWNER = Named(id=an_id("client Glintly Inc"), name="Glintly Inc")
CHANGE = UpdateTask(
    client=OWNER, task_id="86x1", url=URL, before=BEFORE, after=AFTER, timezone="Europe/Lisbon"
)
TWO = (CHANGE, CHANGE.model_copy(update={"task_id": "86x2"}))
ARCHIVE = ArchiveTask(
    client=OWNER, title="Images", where="Glintly", task_id="86x1", url=URL, look=LOOK, created="x"
)
COMMENT = CommentOnTask(
    client=OWNER, task_id="86x1", url=URL, title="Images", author="Ines Varga", text="It is there."
)
SLACK = Delayed("Slack to say who you are")
DENIED = NotDone("not_allowed", "You may not do that any more.", can_retry=False)
# How a request may have been sent already: by a killed process, or with an answer that was lost.
SENT_BEFORE: list[dict[str, Any]] = [
    {"state": ProposalState.EXECUTING, "was_begun": True},
    {"state": ProposalState.EXECUTING, "reason": UNDECIDED},
    {"state": ProposalState.UNCLEAR, "reason": LOOKING},
]


class LateClickUp:
    """A ClickUp that shows nothing yet of what it took; `fault` is raised by a request."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault = fault
        self.done: set[str] = set()
        self.requests = 0

    async def task_state(self, task_id: str) -> TaskState:
        facts = AFTER if task_id in self.done else BEFORE
        return TaskState(id=task_id, url=URL, list_id="901", facts=facts)

    async def see_task(self, task_id: str) -> SeenTask:
        return SeenTask(look=LOOK)

    async def has_comment(self, task_id: str, marker: str) -> bool:
        return False

    async def update_task(self, task_id: str, edit: TaskEdit) -> TaskState:
        return await self._request()

    async def archive_task(self, task_id: str) -> None:
        await self._request()

    async def comment(self, task_id: str, text: str) -> None:
        await self._request()

    async def _request(self) -> Any:
        self.requests += 1
        if self.fault:
            raise self.fault


def handler_of(effect: Any, clickup: LateClickUp) -> IdempotentHandler[Any]:
    reader, homes = cast("Any", clickup), TaskHomes(FakeDirectory())
    change = TaskChange(reader, reader, homes, first_look_s=1.0)
    match effect:
        case UpdateTask():
            return change
        case UpdateTasks():
            return BulkTaskChange(change)
        case ArchiveTask():
            return TaskArchiving(reader, reader, first_look_s=1.0)
        case _:
            return TaskCommenting(reader, reader, homes, first_look_s=1.0)


def proposed(effect: Any, before: dict[str, Any]) -> Proposal:
    return a_proposal(effect=effect).model_copy(update=before)


@pytest.mark.parametrize("before", SENT_BEFORE)
@pytest.mark.parametrize("fault", [Throttled("busy", after=1.0), Unavailable("away")])
@pytest.mark.parametrize("effect", [CHANGE, ARCHIVE])
async def test_what_clickup_does_not_take_a_second_time_is_not_called_unsent(
    effect: Any, fault: Exception, before: dict[str, Any]
) -> None:
    clickup = LateClickUp(fault)
    outcome = await handler_of(effect, clickup).look(proposed(effect, before))

    assert isinstance(outcome, Unknown)
    assert outcome.look_in_s
    assert clickup.requests == 1


@pytest.mark.parametrize("before", SENT_BEFORE)
@pytest.mark.parametrize("effect", [CHANGE, ARCHIVE, COMMENT])
async def test_what_has_to_wait_in_the_middle_is_looked_for_and_not_called_unsent(
    effect: Any, before: dict[str, Any]
) -> None:
    clickup = LateClickUp()
    outcome = await handler_of(effect, clickup).stopped(proposed(effect, before), SLACK)

    assert isinstance(outcome, Unknown)
    assert clickup.requests == 0


@pytest.mark.parametrize("effect", [CHANGE, ARCHIVE, COMMENT])
async def test_what_was_never_sent_waits_until_clickup_takes_it(effect: Any) -> None:
    clickup = LateClickUp(Unavailable("away"))
    proposal = proposed(effect, {"state": ProposalState.EXECUTING})

    assert isinstance(await handler_of(effect, clickup).carry_out(proposal), Delayed)


@pytest.mark.parametrize("why", [SLACK, DENIED])
async def test_a_comment_of_a_killed_process_is_looked_for_later_whatever_stops_it(
    why: Delayed | NotDone,
) -> None:
    clickup = LateClickUp()
    outcome = await handler_of(COMMENT, clickup).stopped(proposed(COMMENT, SENT_BEFORE[0]), why)

    assert isinstance(outcome, Unknown)
    assert outcome.look_in_s
    assert clickup.requests == 0


@pytest.mark.parametrize("before", SENT_BEFORE)
async def test_of_several_tasks_one_that_may_have_been_changed_is_not_called_unchanged(
    before: dict[str, Any],
) -> None:
    effect = UpdateTasks(tasks=TWO)
    clickup = LateClickUp(Throttled("busy", after=1.0))
    clickup.done = {"86x1"}
    outcome = await handler_of(effect, clickup).carry_out(proposed(effect, before))

    assert isinstance(outcome, Unknown)
    assert outcome.result
    assert [one["task_id"] for one in outcome.result["tasks"]] == ["86x1"]
