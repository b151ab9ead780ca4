"""Two neighbours that write down everything they are told: a ClickUp and a Slack in memory."""

from __future__ import annotations

import html
import itertools
import json
import time
import zipfile
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import httpx

from agencyclaw.domain.errors import Refused, Throttled, Unavailable, Unclear
from agencyclaw.slack.action_tokens import ActionTokens
from agencyclaw.slack.web import Method

SECRET = "c4n4ry-q7x9"
OWNED_BY = "k4n4ri-"
# A custom field that every list has; its value is the `value` of a task.
FIELD = {"id": "f1e1d", "name": "ASIN", "type": "short_text", "type_config": {}}
# The item of the checklist that every task has.
ITEM = {"id": "known", "name": "Ask the client", "resolved": False}
LISTS = {
    "901005000011": ("Brightkettle Backlog", "90100500001", "Brightkettle Group"),
    "901005000021": ("Glintly Backlog", "90100500002", "Glintly Inc"),
    "901005000031": ("Inbox", "90100500003", "Casa Mundo"),
    "901005000042": ("Inbox", "90100500004", "Hearthlane"),
    "901005000051": ("Hearthlane Kids", "90100500005", "Hearthlane"),
    "901005000061": ("Pawtrail", "90100500006", "Pawtrail"),
    "901005000062": ("Pawtrail Pro", "90100500006", "Pawtrail"),
    "901005000063": ("Pawtrail Lite", "90100500006", "Pawtrail"),
    "901005000071": ("Rodric", "90100500007", "Roderick Ltd"),
    "901005000072": ("Rodric Home", "90100500007", "Roderick Ltd"),
    "901005000081": ("Reporting Requests", "90100500008", ""),
}
Fault = str


@dataclass
class Write:
    """A request that would change ClickUp, with the world as it was at that moment."""

    method: str
    path: str
    body: dict[str, Any]
    moment: Any
    was_kept: bool = True
    list_id: str = ""
    # What others changed of the task since the assistant last told what it looks like.
    meddled: frozenset[str] = frozenset()

    @property
    def is_comment(self) -> bool:
        """Whether it would write below a task, and leave the task as it is."""
        return self.path.endswith("/comment")

    @property
    def is_field(self) -> bool:
        """Whether it would set or empty a custom field of a task."""
        return "/field/" in self.path

    @property
    def is_line(self) -> bool:
        """Whether it would change a checklist of a task, or an item of it."""
        return "checklist" in self.path

    @property
    def is_change(self) -> bool:
        """Whether it would change a task that exists."""
        return self.method == "PUT" or self.is_field or self.is_line

    @property
    def task_id(self) -> str:
        """The task that it would change or comment on."""
        return task_id_in(self.path)


