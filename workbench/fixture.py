"""The workbench as a test fixture: served in this process, on a free port."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from functools import lru_cache
from inspect import isawaitable
from time import time
from typing import Any, TypeVar, cast
from urllib.parse import urlencode

from aiohttp import ClientSession, web

from workbench.clickup.board import Board
from workbench.clickup.docs import PAGE, save_page
from workbench.clock import MachineClock
from workbench.control.bodies import find_channel
from workbench.events import EVENTS
from workbench.seed import is_empty, seed
from workbench.server import build_app
from workbench.slack.records import TEAM
from workbench.slack.socket_routes import HUB
from workbench.slack.workspace import WORKSPACE
from workbench.storage import Storage

Reply = dict[str, Any]
T = TypeVar("T")
# Only guards against hanging: a machine may be busy with something else.
PATIENCE_S = 150.0
# Whoever waits asks at once and then ever less often: asking keeps busy what is waited for.
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.01, 0.05
_MEMORY = ":memory:"
_QUARTER_S = 900


@dataclass(frozen=True)
class Bench:
    """A running workbench, controlled through its control API."""

    url: str
    app: web.Application
    storage: Storage
    http: ClientSession

    @property
    def slack_api_url(self) -> str:
        return f"{self.url}/api/"

    @property
    def clickup_api_url(self) -> str:
        return f"{self.url}/clickup/api/v2"

    async def control(self, method: str, path: str, body: Reply | None = None) -> Reply:
        """Send any control call; raises AssertionError if it is invalid.

        An act that is refused, such as a press of no button, is returned with `ok` false.
        """
        async with self.http.request(method, f"{self.url}/_control/{path}", json=body) as answer:
            reply = cast("Reply", await answer.json())
            assert answer.status == 200, f"{method} {path}: {answer.status} {reply}"
            return reply

    async def post_message(
        self,
        channel: str,
        user: str,
        text: str,
        thread_ts: str | None = None,
        *,
        files: tuple[str, ...] | Mapping[str, str | bytes] = (),
    ) -> str:
        """Post as a person, with files of these names or contents; returns the message's ts."""
        body: Reply = {"channel": channel, "user": user, "text": text, "thread_ts": thread_ts}
        body |= {"files": _as_sent(files)} if files else {}
        return (await self.control("POST", "message", body))["ts"]

    async def interact(
        self,
        channel: str,
        message_ts: str,
        user: str,
        action: str | Reply,
        *,
        value: Any = None,
        state: Reply | None = None,
    ) -> Reply:
        """Press a button by its label or action_id, or send a whole action object."""
        place = {"channel": channel, "messageTs": message_ts, "user": user}
        hand = {"action": action, "value": value, "state": state}
        return await self.control("POST", "interact", {**place, **hand})

    async def interact_in_view(
        self, user: str, view_id: str, action: str | Reply, *, state: Reply | None = None
    ) -> Reply:
        """Press a button of a modal or of the Home tab."""
        body = {"user": user, "view_id": view_id, "action": action, "state": state}
        return await self.control("POST", "interact", body)

    async def command(self, channel: str, user: str, command: str, text: str = "") -> Reply:
        body = {"channel": channel, "user": user, "command": command, "text": text}
        return await self.control("POST", "command", body)

    async def submit_view(self, user: str, view_id: str, state: Reply | None = None) -> Reply:
        body = {"user": user, "view_id": view_id, "state": state or {}}
        return await self.control("POST", "submit-view", body)

    async def close_view(self, user: str, view_id: str) -> Reply:
        return await self.control("POST", "close-view", {"user": user, "view_id": view_id})

    async def deliver_to(self, url: str) -> None:
        """Send events to an address, signed, instead of over sockets."""
        await self.control("POST", "request-url", {"url": url})

    async def change_membership(self, user: str, membership: str, *, tells: bool = False) -> None:
        """Make somebody a guest, an outsider, or a member; with `tells`, the app gets an event."""
        body = {"user": user, "membership": membership, "tells": tells}
        await self.control("POST", "membership", body)

    async def change_channel(self, channel: str, change: str = "", **more: Any) -> None:
        """Archive a channel, share it with another company, remove the app, or rename it."""
        await self.control("POST", "channel", {"channel": channel, "change": change, **more})

    async def add_group(self, *users: str, named: str = "", with_app: bool = True) -> str:
        """Create a group conversation of these people and the assistant; returns its id."""
        body = {"users": list(users), "id": named, "without_app": not with_app}
        return str((await self.control("POST", "group", body))["channel"])

    async def use_shortcut(self, channel: str, ts: str, user: str, callback_id: str) -> Reply:
        """Choose one of the assistant's shortcuts in a message's menu."""
        body = {"channel": channel, "message_ts": ts, "user": user, "callback_id": callback_id}
        return await self.control("POST", "shortcut", body)

    async def change_install(self, *, lacks: Sequence[str] = ()) -> None:
        """Install the app again, without some scopes."""
        await self.control("POST", "install", {"lacks": list(lacks)})

    async def open_home(self, user: str, tab: str = "home") -> None:
        """Open a tab of the assistant: `home` or `messages`."""
        await self.control("POST", "open-home", {"user": user, "tab": tab})

    async def prompts(self) -> list[Reply]:
        """The suggested prompts, by channel."""
        return (await self.control("GET", "statuses"))["prompts"]

    async def stop(self, channel: str, user: str, thread_ts: str) -> Reply:
        """Press Stop in a thread; refused if nothing is processing there."""
        body = {"channel": channel, "user": user, "thread_ts": thread_ts}
        return await self.control("POST", "stop", body)

    async def messages(self, channel: str) -> list[Reply]:
        """The messages of a channel; read without HTTP, because waiting tests read it often."""
        workspace = self.app[WORKSPACE]
        return workspace.records.messages(find_channel(workspace, channel)["id"])

    async def ephemerals(self, user: str) -> list[Reply]:
        return (await self.control("GET", f"ephemerals/{user}"))["messages"]

    async def views(self, user: str) -> list[Reply]:
        return (await self.control("GET", f"views/{user}"))["views"]

    async def home(self, user: str) -> Reply | None:
        return (await self.control("GET", f"home/{user}"))["view"]

    async def statuses(self) -> list[Reply]:
        return (await self.control("GET", "statuses"))["statuses"]

    async def sessions(self) -> dict[str, Reply]:
        """The agent sessions by the ts of their thread."""
        listed: list[Reply] = (await self.control("GET", "statuses"))["sessions"]
        return {session["thread_ts"]: session for session in listed}

    async def streams(self) -> list[Reply]:
        """The messages that are still marked as streaming."""
        return (await self.control("GET", "statuses"))["streams"]

    async def state(self) -> Reply:
        return await self.control("GET", "state")

    async def log(self, **values: Any) -> list[Reply]:
        """Return the log entries with all of these values."""
        entries: list[Reply] = (await self.control("GET", "log"))["log"]
        return [entry for entry in entries if values.items() <= entry.items()]

    def write_page(self, doc_id: str, page_id: str, name: str, content: str) -> None:
        """Write a page of a ClickUp Doc, as a person would."""
        save_page(self._board(), doc_id, page_id, name, content)

    def drop_page(self, page_id: str) -> None:
        """Delete a page of a ClickUp Doc; its API has no request for that."""
        self.storage.delete(PAGE, page_id)

    def _board(self) -> Board:
        return Board(self.storage, MachineClock(), self.app[EVENTS])

    async def clickup_tasks(self, name: str = "") -> list[Reply]:
        """Every task, or those of a name."""
        query = f"?{urlencode({'name': name})}" if name else ""
        return (await self.control("GET", f"clickup/tasks{query}"))["tasks"]

    async def set_fault(
        self,
        target: str,
        kind: str,
        *,
        method: str | None = None,
        times: int = 1,
        delay_s: float | None = None,
    ) -> None:
        fault = {"target": target, "kind": kind, "method": method, "times": times}
        await self.control("POST", "faults", {**fault, "delay_s": delay_s})

    async def limit_slack(self, *, is_on: bool = True) -> None:
        """Apply Slack's documented rate limits, or none."""
        await self.control("POST", "slack/rate", {"is_on": is_on})

    async def clear_faults(self) -> None:
        await self.control("DELETE", "faults")

    async def reset(self) -> None:
        await self.control("POST", "reset")

    async def disconnect(self) -> None:
        """Ask every open socket to reconnect."""
        await self.app[HUB].refresh()

    async def until(
        self, predicate: Callable[[], T | Awaitable[T]], timeout: float = PATIENCE_S
    ) -> T:
        """Wait until the predicate (plain or async) is true, and return its value."""
        pause_s = _FIRST_PAUSE_S
        async with asyncio.timeout(timeout):
            while True:
                result = predicate()
                value = cast("T", await result if isawaitable(result) else result)
                if value:
                    return value
                await asyncio.sleep(pause_s)
                pause_s = min(pause_s * 1.2, _LONGEST_PAUSE_S)


