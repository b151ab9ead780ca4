"""Procedure rows: a page is stored whole, or it is said that it is not."""

from __future__ import annotations

import pytest

from agencyclaw.domain.errors import Broken
from agencyclaw.domain.naming import Naming
from agencyclaw.domain.procedures import PageMove, StoredPage
from agencyclaw.store.engine import Database
from agencyclaw.store.procedures import move_pages, stored_pages

PAGE = StoredPage(doc_id="d1", page_id="p1", title="Returns", body="Look.", state="waiting")


async def test_a_new_page_is_stored_with_its_naming_and_never_left_out_without(
    agency: Database,
) -> None:
    with pytest.raises(Broken):
        async with agency.transaction() as conn:
            await move_pages(conn, [PageMove(None, PAGE)])
    async with agency.transaction() as conn:
        assert await move_pages(conn, [PageMove(None, PAGE, Naming(category="returns"))]) is None

    assert await stored_pages(agency, ["d1"]) == [PAGE]
