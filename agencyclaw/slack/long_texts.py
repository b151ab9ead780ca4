"""Modals that only show a text: a short notice, or page by page what is too long for a card."""

from __future__ import annotations

from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.slack import action_ids
from agencyclaw.slack.blocks import (
    Block,
    actions,
    button,
    context,
    modal,
    outline,
    paragraphs,
    section,
)
from agencyclaw.slack.details import headline, text_origins
from agencyclaw.slack.escaping import escaped

# A modal takes 100 blocks; a person reads fewer at a time.
_PAGE_BLOCKS = 40
_EMPTY = message("long_texts.empty")


def build_text(proposal: Proposal, text: str, page: int = 0) -> Block:
    """Return the modal with one page of a proposal's text; at most the last page."""
    blocks = outline(text) or paragraphs(_EMPTY)
    pages = [blocks[at : at + _PAGE_BLOCKS] for at in range(0, len(blocks), _PAGE_BLOCKS)]
    page = min(page, len(pages) - 1)
    return modal(
        message("long_texts.title"),
        [
            *paragraphs(f"*{headline(proposal)}*"),
            *text_origins(proposal),
            *pages[page],
            *_paging(proposal, page, len(pages)),
        ],
    )


def build_notice(text: str) -> Block:
    """Return a modal that only shows a text."""
    return modal("AgencyClaw", [section(escaped(text))])


def _paging(proposal: Proposal, page: int, count: int) -> list[Block]:
    if count == 1:
        return []
    buttons: list[Block] = []
    if page > 0:
        buttons.append(_page_button(proposal, localized("Previous page"), page - 1))
    if page + 1 < count:
        buttons.append(_page_button(proposal, message("built.next_page"), page + 1))
    return [context(message("built.page", page=page + 1, count=count)), actions(buttons)]


def _page_button(proposal: Proposal, label: str, page: int) -> Block:
    value = action_ids.page_button_value(proposal, page)
    return button(f"{action_ids.TURN_PAGE}_{page}", label, value)
