"""A stage for whole conversations: the workbench, a database, and the assistant between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from agencyclaw.app import assistant
from agencyclaw.settings import Settings
from agencyclaw.slack.edge import Edge
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database
from workbench.fixture import PATIENCE_S, Bench

Message = dict[str, Any]


def dm(user: str) -> str:
    """The DM channel of a person with the assistant."""
    return "D0" + user.removeprefix("U0")


@dataclass
class Stage:
    """What a test sees of the world."""

    bench: Bench
    db: Database
    settings: Settings
    edge: Edge

    async def say(self, user: str, text: str, *, thread: str | None = None) -> str:
        """Say something to the assistant in a DM; returns the ts."""
        return await self.bench.post_message(dm(user), user, text, thread)

    async def replies(self, user: str, root: str) -> list[Message]:
        """Everything the assistant wrote in a DM thread."""
        return await self.replies_in(dm(user), root)

    async def replies_in(self, channel: str, root: str) -> list[Message]:
        messages = await self.bench.messages(channel)
        return [m for m in messages if m.get("thread_ts") == root and m["user"] == "U01CLAW"]

    async def reply(self, user: str, root: str, *, index: int = 0) -> Message:
        """Wait for the assistant's message number `index` in a thread, and for its end."""
        return await self.reply_in(dm(user), root, index=index)

    async def reply_in(self, channel: str, root: str, *, index: int = 0) -> Message:
        async def there() -> Message | None:
            found = (await self.replies_in(channel, root))[index : index + 1]
            return next((one for one in found if not _is_growing(one)), None)

        return await self.bench.until(there)

    async def reply_with(self, user: str, root: str, text: str) -> Message:
        """Wait for a message of the assistant that contains a text."""

        async def there() -> Message | None:
            for message in await self.replies(user, root):
                if text.lower() in whole_text(message).lower():
                    return message
            return None

        return await self.bench.until(there)

    async def card(self, user: str, root: str) -> Message:
        """Wait for a message with a button."""
        return await self.card_in(dm(user), root)

    async def card_in(self, channel: str, root: str) -> Message:
        async def there() -> Message | None:
            for message in reversed(await self.replies_in(channel, root)):
                if buttons(message):
                    return message
            return None

        return await self.bench.until(there)

    async def press(self, user: str, card: Message, label: str) -> dict[str, Any]:
        """Press a button of a DM message by its label."""
        return await self.bench.interact(dm(user), card["ts"], user, label)

    async def tasks_named(self, title: str) -> list[dict[str, Any]]:
        """The ClickUp tasks with this title."""
        return await self.bench.clickup_tasks(title)

    async def created(self, title: str, count: int = 1) -> list[dict[str, Any]]:
        """Wait until so many tasks with this title exist."""

        async def there() -> list[dict[str, Any]] | None:
            found = await self.tasks_named(title)
            return found if len(found) >= count else None

        return await self.bench.until(there)

    async def creates_sent(self) -> int:
        """How many create requests reached ClickUp."""
        return len(await self.bench.log(target="clickup", operation="create_task"))

    async def settled(self) -> None:
        """Wait until no receipt, job or delivery is under way."""

        async def quiet() -> bool:
            return await self.db.pool.fetchval(
                "select not exists (select 1 from slack_event_receipts where status='received')"
                " and not exists (select 1 from procrastinate_jobs"
                "   where status in ('todo','doing') and scheduled_at is null)"
                " and not exists (select 1 from outbox where state in ('pending','sending'))"
            )

        await self.bench.until(quiet)

    async def at_rest(self) -> None:
        """Wait until nothing is under way, and no thread is left to be shown in another state."""
        await self.settled()

        async def quiet() -> bool:
            left = "select not exists (select from slack_sessions where changed_at is not null)"
            return await self.db.pool.fetchval(left)

        await self.bench.until(quiet)

    async def whispers(self, user: str) -> list[str]:
        """What only this person was shown, oldest first."""
        return [whole_text(one) for one in await self.bench.ephemerals(user)]

    async def proposals(self) -> list[dict[str, Any]]:
        """All proposals, oldest first."""
        rows = await self.db.pool.fetch("select * from proposals order by created_at")
        return [dict(row) for row in rows]

    async def events(self, kind: str) -> list[dict[str, Any]]:
        """The audit rows of a kind."""
        rows = await self.db.pool.fetch("select * from agent_events where event_type = $1", kind)
        return [dict(row) for row in rows]

    async def result(self, tool: str) -> dict[str, Any]:
        """What a tool returned last."""
        payload = await self.db.pool.fetchval(
            "select payload from agent_skill_events where event_type = 'skill_result'"
            " and skill_id = $1 order by created_at desc limit 1",
            tool,
        )
        return payload["result"]

    async def refused_press(self) -> str:
        """Why the only press was refused, after which nothing was created."""
        await self.bench.until(lambda: self.events("consent_confirm"))
        [event] = await self.events("consent_confirm")
        await self.settled()
        assert await self.creates_sent() == 0
        return event["reason"]


