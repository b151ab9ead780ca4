"""Fixed sentences about proposals; no model is involved."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import assert_never

from agencyclaw.domain.clock import clock_time
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.proposals import UNDECIDED, WORDS_S, Proposal, ProposalState
from agencyclaw.domain.receipts import Link
from agencyclaw.domain.unsupported import UNSUPPORTED_REASON

UNSUPPORTED = message("proposal.unsupported")
UNSUPPORTED_UNKNOWN = message("proposal.unsupported_unknown")
UNSUPPORTED_WHY = message("proposal.unsupported_why")
_UNSAID = ": not stated."
UNCHECKED = message("proposal.unchecked")
UNDONE_BEFORE = message("proposal.undone_before")
PAUSED = message("proposal.paused")
UNWRITTEN = message("proposal.unwritten")
RENEWED = message("proposal.renewed")
WHAT_STANDS_BETWEEN = message("proposal.what_stands_between")
UNCERTAIN = message("proposal.uncertain")
UNREADABLE = message("proposal.unreadable")
YOURS_ALREADY = message("proposal.yours_already")
NOT_FOR_OTHERS = message("proposal.not_for_others")
PREPARED_ALREADY = message("proposal.prepared_already")
ADMINS_ONLY = message("proposal.admins_only")
STALE = message("proposal.stale")
FORGED = message("proposal.forged")


def channel_archived(ended: Sequence[Proposal]) -> str:
    """Say that a channel was archived, and what ended with it."""
    return message("proposal.archived", listed=_listed(ended))


def person_left(ended: Sequence[Proposal]) -> str:
    """Say to somebody who became a guest what ended with that."""
    return message("proposal.left", listed=_listed(ended))


def _listed(ended: Sequence[Proposal]) -> str:
    return ", ".join(f"“{proposal.effect.label}”" for proposal in ended)


def at_work(other: Proposal, *, is_own: bool) -> str:
    """Say who is changing the same thing now, and that nothing was started twice."""
    whose = message("proposal.your_own") if is_own else f"{other.actor_name}’s"
    return message("proposal.at_work", whose=whose, label=other.effect.label)


def words_over(proposal: Proposal) -> str:
    """Say that a card is too old for a yes in words, and what still works."""
    shown = (proposal.words_until or proposal.created_at) - timedelta(seconds=WORDS_S)
    at = clock_time(shown, proposal.effect.timezone)
    return message("proposal.words_over", at=at)


def expired(proposal: Proposal) -> str:
    """Say when a card expired; the button to prepare it again comes with it."""
    zone = proposal.effect.timezone
    at = (
        message("built.at", time=clock_time(proposal.expires_at, zone))
        if proposal.expires_at
        else ""
    )
    return message("proposal.expired", at=at)


def under_revision(proposal: Proposal) -> str:
    """Say that another version was requested, and offer both ways on."""
    return message(
        "proposal.under_revision", label=proposal.effect.label, done=localized(proposal.effect.done)
    )


def paused_before(proposal: Proposal, by: str) -> str:
    """Say that a confirmed change was not begun because everything was paused."""
    return message(
        "proposal.paused_before",
        by=by,
        label=proposal.effect.label,
        done=localized(proposal.effect.done),
    )


def taken_back(proposal: Proposal) -> str:
    """Say that a yes was deleted or edited in time, and that the card waits again."""
    return message(
        "proposal.taken_back", label=proposal.effect.label, done=localized(proposal.effect.done)
    )


def cancelled(proposal: Proposal) -> str:
    """Say that a proposal was dropped."""
    return message("proposal.cancelled", not_done=_not_done(proposal))


def withdrawn(proposal: Proposal, by: str) -> str:
    """Tell the person that an admin cancelled their proposal."""
    return message("proposal.withdrawn", by=by, label=proposal.effect.label)


def not_done(proposal: Proposal, why: str, *, can_retry: bool) -> str:
    """Say why a confirmed effect was not carried out, and where to look."""
    why = why.removesuffix(message("talk.unchanged")).rstrip(" .")
    parts = [f"{_not_done(proposal).rstrip('.')}: {why}.", message("talk.unchanged")]
    if can_retry:
        parts.append(message("proposal.can_retry"))
    return " ".join([*parts, reference(proposal)]).rstrip()


def not_undone(undoing: Proposal, why: str) -> str:
    """Say why something was not undone."""
    why = why.removesuffix(message("talk.unchanged")).rstrip(" .")
    parts = [
        message("proposal.not_undone", why=why),
        message("talk.unchanged"),
        reference(undoing),
    ]
    return " ".join(parts).rstrip()


def too_late_to_undo(proposal: Proposal) -> str:
    """Say that the time for undo is over, and what can still be done."""
    effect = proposal.effect
    over = message("proposal.too_late_to_undo", label=effect.label, done=localized(effect.done))
    return f"{over} {message('proposal.ask_to_change')}"


def _not_done(proposal: Proposal) -> str:
    return message(
        "proposal.not_done", label=proposal.effect.label, done=localized(proposal.effect.done)
    )


def reference(proposal: Proposal) -> str:
    """Return what an admin needs to find the run."""
    run_id = proposal.run_id
    return message("proposal.reference", run_id=str(run_id)[:8]) if run_id else ""


def records_unavailable(proposal: Proposal) -> str:
    """Say that our database is unavailable while something is carried out."""
    effect = proposal.effect
    return message(
        "waiting.cant_reach_own_records", label=effect.label, done=localized(effect.done)
    )


def waits_for(proposal: Proposal, what_for: str) -> str:
    """Say what it waits for, and that nothing has happened yet."""
    return message(
        "waiting.waiting_nothing_changed_yet", effect=proposal.effect.label, what_for=what_for
    )


def waited_in_vain(what_for: str) -> str:
    """Say why something is given up."""
    return message("waiting.waited_ten_minutes_vain", what_for=what_for)


def returned(proposal: Proposal, what_for: str) -> str:
    """Say that it waited as long as it may, and what can still be done."""
    text = message(
        "waiting.so_not_done",
        in_vain=waited_in_vain(what_for),
        effect=proposal.effect.label,
        done=localized(proposal.effect.done),
    )
    if proposal.state is ProposalState.OPEN:
        next_step = message("waiting.buttons_on_its_card")
    else:
        next_step = message("waiting.its_card_has_expired")
    return " ".join([text, message("talk.unchanged"), next_step, reference(proposal)]).rstrip()


def ended(proposal: Proposal, state: ProposalState) -> str:
    """Say how a proposal ended, to somebody who acts on it again."""
    title, done = f"“{proposal.effect.label}”", localized(proposal.effect.done)
    match state:
        case ProposalState.DONE:
            return message("proposal.ended.done", title=title, done=done)
        case ProposalState.CONFIRMED | ProposalState.EXECUTING:
            return message("proposal.ended.executing", title=title, done=done)
        case ProposalState.CANCELLED:
            return message("proposal.ended.cancelled", title=title)
        case ProposalState.EXPIRED:
            return UNSUPPORTED if proposal.reason == UNSUPPORTED_REASON else expired(proposal)
        case ProposalState.SUPERSEDED if proposal.reason == "crowded_out":
            return message("proposal.ended.crowded_out", title=title)
        case ProposalState.SUPERSEDED:
            return message("proposal.ended.superseded", title=title)
        case ProposalState.FAILED:
            return message("proposal.ended.failed", title=title, done=done)
        case ProposalState.UNCLEAR:
            return _unclear(proposal, title)
        case ProposalState.OPEN | ProposalState.DRAFT:
            return message("proposal.ended.open", title=title)
        case _:
            assert_never(state)


def _unclear(proposal: Proposal, title: str) -> str:
    if proposal.reason == UNDECIDED:
        done = localized(proposal.effect.done)
        return message("proposal.ended.undecided", title=title, done=done)
    return message("proposal.ended.unclear", title=title)


def still_open(points: Sequence[str]) -> str:
    """Say in a line or two what a created task still lacks."""
    unsaid = [point.removesuffix(_UNSAID) for point in points if point.endswith(_UNSAID)]
    rest = [point for point in points if not point.endswith(_UNSAID)]
    listed = ", ".join(name[:1].lower() + name[1:] for name in unsaid)
    lead = [message("proposal.still_open", listed=listed)] if listed else []
    return " ".join([*lead, *rest])


def links_of(proposal: Proposal) -> tuple[Link, ...]:
    """Return the link to what a proposal led to."""
    return link_to((proposal.result or {}).get("url"))


def link_to(url: str | None, text: str = "") -> tuple[Link, ...]:
    """Return a link, "Open the task" unless it has another text; none without an address."""
    return (Link(text=text or message("proposal.open_task"), url=url),) if url else ()
