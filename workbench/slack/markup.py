"""How Slack stores what a person types: escaped, with mentions and links in angle brackets."""

import re
from html import escape

# Mentions that the composer has already resolved; `split` puts them at odd positions.
_KEPT = re.compile(r"(<(?:@[UW][A-Z0-9]+|#C[A-Z0-9]+|!(?:here|channel|everyone))(?:\|[^<>]*)?>)")
_LINK = re.compile(r"(https?://[^\s<>|]*[^\s<>|.,;:!?)\]'\"])")


def encode_typed(text: str) -> str:
    """Return typed text in Slack's stored form.

    &, < and > are escaped, links stand in angle brackets, and mentions stay as they are.
    """
    pieces = _KEPT.split(text)
    return "".join(piece if index % 2 else _encode(piece) for index, piece in enumerate(pieces))


def _encode(piece: str) -> str:
    # Links are found before escaping: afterwards "&gt;" would be a part of one.
    parts = [escape(part, quote=False) for part in _LINK.split(piece)]
    return "".join(f"<{part}>" if index % 2 else part for index, part in enumerate(parts))


def mentions(text: str, user_id: str) -> bool:
    """Return whether stored text mentions this user."""
    return re.search(rf"<@{re.escape(user_id)}(\|[^<>]*)?>", text) is not None
