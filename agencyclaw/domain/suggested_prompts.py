"""Suggested prompts: sentences to start a conversation with one press."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from agencyclaw.domain.clients import Client
from agencyclaw.domain.messages import message
from agencyclaw.domain.reconciling import SlackPerson
from agencyclaw.domain.text import one_line

_CLIENTS = 2
# Slack shows no more.
_MOST = 4
_NAME_LIMIT = 40
_IN_NAMES = frozenset(" -.'’")


class SuggestedPrompt(NamedTuple):
    """A sentence to start with, and the label of its button."""

    title: str
    message: str


_COUPON = SuggestedPrompt(message("prompts.find_procedure"), message("prompts.how_do_we_set"))
_HELP = SuggestedPrompt(message("prompts.help"), "help")
_CLIENTS_OF_MINE = SuggestedPrompt("My clients", message("prompts.clients_of_mine"))


def prompts_for(
    clients: Sequence[Client],
    *,
    waiting: int,
    is_new: bool = False,
    unknown: Sequence[SlackPerson] = (),
) -> list[SuggestedPrompt]:
    """Return a person's prompts: who is to be added, what waits, what is due for their clients.

    `unknown` are people without a profile who wrote to us. Who `is_new` is offered the help first.
    """
    offered = [_HELP] if is_new else []
    offered += [
        SuggestedPrompt(
            message("prompts.add", name=_shown_name(person)),
            message(
                "prompts.add_person",
                name=_shown_name(person),
                account=person.id,
                email=person.email,
            ),
        )
        for person in unknown
        if person.email
    ]
    if waiting:
        offered.append(
            SuggestedPrompt(
                message("prompts.what_waits"),
                message("prompts.what_waiting_yes"),
            )
        )
    offered += [
        SuggestedPrompt(
            message("built.due_for", client=client.name),
            message("prompts.what_due_week", name=client.name),
        )
        for client in clients[:_CLIENTS]
    ]
    return [*offered, _COUPON, _CLIENTS_OF_MINE][:_MOST]


def _shown_name(person: SlackPerson) -> str:
    """Return a stranger's name, or their e-mail if it could be a sentence in the admin's mouth."""
    name = one_line(person.name, _NAME_LIMIT + 1)
    is_name = all(char in _IN_NAMES or unicodedata.category(char)[0] in "LM" for char in name)
    return name if is_name and 0 < len(name) <= _NAME_LIMIT else person.email
