"""The files that came with messages, as text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agencyclaw.agents.thread import QuotedThread
from agencyclaw.conversation.slack_ports import SlackReader, unread
from agencyclaw.domain.errors import NotFound, Refused, Unavailable, Unclear
from agencyclaw.domain.imports import TextFile
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor
from agencyclaw.domain.receipts import Incoming
from agencyclaw.domain.sheets import is_csv
from agencyclaw.domain.text import listed
from agencyclaw.domain.thread import AttachedFile, SharedFile
from agencyclaw.knowledge.csv_files import text_file
from agencyclaw.store.background import Background

_CSV_BYTES = 1_000_000
_BYTES = 20 * 1024 * 1024

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
        """Return the latest file of that name; raises NotFound, which names those there are."""
        for one in reversed(self.shared):
            if one.file.name.casefold() == name.casefold():
                return one
        names = listed(list(dict.fromkeys(one.file.name for one in self.shared)))
        raise NotFound(message("refused.files.not_found", names=names), reason="file_not_found")

    async def text(self, file: AttachedFile) -> str:
        """Return a file's text; raises Refused if it is too big, unreadable or not to be had."""
        content = await self._bytes(file, _BYTES)
        return await asyncio.to_thread(self.read_document, file.name, content)

    async def _bytes(self, file: AttachedFile, at_most: int) -> bytes:
        try:
            content = await self.slack.file(file.id, at_most=at_most)
        except (Unavailable, Unclear) as error:
            raise unread(error, message("refused.files.unread")) from error
        if content is None:
            words = message("refused.files.too_big", file=file.name, most=f"{at_most:,}")
            raise Refused(words, reason="too_big")
        return content


def files_of(
    slack: SlackReader | None,
    read_document: ReadDocument,
    incoming: Incoming,
    actor: Actor,
    before: Background,
    thread: QuotedThread,
) -> MessageFiles | None:
    """Return what reads the files of a message and of those before it; None if there are none."""
    if slack is None:
        return None
    author = incoming.quoted.name if incoming.quoted else actor.name
    shared = (
        *(file for line in thread.by_ts.values() for file in line.files),
        *(SharedFile(file, run.speaker or actor.name) for run in before.runs for file in run.files),
        *(SharedFile(file, author) for file in incoming.files),
    )
    return MessageFiles(slack, read_document, incoming.files, shared) if shared else None
