"""What code says to people about proposals; a model has no part in these sentences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import assert_never

from agencyclaw.domain.clock import clock_time
from agencyclaw.domain.proposals import WORDS_S, Proposal, ProposalState
from agencyclaw.domain.receipts import Link

OUTGROWN = (
    "I was updated after I prepared that, so I can't carry out just what its card says. Nothing "
    "was changed. Ask me again and I'll prepare it afresh."
)
OUTGROWN_UNKNOWN = (
    "I was updated since, so I can't try that again as it was. Please look in ClickUp; if it is "
    "not there, ask me again and I'll prepare it afresh."
)
OUTGROWN_WHY = "I was updated after I prepared it; ask me again and I'll prepare it afresh"
_UNSAID = ": not stated."
UNCHECKED = "I couldn't check just now whether there is a task like it already"
UNDONE_BEFORE = "That was undone already, or is being undone right now."
PAUSED = "the pause of everything to end"
UNWRITTEN = "our own records couldn't be written just now"
RENEWED = "Here is the new proposal, for you to look at."
WHAT_STANDS_BETWEEN = "Slack to say what else was said here"
UNCERTAIN = (
    "I couldn't find out whether my card was there before you said that, so nothing was changed. "
    "Please press the card's button."
)
YOURS_ALREADY = "That one is yours already: it waits for your own press."
NOT_FOR_OTHERS = "That concerns only the person who asked, so I can't prepare it for you."
PREPARED_ALREADY = "That was prepared again already; please use the newer card."
ADMINS_ONLY = "Only an admin of your agency can cancel what waits for somebody else."
STALE = "That card has changed since, so nothing was changed. Please use the newest one."
FORGED = "That button doesn't match anything I proposed here, so nothing was changed."


def unverified(about: str) -> str:
    """Say that a form was not taken while Slack does not say who sends it."""
    return (
        f"I couldn't check with Slack just now {about}, so I did nothing. Nothing was changed. "
        "Please try again in a minute."
    )


def only(name: str) -> str:
    """Say whose proposal it is."""
    return f"Only {name}, who asked for this, can confirm or cancel it."


def archived(ended: Sequence[Proposal]) -> str:
    """Say that a channel was archived, and what ended with it."""
    return (
        f"The channel in which {_listed(ended)} waited for you was archived, so nobody can confirm "
        "it there any more. Nothing was changed. Ask me here if you still want it."
    )


def left(ended: Sequence[Proposal]) -> str:
    """Say to somebody who became a guest what ended with that."""
    return (
        f"You are no full member of this Slack any more, so {_listed(ended)} does not wait for you "
        "any longer. Nothing was changed. Please ask somebody of the agency."
    )


def _listed(ended: Sequence[Proposal]) -> str:
    return ", ".join(f"“{one.effect.label}”" for one in ended)


def at_work(other: Proposal, *, is_own: bool) -> str:
    """Say who is changing the same thing at this moment, and that nothing was started twice."""
    whose = "Your own" if is_own else f"{other.actor_name}’s"
    return (
        f"{whose} “{other.effect.label}” is being carried out right now, so I didn't start this "
        "one beside it. Nothing was changed by this; your proposal still waits for you."
    )


def words_over(proposal: Proposal) -> str:
    """Say that a card is too old for a yes by words, and what still works."""
    shown = (proposal.words_until or proposal.created_at) - timedelta(seconds=WORDS_S)
    at = clock_time(shown, proposal.effect.timezone)
    return f"This card is from {at}. Press if it is still right."


def expired(proposal: Proposal) -> str:
    """Say when a card expired; the button to prepare it again comes with it."""
    zone = proposal.effect.timezone
    at = f" at {clock_time(proposal.expires_at, zone)}" if proposal.expires_at else ""
    return f"That card expired{at}, so nothing was changed. Prepare it again?"


def under_revision(proposal: Proposal) -> str:
    """Say that another version was asked for, and leave both ways open."""
    return (
        f"You asked to change this: “{proposal.effect.label}”. Nothing was {proposal.effect.done} "
        "yet. Shall I take it as shown, or drop it?"
    )


def paused_before(proposal: Proposal, by: str) -> str:
    """Say that a confirmed change was not begun when everything was paused."""
    return (
        f"{by} paused me before “{proposal.effect.label}” was {proposal.effect.done}. Nothing was "
        "changed; its card waits for your press."
    )


def taken_back(proposal: Proposal) -> str:
    """Say that a yes was deleted or edited in time, and that the card waits again."""
    return (
        f"You took your yes back, so “{proposal.effect.label}” was not {proposal.effect.done}. "
        "Its card still waits for your press."
    )


def cancelled(proposal: Proposal) -> str:
    """Say that a proposal was dropped."""
    return f"Cancelled: {_not_done(proposal)} Nothing was changed."


def withdrawn(proposal: Proposal, by: str) -> str:
    """Tell who asked that an admin dropped their proposal."""
    return (
        f"{by}, an admin, cancelled “{proposal.effect.label}”, which was waiting for you. Nothing "
        "was changed. Ask me again if you still want it, or talk to them."
    )


def not_done(proposal: Proposal, why: str, *, can_retry: bool) -> str:
    """Say why a confirmed effect was not carried out, and where to look."""
    why = why.removesuffix("Nothing was changed.").rstrip(" .")
    parts = [f"{_not_done(proposal).rstrip('.')}: {why}.", "Nothing was changed."]
    if can_retry:
        parts.append("You can press “Try again” on the card above.")
    return " ".join([*parts, reference(proposal)]).rstrip()


def not_undone(undoing: Proposal, why: str) -> str:
    """Say why something was not taken back."""
    why = why.removesuffix("Nothing was changed.").rstrip(" .")
    parts = [f"That was not undone: {why}.", "Nothing was changed.", reference(undoing)]
    return " ".join(parts).rstrip()


def too_late_to_undo(proposal: Proposal) -> str:
    """Say that the window is over, and what can still be done."""
    return (
        f"“{proposal.effect.label}” was {proposal.effect.done} more than ten minutes ago, so I "
        "don't undo it by a button any more. Nothing was changed. Ask me to change it instead."
    )


def _not_done(proposal: Proposal) -> str:
    return f"“{proposal.effect.label}” was not {proposal.effect.done}."


def reference(proposal: Proposal) -> str:
    """Return what an admin needs to find the run."""
    run_id = proposal.run_id
    return (
        f"If it stays like this, give an admin this reference: `{str(run_id)[:8]}`."
        if run_id
        else ""
    )


def ended(proposal: Proposal, state: ProposalState) -> str:
    """Say how a proposal ended, for somebody who acts on it once more."""
    title, done = f"“{proposal.effect.label}”", proposal.effect.done
    match state:
        case ProposalState.DONE:
            return f"Nothing is waiting any more: {title} was already {done}."
        case ProposalState.CONFIRMED | ProposalState.EXECUTING:
            return f"{title} is confirmed already and being {done} right now."
        case ProposalState.CANCELLED:
            return f"{title} was cancelled, so nothing is waiting. Ask me again if you want it."
        case ProposalState.EXPIRED:
            return OUTGROWN if proposal.reason == "outgrown" else expired(proposal)
        case ProposalState.SUPERSEDED if proposal.reason == "crowded_out":
            return f"{title} was dropped when too many were waiting. Ask me again if you want it."
        case ProposalState.SUPERSEDED:
            return f"{title} was replaced by a newer proposal; please use the newer one."
        case ProposalState.FAILED:
            return f"{title} was not {done}. Use its card to try again, or ask me anew."
        case ProposalState.UNCLEAR:
            return f"I'm still finding out whether {title} reached ClickUp. I'll tell you here."
        case ProposalState.OPEN | ProposalState.DRAFT:
            return f"{title} still waits for a press on its card."
        case _:
            assert_never(state)


def still_open(points: Sequence[str]) -> str:
    """Say in a line or two what a created task still lacks."""
    unsaid = [point.removesuffix(_UNSAID) for point in points if point.endswith(_UNSAID)]
    rest = [point for point in points if not point.endswith(_UNSAID)]
    listed = ", ".join(name[:1].lower() + name[1:] for name in unsaid)
    return "Still open: " + " ".join([*([f"{listed}."] if listed else []), *rest])


def links_of(proposal: Proposal) -> tuple[Link, ...]:
    """Return the link to what a proposal led to."""
    url: str | None = (proposal.result or {}).get("url")
    return (Link(text="Open the task in ClickUp", url=url),) if url else ()
