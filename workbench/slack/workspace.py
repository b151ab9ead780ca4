"""The parts of the stand-in Slack that every method and control call works on."""

from dataclasses import dataclass

from aiohttp import web

from workbench.clock import MachineClock
from workbench.events import Broadcaster
from workbench.slack.arguments import Arguments
from workbench.slack.events import event_callback
from workbench.slack.posts import Posts
from workbench.slack.records import BOT_USER, SlackRecords
from workbench.slack.refusals import SlackRefusal
from workbench.slack.response_urls import ResponseUrls
from workbench.slack.socket_hub import Hub
from workbench.slack.triggers import Triggers
from workbench.slack.view_stack import Views
from workbench.storage import Document, Storage


@dataclass(frozen=True)
class Workspace:
    """A Slack workspace with one app installed."""

    storage: Storage
    clock: MachineClock
    events: Broadcaster
    hub: Hub
    records: SlackRecords
    posts: Posts
    views: Views
    triggers: Triggers
    response_urls: ResponseUrls

    def find_channel(self, channel_id: str) -> Document:
        """Return a channel by id, by #name, or as the DM of a user id."""
        channel = self.records.channel(channel_id)
        if channel is None and channel_id.startswith(("U", "W")):
            channel = self.records.direct_channel(channel_id)
        if channel is None:
            by_name = {named["name"]: named for named in self.records.channels() if "name" in named}
            channel = by_name.get(channel_id.removeprefix("#"))
        if channel is None:
            raise SlackRefusal("channel_not_found")
        return channel

    def joined_channel(self, arguments: Arguments, name: str = "channel") -> Document:
        """Return the named channel, if the app is a member."""
        channel = self.visible_channel(arguments.required(name))
        if BOT_USER not in channel["members"]:
            raise SlackRefusal("not_in_channel")
        return channel

    def open_channel(self, arguments: Arguments) -> Document:
        """Return the named channel, if the app may post in it."""
        channel = self.joined_channel(arguments)
        if channel["is_archived"]:
            raise SlackRefusal("is_archived")
        return channel

    def visible_channel(self, channel_id: str) -> Document:
        """Return a channel as far as the app may know of it: private ones only as a member."""
        channel = self.find_channel(channel_id)
        if channel.get("is_private") and BOT_USER not in channel["members"]:
            raise SlackRefusal("channel_not_found")
        return channel

    def send_event(self, event: Document) -> None:
        """Send the app an event of this moment."""
        event = {**event, "event_ts": self.records.new_ts()}
        self.hub.send_event(event["type"], event_callback(event, self.records.team()["id"]))

    def find_user(self, user_id: str, error: str = "user_not_found") -> Document:
        user = self.records.user(user_id)
        if user is None:
            raise SlackRefusal(error)
        return user

    def find_message(self, channel: Document, ts: str) -> Document:
        message = self.records.message(channel["id"], ts)
        if message is None or message.get("subtype") == "tombstone":
            raise SlackRefusal("message_not_found")
        return message


def open_workspace(
    storage: Storage, clock: MachineClock, events: Broadcaster, hub: Hub, trigger_ttl: float
) -> Workspace:
    records = SlackRecords(storage, clock)
    return Workspace(
        storage=storage,
        clock=clock,
        events=events,
        hub=hub,
        records=records,
        posts=Posts(records, hub, events),
        views=Views(records, events),
        triggers=Triggers(storage, clock, trigger_ttl),
        response_urls=ResponseUrls(storage, clock),
    )


WORKSPACE: web.AppKey[Workspace] = web.AppKey("workspace", Workspace)
