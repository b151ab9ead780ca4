"""Which waiting cards an answer brings back, and to which of them it leads by a link.

A plain yes or no that had no effect may have meant a card, and so may an answer that says so. A
card that takes nothing but a press is not posted again for a yes, which would count no more there.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from agencyclaw.domain.consent.words import Word, read_word
from agencyclaw.domain.press import is_lasting
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Receipt
from agencyclaw.domain.text import folded

_LINKED_AT_MOST = 3


class ShownAgain(NamedTuple):
    """The card that is posted again where its person spoke, and those that are only linked.

    `pressed`: it is in their thread and takes nothing but a press, so that it is linked, too.
    """

    here: tuple[Proposal, ...] = ()
    linked: tuple[UUID, ...] = ()
    pressed: tuple[UUID, ...] = ()


def shown_again(
    receipt: Receipt,
    waiting: tuple[Proposal, ...],
    *,
    is_meant: bool = False,
    named: str = "",
    asks: bool = False,
    topic: UUID | None = None,
) -> ShownAgain:
    """Return what comes back of the open cards; nothing if none is meant.

    `is_meant`: the answer is about them; of several about the one it has `named`. If it `asks` a
    question, a card is only linked, because a yes below it could answer the question. Cards of
    another client than the `topic` are left out.
    """
    place = receipt.incoming.place
    if not is_meant and (asks or not _is_plain_word(receipt)):
        return ShownAgain()
    # Cards elsewhere in the channel count only if none waits in this place.
    in_place = [proposal for proposal in waiting if proposal.place.key == place.key]
    candidates = [proposal for proposal in in_place or waiting if _is_of(proposal, topic)]
    in_thread = [proposal for proposal in candidates if proposal.place.thread_ts == place.thread_ts]
    # A plain word is ambiguous if several cards wait; an answer means the card of its own thread.
    meant = _meant(in_thread, candidates, named) if is_meant else candidates
    if len(meant) == 1 and not asks and meant[0].place.key == place.key:
        return _one(
            meant[0], is_refused_yes=not is_meant and meant[0] in in_thread and _is_yes(receipt)
        )
    if in_thread:
        return ShownAgain()
    # None is in this thread, so all of them are elsewhere.
    return ShownAgain(linked=tuple(proposal.id for proposal in candidates[:_LINKED_AT_MOST]))


def _one(card: Proposal, *, is_refused_yes: bool) -> ShownAgain:
    if card.suspended_by is not None:
        # It is being revised, and stays away until its question is answered.
        return ShownAgain()
    if is_refused_yes and is_lasting(card.press_reason):
        return ShownAgain(pressed=(card.id,))
    return ShownAgain(here=(card,))


def _meant(in_thread: list[Proposal], candidates: list[Proposal], named: str) -> list[Proposal]:
    """Return the one with the named title, else the only one of the thread, else all of them."""
    titled = [
        proposal
        for proposal in in_thread or candidates
        if folded(proposal.effect.label) == folded(named)
    ]
    if len(titled) == 1:
        return titled
    return in_thread if len(in_thread) == 1 else candidates


def _is_plain_word(receipt: Receipt) -> bool:
    return receipt.incoming.is_plain and read_word(receipt.incoming.text) is not None


def _is_yes(receipt: Receipt) -> bool:
    return read_word(receipt.incoming.text) is Word.YES


def _is_of(proposal: Proposal, topic: UUID | None) -> bool:
    clients = [client.id for client in proposal.effect.clients]
    return not (topic and clients) or topic in clients
