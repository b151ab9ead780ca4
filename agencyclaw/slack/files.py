"""Uploads a list as a file, or as a chart, below its answer, once.

It takes three calls: one for an address and an id, one for the bytes, one to show the file. The id
is stored before the last one, so after a kill the thread is searched for that file before it is
shown again. Slack may accept a file and not show it, so its message is searched for as well.
"""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.errors import Refused, Unclear
from agencyclaw.domain.receipts import Delivery
from agencyclaw.domain.sheets import Sheet
from agencyclaw.knowledge.sheets import file_content
from agencyclaw.slack import charts
from agencyclaw.slack.web import Method, Web
from agencyclaw.store.outbox import Outbox

# Slack deletes after a while what was uploaded and never shown.
_DELETED = "file_not_found"


async def show_file(web: Web, outbox: Outbox, row: Delivery, sheet: Sheet) -> str:
    """Show a file that is not in its thread yet, and return its id.

    One that is uploaded already is not sent again. Raises what `Web.call` raises.
    """
    if row.file_id:
        try:
            await _complete(web, row, sheet, row.file_id)
        except Refused as refusal:
            if refusal.reason != _DELETED:
                raise
        else:
            return row.file_id
    file_id = await _upload(web, sheet)
    await outbox.uploaded(row.id, file_id)
    await _complete(web, row, sheet, file_id)
    return file_id


async def _upload(web: Web, sheet: Sheet) -> str:
    is_chart = sheet.format == "png"
    content = await charts.drawn(sheet) if is_chart else file_content(sheet)
    target = await web.call(
        Method.UPLOAD_URL,
        filename=sheet.file_name,
        length=len(content),
        alt_txt=charts.alt_text(sheet) if is_chart else None,
    )
    url, file_id = target.get("upload_url"), target.get("file_id")
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
    if not has_file(answer, file_id):
        raise Unclear(f"{Method.COMPLETE_UPLOAD}: not shown")


def has_file(node: dict[str, Any], file_id: str) -> bool:
    """Return whether a message, or an answer of Slack, lists this file."""
    files: list[dict[str, Any]] = node.get("files") or []
    return any(file.get("id") == file_id for file in files)