@dataclass
class FakeClickUp:
    """Lists with tasks; `faults` say how the next creates end."""

    moment: Callable[[], Any] = lambda: None
    tasks: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])
    writes: list[Write] = field(default_factory=list[Write])
    reads: list[str] = field(default_factory=list[str])
    faults: deque[Fault] = field(default_factory=deque[Fault])
    read_faults: deque[Fault] = field(default_factory=deque[Fault])
    planted: str = ""
    changed: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    gone: set[str] = field(default_factory=set[str])
    comments: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    _meddled: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    _numbers: Any = field(default_factory=lambda: itertools.count(1))

    def forget(self) -> None:
        """Start the ledger of a new run; tasks of the runs before are gone too."""
        self.tasks.clear()
        self.changed.clear()
        self.gone.clear()
        self.comments.clear()
        self._meddled.clear()
        self.writes.clear()
        self.reads.clear()
        self.faults.clear()
        self.read_faults.clear()
        self.planted = ""

    def name_task(self, list_id: str, name: str) -> None:
        """Add a task as anybody may title it who works in ClickUp."""
        self._keep(list_id, {"name": name})

    def meddle(self, task_id: str, **fields: Any) -> None:
        """Change a task as somebody would who works in ClickUp."""
        self._meddled.setdefault(task_id, set()).update(fields)
        later = str(int(time.time() * 1000) + 60_000)
        self.changed.setdefault(task_id, {}).update(fields, date_updated=later)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/v2")
        if request.method != "GET":
            return self._write(request, path)
        if self.read_faults:
            return _failure(self.read_faults.popleft(), request)
        match path.strip("/").split("/"):
            case ["user" | "team" as whose]:
                return httpx.Response(200, json=_ACCOUNT[whose])
            case ["list", list_id, "task"] if list_id in LISTS:
                self.reads.append(list_id)
                return httpx.Response(200, json=self._page(list_id, request.url.params))
            case ["team", _, "task"]:
                self.reads.extend(request.url.params.get_list("list_ids[]"))
                return httpx.Response(200, json=self._unfiltered(request.url.params))
            case ["task", task_id, *rest] if self._task(task_id) is not None:
                return self._of_task(task_id, is_comments=bool(rest))
            case ["list", list_id] if list_id in LISTS:
                self.reads.append(list_id)
                return httpx.Response(200, json=_list(list_id))
            case ["space", space_id, "list"]:
                found = [_list(one) for one in LISTS if LISTS[one][1] == space_id]
                return httpx.Response(200, json={"lists": found})
            case ["space", _, "folder"]:
                return httpx.Response(200, json={"folders": []})
            case _:
                return httpx.Response(404, json={"err": f"gone {SECRET}", "ECODE": "ITEM_013"})

    def _of_task(self, task_id: str, *, is_comments: bool) -> httpx.Response:
        """Return a task or its comments.

        Only its list says whose it is, so that reading it is no reading of a list; that nothing of
        it is told is seen in what is posted.
        """
        if not is_comments:
            return httpx.Response(200, json=self._task(task_id))
        texts = enumerate(self.comments.get(task_id, []))
        found = [{"id": str(number), "comment_text": text} for number, text in texts]
        return httpx.Response(200, json={"comments": found})

    def _unfiltered(self, query: httpx.QueryParams) -> dict[str, Any]:
        """Return the tasks of all lists, as a server would that does not mind its own filter."""
        pages = [self._page(list_id, query)["tasks"] for list_id in LISTS]
        return {"tasks": list(itertools.chain(*pages)), "last_page": True}

    def _write(self, request: httpx.Request, path: str) -> httpx.Response:
        body = json.loads(request.content or b"{}")
        write = Write(request.method, path, body, self.moment(), list_id=self._list_of(path))
        self.writes.append(write)
        fault = self.faults.popleft() if self.faults else ""
        if fault and not fault.startswith("after "):
            write.was_kept = False
            return _failure(fault, request)
        answer = self._applied(write)
        return _failure(fault.removeprefix("after "), request) if fault else answer

    def _applied(self, write: Write) -> httpx.Response:
        if write.is_field:
            write.body = {"value": write.body.get("value")}
        if write.is_line:
            write.body = self._line(write)
        if write.is_change:
            return self._change(write)
        if write.is_comment:
            self.comments.setdefault(write.task_id, []).append(write.body["comment_text"])
            return httpx.Response(200, json={"id": 1})
        return self._keep(write.list_id, write.body)

    def _list_of(self, path: str) -> str:
        task = self._task(task_id_in(path))
        named = [part for part in path.split("/") if part in LISTS]
        return task["list"]["id"] if task else (named or ["?"])[0]

    def _change(self, write: Write) -> httpx.Response:
        """Change a task that exists; what leaves it is was not kept."""
        task_id = write.task_id
        before = self._task(task_id)
        if before is None:
            write.was_kept = False
            return httpx.Response(404, json={"err": f"gone {SECRET}", "ECODE": "ITEM_013"})
        write.meddled = frozenset(self._meddled.get(task_id, ()))
        fields = {name: given for name, given in write.body.items() if not name.endswith("_time")}
        if isinstance(who := fields.get("assignees"), dict):
            held = {one["id"] for one in before["assignees"]} | {*who["add"]}
            fields["assignees"] = [{"id": one} for one in sorted(held - {*who["rem"]})]
        if status := fields.get("status"):
            fields["status"] = {"status": status, "type": "open"}
        for day in {"start_date", "due_date"} & fields.keys():
            fields[day] = fields[day] and str(fields[day])
        write.was_kept = any(before.get(name) != value for name, value in fields.items())
        self.changed.setdefault(task_id, {}).update(fields)
        told: Any = self._task(task_id)
        return httpx.Response(200, json={"checklist": told["checklists"][0]} | told)

    def _line(self, write: Write) -> dict[str, Any]:
        """Return what becomes of the checklist: of the item that it has had for long, or of others.

        Those have their place among the added ones for an id.
        """
        held = self.changed.get(write.task_id, {})
        added, item = [*held.get("added", [])], write.path.rpartition("/")[2]
        match write.method:
            case "PUT" if item == "known":
                return {"item": {**ITEM, **held.get("item", {}), **write.body}}
            case "DELETE" if item.isdecimal():
                return {"added": added[: int(item)] + added[int(item) + 1 :]}
            case _:
                return {"added": [*added, write.body.get("name", "?")]}

    def _task(self, task_id: str) -> dict[str, Any] | None:
        """Return a task as it is now, wherever it came from."""
        if task_id in self.gone:
            return None
        every = [*map(self._known, LISTS), *itertools.chain(*self.tasks.values())]
        found = next((one for one in every if one["id"] == task_id), None)
        if found is None:
            return None
        now = found | self.changed.get(task_id, {})
        added = [{"id": str(at), "name": one} for at, one in enumerate(now.get("added", []))]
        items = [now.get("item", ITEM), *added]
        checklist = {"id": f"c-{task_id}", "name": "Checklist", "items": items}
        fields = [{**FIELD, "value": now.get("value")}]
        return now | {"custom_fields": fields, "checklists": [checklist]}

    def _keep(self, list_id: str, body: dict[str, Any]) -> httpx.Response:
        number = next(self._numbers)
        now = str(int(time.time() * 1000))
        task = {
            "id": f"86x{number:06d}",
            "name": body.get("name"),
            "status": {"status": "to do", "type": "open"},
            "description": body.get("markdown_content", ""),
            "assignees": [{"id": who} for who in body.get("assignees", [])],
            "due_date": body.get("due_date"),
            "date_created": now,
            "date_updated": now,
            "url": f"https://app.clickup.com/t/86x{number:06d}",
            "list": {"id": list_id, "name": LISTS.get(list_id, ("?",))[0]},
        }
        self.tasks.setdefault(list_id, []).append(task)
        return httpx.Response(200, json=task)

    def _page(self, list_id: str, query: httpx.QueryParams) -> dict[str, Any]:
        if query.get("archived") == "true":
            return {"tasks": [], "last_page": True}
        every = [self._known(list_id), *self.tasks.get(list_id, [])]
        found = [self._task(one["id"]) for one in every]
        return {"tasks": [one for one in found if one], "last_page": True}

    def _known(self, list_id: str) -> dict[str, Any]:
        """The task that every list has had for long."""
        now = str(int(time.time() * 1000))
        owner = LISTS[list_id][2]
        return {
            "id": known_task(list_id),
            "name": f"Check the {OWNED_BY}{owner} report {self.planted}".strip(),
            "status": {"status": "to do", "type": "open"},
            "description": self.planted,
            "assignees": [],
            "due_date": now,
            "date_created": "1700000000000",
            "date_updated": now,
            "url": link_of(known_task(list_id)),
            "list": {"id": list_id, "name": LISTS[list_id][0]},
        }


