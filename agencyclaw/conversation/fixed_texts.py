"""Fixed sentences of a conversation: help, status, apologies. No model is involved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

from agencyclaw.domain.messages import message
from agencyclaw.domain.replies import ChangeRow, Reply
from agencyclaw.domain.sheets import Sheet
from agencyclaw.domain.text import folded, one_line

THINKING = message("talk.thinking")
GIVEN_UP = message("talk.given_up")
HELP = message("talk.help")
NEW = message("talk.new")
STOPPED = message("talk.stopped")
NOTHING_TO_STOP = message("talk.nothing_to_stop")
QUEUED = message("talk.queued")
QUEUED_BEHIND_OTHERS = message("talk.queued_behind_others")
UNCHANGED = message("talk.unchanged")
UNCHANGED_SINCE = message("talk.unchanged_since")
ASKED_WHERE = message("talk.asked_where")
ELSEWHERE = message("talk.elsewhere")
FORWARDED = message("talk.forwarded")
NOWHERE = message("talk.nowhere")
UNTIL_CONFIRMED = message("talk.until_confirmed")
NEW_SESSION = "new session"
_COMMANDS = {"help": HELP, "new": NEW, NEW_SESSION: NEW}


def command(text: str, *, is_direct: bool) -> str | None:
    """Return the reply to a whole-message command in a DM, or None."""
    return _COMMANDS.get(folded(text)) if is_direct else None


def changed(reply: Reply, rows: Sequence[ChangeRow], *, is_judged: bool) -> str:
    """Say what the rows record of a change: what was carried out, or that nothing was.

    The same is added if the judge should have read an answer and did not.
    """
    if reply.changes == "earlier":
        done = [row for row in rows if row.key in reply.keys]
        return " ".join(
            message("talk.on_record", what=one_line(row.label, 80), state=row.state) for row in done
        )
    if reply.changes == "wanted_not_done" or not is_judged:
        return UNCHANGED_SINCE if any(row.key for row in rows) else UNCHANGED
    return ""


def files(sheets: Sequence[Sheet], *, is_all: bool) -> str:
    """Say which files come below, and what they leave out; `is_all`: nothing else was done."""
    sentences = [sentence for sheet in sheets for sentence in _file(sheet)]
    if sentences and is_all:
        sentences.append(message("answer.only_files"))
    return " ".join(sentences)


def _file(sheet: Sheet) -> Iterator[str]:
    rows = len(sheet.rows)
    if sheet.format == "png":
        yield message("answer.chart", title=sheet.title)
    else:
        noun = "row" + "s" * (rows != 1)
        yield message("answer.file", name=sheet.file_name, rows=rows, noun=noun)
    yield from sheet.remarks
    if sheet.left_out:
        yield message("answer.file_is_full", rows=rows, left_out=sheet.left_out)
    if sheet.unread:
        yield message("answer.file_lacks", brands=", ".join(sheet.unread))


def meanwhile(rows: Sequence[ChangeRow]) -> str:
    """Say how cards were decided while an answer was written that may call them open."""
    ended = [message("talk.meanwhile", what=one_line(row.label, 80), how=row.state) for row in rows]
    return " ".join(ended)


def lane_full(waiting: int) -> str:
    """Say that a message was not taken, until when, and what to do."""
    return message("talk.lane_full", waiting=waiting)


def waiting_for(what: str) -> str:
    """Say which service a message waits for."""
    return message("talk.waiting_for", what=what)


def waited_in_vain(about: str) -> str:
    """Say that a message waited for Slack as long as it may."""
    return message("talk.waited_in_vain", about=about)


def is_new_conversation(text: str) -> bool:
    """Return whether the message asks to start a fresh conversation."""
    return _COMMANDS.get(folded(text)) == NEW


def while_doing(doing: str) -> str:
    """Return what was being done, as a continuation; "" if unknown."""
    return message("talk.doing", doing=doing) if doing else ""


def reference(run_id: UUID) -> str:
    """Return the reference of a run, for reporting it."""
    return message("talk.reference", run_id=str(run_id)[:8])


def what_was_found(steps: str) -> str:
    """Say what had been found before the failure."""
    return message("talk.what_was_found", steps=steps)
