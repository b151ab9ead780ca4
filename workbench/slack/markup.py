"""How Slack stores what a person types: escaped, with mentions and links in angle brackets."""

import re
from html import escape

# Slack writes an emoji by its name; it knows them all, these are a few.
EMOJI = {
    "👍": "+1",
    "👎": "-1",
    "🎉": "tada",
    "🚀": "rocket",
    "🔥": "fire",
    "✅": "white_check_mark",
    "❌": "x",
    "🙏": "pray",
    "😀": "grinning",
    "👀": "eyes",
}
QUOTE = "&gt;"
_EMOJI = re.compile(f"([{''.join(EMOJI)}])")
# Mentions that the composer has already resolved; `split` puts them at odd positions.
_KEPT = re.compile(r"(<(?:@[UW][A-Z0-9]+|#C[A-Z0-9]+|!(?:here|channel|everyone))(?:\|[^<>]*)?>)")
_LINK = re.compile(r"(https?://[^\s<>|]*[^\s<>|.,;:!?)\]'\"])")
_EMAIL = re.compile(r"([\w.+-]+@(?:[\w-]+\.)+[a-z]{2,})", re.IGNORECASE)
# Slack links a bare domain too; it knows every ending, these are a few of them.
_DOMAIN = re.compile(
    r"(?<![\w@./-])((?:[a-z0-9-]+\.)+(?:com|net|org|io|co|de|es|fr|it|uk|ca|mx|pt|eu)"
    r"(?:/[^\s<>|]*[^\s<>|.,;:!?)\]'\"])?)(?![\w@-]|\.\w)",
    re.IGNORECASE,
)


def encode_typed(text: str) -> str:
    """Return typed text in Slack's stored form.

    &, < and > are escaped, links stand in angle brackets, and mentions stay as they are. A bare
    domain and an e-mail address become links with what was typed as their label.
    """
    pieces = _KEPT.split(text)
    return "".join(piece if index % 2 else _encode(piece) for index, piece in enumerate(pieces))


def _encode(piece: str) -> str:
    # Links are found before escaping: afterwards "&gt;" would be a part of one.
    return "".join(
        f"<{escape(part, quote=False)}>" if index % 2 else _encode_email(part)
        for index, part in enumerate(_LINK.split(piece))
    )


def _encode_email(piece: str) -> str:
    return "".join(
        f"<mailto:{part}|{part}>" if index % 2 else _encode_domain(part)
        for index, part in enumerate(_EMAIL.split(piece))
    )


def _encode_domain(piece: str) -> str:
    parts = [escape(part, quote=False) for part in _DOMAIN.split(piece)]
    return "".join(
        f"<http://{part}|{part}>" if index % 2 else _encode_emoji(part)
        for index, part in enumerate(parts)
    )


def _encode_emoji(piece: str) -> str:
    return _EMOJI.sub(lambda found: f":{EMOJI[found[0]]}:", piece)


def mentions(text: str, user_id: str) -> bool:
    """Return whether stored text mentions this user."""
    return re.search(rf"<@{re.escape(user_id)}(\|[^<>]*)?>", text) is not None
