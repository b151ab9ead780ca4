"""How a proposal ended, as shown on its card afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from agencyclaw.domain.clock import day_and_time
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.proposals import OPEN_AT_MOST, UNRECORDED, WAITING, Proposal, ProposalState
from agencyclaw.domain.unsupported import UNSUPPORTED_REASON, UnsupportedEffect
from agencyclaw.slack import action_ids
from agencyclaw.slack.escaping import escaped, link, one_line


@dataclass(frozen=True)
class CardEnding:
    """The outcome; the details stay if more can happen, and a button offers what can be done."""

    text: str
    keeps_detail: bool = False
    button: tuple[str, str] | None = None


_UNSUPPORTED = message("card.unsupported")
_UNRECORDED = message("card.unrecorded")
_UNDER_WAY = message("card.updated_under_way")


def ending_of(proposal: Proposal) -> CardEnding:
    """Return what happened to a proposal, by whom and when."""
    return _out_of_date(proposal) or _by_state(proposal)


def _by_state(proposal: Proposal) -> CardEnding:
    match proposal.state:
        case ProposalState.DRAFT | ProposalState.OPEN:
            return CardEnding(message("card.waiting"), keeps_detail=True)
        case ProposalState.CONFIRMED | ProposalState.EXECUTING:
            return _under_way(proposal)
        case ProposalState.DONE:
            return _done(proposal)
        case ProposalState.UNCLEAR:
            return _unclear(proposal)
        case ProposalState.FAILED:
            return _failed(proposal)
        case ProposalState.CANCELLED:
            return _cancelled(proposal)
        case ProposalState.EXPIRED:
            return _expired(proposal)
        case ProposalState.SUPERSEDED if proposal.reason == "crowded_out":
            return CardEnding(
                message("card.crowded_out", at=_at(proposal), open_at_most=OPEN_AT_MOST)
            )
        case ProposalState.SUPERSEDED:
            return CardEnding(message("card.replaced", at=_at(proposal)))
        case _:
            assert_never(proposal.state)


def _expired(proposal: Proposal) -> CardEnding:
    if proposal.reason == "tampered":
        return CardEnding(message("card.tampered", at=_at(proposal)))
    if proposal.superseded_by:
        return CardEnding(message("card.expired_renewed", at=_at(proposal)))
    return CardEnding(
        message("card.expired", at=_at(proposal)),
        button=(action_ids.PREPARE_AGAIN, message("card.prepare_again")),
    )


def _out_of_date(proposal: Proposal) -> CardEnding | None:
    """Return what an upgrade did to it; None if nothing."""
    if proposal.state is ProposalState.EXPIRED and proposal.reason == UNSUPPORTED_REASON:
        return CardEnding(_UNSUPPORTED)
    if not isinstance(proposal.effect, UnsupportedEffect):
        return None
    if proposal.state in (ProposalState.DRAFT, ProposalState.OPEN, ProposalState.FAILED):
        return CardEnding(_UNSUPPORTED)
    if proposal.state is ProposalState.UNCLEAR and proposal.reason == "undecided":
        return CardEnding(
            message("card.unsupported_unknown", by=_by(proposal), under_way=_UNDER_WAY)
        )
    return None


def _under_way(proposal: Proposal) -> CardEnding:
    text = f"⏳ *Confirmed*{_by(proposal)}."
    if proposal.reason == UNRECORDED:
        return CardEnding(f"{text} {_UNRECORDED}", keeps_detail=True)
    if proposal.reason != WAITING:
        return CardEnding(
            message("card.under_way", text=text, done=localized(proposal.effect.done)),
            keeps_detail=True,
        )
    what_for = escaped(one_line(str((proposal.result or {}).get("for", ""))))
    return CardEnding(
        message("card.waiting_for", text=text, what_for=what_for),
        keeps_detail=True,
    )


def _done(proposal: Proposal) -> CardEnding:
    what = _linked(proposal, message("card.open_in_clickup"))
    done, by, at = _participle(proposal), _by(proposal), _at(proposal)
    text = message("built.done", done=done, by=by, at=at, what=what)
    if proposal.is_being_undone:
        return CardEnding(message("card.being_undone", text=text))
    if proposal.undone_by:
        return CardEnding(message("card.undone", text=text))
    can_undo = (proposal.result or {}).get("can_undo") is True
    return CardEnding(text, button=(action_ids.UNDO, message("card.undo")) if can_undo else None)


_WHY_CANCELLED = {
    "channel_archived": message("card.channel_archived"),
    "person_left": message("card.person_left"),
}


def _cancelled(proposal: Proposal) -> CardEnding:
    if proposal.confirmed_by is not None:
        # Confirmed, but no longer allowed or possible when its turn came.
        return CardEnding(
            message("card.not_done", done=localized(proposal.effect.done), at=_at(proposal))
        )
    why = _WHY_CANCELLED.get(proposal.reason or "", "")
    return CardEnding(message("card.cancelled", by=_by(proposal), at=_at(proposal), why=why))


def _unclear(proposal: Proposal) -> CardEnding:
    if proposal.reason == "undecided":
        return CardEnding(
            message("card.undecided", by=_by(proposal), done=localized(proposal.effect.done)),
            keeps_detail=True,
            button=(action_ids.RETRY, message("card.try_again")),
        )
    return CardEnding(
        message("card.unclear", by=_by(proposal), done=localized(proposal.effect.done)),
        keeps_detail=True,
    )


def _failed(proposal: Proposal) -> CardEnding:
    if proposal.reason == "duplicate":
        what = _linked(proposal, message("card.open_that_one"))
        return CardEnding(
            message("card.duplicate", at=_at(proposal), what=what),
            keeps_detail=True,
            button=(action_ids.CREATE_ANYWAY, message("card.create_anyway")),
        )
    why = _reason(proposal)
    return CardEnding(
        message("card.failed", done=localized(proposal.effect.done), at=_at(proposal), why=why),
        keeps_detail=True,
        button=(action_ids.RETRY, message("card.try_again")),
    )


def _participle(proposal: Proposal) -> str:
    return localized(proposal.effect.done).capitalize()


def _linked(proposal: Proposal, label: str) -> str:
    url = (proposal.result or {}).get("url")
    return f" {link(label, url)}" if isinstance(url, str) and url else ""


def _reason(proposal: Proposal) -> str:
    reason = (proposal.result or {}).get("message")
    if not isinstance(reason, str) or not reason:
        return ""
    return f": {escaped(one_line(reason)).rstrip('.')}"


def _by(proposal: Proposal) -> str:
    return (
        message("built.by", name=escaped(one_line(proposal.settled_by)))
        if proposal.settled_by
        else ""
    )


def _at(proposal: Proposal) -> str:
    if proposal.settled_at is None:
        return ""
    when = day_and_time(proposal.settled_at, proposal.effect.timezone)
    return message("built.on", when=when)
