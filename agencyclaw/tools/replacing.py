"""Resolves which waiting task a new one replaces, and tells the model what becomes of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agencyclaw.deps import Deps
from agencyclaw.domain.changes import Change
from agencyclaw.domain.choices import OPTION_LIMIT, Choice, choice
from agencyclaw.domain.clients import Brand
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import Match, match_names
from agencyclaw.domain.proposals import Proposal, ProposalState, corrects, takes_place_of
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.clients import FoundClient
from agencyclaw.tools.gaps import TaskRequest
from agencyclaw.tools.names import find_named
from agencyclaw.tools.results import Ask, ask_which


@dataclass(frozen=True)
class WaitingTask:
    """A task on a waiting card, or prepared in this answer; `apart` tells it from namesakes."""

    proposal: Proposal
    task: CreateTask
    apart: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """What may be said to mean it among tasks of one title."""
        brand = (self.task.brand.name,) if self.task.brand else ()
        return (self.full_name, self.task.owner, *brand, self.task.client.name)

    @property
    def full_name(self) -> str:
        """Its owner, or what else differs."""
        return self.apart or self.task.owner

    @property
    def is_draft(self) -> bool:
        """Whether it was prepared in this answer, so that nobody has seen it."""
        return self.proposal.state is ProposalState.DRAFT

    def is_shown_in(self, thread_ts: str) -> bool:
        """Return whether its card is in this thread."""
        return not self.is_draft and self.proposal.place.thread_ts == thread_ts


def tasks_replaced(deps: Deps, request: TaskRequest) -> list[WaitingTask]:
    """Return the tasks that a request may replace: of this answer, else its thread, else all.

    A press on one of them, or its client or what tells it apart in `replaces_of`, singles it out.
    """
    titled = _titled(deps.revised, request.replaces)
    drafts = [card for card in titled if card.is_draft]
    cards_here = [card for card in titled if card.is_shown_in(deps.place.thread_ts)]
    for cards in (drafts, cards_here, titled):
        if singled_out := _singled_out(deps, request, _with_differences(cards)):
            return singled_out
    return []


def _singled_out(deps: Deps, request: TaskRequest, cards: list[WaitingTask]) -> list[WaitingTask]:
    pressed = deps.choice.id if deps.choice and deps.choice.kind == "task" else ""
    if chosen := [card for card in cards if str(card.proposal.id) == pressed]:
        return chosen
    if not request.replaces_of:
        return cards
    match = match_names(request.replaces_of, cards)
    return list(match.things) if match.is_sure else []


def ask_whose(cards: Sequence[WaitingTask], title: str) -> Ask | None:
    """Ask which task is to be replaced if several clients have one and none was named."""
    clients = {card.task.client.id for card in cards}
    return _ask_which(cards, title) if len(clients) > 1 else None


def settle_replaced(
    deps: Deps,
    request: TaskRequest,
    cards: list[WaitingTask],
    found: FoundClient,
    brand: str | None,
) -> WaitingTask | Ask | None:
    """Return the waiting task that a request replaces; asks which of several.

    The request's own client and brand take precedence. A card of another client is meant if that
    is named, or if it is the only one of that title in this thread.
    """
    of_client = [card for card in cards if card.task.client.id == found.client.id]
    if of_client:
        named = find_named(deps, brand, found.brands) if brand else Match[Brand]()
        brands = [match.id for match in named.things if named.is_sure]
        of_brand = [card for card in of_client if card.task.brand and card.task.brand.id in brands]
        # Prepared for another brand in this answer, it is another task.
        others = [card for card in of_client if not card.is_draft or not brand]
        cards = of_brand or others
    elif not request.replaces_of:
        cards = [card for card in cards if card.is_shown_in(deps.place.thread_ts)]
    if len(cards) > 1:
        return _ask_which(cards, request.replaces)
    return cards[0] if cards else None


def tasks_outdone(deps: Deps, task: CreateTask) -> list[CreateTask]:
    """Return the tasks on waiting cards that are withdrawn when this one is shown."""
    waiting = [proposal for proposal in deps.revised if proposal.state is ProposalState.OPEN]
    withdrawn = [proposal.effect for proposal in waiting if takes_place_of(task, proposal)]
    return [effect for effect in withdrawn if isinstance(effect, CreateTask)]


def require_no_double(deps: Deps, task: CreateTask, *, is_insisted: bool) -> None:
    """Raise Refused if this answer has the same task already, with other facts.

    Only the model knows whether it corrects that one or prepares a second one: it has to say so.
    """
    drafts = [draft for draft in deps.revised if draft.state is ProposalState.DRAFT]
    doubles = [draft for draft in drafts if draft.effect.entity == task.entity]
    if not doubles or is_insisted or any(corrects(task, draft) for draft in drafts):
        return
    why = message("refused.replacing.prepared_already", title=task.title)
    raise Refused(why, reason="prepared_already")


def _ask_which(cards: Sequence[WaitingTask], title: str) -> Ask:
    question = f"“{title}” waits more than once. Which one is to be replaced?"
    return ask_which(question, [_choice(card) for card in cards])


def _with_differences(cards: Sequence[WaitingTask]) -> list[WaitingTask]:
    """Return tasks with the facts in which those of one owner differ."""
    return [
        replace(card, apart=_apart(card.task, [other.task for other in cards if other is not card]))
        for card in cards
    ]


def _apart(task: CreateTask, others: Sequence[CreateTask]) -> str:
    """Return the facts of a task in which others of its owner differ, in one line."""
    facts = _facts_of(task)
    rows = [_facts_of(other) for other in others if other.owner == task.owner]
    names = dict.fromkeys(name for row in (facts, *rows) for name in row)
    differing = [name for name in names if any(row.get(name) != facts.get(name) for row in rows)]
    return one_line(
        ", ".join(f"{name} {facts.get(name, 'none')}" for name in differing), OPTION_LIMIT
    )


def _facts_of(task: CreateTask) -> dict[str, str]:
    return dict(task.preview().fields) | task.quoted_facts()


def replacement_note(effect: Change, drafted: Change, waiting: Sequence[Proposal]) -> Iterator[str]:
    """Say which open cards this one replaces, or that it replaces none.

    `drafted` is the stored effect, which may have taken over replacements of drafts it corrects.
    """
    drafts = [proposal for proposal in waiting if proposal.state is ProposalState.DRAFT]
    dropped = [proposal for proposal in drafts if corrects(effect, proposal)]
    shown = [proposal for proposal in waiting if proposal not in drafts]
    withdrawn = [proposal for proposal in shown if takes_place_of(drafted, proposal)]
    for proposal in dropped:
        yield f"{_named(proposal)} of this answer is dropped: only this one is shown."
    for proposal in withdrawn:
        yield f"The waiting card {_named(proposal)} is withdrawn when this one is shown."
    if not isinstance(effect, CreateTask):
        yield from _staying(effect, [one for one in shown if one not in withdrawn])
    if dropped or withdrawn or not isinstance(effect, CreateTask) or not effect.replaces:
        return
    yield f"No card “{effect.replaces}” of this client waits, so none is withdrawn."
    others = [_named(other.proposal) for other in _titled(waiting, effect.replaces)]
    if others:
        yield f"There is {', '.join(others)}: to replace it, name its client in replaces_of."


def _staying(effect: Change, waiting: Sequence[Proposal]) -> Iterator[str]:
    """Name the cards of the same tool and clients that this one leaves open."""
    for proposal in waiting:
        if proposal.effect.clients == effect.clients:
            yield (
                f"The card {_named(proposal)} goes on waiting: where this one is meant in its"
                " place, they press Cancel on it."
            )


def _titled(waiting: Sequence[Proposal], title: str) -> list[WaitingTask]:
    """Return the waiting tasks of a title; none without one."""
    if not title:
        return []
    return [
        WaitingTask(proposal, proposal.effect)
        for proposal in waiting
        if isinstance(proposal.effect, CreateTask)
        and folded(proposal.effect.title) == folded(title)
    ]


def _choice(waiting: WaitingTask) -> Choice:
    task = waiting.task
    if waiting.apart:
        return choice("task", waiting.proposal.id, waiting.apart)
    if task.brand:
        return choice("brand", task.brand.id, task.owner)
    return choice("client", task.client.id, task.owner)


def _named(waiting: Proposal) -> str:
    effect = waiting.effect
    owner = f" for {effect.owner}" if isinstance(effect, CreateTask) else ""
    return f"“{effect.label}”{owner}"
