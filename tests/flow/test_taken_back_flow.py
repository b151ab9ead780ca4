"""A yes that is taken back, or stopped, while it is being carried out confirms nothing."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest
from acting import ASKED, INES, TASK, ScriptedModel, calls, minded, offer
from stage import Stage, dm, eventually, whole_text

from agencyclaw.domain.receipts import ReceiptKind
from agencyclaw.proposals.consent import ActMeans, Consent
from agencyclaw.proposals.execute import Executor
from agencyclaw.store.engine import Database
from workbench.fixture import Bench
from workbench.slack.workspace import WORKSPACE

CREATE = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
_DENIED, EXECUTE = Consent._denied, Executor.execute


class Held:
    """Holds a plain yes back after it was read and before it is applied."""

    def __init__(self) -> None:
        self.asked, self.go_on = asyncio.Event(), asyncio.Event()

    async def denied(self, consent: Consent, act: Any, proposal: Any) -> Any:
        """Judge it once it is let go."""
        if act.means is ActMeans.WORD and act.kind == "confirm":
            self.asked.set()
            await self.go_on.wait()
        return await _DENIED(consent, act, proposal)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    held = Held()
    monkeypatch.setattr(Consent, "_denied", lambda *args: held.denied(*args))
    return held


def delete(bench: Bench, channel: str, ts: str) -> None:
    workspace = bench.app[WORKSPACE]
    place, old = workspace.records.channel(channel), workspace.records.message(channel, ts)
    assert place
    assert old
    workspace.posts.remove(place, old)


async def has_ended(stage: Stage, kind: ReceiptKind) -> bool:
    """Whether an act of a kind was handled."""
    status = await stage.db.pool.fetchval(
        "select status from slack_event_receipts where event_type = $1", kind.value
    )
    return status not in (None, "received")


async def test_a_yes_that_is_deleted_before_it_is_applied_confirms_nothing(
    bench: Bench, agency: Database, held: Held
) -> None:
    async with minded(bench, agency, ScriptedModel(CREATE, "It is on the card.")) as stage:
        root = await stage.say(INES, f"make the task: {ASKED}")
        await offer(stage, INES, root)
        yes = await stage.say(INES, "yes", thread=root)
        await asyncio.wait_for(held.asked.wait(), 60)
        delete(bench, dm(INES), yes)
        await eventually(lambda: has_ended(stage, ReceiptKind.UNSAID))

        held.go_on.set()

        await stage.settled()
        assert [row["state"] for row in await stage.proposals()] == ["open"]
        assert await stage.tasks_named(TASK) == []


async def test_a_yes_that_is_deleted_while_it_is_applied_is_revoked(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    applied, go_on, looked = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def log_confirmed(*_: object) -> None:
        applied.set()
        await go_on.wait()

    async def execute(executor: Executor, proposal_id: UUID) -> None:
        await looked.wait()
        await EXECUTE(executor, proposal_id)

    monkeypatch.setattr("agencyclaw.proposals.consent.log_confirmed", log_confirmed)
    monkeypatch.setattr(Executor, "execute", execute)
    async with minded(bench, agency, ScriptedModel(CREATE, "It is on the card.")) as stage:
        root = await stage.say(INES, f"make the task: {ASKED}")
        await offer(stage, INES, root)
        yes = await stage.say(INES, "yes", thread=root)
        await asyncio.wait_for(applied.wait(), 60)
        delete(bench, dm(INES), yes)
        await eventually(lambda: is_looked_at(stage))
        go_on.set()
        await eventually(lambda: has_ended(stage, ReceiptKind.UNSAID))
        looked.set()

        await stage.settled()
        assert [row["state"] for row in await stage.proposals()] == ["open"]
        assert await stage.tasks_named(TASK) == []


async def is_looked_at(stage: Stage) -> bool:
    """Whether the act that takes the yes back was begun, and waits or has ended."""
    begun = (
        "select exists (select from slack_event_receipts where event_type = 'unsaid'"
        " and attempts > 0) and (exists (select from pg_stat_activity"
        " where wait_event_type = 'Lock' and datname = current_database())"
        " or exists (select from slack_event_receipts where reason = 'unsaid'))"
    )
    return await stage.db.pool.fetchval(begun)


async def test_a_yes_that_is_stopped_before_it_is_applied_confirms_nothing(
    bench: Bench, agency: Database, held: Held
) -> None:
    async with minded(bench, agency, ScriptedModel(CREATE, "It is on the card.")) as stage:
        root = await stage.say(INES, f"make the task: {ASKED}")
        await offer(stage, INES, root)
        await stage.say(INES, "yes", thread=root)
        await asyncio.wait_for(held.asked.wait(), 60)
        # As a Stop does that another process carries out.
        await agency.pool.execute(
            "update slack_event_receipts set status = 'done', reason = 'stopped'"
            " where status = 'received' and event_type = 'message'"
        )

        held.go_on.set()

        await stage.settled()
        assert [row["state"] for row in await stage.proposals()] == ["open"]
        assert await stage.tasks_named(TASK) == []
        said = [whole_text(one) for one in await stage.replies(INES, root)]
        assert not any("Created" in one for one in said)
