"""Links to the app's domains: reported to it when posted, shown as cards once it unfurls them."""

import re
from html import unescape
from typing import Any, cast
from urllib.parse import urlsplit

from workbench.slack.arguments import Arguments
from workbench.slack.content import accept_blocks
from workbench.slack.events import channel_type
from workbench.slack.installation import has_scope
from workbench.slack.records import APP, BOT, BOT_USER
from workbench.slack.refusals import SlackRefusal
from workbench.slack.workspace import Workspace
from workbench.storage import Document

_LINK = re.compile(r"<(https?://[^<>|]+)(?:\|[^<>]*)?>")
# The domain that the app's manifest names; the stand-in ClickUp's own address counts, too.
_DOMAIN = "app.clickup.com"


def send_link_shared(
    workspace: Workspace, channel: Document, message: Document, origin: str
) -> None:
    """Send `link_shared` for a person's message with links to the app's domains."""
    is_member = BOT_USER in channel["members"]
    domains = {_DOMAIN, urlsplit(origin).netloc}
    shared = [_shared(url) for url in _links_in(message)]
    links = [link for link in shared if link["domain"] in domains]
    if not links or not has_scope(workspace.storage, "links:read"):
        return
    event: Document = {
        "type": "link_shared",
        "channel": channel["id"],
        "channel_type": channel_type(channel),
        "is_bot_user_member": is_member,
        "user": message["user"],
        "message_ts": message["ts"],
        "unfurl_id": f"{channel['id']}-{message['ts']}",
        "source": "conversations_history",
        "links": links,
    }
    if message.get("thread_ts"):
        event["thread_ts"] = message["thread_ts"]
    workspace.send_event(event)


def _links_in(message: Document) -> list[str]:
    return [unescape(url) for url in dict.fromkeys(_LINK.findall(message["text"]))]


def _shared(url: str) -> dict[str, str]:
    try:
        return {"domain": urlsplit(url).netloc, "url": url}
    except ValueError:
        return {"domain": "", "url": url}


def unfurl(workspace: Workspace, arguments: Arguments) -> Document:
    """chat.unfurl: add an attachment to the message for each of its links."""
    channel = workspace.joined_channel(arguments)
    message = workspace.records.message(channel["id"], arguments.required("ts"))
    if message is None:
        raise SlackRefusal("cannot_find_message")
    unfurls = arguments.document("unfurls", "invalid_unfurls_format")
    if not isinstance(unfurls, dict) or not unfurls:
        raise SlackRefusal("missing_unfurls")
    shown = cast("dict[str, Any]", unfurls)
    if not set(shown) <= set(_links_in(message)):
        raise SlackRefusal("cannot_unfurl_url")
    cards = [
        _attachment(number, url, card) for number, (url, card) in enumerate(shown.items(), start=1)
    ]
    workspace.posts.replace(channel, message, {**message, "attachments": cards})
    return {}


def _attachment(number: int, url: str, card: Any) -> Document:
    if not isinstance(card, dict):
        raise SlackRefusal("invalid_unfurls_format")
    content = cast("dict[str, Any]", card)
    own = {"id": number, "from_url": url, "app_unfurl_url": url, "is_app_unfurl": True}
    shown = {**own, "app_id": APP, "bot_id": BOT, "fallback": "[no preview available]"}
    return shown | {"blocks": accept_blocks(content.get("blocks"))}
