"""Views: each person's stack of modals, and their Home tab."""

from typing import Any

from workbench.events import Broadcaster
from workbench.slack.elements import name_blocks
from workbench.slack.records import APP, BOT, SlackRecords, new_id
from workbench.slack.refusals import SlackRefusal
from workbench.storage import Document

_VIEWS = "slack/views"
_STACKS = "slack/stacks"
_HOMES = "slack/homes"
_DEEPEST = 3


class Views:
    """The open modals and Home tabs of every person."""

    def __init__(self, records: SlackRecords, events: Broadcaster) -> None:
        self._records = records
        self._storage = records.storage
        self._events = events

    def stack(self, user_id: str) -> list[Document]:
        """Return the open modals, bottom first."""
        stack = self._storage.get(_STACKS, user_id) or {"views": []}
        views = (self._storage.get(_VIEWS, view_id) for view_id in stack["views"])
        return [view for view in views if view]

    def find_open(self, user_id: str, view_id: str) -> Document | None:
        return next((view for view in self.stack(user_id) if view["id"] == view_id), None)

    def open(self, user_id: str, payload: Document) -> Document:
        """Open a modal on its own; one that was open is closed."""
        self._check_external_id(payload)
        self.clear(user_id)
        return self._place(user_id, payload, [])

    def push(self, user_id: str, payload: Document) -> Document:
        self._check_external_id(payload)
        below = self.stack(user_id)
        if len(below) >= _DEEPEST:
            raise SlackRefusal("push_limit_reached")
        return self._place(user_id, payload, below)

    def replace(self, view: Document, payload: Document, expected_hash: str = "") -> Document:
        """Change a view in place, unless it has changed since `expected_hash`."""
        if expected_hash and expected_hash != view["hash"]:
            raise SlackRefusal("hash_conflict")
        kept = ("id", "user", "root_view_id", "previous_view_id")
        changed = self._compose(payload) | {name: view[name] for name in kept}
        self._save(changed)
        return changed

    def pop(self, user_id: str, view_id: str) -> None:
        """Close a modal and all above it."""
        kept: list[Document] = []
        for view in self.stack(user_id):
            if view["id"] == view_id:
                break
            kept.append(view)
        self._restack(user_id, kept)

    def clear(self, user_id: str) -> None:
        self._restack(user_id, [])

    def home(self, user_id: str) -> Document | None:
        return self._storage.get(_HOMES, user_id)

    def publish(self, user_id: str, payload: Document, expected_hash: str = "") -> Document:
        current = self.home(user_id)
        if current:
            return self.replace(current, payload, expected_hash)
        home = self._compose(payload) | {"user": user_id, "previous_view_id": None}
        home["root_view_id"] = home["id"]
        self._save(home)
        return home

    def find(self, view_id: str, external_id: str) -> Document | None:
        """Return an open modal or a Home tab, by either of its ids."""
        open_ids = {view_id for stack in self._storage.all(_STACKS) for view_id in stack["views"]}
        modals = [view for view in self._storage.all(_VIEWS) if view["id"] in open_ids]
        for view in (*modals, *self._storage.all(_HOMES)):
            if view["id"] == view_id or (external_id and view["external_id"] == external_id):
                return view
        return None

    def _check_external_id(self, payload: Document) -> None:
        external_id = str(payload.get("external_id") or "")
        if external_id and self.find("", external_id):
            raise SlackRefusal("duplicate_external_id")

    def _place(self, user_id: str, payload: Document, below: list[Document]) -> Document:
        view = self._compose(payload) | {"user": user_id}
        view["root_view_id"] = below[0]["id"] if below else view["id"]
        view["previous_view_id"] = below[-1]["id"] if below else None
        self._storage.put(_VIEWS, view["id"], view)
        self._restack(user_id, [*below, view])
        return view

    def _restack(self, user_id: str, views: list[Document]) -> None:
        kept = [view["id"] for view in views]
        for view in self.stack(user_id):
            if view["id"] not in kept:
                self._storage.delete(_VIEWS, view["id"])
        self._storage.put(_STACKS, user_id, {"views": kept})
        self._events.publish("view", user=user_id, views=kept)

    def _save(self, view: Document) -> None:
        user_id = view["user"]
        if view["type"] == "home":
            self._storage.put(_HOMES, user_id, view)
            self._events.publish("home", user=user_id)
        else:
            self._storage.put(_VIEWS, view["id"], view)
            self._events.publish("view", user=user_id, view_id=view["id"])

    def _compose(self, payload: Document) -> Document:
        optional = ("private_metadata", "callback_id", "external_id")
        return {
            "id": new_id("V"),
            "team_id": self._records.team()["id"],
            "type": payload["type"],
            "title": payload.get("title"),
            "submit": payload.get("submit"),
            "close": payload.get("close"),
            "blocks": name_blocks(payload["blocks"]),
            "state": {"values": {}},
            "hash": f"{self._records.new_ts()}.{new_id('')}",
            "clear_on_close": bool(payload.get("clear_on_close")),
            "notify_on_close": bool(payload.get("notify_on_close")),
            "app_id": APP,
            "app_installed_team_id": self._records.team()["id"],
            "bot_id": BOT,
            **{name: payload.get(name) or "" for name in optional},
        }


def public_view(view: Document, values: dict[str, Any] | None = None) -> Document:
    """Return a view as Slack shows it to the app, with the values typed into it."""
    shown = {name: value for name, value in view.items() if name != "user"}
    return shown if values is None else {**shown, "state": {"values": values}}
