"""Sentences that are offered to a person who opens a conversation, to begin it with a press."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agencyclaw.domain.clients import Client

_CLIENTS = 2
# Slack shows no more.
_MOST = 4


class Opener(NamedTuple):
    """A sentence to begin with, and the few words that stand on its button."""

    title: str
    message: str


_COUPON = Opener("Find a procedure", "How do we set up a coupon?")
_CLIENTS_OF_MINE = Opener("My clients", "Which clients do I have?")


def openers_for(clients: Sequence[Client], *, waiting: int) -> list[Opener]:
    """Return what fits a person: what waits for them, what is due for their own clients."""
    offered: list[Opener] = []
    if waiting:
        offered.append(Opener("What waits for me", "What is waiting for my yes?"))
    offered += [
        Opener(f"Due for {client.name}", f"What is due this week for {client.name}?")
        for client in clients[:_CLIENTS]
    ]
    return [*offered, _COUPON, _CLIENTS_OF_MINE][:_MOST]