def task_id_in(path: str) -> str:
    """Return the task that a path is about, if it is about one."""
    if path.startswith("/checklist/"):
        return path.split("/")[2].removeprefix("c-")
    whole = path.removesuffix("/comment").removesuffix("/checklist")
    return whole.partition("/field/")[0].rpartition("/")[2]


_ACCOUNT: dict[str, Any] = {
    "user": {"user": {"id": 100099, "username": "AgencyClaw", "timezone": "Europe/Lisbon"}},
    "team": {"teams": [{"id": "90100400001", "name": "Lanternfish", "members": []}]},
}


def known_task(list_id: str) -> str:
    """Return the id of the task that a list has had for long."""
    return f"86k{list_id[-4:]}"


def link_of(task_id: str) -> str:
    """Return where a task is to be seen."""
    return f"https://app.clickup.com/t/{task_id}"


def _list(list_id: str) -> dict[str, Any]:
    name, space_id, _ = LISTS[list_id]
    return {"id": list_id, "name": name, "space": {"id": space_id, "name": f"Space {space_id}"}}


def _failure(fault: Fault, request: httpx.Request) -> httpx.Response:
    if fault == "lost":
        raise httpx.ReadTimeout(f"no answer {SECRET}", request=request)
    if fault == "unconnected":
        raise httpx.ConnectError(f"no way there {SECRET}", request=request)
    return httpx.Response(int(fault), json={"err": f"trouble {SECRET}", "ECODE": "X_1"})


@dataclass
class Call:
    """One call of Slack's Web API."""

    method: str
    arguments: dict[str, Any]
    ts: str = ""


@dataclass(frozen=True)
class Spoken:
    """A message as it was first written, whoever wrote it and whatever became of it."""

    channel: str
    thread: str
    ts: str
    who: str
    only_for: str = ""
    shown: str = ""


