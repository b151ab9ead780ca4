"""The Home tab: what waits for a person, what was done lately, who is speaking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agencyclaw.domain.proposals import Proposal
from agencyclaw.slack.blocks import Block, context, paragraphs, plain_text, section
from agencyclaw.slack.cards import buttons, who_and_until
from agencyclaw.slack.details import detail, headline
from agencyclaw.slack.endings import ending_of
from agencyclaw.slack.inert import LIVE_HOSTS

_BLOCKS_LIMIT = 100
_RECENT_LIMIT = 10
_ABOUT = (
    "I look things up, answer from what I find, and prepare ClickUp tasks. *I never write on my "
    "own:* everything I prepare waits for your yes. Write to me in Messages, or mention me in a "
    "channel."
)


def build_home(
    waiting: Sequence[Proposal],
    recent: Sequence[Proposal] = (),
    live_hosts: frozenset[str] = LIVE_HOSTS,
) -> dict[str, Any]:
    """Return the Home view of one person."""
    closing = [*_recent(recent), _heading("About"), section(_ABOUT)]
    room = _BLOCKS_LIMIT - len(closing)
    return {"type": "home", "blocks": [*_waiting(waiting, live_hosts, room), *closing]}


def _waiting(waiting: Sequence[Proposal], live_hosts: frozenset[str], room: int) -> list[Block]:
    """As many proposals as fit, each whole; the rest is counted."""
    blocks = [_heading("Waiting for you")]
    if not waiting:
        return [*blocks, section("Nothing is waiting for your word.")]
    for shown, proposal in enumerate(waiting):
        item = [*_item(proposal, live_hosts), {"type": "divider"}]
        if len(blocks) + len(item) >= room:
            left = len(waiting) - shown
            return [*blocks, context(f"… and {left} more, in the threads where you asked.")]
        blocks += item
    return blocks


def _item(proposal: Proposal, live_hosts: frozenset[str]) -> list[Block]:
    return [
        *paragraphs(f"*{headline(proposal)}*"),
        *detail(proposal, live_hosts, in_message=False),
        context(who_and_until(proposal)),
        buttons(proposal),
    ]


def _recent(recent: Sequence[Proposal]) -> list[Block]:
    blocks = [_heading("Recent")] if recent else []
    for proposal in recent[:_RECENT_LIMIT]:
        blocks += paragraphs(f"*{headline(proposal)}*\n{ending_of(proposal).text}")
    return blocks


def _heading(text: str) -> Block:
    return {"type": "header", "text": plain_text(text)}
