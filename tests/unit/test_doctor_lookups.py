"""Which configured Docs lead nowhere."""

from __future__ import annotations

import httpx

from agencyclaw.cli.lookups import stray_docs
from agencyclaw.clickup.client import ClickUpClient


def _clickup(request: httpx.Request) -> httpx.Response:
    """A space with two Docs, of which our account may not read the second one."""
    docs = [{"id": one, "name": "Procedures"} for one in ("8c-1", "8c-2")]
    match request.url.path.rsplit("/", 2)[-2:]:
        case [_, "docs"]:
            return httpx.Response(200, json={"docs": docs})
        case ["8c-1", "pages"]:
            page = {"id": "p", "name": "Coupons", "content": "# Steps"}
            return httpx.Response(200, json=[page])
        case _:
            return httpx.Response(404, json={"err": "Doc not found", "ECODE": "DOC_001"})


async def test_a_doc_of_a_place_that_cannot_be_read_is_named_beside_those_that_can() -> None:
    client = ClickUpClient(
        "pk_1", "https://api.clickup.com/api/v2", transport=httpx.MockTransport(_clickup)
    )

    [problem] = await stray_docs(client, "90", ("901",))

    assert problem.startswith("8c-2: There is no such ")
    await client.aclose()
