"""What a person changed through the assistant lately, and what waits for them, in all threads."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, time, timedelta
from typing import Literal
from uuid import UUID

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.conversations import Period
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.policy import Shows
from agencyclaw.domain.proposals import CONFIRMED_READ, Proposal, ProposalState
from agencyclaw.domain.text import counted, one_line
from agencyclaw.domain.unsupported import UnsupportedEffect
from agencyclaw.tools.arguments import Day, Days
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import visible_clients
from agencyclaw.tools.results import Result

_SHOWN = 30
_LATER = "Without undo, the opposite has to be asked for."
_OUT_OF_SIGHT = "of clients that are out of sight here, such as archived ones"
_UNREAD = "of another version of the assistant, which this one can't read"
_UNDO_HERE = "the Undo button of its card in this conversation, until {until}"
_UNDO_ELSEWHERE = "the Undo button of its card where it was confirmed, until {until}"


class CardInSlack(Result):
    """Where a card is."""

    url: str


class OwnChange(Result):
    """A change that this person confirmed, and what became of it.

    `url` is of what was changed, `card` where it was shown and confirmed; `undo` says how to undo
    it.
    """

    what: str
    outcome: str
    at: str
    clients: tuple[str, ...] = ()
    url: str | None = None
    card: CardInSlack | None = None
    undo: str = ""


class WaitingCard(Result):
    """A card that waits for this person's press, until when, and in which thread."""

    what: str
    until: str
    where: Literal["this thread", "another thread, and their Home tab"]
    card: CardInSlack | None = None


class OwnChanges(Result):
    """A person's changes in a time, the latest first, and all cards that wait, oldest first."""

    range: str
    total: int
    changes: tuple[OwnChange, ...] = ()
    waiting: tuple[WaitingCard, ...] = ()
    note: str


@reads(tier=Tier.VIEWER, shows=Shows.NOTES, on_demand=True)
async def list_own_changes(
    ctx: RunContext[Deps], day: Day | None = None, days: Days = 1
) -> OwnChanges:
    """List what you did or changed for who asks (done, created, confirmed today), in all threads.

    With all cards and proposals waiting for their confirmation.

    Args:
        day: The last day; today by default.
        days: How many days up to that one.
    """
    deps = ctx.deps
    last = day or deps.stored_now.astimezone(deps.actor.zone).date()
    first = last - timedelta(days=days - 1)
    period = Period(
        since=datetime.combine(first, time(0), deps.actor.zone),
        until=datetime.combine(last + timedelta(days=1), time(0), deps.actor.zone),
    )
    found = await deps.proposals.confirmed(period)
    cards = await deps.proposals.open_cards()
    seen = {client.id for client in await visible_clients(deps)}
    own, waiting = (_of_clients(seen, ones) for ones in (found, cards))
    shown = own[:_SHOWN]
    in_slack = deps.messages
    urls = await in_slack.cards([*shown, *waiting]) if in_slack else dict[UUID, str]()
    at = {key: CardInSlack(url=url) for key, url in urls.items() if url}
    notes = (
        *_notes(len(found), len(own)),
        *_not_listed("change", found, len(own)),
        *_not_listed("waiting card", cards, len(waiting)),
        _LATER,
    )
    return OwnChanges(
        range=period.label,
        total=len(own),
        changes=tuple(_change(deps, one, at.get(one.id)) for one in shown),
        waiting=tuple(_waiting(deps, one, at.get(one.id)) for one in waiting),
        note=" ".join(notes),
    )


def _of_clients(seen: Collection[UUID], found: Iterable[Proposal]) -> list[Proposal]:
    """Return what is of these clients; of what can't be read, nobody knows whose it is."""
    return [
        one
        for one in found
        if not _is_unread(one) and all(client.id in seen for client in one.effect.clients)
    ]


def _is_unread(proposal: Proposal) -> bool:
    return isinstance(proposal.effect, UnsupportedEffect)


def _notes(found: int, own: int) -> Iterator[str]:
    """Say what the list of changes leaves out, of all that were found."""
    if not found:
        yield "They confirmed nothing in that time."
    if found >= CONFIRMED_READ:
        yield f"The total is at least that: {CONFIRMED_READ} are read at most."
    if own > _SHOWN:
        yield f"The latest {_SHOWN} are shown."


def _not_listed(noun: str, found: Sequence[Proposal], listed: int) -> Iterator[str]:
    """Say how many of those that were found are not listed, and why."""
    unread = sum(map(_is_unread, found))
    if lost := len(found) - unread - listed:
        yield f"Not listed: {counted(lost, noun)} {_OUT_OF_SIGHT}."
    if unread:
        yield f"Not listed: {counted(unread, noun)} {_UNREAD}."


def _change(deps: Deps, proposal: Proposal, card: CardInSlack | None) -> OwnChange:
    at = proposal.settled_at or deps.now
    url = (proposal.result or {}).get("url")
    return OwnChange(
        what=one_line(proposal.effect.preview().headline, 200),
        outcome=_outcome(proposal),
        at=f"{at.astimezone(deps.actor.zone):%Y-%m-%d %H:%M}",
        clients=tuple(one_line(client.name, 120) for client in proposal.effect.clients),
        url=str(url) if url else None,
        card=card,
        undo=_undo(deps, proposal),
    )


def _waiting(deps: Deps, proposal: Proposal, card: CardInSlack | None) -> WaitingCard:
    until = (proposal.expires_at or deps.now).astimezone(deps.actor.zone)
    is_here = proposal.place == deps.place
    return WaitingCard(
        what=one_line(proposal.effect.preview().headline, 200),
        until=f"{until:%Y-%m-%d %H:%M}",
        where="this thread" if is_here else "another thread, and their Home tab",
        card=card,
    )


def _outcome(proposal: Proposal) -> str:
    done = proposal.effect.done
    match proposal.state:
        case ProposalState.DONE if proposal.is_being_undone:
            return message("state.being_undone", state=done)
        case ProposalState.DONE if proposal.undone_by:
            return message("state.undone_since", state=done)
        case ProposalState.DONE:
            return done
        case ProposalState.FAILED:
            return message("state.failed", done=done)
        case ProposalState.UNCLEAR:
            return message("state.unclear", done=done)
        case _:
            return message("state.confirmed", done=done)


def _undo(deps: Deps, proposal: Proposal) -> str:
    """Say where a change can be undone by a press, and until when; "" if it can't any more."""
    until = proposal.undo_until
    if until is None or until <= deps.stored_now:
        return ""
    is_here = proposal.place.key == deps.place.key
    hint = _UNDO_HERE if is_here else _UNDO_ELSEWHERE
    return hint.format(until=f"{until.astimezone(deps.actor.zone):%H:%M}")
