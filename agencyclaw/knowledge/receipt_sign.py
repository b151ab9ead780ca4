"""The sign of a receipt: only code that reports a recorded change may write it."""

from __future__ import annotations

RECEIPT_SIGN = "🧾"
# Slack turns `:receipt:` into the same sign.
SHORTCODE_END = "receipt:"
_BLANK_FRAME = "⬚"


def without_receipt_sign(text: str) -> str:
    """Return text with every receipt sign replaced by a blank frame."""
    return text.replace(RECEIPT_SIGN, _BLANK_FRAME)
