"""The files that came with a message, as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agencyclaw.conversation.slack_ports import SlackReader, unread
from agencyclaw.domain.errors import Refused, Unavailable, Unclear
from agencyclaw.domain.imports import TextFile
from agencyclaw.domain.messages import message
from agencyclaw.domain.receipts import AttachedFile
from agencyclaw.knowledge.csv_files import text_file

_BYTES_AT_MOST = 1_000_000


@dataclass(frozen=True)
class MessageFiles:
    """Reads the files of one message, which its author attached."""

    slack: SlackReader
    files: Sequence[AttachedFile]

    async def csv_files(self) -> Sequence[TextFile]:
        """Return its CSV files; raises Refused if one is too big, no text or not to be had."""
        return [await self._read(file) for file in self.files]

    async def _read(self, file: AttachedFile) -> TextFile:
        try:
            content = await self.slack.file(file.id, at_most=_BYTES_AT_MOST)
        except (Unavailable, Unclear) as error:
            raise unread(error, message("refused.imports.unread")) from error
        if content is None:
            words = message("refused.imports.too_big", file=file.name, most=f"{_BYTES_AT_MOST:,}")
            raise Refused(words, reason="too_big")
        return text_file(file.name, content)
