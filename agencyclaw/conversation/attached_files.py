"""The files that came with messages, as text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from agencyclaw.agents.thread import QuotedThread
from agencyclaw.conversation.quoting import QuotedMessages
from agencyclaw.conversation.slack_ports import SlackReader, unread
from agencyclaw.domain.consent.reply import number
from agencyclaw.domain.errors import NotFound, Refused, Unavailable, Unclear
from agencyclaw.domain.imports import TextFile
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor
from agencyclaw.domain.receipts import Incoming
from agencyclaw.domain.sheets import is_csv
from agencyclaw.domain.text import first_few, folded
from agencyclaw.domain.thread import AttachedFile, SharedFile
from agencyclaw.knowledge.csv_files import text_file
from agencyclaw.store.background import Background

_CSV_BYTES = 1_000_000
_BYTES = 20_000_000
_NAMED_AT_MOST = 20
# A conversion may take a gigabyte, and half a minute: people wait in turn for theirs, and nothing
# else waits with them in the loop's own threads, in which addresses are looked up.
_READING = ThreadPoolExecutor(max_workers=2, thread_name_prefix="attached_files")

# Returns a file's text by its name and bytes; raises Refused, and takes seconds for a long one.
ReadDocument = Callable[[str, bytes], str]


@dataclass(frozen=True)
class MessageFiles:
    """Reads the files of one message, `own`, and of those before it; the latest come last."""

    slack: SlackReader
    read_document: ReadDocument
    own: Sequence[AttachedFile]
    shared: Sequence[SharedFile]

    async def csv_files(self) -> Sequence[TextFile]:
        """Return its own CSV files; raises Refused if one is too big, no text or not to be had."""
        attached = [file for file in self.own if is_csv(file.name)]
        return [text_file(one.name, await self._bytes(one, _CSV_BYTES)) for one in attached]

    def named(self, name: str) -> SharedFile:
        """Return the latest file of that name; raises NotFound, which names the latest ones."""
        found = {one.file.id: one for one in self.shared if folded(one.file.name) == folded(name)}
        if found:
            *others, last = found.values()
            return last._replace(namesakes=len(others))
        latest = list(dict.fromkeys(one.file.name for one in reversed(self.shared)))
        names = first_few(latest, _NAMED_AT_MOST)
        raise NotFound(message("refused.files.not_found", names=names), reason="file_not_found")

    async def text(self, file: AttachedFile) -> str:
        """Return a file's text; raises Refused if it is too big, unreadable or not to be had."""
        content = await self._bytes(file, _BYTES)
        reading = partial(self.read_document, file.name, content)
        return await asyncio.get_running_loop().run_in_executor(_READING, reading)

    async def _bytes(self, file: AttachedFile, at_most: int) -> bytes:
        try:
            content = await self.slack.file(file.id, at_most=at_most)
        except (Unavailable, Unclear) as error:
            raise unread(error, message("refused.files.unread")) from error
        if content is None:
            words = message("refused.files.too_big", file=file.name, most=f"{at_most / 1e6:g}")
            raise Refused(words, reason="too_big")
        return content


def message_files(
    slack: SlackReader | None,
    read_document: ReadDocument,
    incoming: Incoming,
    shared: Sequence[SharedFile],
) -> MessageFiles | None:
    """Return what reads the files of a message and of those before it; None if there are none."""
    if slack is None or not shared:
        return None
    # What a shortcut was used on is a message to others, and nothing to be imported.
    own = () if incoming.quoted else incoming.files
    return MessageFiles(slack, read_document, own, shared)


def files_of(
    incoming: Incoming,
    actor: Actor,
    before: Background,
    thread: QuotedThread,
    quoted: QuotedMessages,
) -> tuple[SharedFile, ...]:
    """Return the readable files of this conversation, the latest last.

    The very last are those of the message itself, or of the one that its shortcut was used on.
    """
    lines = (*thread.by_ts.values(), *quoted.earlier)
    sent = [(line.ts, file) for line in lines for file in line.files]
    sent += [
        (run.message_ts, SharedFile(file, run.speaker or actor.name))
        for run in before.runs
        if run.quoted is None
        for file in run.files
    ]
    own = tuple(SharedFile(file, actor.name) for file in incoming.files)
    if incoming.quoted:
        own = quoted.line.files if quoted.line else ()
    return (*(file for _, file in sorted(sent, key=lambda one: number(one[0]))), *own)
