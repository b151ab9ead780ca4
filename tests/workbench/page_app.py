"""An app on the other side of the workbench, speaking Slack's protocol by hand."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

import aiohttp

DM = "D01INES"
OPS = "C01OPS"
_visits = itertools.count()


def fresh(origin: str) -> str:
    """An address that the browser has to load anew: another hash alone would keep the page."""
    return f"{origin}/?visit={next(_visits)}#/U01INES/{DM}"


def words(text: str) -> dict[str, str]:
    return {"type": "plain_text", "text": text}


def button(action: str, label: str, **more: Any) -> dict[str, Any]:
    return {"type": "button", "action_id": action, "text": words(label), "value": "p1", **more}


def question(name: str, label: str, **more: Any) -> dict[str, Any]:
    answer = {"type": "plain_text_input", "action_id": "v", **more}
    return {"type": "input", "block_id": name, "label": words(label), "element": answer}


SURE = {
    "title": words("Drop it?"),
    "text": words("Sure?"),
    "confirm": words("Drop"),
    "deny": words("Cancel"),
}
CARD = [
    {"type": "header", "text": words("Create a task for Copperleaf")},
    {"type": "section", "text": {"type": "mrkdwn", "text": "*Coupon* in Promotions"}},
    {
        "type": "actions",
        "block_id": "which",
        "elements": [
            {
                "type": "checkboxes",
                "action_id": "tasks",
                "options": [
                    {"text": words("Write the brief"), "value": "brief"},
                    {"text": words("Book the slot"), "value": "slot"},
                ],
            },
            button("create", "Create task", style="primary"),
            button("edit", "Edit"),
            button("drop", "Cancel", confirm=SURE),
        ],
    },
]
THUMBS = [
    {"type": "markdown", "text": "Two tasks of Glintly are due this week."},
    {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "action_id": "thumbs",
                "positive_button": {"text": words("This helped"), "value": "up:1"},
                "negative_button": {"text": words("This didn't help"), "value": "down:1"},
            }
        ],
    },
]
FORM = {
    "type": "modal",
    "callback_id": "edit",
    "title": words("Edit the task"),
    "submit": words("Save"),
    "close": words("Cancel"),
    "blocks": [question("title", "Title"), question("note", "Note", multiline=True)],
}


class App:
    """An app on the wire: acknowledges everything, opens a form on Edit, refuses short titles."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self.heard: list[dict[str, Any]] = []
        self._news = asyncio.Condition()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Self]:
        async with aiohttp.ClientSession() as self._http:
            door = await self._api("apps.connections.open", {}, token="xapp-workbench")
            async with self._http.ws_connect(door["url"]) as self._socket:
                listening = asyncio.create_task(self._listen())
                yield self
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)

    async def post(self, channel: str, text: str, **more: Any) -> str:
        message = {"channel": channel, "text": text, **more}
        return (await self._api("chat.postMessage", message))["ts"]

    async def update(self, channel: str, ts: str, text: str) -> None:
        await self._api("chat.update", {"channel": channel, "ts": ts, "text": text, "blocks": []})

    async def set_status(self, channel: str, ts: str, status: str) -> None:
        place = {"channel_id": channel, "thread_ts": ts, "status": status}
        await self._api("assistant.threads.setStatus", place)

    async def call(self, method: str, **arguments: Any) -> dict[str, Any]:
        """Any other method of Slack's."""
        return await self._api(method, arguments)

    async def whisper(self, channel: str, user: str, text: str) -> None:
        await self._api("chat.postEphemeral", {"channel": channel, "user": user, "text": text})

    async def publish_home(self, user: str, text: str) -> None:
        block = {"type": "section", "text": words(text), "accessory": button("forget", "Forget")}
        view = {"type": "home", "blocks": [block]}
        await self._api("views.publish", {"user_id": user, "view": view})

    async def create_task(self, list_id: str, name: str) -> None:
        address = f"{self._origin}/clickup/api/v2/list/{list_id}/task"
        key = {"Authorization": "pk_workbench"}
        task = {"name": name, "markdown_content": "## Steps\n- [ ] price floor\n- [x] stock"}
        async with self._http.post(address, json=task, headers=key) as answer:
            assert answer.status == 200, await answer.text()

    async def control(self, path: str, **body: Any) -> dict[str, Any]:
        async with self._http.post(f"{self._origin}/_control/{path}", json=body) as answer:
            return await answer.json()

    async def until(self, kind: str) -> dict[str, Any]:
        """The first payload of a kind, waited for and taken out."""
        async with self._news:
            async with asyncio.timeout(300):
                await self._news.wait_for(lambda: any(kind_of(one) == kind for one in self.heard))
            found = next(one for one in self.heard if kind_of(one) == kind)
            self.heard.remove(found)
            return found

    async def _api(self, method: str, body: dict[str, Any], token: str = "xoxb-workbench") -> Any:
        key = {"Authorization": f"Bearer {token}"}
        async with self._http.post(
            f"{self._origin}/api/{method}", json=body, headers=key
        ) as answer:
            found = await answer.json()
        assert found["ok"], (method, found)
        return found

    async def _listen(self) -> None:
        async for frame in self._socket:
            envelope = json.loads(frame.data)
            if "envelope_id" not in envelope:
                continue
            payload = envelope["payload"]
            ack = {"envelope_id": envelope["envelope_id"]}
            await self._socket.send_json(ack | _answer(payload))
            if kind_of(payload) == "edit":
                await self._api("views.open", {"trigger_id": payload["trigger_id"], "view": FORM})
            async with self._news:
                self.heard.append(payload)
                self._news.notify_all()


def kind_of(payload: dict[str, Any]) -> str:
    """An event's type, an action's id, or the payload's own type."""
    if "event" in payload:
        return payload["event"]["type"]
    return next((one["action_id"] for one in payload.get("actions", [])), payload.get("type", ""))


def _answer(payload: dict[str, Any]) -> dict[str, Any]:
    if payload.get("type") == "view_submission":
        title = payload["view"]["state"]["values"]["title"]["v"]["value"]
        if len(title) < 5:
            errors = {"title": "At least five letters."}
            return {"payload": {"response_action": "errors", "errors": errors}}
    return {"payload": {"text": "Ask me anything."}} if "command" in payload else {}
