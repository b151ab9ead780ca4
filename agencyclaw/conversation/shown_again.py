"""Which waiting cards an answer brings back, and to which of them it leads by a link.

A plain yes or no that had no effect may have meant a card, and so may an answer that says so.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from agencyclaw.domain.consent import read_word
from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Receipt
from agencyclaw.domain.text import folded

_LINKED_AT_MOST = 3


class ShownAgain(NamedTuple):
    """The card that is posted again where its person spoke, and those that are only linked."""

    here: tuple[Proposal, ...] = ()
    linked: tuple[UUID, ...] = ()


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

    `is_meant`: the answer is about them; of several about the one it has `named`. Where it `asks`
    anything, a card is linked at most: a yes below it could be meant for the question. Cards of
    another client than the `topic` stay away.
    """
    place = receipt.incoming.place
    if not is_meant and (asks or not _is_plain_word(receipt)):
        return ShownAgain()
    # Those of another thread of the channel count where none waits in this one.
    found = [one for one in waiting if one.place.key == place.key] or list(waiting)
    found = [one for one in found if _is_of(one, topic)]
    # Which one a mere word means is not known where several wait; an answer means its own thread's.
    near = [one for one in found if one.place.thread_ts == place.thread_ts]
    alone = _alone(near, found, named) if is_meant else found
    if len(alone) == 1 and not asks and alone[0].place.key == place.key:
        return ShownAgain(here=tuple(one for one in alone if one.suspended_by is None))
    return ShownAgain(linked=_elsewhere(found, place) if not near else ())


def _alone(near: list[Proposal], found: list[Proposal], named: str) -> list[Proposal]:
    """Return the only one that is meant: by its title, or as its thread's; else all of them."""
    called = [one for one in near or found if folded(one.effect.label) == folded(named)]
    return called if len(called) == 1 else near if len(near) == 1 else found


def _is_plain_word(receipt: Receipt) -> bool:
    return receipt.incoming.is_plain and read_word(receipt.incoming.text) is not None


def _is_of(proposal: Proposal, topic: UUID | None) -> bool:
    clients = [client.id for client in proposal.effect.clients]
    return not (topic and clients) or topic in clients


def _elsewhere(found: list[Proposal], place: Place) -> tuple[UUID, ...]:
    away = [one.id for one in found if one.place.thread_ts != place.thread_ts]
    return tuple(away[:_LINKED_AT_MOST])
