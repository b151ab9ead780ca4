"""The messages on which shortcuts were used, quoted by name as material.

In a thread of people, which is read anew in every turn, such a message is quoted as it is now, or
as deleted. Elsewhere it is quoted as it was when the shortcut was used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from uuid import UUID

from agencyclaw.agents.thread import Line, QuotedThread, pointed_at, quoted_with_files
from agencyclaw.conversation.threads import Names, is_within, line_of
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.people import Actor
from agencyclaw.domain.receipts import Incoming
from agencyclaw.domain.thread import MessageLink, QuotedMessage
from agencyclaw.store.background import Background


@dataclass(frozen=True)
class QuotedMessages:
    """The block before the present message, and those before earlier ones by their runs.

    `link` leads to the latest quoted message of this thread. `line` and `earlier` are those that
    are not deleted, with their files: of this message, and of earlier ones.
    """

    now: str = ""
    before: Mapping[UUID, str] = field(default_factory=dict[UUID, str])
    materials: tuple[Material, ...] = ()
    link: MessageLink | None = None
    line: Line | None = None
    earlier: tuple[Line, ...] = ()


def quoted_messages(
    incoming: Incoming, background: Background, thread: QuotedThread, actor: Actor, names: Names
) -> QuotedMessages:
    """Return the messages that this message and the earlier ones are about."""
    is_thread_read = is_within(incoming) and not thread.unread
    past = {
        run.run_id: run.quoted.model_copy(update={"attached": run.files})
        for run in background.runs
        if run.quoted
    }
    here = {run.run_id for run in background.runs if run.thread_ts == incoming.place.thread_ts}
    lines = {run_id: _line(message, actor, names) for run_id, message in past.items()}
    present = {
        run_id: _present(thread, past[run_id], line) if is_thread_read else line
        for run_id, line in lines.items()
    }
    before = {
        run_id: pointed_at(line, actor.zone)
        if line and is_thread_read and thread.quotes_whole(line.ts)
        else _quoted(line, past[run_id], actor, is_thread_read=is_thread_read)
        for run_id, line in present.items()
    }
    earlier = tuple(line for line in present.values() if line)
    materials = tuple(line.material for line in earlier)
    links = [_link(past[run_id], line) for run_id, line in lines.items() if run_id in here]
    if incoming.quoted is None:
        return QuotedMessages("", before, materials, links[-1] if links else None, None, earlier)
    quoted = incoming.quoted.model_copy(update={"attached": incoming.files})
    line: Line | None = _line(quoted, actor, names)
    link = _link(quoted, line)
    if is_thread_read:
        line = _present(thread, quoted, line)
    text = _quoted(line, quoted, actor, is_thread_read=is_thread_read)
    own = (line.material,) if line else ()
    return QuotedMessages(text, before, (*own, *materials), link, line, earlier)


def _quoted(line: Line | None, quoted: QuotedMessage, actor: Actor, *, is_thread_read: bool) -> str:
    # A text that was read from the thread names its files itself.
    files = () if is_thread_read and not quoted.is_ours else quoted.files
    return quoted_with_files(line, actor.zone, files, is_outside=quoted.is_outside)


def _present(thread: QuotedThread, quoted: QuotedMessage, line: Line) -> Line | None:
    """Return the message as it is in its thread now; None if it was deleted."""
    if quoted.is_ours:
        return line
    if quoted.ts not in thread.by_ts:
        return None
    text = thread.by_ts[quoted.ts].text
    return replace(line, text=text, material=line.material.model_copy(update={"text": text}))


def _line(quoted: QuotedMessage, actor: Actor, names: Names) -> Line:
    line = line_of(quoted, actor, names)
    if line.material.origin is Origin.OTHERS:
        return line
    # The person wrote it to others, not as a request to us.
    own = Material(origin=Origin.QUOTED, whose=actor.name, text=line.text, taints=True)
    return replace(line, material=own)


def _link(quoted: QuotedMessage, line: Line) -> MessageLink | None:
    return MessageLink(author=line.whose[:120], url=quoted.permalink) if quoted.permalink else None
