"""The embedded server is watched; what ends the watch is not lost."""

from __future__ import annotations

import asyncio
from typing import NoReturn, cast

from logfire.testing import CaptureLogfire

from agencyclaw.cli import database
from agencyclaw.store.embedded import EmbeddedPostgres


class Unwatchable:
    """A server whose watch breaks."""

    async def watch(self) -> NoReturn:
        raise RuntimeError("the folder is gone")


async def test_an_error_that_ends_the_watch_is_logged(capfire: CaptureLogfire) -> None:
    embedded = cast("EmbeddedPostgres", Unwatchable())

    async with database._watched(embedded):  # pyright: ignore[reportPrivateUsage]
        await asyncio.sleep(0.01)

    [logged] = capfire.exporter.exported_spans_as_dict()
    assert logged["name"] == "Postgres is no longer watched"
    assert logged["events"][0]["attributes"]["exception.message"] == "the folder is gone"
