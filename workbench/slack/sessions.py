"""The agents.sessions.* methods: a thread's state, its title, and Stop."""

from workbench.slack.arguments import Arguments
from workbench.slack.content import read_thread
from workbench.slack.refusals import SlackRefusal
from workbench.slack.workspace import Workspace
from workbench.storage import Document

STATUSES = ("active", "processing", "suspended", "closed")
TITLE_LIMIT = 200
_SESSIONS = "slack/sessions"


def set_session_status(workspace: Workspace, arguments: Arguments) -> Document:
    channel_id, thread_ts = find_thread(workspace, arguments)
    status = arguments.required("status")
    if status not in STATUSES:
        raise SlackRefusal("invalid_arguments", [f"status must be one of {STATUSES}"])
    title = _read_title(arguments)
    initiator = arguments.text("initiator_user_id")
    if initiator:
        workspace.find_user(initiator)
    # Title and initiator only count when the session begins.
    if find_session(workspace, channel_id, thread_ts) is None:
        _save(workspace, channel_id, thread_ts, {"title": title, "initiator_user_id": initiator})
    session = move_session(workspace, channel_id, thread_ts, status)
    return {"status": status, "agent_status": status, "title": session["title"]}


def rename_session(workspace: Workspace, arguments: Arguments) -> Document:
    channel_id, thread_ts = find_thread(workspace, arguments)
    arguments.required("title")
    title = _read_title(arguments)
    session = find_session(workspace, channel_id, thread_ts)
    if session is None:
        raise SlackRefusal("session_not_found")
    _save(workspace, channel_id, thread_ts, {**session, "title": title})
    return {"title": title}


def _read_title(arguments: Arguments) -> str:
    title = arguments.text("title")
    if len(title) > TITLE_LIMIT:
        raise SlackRefusal("invalid_arguments", ["title must be less than 201 characters"])
    return title


def move_session(workspace: Workspace, channel_id: str, thread_ts: str, status: str) -> Document:
    """Set the state of a thread's session; creates the session if there is none."""
    known = find_session(workspace, channel_id, thread_ts) or {"title": ""}
    return _save(workspace, channel_id, thread_ts, {**known, "status": status})


def find_session(workspace: Workspace, channel_id: str, thread_ts: str) -> Document | None:
    return workspace.storage.get(_SESSIONS, f"{channel_id}:{thread_ts}")


def list_sessions(workspace: Workspace) -> list[Document]:
    return workspace.storage.all(_SESSIONS)


def stopped_event(channel_id: str, thread_ts: str, user_id: str, streams: list[str]) -> Document:
    return {
        "type": "agent_session_stopped",
        "channel": channel_id,
        "thread_ts": thread_ts,
        "user": user_id,
        "streaming_message_ts": streams,
    }


def find_thread(workspace: Workspace, arguments: Arguments) -> tuple[str, str]:
    """Return the channel and ts of the thread that is named; raises Slack's refusal."""
    channel = workspace.joined_channel(arguments, "channel_id")
    arguments.required("thread_ts")
    thread_ts = read_thread(arguments)
    if workspace.records.message(channel["id"], thread_ts) is None:
        raise SlackRefusal("invalid_thread_ts")
    return channel["id"], thread_ts


def _save(workspace: Workspace, channel_id: str, thread_ts: str, facts: Document) -> Document:
    place = {"channel_id": channel_id, "thread_ts": thread_ts, "at": workspace.clock.now()}
    session = {"status": "active", **facts, **place}
    workspace.storage.put(_SESSIONS, f"{channel_id}:{thread_ts}", session)
    workspace.events.publish("status", channel=channel_id, thread_ts=thread_ts)
    return session