def buttons(message: Message) -> list[str]:
    """The labels of a message's buttons."""
    return [
        element["text"]["text"]
        for block in message.get("blocks") or []
        if block["type"] == "actions"
        for element in block["elements"]
        if element["type"] == "button"
    ]


def _is_growing(message: Message) -> bool:
    """Whether a message is a stream that is still being written, as it is on a busy machine."""
    return message.get("streaming_state") == "in_progress"


def whole_text(message: Message) -> str:
    """All the text of a message, blocks included, one piece a line."""
    return "\n".join(_texts_in([message.get("text"), message.get("blocks")]))


def _texts_in(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict | list):
        for part in node.values() if isinstance(node, dict) else node:
            yield from _texts_in(part)


def stage_settings(bench: Bench, **overrides: object) -> Settings:
    """Settings that point at the workbench, with short waits."""
    values: dict[str, object] = {
        "slack_bot_token": "xoxb-workbench",
        "slack_app_token": "xapp-workbench",
        "slack_api_url": bench.slack_api_url,
        "clickup_api_token": "pk_workbench",
        "clickup_api_url": bench.clickup_api_url,
        "clickup_team_id": "90100400001",
        "clickup_docs": ("90100500008",),
        "clickup_look_delays": (0.1, 0.2),
        "clickup_list_lag_s": 0.2,
        "clickup_timeout_s": 60.0,
        "clickup_rate_limit_per_minute": 10_000,
        "super_admin_profile_ids": frozenset({person_id("Ines Varga")}),
        "agencyclaw_model": "scripted",
        "agencyclaw_messages_per_minute": 10_000,
        "agencyclaw_quiet_hours": "0-0",
        "agencyclaw_heartbeat_s": 0.5,
        "agencyclaw_dead_after_s": 2.0,
    }
    return Settings(**{**values, **overrides})  # pyright: ignore[reportArgumentType]


@asynccontextmanager
async def on_stage(bench: Bench, db: Database, **overrides: object) -> AsyncGenerator[Stage]:
    """Run the assistant between a workbench and a database."""
    settings = stage_settings(bench, **overrides)
    async with assistant(settings, db) as running:
        yield Stage(bench, db, settings, running.edge)


def script_file(folder: Path, turns: list[dict[str, Any]], **more: Any) -> str:
    """Write a script and return the model setting that plays it."""
    path = folder / "script.yaml"
    whole = {"name": "test", "otherwise": "I don't know that.", "turns": turns, **more}
    path.write_text(yaml.dump(whole, Dumper=yaml.CSafeDumper, allow_unicode=True), encoding="utf-8")
    return f"scripted:{path}"


async def eventually(check: Any, timeout: float = PATIENCE_S) -> None:
    """Wait until an async check is true."""
    async with asyncio.timeout(timeout):
        while not await check():  # noqa: ASYNC110  (the world outside has no event to wait for)
            await asyncio.sleep(0.02)
