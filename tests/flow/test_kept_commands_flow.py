"""What is typed or pressed while Slack is silent is kept, done later, and told in private."""

from __future__ import annotations

from typing import Any

import pytest
from acting import INES, MIGUEL, OPS, RANDOM, SARA_L, Acting, creating, text, turn
from stage import Stage, dm, on_stage, whole_text

from agencyclaw.conversation.deferred_acts import DeferredActs
from agencyclaw.domain.receipts import Receipt
from agencyclaw.store.engine import Database
from workbench.fixture import Bench
from workbench.slack.workspace import WORKSPACE

KEPT = "so I keep this and do it as soon as it does"
CONCISE = "Prefers concise task titles"
UNTIL_THEN = "Slack does not tell me who you are just now"


@pytest.fixture(autouse=True)
def brisk_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slack is asked again after moments."""
    monkeypatch.setattr("agencyclaw.slack.members._PATIENCE_S", 0.05)
    monkeypatch.setattr("agencyclaw.domain.waiting._FIRST_S", 0.05)


async def silent(stage: Stage, times: int = 1_000) -> None:
    """Slack does not say who anybody is, and nobody remembers what it said before."""
    await stage.db.pool.execute("delete from slack_members")
    await stage.bench.set_fault("slack", "error_before", method="users.info", times=times)


async def typed(stage: Stage, words: str, channel: str = OPS) -> str:
    told = await stage.bench.command(channel, SARA_L, "/claw", words)
    return whole_text(told["response"])


async def told_later(stage: Stage, user: str, words: str) -> str:
    async def there() -> str | None:
        return next((one for one in await stage.whispers(user) if words in one), None)

    return await stage.bench.until(there)


@pytest.mark.parametrize(
    ("words", "done"),
    [
        ("remember be brief", "be brief"),
        ("where", "You are Sara"),
        ("pause", "Only a super admin can pause"),
    ],
)
async def test_a_command_is_done_once_slack_says_who_typed_it(
    acting: Acting, words: str, done: str
) -> None:
    stage = await acting(creating())
    await silent(stage)

    told = await typed(stage, words)

    assert UNTIL_THEN in told
    assert KEPT in told
    await stage.bench.until(lambda: was_tried_again(stage))
    await stage.bench.clear_faults()
    assert done in await told_later(stage, SARA_L, done)


async def was_tried_again(stage: Stage) -> bool:
    return bool(await stage.db.pool.fetchval("select max(waits) from slack_event_receipts"))


async def test_what_is_kept_outlives_its_process_and_is_done_once(
    bench: Bench, agency: Database
) -> None:
    async with on_stage(bench, agency, agencyclaw_drain_s=0.0) as stage:
        await silent(stage)
        assert KEPT in await typed(stage, "remember Glintly Inc: ships from Rotterdam")
    await bench.clear_faults()
    async with on_stage(bench, agency) as stage:
        await told_later(stage, SARA_L, "I'll remember about Glintly Inc")
        await stage.settled()
        assert len(await stage.events("effect_done")) == 1


async def test_what_is_kept_in_vain_is_said(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.domain.waiting.LONGEST_S", 0.2)
    stage = await acting(creating())
    await silent(stage)

    assert KEPT in await typed(stage, "remember be brief")

    await told_later(stage, SARA_L, "Slack has not told me who you are for ten minutes")
    await stage.bench.clear_faults()
    await stage.settled()
    assert await stage.events("effect_done") == []


async def test_where_i_am_not_the_end_of_a_command_is_a_direct_message(acting: Acting) -> None:
    stage = await acting(creating())
    records = stage.bench.app[WORKSPACE].records
    channel = records.channel(RANDOM) or {}
    records.save_channel({**channel, "members": [SARA_L]})
    await silent(stage)
    assert KEPT in await typed(stage, "where", RANDOM)
    await stage.bench.clear_faults()

    async def there() -> str | None:
        said = [whole_text(one) for one in await stage.bench.messages(dm(SARA_L))]
        return next((one for one in said if "You are Sara" in one), None)

    await stage.bench.until(there)
    await stage.settled()
    assert [KEPT in one for one in await stage.whispers(SARA_L)] == [True]


async def test_forget_in_the_home_tab_is_kept_and_the_tab_shows_that_it_is_done(
    acting: Acting,
) -> None:
    stage = await acting(creating())
    await stage.bench.open_home(MIGUEL)
    view = await home_with(stage, MIGUEL, CONCISE)
    await silent(stage)
    [forget] = [
        {**block["accessory"], "block_id": block["block_id"]}
        for block in view["blocks"]
        if block.get("accessory", {}).get("action_id") == "claw_forget"
    ]

    await stage.bench.interact_in_view(MIGUEL, view["id"], forget)

    async def told() -> bool:
        return any(KEPT in whole_text(one) for one in await stage.bench.views(MIGUEL))

    await stage.bench.until(told)
    await stage.bench.until(lambda: was_tried_again(stage))
    assert await stage.events("effect_done") == []
    await stage.bench.clear_faults()

    async def gone() -> bool:
        return "claw_forget" not in str(await stage.bench.home(MIGUEL))

    await stage.bench.until(gone)
    await stage.settled()
    assert len(await stage.events("effect_done")) == 1


async def home_with(stage: Stage, user: str, words: str) -> dict[str, Any]:
    async def shown() -> dict[str, Any] | None:
        view = await stage.bench.home(user)
        return view if words in str(view) else None

    return await stage.bench.until(shown)


@pytest.mark.parametrize("method", ["conversations.open", "chat.postMessage"])
async def test_a_question_asked_by_a_command_waits_for_its_direct_messages(
    acting: Acting, method: str
) -> None:
    stage = await acting(turn("what is due?\nand <!here> when?", text("Nothing.")))
    await stage.bench.set_fault("slack", "rate_limited", method=method, times=2, delay_s=1)

    told = await typed(stage, "ask what is due?\nand <!here> when?")

    assert "I'll answer you in our direct messages" in told

    async def roots() -> list[dict[str, Any]]:
        said = await stage.bench.messages(dm(SARA_L))
        return [one for one in said if "You asked" in one["text"]]

    [root] = await stage.bench.until(roots)
    await stage.reply(SARA_L, root["ts"])
    await stage.settled()
    assert "what is due?" in root["text"]
    assert "<!here>" not in root["text"]
    assert len(await roots()) == 1


@pytest.mark.parametrize(
    ("before", "words", "event", "untrue"),
    [
        ("pause", "resume", "executions_resumed", "I'm not paused"),
        ("", "pause", "executions_paused", "paused already"),
        ("", "consent press everywhere", "consent_rule_set", "everywhere"),
        ("", "unlink", "surface_unlinked", "belongs to nobody"),
        ("remember be brief", "forget be brief", "effect_done", "Nothing like that"),
    ],
)
async def test_what_was_done_before_its_process_died_is_not_done_again(
    acting: Acting,
    monkeypatch: pytest.MonkeyPatch,
    before: str,
    words: str,
    event: str,
    untrue: str,
) -> None:
    end, ends = DeferredActs.end, list[str]()

    async def dies_at_first(deferred: DeferredActs, receipt: Receipt, reply: str) -> None:
        ends.append(reply)
        if len(ends) == 1:
            raise RuntimeError
        await end(deferred, receipt, reply)

    monkeypatch.setattr(DeferredActs, "end", dies_at_first)
    stage = await acting(creating())
    if before:
        await stage.bench.command(OPS, INES, "/claw", before)
    done = len(await stage.events(event))
    await silent(stage)
    told = await stage.bench.command(OPS, INES, "/claw", words)
    assert KEPT in whole_text(told["response"])

    await stage.bench.clear_faults()

    assert untrue not in await told_later(stage, INES, "That was done already")
    await stage.settled()
    assert len(await stage.events(event)) == done + 1


async def test_a_kept_resume_that_was_done_ends_no_later_pause(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    end, ends = DeferredActs.end, list[str]()
    stage = await acting(creating())

    async def dies_at_first(deferred: DeferredActs, receipt: Receipt, reply: str) -> None:
        ends.append(reply)
        if len(ends) == 1:
            await stage.bench.command(OPS, INES, "/claw", "pause")
            raise RuntimeError
        await end(deferred, receipt, reply)

    monkeypatch.setattr(DeferredActs, "end", dies_at_first)
    await stage.bench.command(OPS, INES, "/claw", "pause")
    await silent(stage)
    await stage.bench.command(OPS, INES, "/claw", "resume")

    await stage.bench.clear_faults()

    await stage.bench.until(lambda: was_told(ends))
    await stage.settled()
    paused = "select exists (select from execution_pauses where resumed_at is null)"
    assert await stage.db.pool.fetchval(paused)


async def was_told(ends: list[str]) -> bool:
    return len(ends) > 1
