"""Parses web addresses, and recognises those in ClickUp."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

CLICKUP_HOSTS = frozenset({"app.clickup.com"})
_API_HOST = "api.clickup.com"
# Characters that end an address in a sentence, or that clients read differently.
_FOREIGN = frozenset("<>\"'`\\|^{}")


def parsed(url: str) -> SplitResult | None:
    """Return the parts of a plain web address; None if two clients could read it differently.

    That is so for white space, non-ASCII letters, backslashes, quotes, and a user before the host.
    """
    if not url.isascii() or not url.isprintable() or _FOREIGN & set(url) or " " in url:
        return None
    try:
        parts = urlsplit(url)
        is_plain = parts.port is None or parts.port > 0
    except ValueError:
        return None
    is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    return parts if is_web and is_plain and "@" not in parts.netloc else None


def is_at(url: str, hosts: frozenset[str]) -> bool:
    """Return whether an address is https at exactly one of these hosts, port included.

    On this machine, where a stand-in runs, http is allowed too.
    """
    parts = parsed(url)
    if parts is None or parts.netloc.lower() not in hosts:
        return False
    return parts.scheme == "https" or is_local(url)


def clickup_hosts(api_url: str) -> frozenset[str]:
    """Return the hosts of the web pages that belong to this ClickUp API."""
    parts = parsed(api_url)
    if parts is None or parts.netloc.lower() == _API_HOST:
        return CLICKUP_HOSTS
    return CLICKUP_HOSTS | {parts.netloc.lower()}


def addresses_in(text: str) -> tuple[str, ...]:
    """Return the addresses in a text, without the punctuation around them."""
    words = text.replace("<", " ").replace(">", " ").replace("|", " ").split()
    return tuple(word.strip("()[]{}.,;:!?\"'`*_") for word in words if "://" in word)


def task_at(url: str, hosts: frozenset[str]) -> str | None:
    """Return the id of the task at an address: `/t/<id>` or `/t/<workspace>/<id>`."""
    parts = parsed(url) if is_at(url, hosts) else None
    match parts.path.strip("/").split("/") if parts else []:
        case ["t", task_id] | ["t", _, task_id] if _is_id(task_id):
            return task_id
        case _:
            return None


def _is_id(text: str) -> bool:
    return 0 < len(text) <= 64 and all(char.isalnum() or char in "-_" for char in text)


def is_local(url: str) -> bool:
    """Return whether an address is on this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
