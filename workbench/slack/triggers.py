"""Trigger ids: each opens one modal within a few seconds of a person's act."""

from workbench.clock import MachineClock
from workbench.slack.records import new_id
from workbench.slack.refusals import SlackRefusal
from workbench.storage import Document, Storage

_KIND = "slack/triggers"


class Triggers:
    """Issued trigger ids; each works once, for a few seconds."""

    def __init__(self, storage: Storage, clock: MachineClock, ttl: float) -> None:
        self._storage = storage
        self._clock = clock
        self._ttl = ttl

    def issue(self, user_id: str, view_id: str | None = None) -> str:
        """Return a trigger for a person; `view_id` is the modal it came from, if any."""
        trigger_id = new_id("13345224609.738474920.")
        trigger: Document = {"user": user_id, "view_id": view_id, "used": False}
        trigger["expires"] = self._clock.now() + self._ttl
        self._storage.put(_KIND, trigger_id, trigger)
        return trigger_id

    def exchange(self, trigger_id: str) -> Document:
        trigger = self._storage.get(_KIND, trigger_id)
        if trigger is None:
            raise SlackRefusal("invalid_trigger_id")
        if trigger["used"]:
            raise SlackRefusal("exchanged_trigger_id")
        if trigger["expires"] < self._clock.now():
            raise SlackRefusal("expired_trigger_id")
        self._storage.put(_KIND, trigger_id, {**trigger, "used": True})
        return trigger
