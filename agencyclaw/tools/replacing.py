"""Resolves which open card a new one replaces if its title alone does not say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from agencyclaw.deps import Deps
from agencyclaw.domain.changes import Change
from agencyclaw.domain.choices import Choice, choice
from agencyclaw.domain.clients import Client
from agencyclaw.domain.effects import CreateTask
from agencyclaw.domain.names import match_names
from agencyclaw.domain.proposals import (
    Proposal,
    ProposalState,
    corrects,
    is_renamed_by,
    takes_place_of,
)
from agencyclaw.domain.text import folded
from agencyclaw.tools.gaps import TaskRequest
from agencyclaw.tools.results import Ask, ask_which


@dataclass(frozen=True)
class _Waiting:
    """An open task, named after its brand and client."""

    card: Proposal
    task: CreateTask

    @property
    def names(self) -> tuple[str, ...]:
        brand = (self.task.brand.name,) if self.task.brand else ()
        return (self.task.owner, *brand, self.task.client.name)

    @property
    def full_name(self) -> str:
        return self.task.owner


def settle_replaced(deps: Deps, request: TaskRequest, client: Client) -> UUID | Ask | None:
    """Return another client's open proposal that a task replaces; asks which of several.

    The task's own client takes precedence, because the title identifies it there. Another client's
    is meant if that client is named, or if it is the only one of that title in this thread.
    """
    cards = _titled(deps.revised, request.replaces)
    if request.replaces_of:
        match = match_names(request.replaces_of, cards)
        cards = list(match.things) if match.is_sure else []
    if any(is_renamed_by(request.replaces, client.id, one.task) for one in cards):
        return None
    if not request.replaces_of:
        here = deps.place.thread_ts
        cards = [one for one in cards if one.card.place.thread_ts == here]
    if len(cards) > 1:
        question = f"“{request.replaces}” waits more than once. Whose card is to be replaced?"
        return ask_which(question, [_choice(one.task) for one in cards])
    return cards[0].card.id if cards else None


def replacement_note(effect: Change, drafted: Change, waiting: Sequence[Proposal]) -> Iterator[str]:
    """Say which open cards this one replaces, or that it replaces none.

    `drafted` is the stored effect, which may have taken over replacements of drafts it corrects.
    """
    drafts = [one for one in waiting if one.state is ProposalState.DRAFT]
    dropped = [one for one in drafts if corrects(effect, one)]
    gone = [one for one in waiting if one not in drafts and takes_place_of(drafted, one)]
    for one in dropped:
        yield f"{_named(one)} of this answer is dropped: only this one is shown."
    for one in gone:
        yield f"The waiting card {_named(one)} is withdrawn when this one is shown."
    if dropped or gone or not isinstance(effect, CreateTask) or not effect.replaces:
        return
    yield f"No card “{effect.replaces}” of this client waits, so none is withdrawn."
    others = [_named(one.card) for one in _titled(waiting, effect.replaces)]
    if others:
        yield f"There is {', '.join(others)}: to replace it, name its client in replaces_of."


def _titled(waiting: Sequence[Proposal], title: str) -> list[_Waiting]:
    tasks = [_Waiting(one, one.effect) for one in waiting if isinstance(one.effect, CreateTask)]
    return [one for one in tasks if title and folded(one.task.title) == folded(title)]


def _choice(task: CreateTask) -> Choice:
    if task.brand:
        return choice("brand", task.brand.id, task.owner)
    return choice("client", task.client.id, task.owner)


def _named(waiting: Proposal) -> str:
    effect = waiting.effect
    owner = f" for {effect.owner}" if isinstance(effect, CreateTask) else ""
    return f"“{effect.label}”{owner}"
