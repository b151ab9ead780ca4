"""The slash command: answered in its acknowledgement, nothing is stored."""

from __future__ import annotations

from typing import Any

COMMAND = "/claw"
COMMAND_SCOPE = "commands"

HELP = (
    "*How to work with me*\n"
    "• Write to me in a direct message, or mention me in a channel; in a thread where I take part "
    "you need not mention me again.\n"
    "• Ask about clients, brands, procedures and tasks, for example “what is due this week for "
    "Brightkettle?”\n"
    "• Ask for a task, for example “create a coupon task for Copperleaf: 20% off the garlic "
    "press, starting Monday”. I prepare it and show it to you.\n"
    "• I never create anything on my own: press the button on the card, or say “yes, create it”. "
    "“cancel” drops it, *Edit* changes it first.\n"
    "• My Home tab lists what is waiting for you."
)


def answer_command(body: dict[str, Any]) -> dict[str, Any]:
    """Return the private answer to a command."""
    words = str(body.get("text") or "").split()
    unknown = bool(words) and words[0].casefold() not in ("help", "where")
    opening = "I don't know that command yet, but this is what I can do.\n\n" if unknown else ""
    return {"response_type": "ephemeral", "text": opening + HELP}
