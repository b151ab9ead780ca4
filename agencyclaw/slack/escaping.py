"""Escapes text of others for Slack: no live link, no mention, no line of its own."""

from __future__ import annotations

import re

from agencyclaw.domain.addresses import CLICKUP_HOSTS, is_at, parsed
from agencyclaw.domain.messages import message
from agencyclaw.knowledge.link_breaking import RECEIPT_SIGN, break_links
from agencyclaw.knowledge.links import for_slack
from agencyclaw.knowledge.markdown import rewritten
from agencyclaw.knowledge.secrets import redacted

LIVE_HOSTS = CLICKUP_HOSTS
# The last line of what code reports of a change. Its sign is removed from all other texts.
RECEIPT = message("escaping.from_records", seal=RECEIPT_SIGN)
_REFERENCE = re.compile(r"(<[@#][A-Z0-9]{3,20})(?:\|[^<>\n]*)?>")


def escape(text: str) -> str:
    """Return text with the three control characters of Slack's markup escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def one_line(text: str) -> str:
    """Return text without line breaks, so that a name can't pose as a paragraph."""
    return " ".join(text.split())


def is_live(url: str, live_hosts: frozenset[str]) -> bool:
    """Return whether a link to this address may be clickable."""
    return is_at(url, live_hosts)


def markdown(text: str, live_hosts: frozenset[str]) -> str:
    """Return a Markdown text without images, in which only links to the given hosts are live."""
    return rewritten(redacted(text), for_slack(lambda url: is_live(url, live_hosts)))


def escaped(text: str) -> str:
    """Return plain text for a mrkdwn object, in which nothing is live."""
    return escape(break_links(redacted(text)))


def escaped_with_names(text: str) -> str:
    """Return plain text for a modal, in which Slack shows people and channels by name.

    A modal notifies nobody, so mentions may stay live in it.
    """
    # `re.split` puts what the pattern's group matches at the odd places.
    parts = _REFERENCE.split(text)
    return "".join(f"{part}>" if at % 2 else escaped(part) for at, part in enumerate(parts))


def link(label: str, url: str) -> str:
    """Return a live link in Slack's markup; an address that could break out of it stays text."""
    words = escaped(one_line(label)).replace("|", "¦")
    if parsed(url) is None:
        return words
    return f"<{escape(url)}|{words}>"
