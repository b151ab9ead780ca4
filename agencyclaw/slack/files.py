"""Delivers a list as a file below its answer, once.

Slack shows a file in three steps: it gives an address and an id, takes the bytes, and shows the
file when it is told to. The id is stored before the last step: whoever goes on after a kill looks
for that file in the thread before it is shown again. Slack's word that it took a file is no proof
that it shows it: that too is looked for in the thread.
"""

from __future__ import annotations

from typing import Any, cast

from agencyclaw.domain.errors import Refused, Unclear
from agencyclaw.domain.receipts import Delivery
from agencyclaw.domain.sheets import Sheet
from agencyclaw.knowledge.sheets import written
from agencyclaw.slack.ports import OutboxPort
from agencyclaw.slack.web import Method, Web

# Slack keeps for a while only what was uploaded and never shown.
_FORGOTTEN = "file_not_found"


async def show_file(web: Web, outbox: OutboxPort, row: Delivery, sheet: Sheet) -> str:
    """Have a file shown that is not in its thread, and return its id.

    One that is uploaded already is not sent again. Raises as `Web.call` does.
    """
    if row.file_id:
        try:
            await _complete(web, row, sheet, row.file_id)
        except Refused as refusal:
            if refusal.reason != _FORGOTTEN:
                raise
        else:
            return row.file_id
    file_id = await _upload(web, sheet)
    await outbox.uploaded(row.id, file_id)
    await _complete(web, row, sheet, file_id)
    return file_id


async def _upload(web: Web, sheet: Sheet) -> str:
    content = written(sheet)
    place = await web.call(Method.UPLOAD_URL, filename=sheet.file_name, length=len(content))
    url, file_id = place.get("upload_url"), place.get("file_id")
    if not isinstance(url, str) or not isinstance(file_id, str):
        raise Unclear(f"{Method.UPLOAD_URL}: no address")
    await web.upload(url, content)
    return file_id


async def _complete(web: Web, row: Delivery, sheet: Sheet, file_id: str) -> None:
    answer = await web.call(
        Method.COMPLETE_UPLOAD,
        files=[{"id": file_id, "title": sheet.title}],
        channel_id=row.place.channel_id,
        thread_ts=row.place.thread_ts or None,
    )
    shown = cast("list[dict[str, Any]]", answer.get("files") or [])
    if file_id not in {one.get("id") for one in shown}:
        raise Unclear(f"{Method.COMPLETE_UPLOAD}: not shown")


def holds(message: dict[str, Any], file_id: str | None) -> bool:
    """Return whether a message shows this file."""
    files = cast("list[dict[str, Any]]", message.get("files") or [])
    return file_id is not None and any(one.get("id") == file_id for one in files)
