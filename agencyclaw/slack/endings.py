"""How a proposal ended, in the words that stand on its card afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from agencyclaw.domain.clock import day_and_time
from agencyclaw.domain.outgrown import Outgrown
from agencyclaw.domain.proposals import OPEN_AT_MOST, UNNOTED, WAITING, Proposal, ProposalState
from agencyclaw.slack import marks
from agencyclaw.slack.inert import escaped, link, one_line


@dataclass(frozen=True)
class Ending:
    """What happened, whether all of it stays in sight since more may come, and what can be done."""

    text: str
    keeps_detail: bool = False
    act: tuple[str, str] | None = None


_OUTGROWN = (
    "⌛ *Out of date.* I was updated after I prepared this, so I can't carry it out as it was "
    "shown. Nothing was changed. Ask me again if you still want it."
)
_UNNOTED = (
    "I can't reach my own records just now, so how it went is not noted down yet. I keep trying, "
    "and nothing is done twice."
)
_UNDER_WAY = (
    "I was updated while it was under way and could not find out whether it was carried out. "
    "Please look in ClickUp; if it is not there, ask me again."
)


def ending_of(proposal: Proposal) -> Ending:
    """Say what happened to a proposal, by whom and when."""
    return _out_of_date(proposal) or _by_state(proposal)


def _by_state(proposal: Proposal) -> Ending:
    match proposal.state:
        case ProposalState.DRAFT | ProposalState.OPEN:
            return Ending("Waiting.", keeps_detail=True)
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
            return Ending(
                f"↪️ *Dropped*{_at(proposal)}: at most {OPEN_AT_MOST} proposals wait in one "
                "conversation, and newer ones came. Nothing was changed. Ask me again if you "
                "still want it."
            )
        case ProposalState.SUPERSEDED:
            return Ending(
                f"↪️ *Replaced*{_by(proposal)}{_at(proposal)} by a newer proposal. "
                "Nothing was changed."
            )
        case _:
            assert_never(proposal.state)


def _expired(proposal: Proposal) -> Ending:
    if proposal.reason == "tampered":
        return Ending(f"✖️ *Ended*{_at(proposal)}: what was stored is not what was shown.")
    if proposal.superseded_by:
        return Ending(f"⌛ *Expired*{_at(proposal)}, and prepared again below.")
    return Ending(
        f"⌛ *Expired*{_at(proposal)}. Nothing was changed.",
        act=(marks.PREPARE_AGAIN, "Prepare it again"),
    )


def _out_of_date(proposal: Proposal) -> Ending | None:
    """Say what an upgrade made of it; None where it made nothing."""
    if proposal.state is ProposalState.EXPIRED and proposal.reason == "outgrown":
        return Ending(_OUTGROWN)
    if not isinstance(proposal.effect, Outgrown):
        return None
    if proposal.state in (ProposalState.DRAFT, ProposalState.OPEN, ProposalState.FAILED):
        return Ending(_OUTGROWN)
    if proposal.state is ProposalState.UNCLEAR and proposal.reason == "undecided":
        return Ending(f"❔ *Not known.* Confirmed{_by(proposal)}. {_UNDER_WAY}")
    return None


def _under_way(proposal: Proposal) -> Ending:
    said = f"⏳ *Confirmed*{_by(proposal)}."
    if proposal.reason == UNNOTED:
        return Ending(f"{said} {_UNNOTED}", keeps_detail=True)
    if proposal.reason != WAITING:
        return Ending(f"{said} Being {proposal.effect.done} now…", keeps_detail=True)
    what_for = escaped(one_line(str((proposal.result or {}).get("for", ""))))
    return Ending(f"{said} Waiting for {what_for}; nothing was changed yet.", keeps_detail=True)


def _done(proposal: Proposal) -> Ending:
    what = _linked(proposal, "Open it in ClickUp")
    said = f"✅ *{_participle(proposal)}*{_by(proposal)}{_at(proposal)}.{what}"
    if proposal.undone_by:
        return Ending(f"{said} ↩️ *Undone since.*")
    can_undo = (proposal.result or {}).get("can_undo") is True
    return Ending(said, act=(marks.UNDO, "Undo") if can_undo else None)


_WHY_CANCELLED = {
    "channel_archived": ": its channel was archived",
    "person_left": ": who asked for it is no full member of this Slack any more",
}


def _cancelled(proposal: Proposal) -> Ending:
    if proposal.confirmed_by is not None:
        # Confirmed, but no longer allowed or possible when its turn came.
        return Ending(f"✖️ *Not {proposal.effect.done}*{_at(proposal)}. Nothing was changed.")
    why = _WHY_CANCELLED.get(proposal.reason or "", "")
    return Ending(f"✖️ *Cancelled*{_by(proposal)}{_at(proposal)}{why}. Nothing was changed.")


def _unclear(proposal: Proposal) -> Ending:
    if proposal.reason == "undecided":
        return Ending(
            f"❔ *Not known.* Confirmed{_by(proposal)}. I could not find out whether it was "
            f"{proposal.effect.done}. Please look in ClickUp; if it is not there, try again.",
            keeps_detail=True,
            act=(marks.RETRY, "Try again"),
        )
    return Ending(
        f"❔ *Not known yet.* Confirmed{_by(proposal)}. ClickUp did not say whether it was "
        f"{proposal.effect.done}. I am looking for it, and I won't send it twice.",
        keeps_detail=True,
    )


def _failed(proposal: Proposal) -> Ending:
    if proposal.reason == "duplicate":
        what = _linked(proposal, "Open that one")
        return Ending(
            f"⚠️ *Not created*{_at(proposal)}: a task like this was created within the last 24 "
            f"hours.{what}",
            keeps_detail=True,
            act=(marks.CREATE_ANYWAY, "Create anyway"),
        )
    why = _reason(proposal)
    return Ending(
        f"⚠️ *Not {proposal.effect.done}*{_at(proposal)}{why}. Nothing was changed.",
        keeps_detail=True,
        act=(marks.RETRY, "Try again"),
    )


def _participle(proposal: Proposal) -> str:
    return proposal.effect.done.capitalize()


def _linked(proposal: Proposal, label: str) -> str:
    url = (proposal.result or {}).get("url")
    return f" {link(label, url)}" if isinstance(url, str) and url else ""


def _reason(proposal: Proposal) -> str:
    message = (proposal.result or {}).get("message")
    words = message if isinstance(message, str) else ""
    return f": {escaped(one_line(words)).rstrip('.')}" if words else ""


def _by(proposal: Proposal) -> str:
    return f" by {escaped(one_line(proposal.settled_by))}" if proposal.settled_by else ""


def _at(proposal: Proposal) -> str:
    moment: datetime | None = proposal.settled_at
    return f" on {day_and_time(moment, proposal.effect.timezone)}" if moment else ""
