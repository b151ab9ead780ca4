"""How Slack stores what a person types: escaped, with mentions and links in angle brackets."""

import re

_KEPT = re.compile(r"(<(?:@[UW][A-Z0-9]+|#C[A-Z0-9]+|!(?:here|channel|everyone))(?:\|[^<>]*)?>)")
_LINK = re.compile(r"https?://[^\s<>|]*[^\s<>|.,;:!?)\]'\"]")


def store_typed(text: str) -> str:
    pieces = _KEPT.split(text)
    return "".join(piece if index % 2 else _store(piece) for index, piece in enumerate(pieces))


def _store(piece: str) -> str:
    escaped = piece.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _LINK.sub(lambda link: f"<{link.group()}>", escaped)


def mentions(text: str, user_id: str) -> bool:
    return re.search(rf"<@{user_id}(\|[^<>]*)?>", text) is not None