@lru_cache(maxsize=2)
def _seeded(team_id: str, _quarter: int) -> Storage:
    """Seed once for all that start within a quarter of an hour, which never spans two days."""
    storage = Storage(_MEMORY)
    seed(storage, MachineClock(), team_id)
    return storage


# Slack sends an event three times and waits three seconds for a press; a busy machine needs more.
PATIENT: dict[str, Any] = {
    "retry_delays": (0.0, 0.2, 0.5, *[1.0] * 60),
    "ack_timeout": 1.0,
    "answer_timeout": 300.0,
    "trigger_ttl": 300.0,
}


def _as_sent(files: tuple[str, ...] | Mapping[str, str | bytes]) -> list[str] | Reply:
    """Return files as the control API takes them."""
    if isinstance(files, tuple):
        return list(files)
    return {
        name: {"base64": b64encode(one).decode()} if isinstance(one, bytes) else one
        for name, one in files.items()
    }


@asynccontextmanager
async def running_workbench(
    path: str = _MEMORY, *, team_id: str = TEAM, **options: Any
) -> AsyncGenerator[Bench]:
    """Serve a workbench, seeded if its file is empty; `options` go to `build_app`."""
    with closing(Storage(path)) as storage:
        if path == _MEMORY and "clock" not in options:
            storage.copy_from(_seeded(team_id, int(time()) // _QUARTER_S))
        elif is_empty(storage):
            seed(storage, options.get("clock") or MachineClock(), team_id)
        app = build_app(storage, **options)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        try:
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            url = f"http://127.0.0.1:{runner.addresses[0][1]}"
            async with ClientSession() as http:
                yield Bench(url, app, storage, http)
        finally:
            await runner.cleanup()
