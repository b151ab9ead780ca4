"""The conversations.* methods: channels, members and messages."""

from workbench.slack.arguments import Arguments
from workbench.slack.events import channel_type
from workbench.slack.paging import next_cursor, page_of
from workbench.slack.records import (
    BOT_USER,
    SlackRecords,
    describe_channel,
    new_id,
    public_message,
)
from workbench.slack.refusals import SlackRefusal
from workbench.slack.workspace import Workspace
from workbench.storage import Document

# How Slack calls the kinds of conversations when it lists them, and in its events.
_TYPES = {"public_channel": "channel", "private_channel": "group", "im": "im", "mpim": "mpim"}


def open_conversation(workspace: Workspace, arguments: Arguments) -> Document:
    if arguments.has("channel"):
        return _opened(workspace.joined_channel(arguments), arguments)
    users = arguments.words("users")
    if not users:
        raise SlackRefusal("invalid_arguments", ["missing required field: users"])
    for user_id in users:
        workspace.find_user(user_id)
    channel = _find_direct(workspace.records, users) or _new_group(workspace, users)
    return _opened(channel, arguments)


def _find_direct(records: SlackRecords, users: list[str]) -> Document | None:
    if len(users) == 1:
        return records.direct_channel(users[0])
    members = {*users, BOT_USER}
    groups = (channel for channel in records.channels() if channel["is_mpim"])
    return next((group for group in groups if set(group["members"]) == members), None)


def group_of(
    workspace: Workspace, users: list[str], group_id: str = "", *, with_app: bool = True
) -> Document:
    """Return the group conversation of these people with the app; creates it if needed.

    One without the app is always new.
    """
    known = _find_direct(workspace.records, users) if with_app else None
    return known or _new_group(workspace, users, group_id, with_app=with_app)


def _new_group(
    workspace: Workspace, users: list[str], group_id: str = "", *, with_app: bool = True
) -> Document:
    members = [*dict.fromkeys(users), *([BOT_USER] if with_app else [])]
    names = "-".join(workspace.find_user(user_id)["name"] for user_id in members)
    group = new_channel(
        group_id or new_id("C"), f"mpdm-{names}-1", members, int(workspace.clock.now())
    )
    group |= {"is_channel": False, "is_mpim": True, "is_private": True}
    workspace.records.save_channel(group)
    return group


def new_channel(channel_id: str, name: str, members: list[str], created: int) -> Document:
    return {
        "id": channel_id,
        "name": name,
        "name_normalized": name,
        "is_channel": True,
        "is_group": False,
        "is_im": False,
        "is_mpim": False,
        "is_private": False,
        "is_archived": False,
        "is_general": False,
        "is_member": BOT_USER in members,
        "created": created,
        "creator": members[0],
        "topic": {"value": "", "creator": "", "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0},
        "num_members": len(members),
        "members": members,
    }


def _opened(channel: Document, arguments: Arguments) -> Document:
    whole = arguments.flag("return_im")
    shown = describe_channel(channel) if whole else {"id": channel["id"]}
    return {"channel": shown, "no_op": True, "already_open": True}


def info(workspace: Workspace, arguments: Arguments) -> Document:
    return {"channel": describe_channel(workspace.visible_channel(arguments.required("channel")))}


def list_conversations(workspace: Workspace, arguments: Arguments) -> Document:
    return _listed(_of_types(workspace, arguments), arguments)


def users_conversations(workspace: Workspace, arguments: Arguments) -> Document:
    """Return the conversations that somebody is in; of others' private ones those with the app."""
    user_id = arguments.text("user") or BOT_USER
    workspace.find_user(user_id)
    leaves_out_archived = arguments.flag("exclude_archived")
    channels = [
        channel
        for channel in _of_types(workspace, arguments)
        if user_id in channel["members"]
        and (channel_type(channel) == "channel" or BOT_USER in channel["members"])
        and not (leaves_out_archived and channel["is_archived"])
    ]
    return _listed(channels, arguments)


def _of_types(workspace: Workspace, arguments: Arguments) -> list[Document]:
    kinds = {_TYPES.get(kind) for kind in arguments.words("types") or ["public_channel"]}
    return [channel for channel in workspace.records.channels() if channel_type(channel) in kinds]


def _listed(channels: list[Document], arguments: Arguments) -> Document:
    shown, cursor = page_of(channels, arguments, 100)
    return {"channels": [describe_channel(channel) for channel in shown], **next_cursor(cursor)}


def members(workspace: Workspace, arguments: Arguments) -> Document:
    channel = workspace.visible_channel(arguments.required("channel"))
    shown, cursor = page_of(channel["members"], arguments, 100)
    return {"members": shown, **next_cursor(cursor)}


def history(workspace: Workspace, arguments: Arguments) -> Document:
    """Return a channel's own messages, newest first; replies stay in their threads."""
    channel = workspace.joined_channel(arguments)
    messages = [
        message
        for message in reversed(workspace.records.messages(channel["id"]))
        if _is_shown_in_channel(message) and _is_between(message["ts"], arguments)
    ]
    shown, cursor = page_of(messages, arguments, 100)
    return _as_page(shown, cursor, arguments) | {"pin_count": 0}


def _is_shown_in_channel(message: Document) -> bool:
    is_reply = message.get("thread_ts", message["ts"]) != message["ts"]
    return not is_reply or message.get("subtype") == "thread_broadcast"


def replies(workspace: Workspace, arguments: Arguments) -> Document:
    """Return a thread from its root, oldest first; every page begins with the root."""
    channel = workspace.joined_channel(arguments)
    asked = workspace.records.message(channel["id"], arguments.required("ts"))
    if asked is None:
        raise SlackRefusal("thread_not_found")
    root_ts = asked.get("thread_ts", asked["ts"])
    thread = [
        message
        for message in workspace.records.messages(channel["id"])
        if root_ts in (message["ts"], message.get("thread_ts"))
    ]
    rest = [message for message in thread[1:] if _is_between(message["ts"], arguments)]
    shown, cursor = page_of(rest, arguments, 1000)
    return _as_page([*thread[:1], *shown], cursor, arguments)


def _is_between(ts: str, arguments: Arguments) -> bool:
    oldest, latest = arguments.text("oldest"), arguments.text("latest")
    if arguments.flag("inclusive") and ts in (oldest, latest):
        return True
    after = not oldest or float(ts) > _moment("oldest", oldest)
    return after and (not latest or float(ts) < _moment("latest", latest))


def _moment(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SlackRefusal(f"invalid_ts_{name}") from None


def _as_page(messages: list[Document], cursor: str, arguments: Arguments) -> Document:
    with_metadata = arguments.flag("include_all_metadata")
    shown = [public_message(message, with_metadata=with_metadata) for message in messages]
    page: Document = {"messages": shown, "has_more": bool(cursor)}
    return page | (next_cursor(cursor) if cursor else {})
