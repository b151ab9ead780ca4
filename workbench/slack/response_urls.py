"""Response URLs: each takes five replies within half an hour of a click or command."""

from workbench.clock import MachineClock
from workbench.slack.records import new_id
from workbench.slack.refusals import SlackRefusal
from workbench.storage import Document, Storage

_KIND = "slack/response_urls"
_USES = 5
_TTL = 30 * 60.0


class ResponseUrls:
    """Issued URLs; each knows its channel, person and, after a click, the message."""

    def __init__(self, storage: Storage, clock: MachineClock) -> None:
        self._storage = storage
        self._clock = clock

    def issue(self, channel_id: str, user_id: str, message: Document | None = None) -> str:
        """Return a path on this server; the caller knows the address it was reached under."""
        key = new_id("R")
        url: Document = {"channel": channel_id, "user": user_id, "uses": 0}
        url["message_ts"] = message["ts"] if message else None
        url["thread_ts"] = message.get("thread_ts") if message else None
        url["is_ephemeral"] = bool(message and message.get("is_ephemeral"))
        url["expires"] = self._clock.now() + _TTL
        self._storage.put(_KIND, key, url)
        return f"/response/{key}"

    def use(self, key: str) -> Document:
        url = self._storage.get(_KIND, key)
        if url is None:
            raise SlackRefusal("invalid_url")
        if url["expires"] < self._clock.now():
            raise SlackRefusal("expired_url")
        if url["uses"] >= _USES:
            raise SlackRefusal("used_url")
        self._storage.put(_KIND, key, {**url, "uses": url["uses"] + 1})
        return url
