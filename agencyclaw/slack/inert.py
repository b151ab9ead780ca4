"""Text of strangers made harmless for Slack: no live link, no mention, no line of its own."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

LIVE_HOSTS = frozenset({"app.clickup.com", "slack.com"})

# A word joiner shows nothing, but no reader of links or mentions reads across it; what somebody
# copies back to us loses it when it is cleaned.
JOINER = "\u2060"

_SUSPECT = re.compile(
    r"""
      \]\((?P<target>https?://[^\s()<>\[\]`\\|"]+)\)          # the target of a Markdown link
    | (?P<url>[a-z][a-z0-9+.-]{0,30}://[^\s<>\[\]()`|"”]+)  # an address with its scheme
    | (?P<scheme>\b(?:mailto|tel|sms|slack|javascript|vbscript|data|file):(?=\S))
    | (?P<host>(?<![\w.-])(?:[\w-]+\.)+[^\W\d_][\w-]+)        # what Slack takes for an address
    | (?P<slashes>:(?=//))                                    # a scheme that hides behind a host
    | <(?=\S)                                                 # a mention or a link in brackets
    | \](?=[(:])                                              # any other link or its definition
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HOST = re.compile(r"https?://([^/?#]+)", re.IGNORECASE)


def escape(text: str) -> str:
    """Return text as Slack's own markup wants it: its three control characters escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def one_line(text: str) -> str:
    """Return text without line breaks, so that a name can't pretend to be a paragraph."""
    return " ".join(text.split())


def is_live(url: str, live_hosts: frozenset[str]) -> bool:
    """Return whether a link to this address may be clickable."""
    found = _HOST.match(url)
    host = found.group(1).casefold() if found else ""
    return any(host == one or host.endswith(f".{one}") for one in live_hosts)


def inert(text: str, live_hosts: frozenset[str] = frozenset()) -> str:
    """Return text, plain or Markdown, in which only links to the given hosts are live.

    It reads as before. Code gets no exception, so that no reading of back-ticks brings a link back.
    """

    def disarm(found: re.Match[str]) -> str:
        url = found["target"] or found["url"]
        if url and is_live(url, live_hosts):
            return found[0]
        if url or found["host"]:
            return re.sub(r"[.\]]|:(?=/)", lambda mark: mark[0] + JOINER, found[0])
        return found[0] + JOINER

    return _SUSPECT.sub(disarm, text)


def escaped(text: str) -> str:
    """Return text for a mrkdwn object: inert and escaped."""
    return escape(inert(text))


def link(label: str, url: str) -> str:
    """Return a live link in Slack's markup; an address that could break out of it stays text."""
    words = escaped(one_line(label)).replace("|", "¦")
    if not re.fullmatch(r"https?://[^\s<>|\"`]+", url):
        return words
    return f"<{escape(url)}|{words}>"


def live_hosts(clickup_api_url: str) -> frozenset[str]:
    """Return the hosts whose links may be live: ClickUp's and Slack's own."""
    host = urlsplit(clickup_api_url).netloc
    return LIVE_HOSTS if host == "api.clickup.com" else LIVE_HOSTS | {host}