@dataclass
class FakeSlack:
    """Takes calls as `Web` does and keeps every message as it stands."""

    calls: list[Call] = field(default_factory=list[Call])
    messages: dict[tuple[str, str], dict[str, Any]] = field(
        default_factory=dict[tuple[str, str], dict[str, Any]]
    )
    faults: deque[Fault] = field(default_factory=deque[Fault])
    people: dict[str, dict[str, Any] | Exception] = field(
        default_factory=dict[str, dict[str, Any] | Exception]
    )
    channels: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    members: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    action_tokens: ActionTokens = field(default_factory=ActionTokens)
    spoken: dict[tuple[str, str], dict[str, Any]] = field(
        default_factory=dict[tuple[str, str], dict[str, Any]]
    )
    log: list[Spoken] = field(default_factory=list[Spoken])
    files: dict[str, str] = field(default_factory=dict[str, str])
    attached: dict[str, bytes] = field(default_factory=dict[str, bytes])
    _seconds: int = field(default_factory=lambda: int(time.time()))
    _numbers: Any = field(default_factory=lambda: itertools.count(1))

    def forget(self) -> None:
        """Start the ledger of a new run."""
        self.calls.clear()
        self.messages.clear()
        self.faults.clear()
        self.people.clear()
        self.channels.clear()
        self.members.clear()
        self.spoken.clear()
        self.log.clear()
        self.files.clear()
        self.attached.clear()

    def hear(self, message: dict[str, Any]) -> None:
        """Keep what somebody else than us wrote."""
        kept = {name: message[name] for name in _KEPT if name in message}
        self.spoken[message["channel"], message["ts"]] = kept
        root = message.get("thread_ts") or message["ts"]
        self.log.append(Spoken(message["channel"], root, message["ts"], message.get("user") or ""))

    def lose(self, channel: str, ts: str) -> dict[str, Any]:
        """Delete what somebody wrote; returns it."""
        return self.spoken.pop((channel, ts))

    def edit(self, channel: str, ts: str, text: str) -> dict[str, Any]:
        """Let somebody edit what they wrote; returns it was."""
        before = self.spoken[channel, ts]
        edited = {"user": before.get("user", ""), "ts": self.next_ts()}
        self.spoken[channel, ts] = before | {"text": text, "edited": edited}
        return before

    def _standing(self, channel: str) -> list[dict[str, Any]]:
        """Everything that stands in a channel, oldest first."""
        every = [*self.messages.items(), *self.spoken.items()]
        here = [message for (where, _), message in every if where == channel]
        return sorted(here, key=lambda message: _order(message["ts"]))

    def _history(self, channel: str) -> list[dict[str, Any]]:
        """The messages that began threads, newest first, each with its latest reply."""
        replies: dict[str, str] = {}
        for message in self._standing(channel):
            if (root := message.get("thread_ts")) and root != message["ts"]:
                replies[root] = message["ts"]
        roots = [
            one for one in self._standing(channel) if one.get("thread_ts") in (None, one["ts"])
        ]
        return [
            one | ({"latest_reply": replies[one["ts"]]} if one["ts"] in replies else {})
            for one in reversed(roots)
        ]

    def next_ts(self) -> str:
        """A moment later than every one before."""
        seconds, part = divmod(next(self._numbers), 1_000_000)
        return f"{self._seconds + seconds}.{part:06d}"

    async def call(self, method: Method, **arguments: Any) -> dict[str, Any]:
        """Answer a call, after noting it."""
        given = {name: value for name, value in arguments.items() if value is not None}
        made = Call(method.value, json.loads(json.dumps(given)), self.next_ts())
        fault = self.faults.popleft() if self.faults and method in _FAULTY else ""
        if fault and not fault.startswith("after "):
            raise _trouble(fault)
        self.calls.append(made)
        answer = self._answer(method, made)
        if fault:
            raise _trouble(fault.removeprefix("after "))
        return answer

    async def call_in_turn(self, method: Method, **arguments: Any) -> dict[str, Any]:
        """The same: here nobody waits."""
        return await self.call(method, **arguments)

    async def upload(self, url: str, content: bytes) -> None:
        """Keep what is in a file, as a person would read it."""
        self.files[url.rpartition("/")[2]] = text_of(content)

    def _answer(self, method: Method, made: Call) -> dict[str, Any]:
        given = made.arguments
        match method:
            case Method.POST:
                self.messages[given["channel"], made.ts] = {**given, "ts": made.ts, "bot_id": BOT}
                self._note(made, "")
                return {"ok": True, "ts": made.ts}
            case Method.POST_EPHEMERAL:
                self._note(made, given["user"])
                return {"ok": True}
            case Method.HISTORY:
                return {"ok": True, "messages": self._history(given["channel"])}
            case Method.UPDATE:
                shown = self.messages.get((given["channel"], given["ts"]))
                if shown is None:
                    raise Refused("no such message", reason="message_not_found")
                self.messages[given["channel"], given["ts"]] = shown | given
                return {"ok": True, "ts": given["ts"]}
            case Method.REPLIES:
                found = [
                    message
                    for message in self._standing(given["channel"])
                    if given["ts"] in (message.get("thread_ts"), message["ts"])
                ]
                return {"ok": True, "messages": found}
            case Method.UPLOAD_URL:
                address = f"http://127.0.0.1/upload/{made.ts}"
                return {"ok": True, "upload_url": address, "file_id": made.ts}
            case Method.COMPLETE_UPLOAD:
                made.arguments["content"] = [self.files[one["id"]] for one in given["files"]]
                shown = {"thread_ts": given.get("thread_ts"), "files": given["files"], "text": ""}
                where = given["channel_id"]
                self.messages[where, made.ts] = {**shown, "ts": made.ts, "bot_id": BOT}
                return {"ok": True, "files": given["files"]}
            case _:
                return self._told(method, given)

    def _told(self, method: Method, given: dict[str, Any]) -> dict[str, Any]:
        """What Slack says of people and channels."""
        match method:
            case Method.USERS_INFO:
                told = self.people.get(given["user"], {})
                if isinstance(told, Exception):
                    raise told
                return {"ok": True, "user": {"id": given["user"], "team_id": TEAM} | told}
            case Method.CONVERSATION_INFO:
                return {"ok": True, "channel": self._described(given["channel"])}
            case Method.MEMBERS:
                return {"ok": True, "members": sorted(self.members.get(given["channel"], ()))}
            case Method.USER_CONVERSATIONS:
                who = given.get("user", OURS)
                of_whom = [one for one, members in self.members.items() if who in members]
                return {"ok": True, "channels": [self._described(one) for one in of_whom]}
            case Method.SEARCH:
                # As if Slack let through whatever there is: what is shown is up to us.
                every = [self._hit(channel, one) for (channel, _), one in self.spoken.items()]
                return {"ok": True, "results": {"messages": every}}
            case Method.OPEN_CONVERSATION:
                return {"ok": True, "channel": {"id": f"D0{given['users'].removeprefix('U0')}"}}
            case _:
                return {"ok": True}

    def _described(self, channel: str) -> dict[str, Any]:
        kind = {"is_im": True} if channel.startswith("D") else {"is_channel": True}
        return {"id": channel, **kind, **self.channels.get(channel, {})}

    def _hit(self, channel: str, one: dict[str, Any]) -> dict[str, Any]:
        said = {"message_ts": one["ts"], "content": one.get("text", "")}
        return {"channel_id": channel, "author_user_id": one.get("user", ""), **said}

    def _note(self, made: Call, only_for: str) -> None:
        given = made.arguments
        root = given.get("thread_ts") or made.ts
        shown = json.dumps(given.get("blocks") or given.get("text") or "", ensure_ascii=False)
        self.log.append(Spoken(given["channel"], root, made.ts, OURS, only_for, shown))

    def posts(self) -> list[Call]:
        """Everything people can see: messages, changes of messages, private notes."""
        return [one for one in self.calls if one.method in _VISIBLE]


def text_of(content: bytes) -> str:
    """The text of a CSV file or of a workbook."""
    if not zipfile.is_zipfile(BytesIO(content)):
        return content.decode("utf-8-sig")
    with zipfile.ZipFile(BytesIO(content)) as book:
        return html.unescape(" ".join(book.read(name).decode() for name in book.namelist()))


BOT = "B01CLAW"
TEAM = "T0LANTERN"
OURS = "us"
_KEPT = ("ts", "thread_ts", "user", "bot_id", "username", "text", "subtype")


def _order(ts: str) -> tuple[int, int]:
    """Slack's own order of messages."""
    seconds, _, part = ts.partition(".")
    return int(seconds), int(part.ljust(6, "0"))


_FAULTY = frozenset({Method.POST, Method.UPDATE, Method.POST_EPHEMERAL})
_VISIBLE = frozenset({"chat.postMessage", "chat.update", "chat.postEphemeral", "views.publish"})


def _trouble(fault: Fault) -> Exception:
    match fault:
        case "lost":
            return Unclear("Slack broke off")
        case "429":
            return Throttled("Slack asks to wait", after=0.0)
        case "down":
            return Unavailable("Slack is away")
        case reason:
            return Refused("Slack refuses", reason=reason)
