"""Reading attached files keeps nobody else waiting."""

from __future__ import annotations

import asyncio
from threading import Event

from agencyclaw.conversation.attached_files import MessageFiles
from agencyclaw.domain.thread import AttachedFile


class Slack:
    """Gives every file at once."""

    async def file(self, file_id: str, *, at_most: int) -> bytes | None:
        """Return the id as the content."""
        return file_id.encode()[:at_most]


class Converter:
    """Reads documents, which take until it is let go."""

    def __init__(self) -> None:
        self.go_on = Event()
        self.names: list[str] = []

    def __call__(self, name: str, content: bytes) -> str:
        """Return the content."""
        self.names.append(name)
        self.go_on.wait()
        return content.decode()


async def test_many_long_conversions_leave_the_threads_of_the_loop_free() -> None:
    """Addresses are looked up in them."""
    converter = Converter()
    files = MessageFiles(Slack(), converter, (), ())  # pyright: ignore[reportArgumentType]
    sent = [AttachedFile(id=f"F{n}", name=f"{n}.pdf") for n in range(64)]
    reading = [asyncio.create_task(files.text(one)) for one in sent]
    try:
        async with asyncio.timeout(10):
            assert await asyncio.to_thread(len, "free") == 4
        for task in reading[2:]:
            task.cancel()
        await asyncio.wait(reading[2:])
    finally:
        converter.go_on.set()
    assert await asyncio.gather(*reading[:2]) == ["F0", "F1"]
    # A turn that has ended does not let its file be read.
    assert converter.names == ["0.pdf", "1.pdf"]
