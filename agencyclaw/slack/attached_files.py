"""Reads files that people attached to their messages."""

from __future__ import annotations

from http import HTTPStatus

import aiohttp
from pydantic import Field

from agencyclaw.domain.errors import Refused, Unavailable
from agencyclaw.domain.messages import message
from agencyclaw.slack.payloads import Payload, parsed
from agencyclaw.slack.web import FILES, Method, Web
from agencyclaw.spans import traced

_UNREAD = message("refused.files.unread")


class _File(Payload):
    """Where a file is."""

    url_private: str = Field(min_length=1)


class _FileAnswer(Payload):
    file: _File


async def read_file(web: Web, file_id: str, at_most: int) -> bytes | None:
    """Return a file's bytes; None if it has more than `at_most`.

    Our token goes along, so only Slack's own address is asked, and no redirection is followed.
    Raises what `Web.call` raises.
    """
    answer = parsed(_FileAnswer, await web.call(Method.FILE_INFO, file=file_id))
    url = answer.file.url_private
    if not web.is_slacks(url, FILES):
        raise Refused(_UNREAD, reason="invalid_url")
    headers = {"Authorization": f"Bearer {web.client.token}"}
    asked = web.session.get(url, headers=headers, proxy=web.proxy, allow_redirects=False)
    with traced("slack.read_file"):
        try:
            async with asked as got:
                # Slack answers a request without rights with its sign-in page.
                if got.status != HTTPStatus.OK or got.content_type == "text/html":
                    raise Unavailable(_UNREAD)
                content = await got.content.read(at_most + 1)
                while len(content) <= at_most and (more := await got.content.read(at_most)):
                    content += more
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise Unavailable(_UNREAD) from error
    return content if len(content) <= at_most else None
