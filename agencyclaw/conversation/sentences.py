"""What code says in a conversation: help, status, apologies. Fixed sentences, no model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from agencyclaw.domain.replies import ChangeRow, Reply
from agencyclaw.domain.text import folded, one_line

THINKING = "is thinking…"
GIVEN_UP = (
    "I'm sorry: I failed on this message several times and have set it aside. Nothing was changed. "
    "Please send it again in other words, or tell an admin."
)
HELP = (
    "I look things up and prepare work; you decide. You can ask me about clients, brands, "
    "procedures and tasks (“what's due this week for Glintly?”), or ask me to prepare a ClickUp "
    "task (“create a coupon task for Copperleaf …”). I show a card first, and nothing is created "
    "until you press its button or say yes.\n"
    "• `new` starts a fresh conversation\n• `stop` drops what I'm doing, and what is "
    "waiting for your word"
)
NEW = "Fresh start: I've put our earlier conversation aside. Open proposals stay as they are."
STOPPED = "Stopped, as you asked. Nothing was changed."
NOTHING_TO_STOP = "I'm not working on anything here, and nothing waits. Nothing was changed."
QUEUED = (
    "I'm still working on what you asked before; this comes next. Write “stop” if I should drop "
    "what I'm doing."
)
UNCHANGED = "Nothing was changed."
UNCHANGED_SINCE = "Nothing was changed by this message."
ASKED_WHERE = "asked in a channel"
ELSEWHERE = (
    "That is not for everybody who reads along here, so I answer you in our direct messages."
)
NOWHERE = (
    "People of another company read along in this channel, and no client is linked to it, so I "
    "look nothing up here. Nothing was changed. Please write to me in a direct message."
)
_COMMANDS = {"help": HELP, "new": NEW, "new session": NEW}


def command(text: str, *, is_direct: bool) -> str | None:
    """Return the reply to a whole-message command of a DM, or None."""
    return _COMMANDS.get(folded(text)) if is_direct else None


def until_confirmed(done: Iterable[str]) -> str:
    """Say that a card is only a proposal; `done` are the participles of what it would do."""
    participles = set(done)
    [participle] = participles if len(participles) == 1 else {"changed"}
    return f"Nothing is {participle} until you confirm."


def changed(reply: Reply, rows: Sequence[ChangeRow], *, is_judged: bool) -> str:
    """Say what the rows have of a change: what was carried out, or nothing where it was wanted.

    Words that a judge should have read and did not are not left to stand alone either.
    """
    if reply.changes == "earlier":
        done = [row for row in rows if row.key == reply.earlier]
        return " ".join(f"On record: “{one_line(row.label, 80)}”, {row.state}." for row in done)
    if reply.changes == "wanted_not_done" or not is_judged:
        return UNCHANGED_SINCE if any(row.key for row in rows) else UNCHANGED
    return ""


def dropped(labels: str) -> str:
    """Say what a Stop ended that was waiting."""
    return f"Dropped, as you asked: {labels}. Nothing was changed."


def lane_full(waiting: int) -> str:
    """Say that a message was not taken, for how long that holds, and what to do."""
    return (
        f"I still have {waiting} messages of this conversation to answer, so I haven't taken this "
        "one, nor what you write in the next minute. Nothing is lost of what came before; please "
        "send this again once I've caught up."
    )


def waiting_for(what: str) -> str:
    """Say under a thread what a message waits for."""
    return f"is waiting for {what}…"


FORWARDED = "I'll answer you in our direct messages."


def kept(about: str) -> str:
    """Say that a command waits for Slack, and that its end will be told."""
    return (
        f"Slack does not tell me {about} just now, so I keep this and do it as soon as it does, "
        "for ten minutes at most. I'll tell you then; there is no need to send it again."
    )


def waited_in_vain(about: str) -> str:
    """Say that a message waited for Slack for as long as it may."""
    return (
        f"Slack has not told me {about} for ten minutes, so I did nothing with this. Nothing was "
        "changed. Please send it again later; if it stays like this, tell an admin."
    )


def is_renewal(text: str) -> bool:
    """Return whether the message asks for a fresh conversation."""
    return folded(text) in {"new", "new session"}


def too_many(at_most: int) -> str:
    """Say that a person writes faster than answers may be made."""
    return (
        f"That was more than {at_most} messages within a minute, so I left this one unanswered. "
        "Nothing was changed. Please send it again in a minute."
    )


def no_answer(doing: str, why: str) -> str:
    """Say that there is no answer, what was being done, and what stopped it."""
    was = f" I was at this: {doing}." if doing else ""
    return f"I'm sorry, I couldn't answer that.{was} {why}"


def prepared_without_words(why: str) -> str:
    """Say that a card stands for itself, as its words failed."""
    return f"What I prepared is on the card. I have no words of my own to go with it: {why}"


def what_failed(steps: str, fault: str) -> str:
    """Say of a step why it came to nothing."""
    return f"• Did not work: {steps}. {fault}"


def what_was_found(steps: str) -> str:
    """Say what had been found until then."""
    return f"• Had worked: {steps}."


def way_on(advice: str, run_id: UUID) -> str:
    """Say that nothing changed, what to do, and where to look."""
    return (
        f"Nothing was changed. {advice or 'Please try again in a moment.'} If it stays like this, "
        f"give an admin this reference: `{str(run_id)[:8]}`."
    )
