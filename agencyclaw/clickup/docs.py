"""Reads ClickUp Docs (API v3) page by page: the configured ones, or all of a configured place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agencyclaw.clickup.answers import DocAnswer, Docs, PageAnswer, Pages
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.domain.errors import NotFound, Refused, TooMuch
from agencyclaw.domain.messages import message
from agencyclaw.domain.procedures import DocPage, DocRead
from agencyclaw.domain.text import one_line, scrub

MOST_DOCS = 100
MOST_PAGES = 500
PAGE_LIMIT = 200_000


async def read_docs(client: ClickUpClient, team_id: str, wanted: Sequence[str]) -> list[DocRead]:
    """Return each Doc once, with its pages that have text.

    Entries of `wanted` that are digits alone are places. A Doc that is deleted or hidden is
    returned with the reason. Raises Unavailable if ClickUp can't be reached, Refused if nothing is
    configured, and NotFound if none of the Docs exists.
    """
    if not wanted:
        raise Refused(message("refused.clickup.no_docs_set"), reason="no_docs_configured")
    ids = [one for each in wanted for one in await _docs_of(client, team_id, each)]
    found = [await _read(client, team_id, one) for one in dict.fromkeys(ids)]
    if not any(one.trouble == "" for one in found):
        why = found[0].trouble if found else message("refused.clickup.no_docs")
        raise NotFound(why, reason="clickup_docs_not_found")
    return found


async def _docs_of(client: ClickUpClient, team_id: str, wanted: str) -> list[str]:
    """Return a place's Docs, or the Doc itself: a Doc's id has a hyphen, a place's is a number."""
    if not wanted.isdigit():
        return [wanted]
    docs: list[DocAnswer] = []
    cursor, cursors = "", set[str]()
    # ClickUp may send a cursor again instead of none.
    while cursor not in cursors:
        cursors.add(cursor)
        more = {"next_cursor": cursor} if cursor else {}
        query = {"parent_id": wanted, "limit": 100, **more}
        where = "/workspaces/{team_id}/docs"
        answer = await client.get(where, Docs, query=query, version="v3", team_id=team_id)
        docs += answer.docs
        cursor = answer.next_cursor or ""
        if len(docs) > MOST_DOCS:
            raise TooMuch(
                message("refused.clickup.too_many_docs", most=MOST_DOCS),
                reason="too_many_docs",
            )
    return [doc.id for doc in docs if not (doc.archived or doc.deleted)]


async def _read(client: ClickUpClient, team_id: str, doc_id: str) -> DocRead:
    query: dict[str, str | int] = {"max_page_depth": -1, "content_format": "text/md"}
    where = "/workspaces/{team_id}/docs/{doc_id}/pages"
    try:
        answer = await client.get(
            where, Pages, query=query, version="v3", team_id=team_id, doc_id=doc_id
        )
    except Refused as refused:
        return DocRead(doc_id=doc_id, trouble=refused.message)
    pages = tuple(_page(doc_id, page, parent) for page, parent in _flat(answer.root))
    if len(pages) > MOST_PAGES:
        raise TooMuch(
            message("refused.clickup.too_many_pages", most=MOST_PAGES), reason="too_many_pages"
        )
    return DocRead(doc_id=doc_id, pages=tuple(page for page in pages if page.body))


def _flat(pages: Sequence[PageAnswer], parent: str = "") -> Iterator[tuple[PageAnswer, str]]:
    """Yield every page with the title of its parent page."""
    for page in pages:
        if not (page.archived or page.deleted):
            yield page, parent
            yield from _flat(page.pages or (), one_line(page.name, 160))


def _page(doc_id: str, page: PageAnswer, parent: str) -> DocPage:
    body = scrub(page.content or "").strip()
    title = one_line(page.name, 160) or "Untitled"
    if len(body) > PAGE_LIMIT:
        raise TooMuch(
            message("refused.clickup.page_too_long", title=title, most=PAGE_LIMIT),
            reason="page_too_long",
        )
    return DocPage(doc_id=doc_id, page_id=page.id, title=title, body=body, parent=parent)
