"""Which identifiers of a message a task's card names as not in the task."""

from __future__ import annotations

from agencyclaw.domain.clients import Named
from agencyclaw.domain.effects import without_identifiers_used_by
from agencyclaw.domain.task_creation import CreateTask, Destination
from tests.fakes.ports import an_id

MENTIONED = tuple(f"B0CF7XX{number:03d}" for number in range(25))


def a_task(title: str, *, uses: tuple[str, ...] = ()) -> CreateTask:
    return CreateTask(
        client=Named(id=an_id("client"), name="Glintly Inc"),
        destination=Destination(list_id="1", list_name="Inbox"),
        title=title,
        body="",
        identifiers=uses,
        unused=tuple(identifier for identifier in MENTIONED if identifier not in uses),
    )


def test_what_no_task_of_a_long_message_uses_is_missing_on_every_card() -> None:
    first, second = a_task("First", uses=MENTIONED[:5]), a_task("Second")

    assert without_identifiers_used_by([first, second], first).unused == MENTIONED[5:]
    assert without_identifiers_used_by([first, second], second).unused == MENTIONED[5:]


def test_a_card_counts_the_identifiers_that_it_does_not_name() -> None:
    lines = a_task("Task").preview().against

    assert len(lines) == 21
    assert lines[0] == f"{MENTIONED[0]} stands in the message, not in the task."
    assert lines[-1] == "5 more stand in the message, not in the task."
