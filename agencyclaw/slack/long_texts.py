"""Shows a text that is too long for a card in a window, page by page."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.slack import action_ids
from agencyclaw.slack.blocks import Block, actions, button, context, outline, paragraphs, plain_text
from agencyclaw.slack.details import headline, whose_words

# A window takes 100 blocks; a person reads fewer at a time.
_PAGE_BLOCKS = 40
_EMPTY = message("long_texts.empty")


def build_text(proposal: Proposal, text: str, page: int = 0) -> dict[str, Any]:
    """Return the window with one page of a proposal's text; at most the last page."""
    blocks = outline(text) or paragraphs(_EMPTY)
    pages = [blocks[at : at + _PAGE_BLOCKS] for at in range(0, len(blocks), _PAGE_BLOCKS)]
    page = min(page, len(pages) - 1)
    return {
        "type": "modal",
        "title": plain_text(message("long_texts.title")),
        "close": plain_text("Close"),
        "blocks": [
            *paragraphs(f"*{headline(proposal)}*"),
            *whose_words(proposal),
            *pages[page],
            *_turning(proposal, page, len(pages)),
        ],
    }


def _turning(proposal: Proposal, page: int, count: int) -> list[Block]:
    if count == 1:
        return []
    ways = [("Previous page", page - 1)] if page else []
    ways += [("Next page", page + 1)] if page + 1 < count else []
    buttons = [
        button(f"{action_ids.TURN_PAGE}_{to}", label, action_ids.page_mark(proposal, to))
        for label, to in ways
    ]
    return [context(f"Page {page + 1} of {count}"), actions(buttons)]
