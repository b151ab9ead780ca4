"""Suggested prompts: sentences to start a conversation with one press."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agencyclaw.domain.clients import Client
from agencyclaw.domain.messages import message

_CLIENTS = 2
# Slack shows no more.
_MOST = 4


class Opener(NamedTuple):
    """A sentence to start with, and the label of its button."""

    title: str
    message: str


_COUPON = Opener(message("openers.find_procedure"), message("openers.how_do_we_set"))
_CLIENTS_OF_MINE = Opener("My clients", message("openers.clients_of_mine"))


def prompts_for(clients: Sequence[Client], *, waiting: int) -> list[Opener]:
    """Return a person's prompts: what waits for them, and what is due for their clients."""
    offered: list[Opener] = []
    if waiting:
        offered.append(Opener(message("openers.what_waits"), message("openers.what_waiting_yes")))
    offered += [
        Opener(f"Due for {client.name}", message("openers.what_due_week", name=client.name))
        for client in clients[:_CLIENTS]
    ]
    return [*offered, _COUPON, _CLIENTS_OF_MINE][:_MOST]
