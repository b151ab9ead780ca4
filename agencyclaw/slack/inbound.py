"""Receives every payload of Slack, and stores it before it is acknowledged.

This is one global middleware of Bolt. What it returns is the acknowledgement; when it fails there
is none, so Slack sends the payload again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, cast

import logfire
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.messages import message
from agencyclaw.slack.background_tasks import BackgroundTasks
from agencyclaw.slack.channels import Channels
from agencyclaw.slack.commands import SlashCommandHandler
from agencyclaw.slack.ignored import Ignored, log_ignored
from agencyclaw.slack.member_lifecycle import MemberLifecycle, team_of
from agencyclaw.slack.messages import (
    MessageInThread,
    MessageMeaning,
    MessageToUs,
    OverheardMessage,
    read_message,
    read_stop,
)
from agencyclaw.slack.ports import BotIdentity, InboundPorts, PublishHome
from agencyclaw.slack.presses import Presses
from agencyclaw.slack.shortcuts import Shortcuts
from agencyclaw.slack.submissions import Submissions
from agencyclaw.slack.suggested_prompts import offer_prompts
from agencyclaw.slack.unfurls import Unfurls
from agencyclaw.slack.web import Web
from agencyclaw.spans import traced

# Slack waits three seconds for an acknowledgement.
_BUDGET_S = 2.5
_ELSEWHERE = message("inbound.elsewhere")


class Inbound:
    """Turns payloads into stored receipts, and serves what can't wait for a queue."""

    def __init__(
        self,
        web: Web,
        me: BotIdentity,
        ports: InboundPorts,
        publish_home: PublishHome,
        channels: Channels,
        lifecycle: MemberLifecycle,
        *,
        now: Callable[[], float] = time.time,
        budget_s: float = _BUDGET_S,
    ) -> None:
        self._web = web
        self._me = me
        self._inbox = ports.inbox
        self._publish_home = publish_home
        self._commands = SlashCommandHandler(ports.commands, now, channels)
        self._prompts = ports.prompts
        self._channels = channels
        self._lifecycle = lifecycle
        self._submissions = Submissions(ports.revisions, ports.audit, now, ports.feedback)
        self._budget_s = budget_s
        self._tasks = BackgroundTasks()
        self._unfurls = Unfurls(web, me, ports.tasks, channels)
        self._shortcuts = Shortcuts(
            web, me, ports.inbox, channels, ports.audit, now, self._tasks.start
        )
        self._presses = Presses(web, me, ports, channels, self._refresh_home, self._tasks.start)

    async def receive(self, request: AsyncBoltRequest) -> BoltResponse:
        """Handle one payload; any status but 200 makes Slack send it again."""
        body: dict[str, Any] = request.body
        kind = str(body.get("type") or ("command" if "command" in body else "unknown"))
        with traced("slack.inbound", kind=kind, retry=_retry_of(request)) as span:
            try:
                async with asyncio.timeout(self._budget_s):
                    answer = await self._dispatch(kind, body)
            except Exception as error:  # whatever it was, Slack must send this again
                span.record_exception(error)
                logfire.error("slack.not_stored", kind=kind, error=type(error).__name__)
                return BoltResponse(status=503, body="")
        return BoltResponse(status=200, body=answer or "")

    async def settle(self, timeout_s: float) -> None:
        """Wait for the background tasks; those that are late are cancelled."""
        await self._tasks.settle(timeout_s)

    async def _dispatch(self, kind: str, body: dict[str, Any]) -> dict[str, Any] | None:
        match kind:
            case "event_callback":
                await self._on_event(body)
            case "block_actions":
                await self._presses.handle(body)
            case "message_action":
                await self._shortcuts.handle(body)
            case "view_submission":
                return await self._shortcuts.submit(body) or await self._submissions.answer(body)
            case "command" if str(body.get("team_id") or self._me.team_id) != self._me.team_id:
                return {"response_type": "ephemeral", "text": _ELSEWHERE}
            case "command":
                return await self._commands.answer(body)
            case "url_verification":
                return {"challenge": str(body.get("challenge") or "")}
            case _:
                log_ignored(f"payload {kind}")
        return None

    async def _on_event(self, body: dict[str, Any]) -> None:
        event: dict[str, Any] = body.get("event") or {}
        team_id = team_of(body)
        if team_id and team_id != self._me.team_id:
            # No worker serves the queue of another workspace.
            logfire.warn("slack.another_workspace", team_id=team_id)
            return
        match event.get("type"):
            case "message" | "app_mention":
                await self._note_kind(event, team_id)
                await self._on_message(read_message(event, me=self._me, team_id=team_id))
            case "agent_session_stopped":
                await self._on_stop(event, team_id)
            case "app_home_opened" if event.get("tab") == "home":
                self._tasks.start(self._refresh_home(str(event.get("user") or "")))
            case "app_home_opened" if event.get("tab") == "messages":
                self._tasks.start(offer_prompts(self._web, self._prompts, event, team_id))
            case "link_shared":
                self._tasks.start(self._unfurls.show(event, team_id))
            case other:
                if not await self._lifecycle.handle(event, team_id):
                    log_ignored(f"event {other}")

    async def _note_kind(self, event: dict[str, Any], team_id: str) -> None:
        """Store the kind of channel that an event names, or add the known kind to the event."""
        if channel := str(event.get("channel") or ""):
            known = await self._channels.note_kind(team_id, channel, event.get("channel_type"))
            event["channel_type"] = known.value if known else None

    async def _on_message(self, meaning: MessageMeaning) -> None:
        match meaning:
            case Ignored(reason=reason):
                log_ignored(reason)
            case OverheardMessage(incoming=incoming):
                await self._inbox.overhear(incoming)
            case MessageInThread(incoming=incoming, mentions_others=mentions_others):
                if not await self._inbox.accept_in_thread(
                    incoming, mentions_others=mentions_others
                ):
                    log_ignored("a thread of others")
            case MessageToUs(incoming=incoming):
                await self._inbox.accept(incoming)

    async def _on_stop(self, event: dict[str, Any], team_id: str) -> None:
        await self._note_kind(event, team_id)
        stop = read_stop(event, team_id=team_id)
        if isinstance(stop, Ignored):
            log_ignored(stop.reason)
            return
        await self._inbox.accept(stop)

    async def _refresh_home(self, slack_user_id: str) -> None:
        try:
            await self._publish_home(slack_user_id)
        except AgencyClawError as error:
            logfire.warn("slack.home_failed", error=type(error).__name__)


def _retry_of(request: AsyncBoltRequest) -> str:
    headers = cast("dict[str, list[str]]", request.headers)
    return (headers.get("x-slack-retry-num") or [""])[0]
