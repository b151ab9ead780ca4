"""Undo archives the task that a proposal created, and none that it did not."""

from __future__ import annotations

from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.archiving import ArchiveTask, TaskSnapshot
from agencyclaw.domain.clients import Named
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.proposals.task_creation import RetrySchedule, TaskCreation
from agencyclaw.tools import TOOLS
from tests.fakes.ports import an_id
from tests.fakes.slack_store import a_proposal, an_effect

NOTHING = cast("Any", None)
HANDLER = TaskCreation(NOTHING, NOTHING, NOTHING, RetrySchedule(), NOTHING)
WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=60)
NAMES = WORDS.filter(lambda text: len(text.strip()) >= 3)
LOOKS = st.builds(
    TaskSnapshot, facts=st.text("0123456789abcdef", max_size=64), updated_ms=st.integers(0, 2**41)
)


@st.composite
def results(draw: st.DrawFn) -> dict[str, Any]:
    """What is recorded of a creation: whole, or without what is needed, or nothing."""
    whole = {
        "task_id": draw(st.sampled_from(["", "86a1", "86b2", "86c3"])),
        "url": draw(st.sampled_from(["", "https://app.clickup.com/t/86a1"])),
        "look": draw(LOOKS).model_dump(),
    }
    return {name: whole[name] for name in whole if draw(st.integers(0, 5))}


@given(title=NAMES, client=NAMES, result=results(), other=NAMES)
def test_only_the_task_that_was_created_is_archived_for_the_client_it_was_created_for(
    title: str, client: str, result: dict[str, Any], other: str
) -> None:
    owner = Named(id=an_id(client), name=client)
    effect = an_effect(title=title, objective=f"like “{other}” 86z9", client=owner)
    proposal = a_proposal(effect=effect, state=ProposalState.DONE, result=result)

    undone = HANDLER.undo(proposal)

    if not result.get("task_id") or not result.get("look"):
        assert isinstance(undone, str)
        return
    assert isinstance(undone, ArchiveTask)
    assert (undone.task_id, undone.client) == (result["task_id"], owner)
    assert undone.title == effect.title
    assert undone.look == TaskSnapshot.model_validate(result["look"])
    assert undone.entity == proposal.effect.entity


def test_no_tool_prepares_an_archiving() -> None:
    declared = [spec.effect for spec in TOOLS.values() if spec.effect is not None]

    assert declared
    assert not any(issubclass(ArchiveTask, effect) for effect in declared)
