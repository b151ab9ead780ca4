"""What the executor tells past our own records, and how often."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import asyncpg
import pytest

from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Note
from agencyclaw.proposals import execute
from agencyclaw.proposals.execute import Executor
from agencyclaw.proposals.handlers import ExternalHandler
from agencyclaw.proposals.outcomes import Done
from agencyclaw.store.proposals import Begun
from tests.fakes.slack_store import a_proposal


class Sent(ExternalHandler[Any]):
    """A request that was made, and answered."""

    async def may_exist(self, proposal: Proposal) -> bool:
        return True

    async def changed_since(self, proposal: Proposal) -> None:
        return None

    async def carry_out(self, proposal: Proposal) -> Done:
        return Done({})

    async def look(self, proposal: Proposal) -> Done:
        return Done({})

    async def settled(self, conn: Any, proposal: Proposal, outcome: Any) -> None:
        """Nothing to keep."""

    def unknown_note(self, proposal: Proposal, outcome: Any) -> Note:
        return Note(text="")

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        return Note(text="")


class Telling:
    """Tells a person, and is still at it."""

    def __init__(self) -> None:
        self.times, self.stopped = 0, 0
        self.began = asyncio.Event()

    async def records_unavailable(self, proposal: Proposal, text: str, card_ts: str) -> None:
        self.times += 1
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped += 1


class Rows:
    """Hands a proposal out, or says that there is none."""

    def __init__(self) -> None:
        proposal = a_proposal(state=ProposalState.EXECUTING)
        self.begun: Begun | None = Begun(proposal, "1.0")

    async def begin(self, _: Any) -> Begun | None:
        return self.begun


class Families:
    """Every effect is a request."""

    def of(self, _: Any) -> Sent:
        return Sent()


async def test_a_person_is_told_once_however_often_the_records_fail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    telling, rows, nothing = Telling(), Rows(), cast("Any", None)
    executor = Executor(
        nothing, cast("Any", rows), cast("Any", Families()), nothing, nothing, telling
    )

    async def slow_then_away(*_: Any) -> None:
        await telling.began.wait()
        raise ConnectionResetError

    monkeypatch.setattr(execute, "_UNRECORDED_S", 0.0)
    monkeypatch.setattr(execute.Settling, "settle", slow_then_away)
    assert rows.begun
    with pytest.raises(ConnectionResetError):
        await executor.execute(rows.begun.proposal.id)
    await asyncio.sleep(0)
    assert telling.times == 1

    proposal_id, rows.begun = rows.begun.proposal.id, None
    await executor.execute(proposal_id)
    assert (telling.times, telling.stopped) == (1, 1)


async def test_a_transaction_that_was_ended_for_another_is_no_outage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is tried again at once, and the records are there."""
    telling, rows, nothing = Telling(), Rows(), cast("Any", None)
    executor = Executor(
        nothing, cast("Any", rows), cast("Any", Families()), nothing, nothing, telling
    )

    async def deadlocks(*_: Any) -> None:
        raise asyncpg.DeadlockDetectedError("deadlock detected")

    monkeypatch.setattr(execute.Settling, "settle", deadlocks)
    assert rows.begun
    with pytest.raises(asyncpg.DeadlockDetectedError):
        await executor.execute(rows.begun.proposal.id)
    await asyncio.sleep(0)
    assert telling.times == 0
