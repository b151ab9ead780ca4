"""The messages on which shortcuts were used: quoted by name, as material, where they were meant.

A thread of people is read anew in every turn, so there the message is what it reads now; gone, it
is said to be gone. Elsewhere it is what it was when the shortcut was used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from uuid import UUID

from agencyclaw.agents.thread import HeardThread, Line, pointed_at, quoted_with_files
from agencyclaw.conversation.threads import Names, is_within, line_of
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.people import Actor
from agencyclaw.domain.receipts import Incoming
from agencyclaw.domain.thread import MessageLink, QuotedMessage
from agencyclaw.store.background import Background


@dataclass(frozen=True)
class QuotedMessages:
    """What a run knows of them: the block before its message, and those before earlier ones.

    `link` leads to the latest one of this thread.
    """

    now: str = ""
    before: Mapping[UUID, str] = field(default_factory=dict[UUID, str])
    materials: tuple[Material, ...] = ()
    link: MessageLink | None = None


def quoted_messages(
    incoming: Incoming, background: Background, thread: HeardThread, actor: Actor, names: Names
) -> QuotedMessages:
    """Return what was asked about in this message and in those before it."""
    is_read = is_within(incoming) and not thread.unread
    past = {run.run_id: run.quoted for run in background.runs if run.quoted}
    here = {run.run_id for run in background.runs if run.thread_ts == incoming.place.thread_ts}
    lines = {run_id: _line(one, actor, names) for run_id, one in past.items()}
    before = {
        run_id: pointed_at(_present(thread, past[run_id], line), actor.zone)
        if is_read
        else quoted_with_files(line, actor.zone)
        for run_id, line in lines.items()
    }
    materials = tuple(line.material for line in lines.values())
    links = [_link(past[run_id], line) for run_id, line in lines.items() if run_id in here]
    if incoming.quoted is None:
        return QuotedMessages("", before, materials, links[-1] if links else None)
    line: Line | None = _line(incoming.quoted, actor, names)
    link = _link(incoming.quoted, line)
    if is_read:
        line = _present(thread, incoming.quoted, line)
    # A thread that was read names its files itself.
    files = () if is_read and not incoming.quoted.is_ours else incoming.quoted.files
    text = quoted_with_files(line, actor.zone, files, is_outside=incoming.quoted.is_outside)
    own = (line.material,) if line else ()
    return QuotedMessages(text, before, (*own, *materials), link)


def _present(thread: HeardThread, quoted: QuotedMessage, line: Line) -> Line | None:
    """Return the message as its thread has it now, or our own; None where it is gone."""
    if quoted.is_ours:
        return line
    if quoted.ts not in thread.every:
        return None
    text = thread.every[quoted.ts].text
    return replace(line, text=text, material=line.material.model_copy(update={"text": text}))


def _line(quoted: QuotedMessage, actor: Actor, names: Names) -> Line:
    line = line_of(quoted, actor, names)
    if line.material.origin is Origin.OTHERS:
        return line
    # One's own words were said to others then, and not as a request.
    own = Material(origin=Origin.QUOTED, whose=actor.name, text=line.text, taints=True)
    return Line(line.ts, line.whose, line.text, own)


def _link(quoted: QuotedMessage, line: Line) -> MessageLink | None:
    return MessageLink(author=line.whose[:120], url=quoted.permalink) if quoted.permalink else None
