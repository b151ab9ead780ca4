"""Finds records that point at nothing in ClickUp or Slack: lists, spaces, Docs, accounts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.domain.errors import Refused
from agencyclaw.slack.checkup import missing_people
from agencyclaw.store.engine import Database

_BRANDS = """
select b.name, c.name as client, b.clickup_space_id, b.clickup_list_id
from brands b join agency_clients c on c.id = b.client_id
where coalesce(b.clickup_space_id, b.clickup_list_id) is not null order by 2, 1
"""
_PEOPLE = """
select full_name, clickup_user_id, slack_user_id from profiles
where coalesce(clickup_user_id, slack_user_id) is not null and employment_status <> 'inactive'
order by 1
"""


async def stray_brands(db: Database, reader: ClickUpReader) -> tuple[int, list[str]]:
    """Return how many brands are mapped, and the mappings whose target does not exist."""
    rows: list[Any] = await db.pool.fetch(_BRANDS)
    spaces = {space.id for space in await reader.spaces()}
    return len(rows), [line for row in rows for line in await _strays_of(row, reader, spaces)]


async def _strays_of(row: Any, reader: ClickUpReader, spaces: set[str]) -> list[str]:
    brand, space_id, list_id = f"{row['name']} ({row['client']})", *row[2:]
    strays: list[str] = []
    if space_id and space_id not in spaces:
        strays.append(f"{brand}: the space {space_id} is not to be seen in ClickUp.")
    if list_id:
        try:
            found = await reader.list_ref(list_id)
        except Refused as refused:
            return [*strays, f"{brand}: the list {list_id}: {refused.message}"]
        if space_id and found.space_id and found.space_id != space_id:
            strays.append(f"{brand}: the list {list_id} is in another space, {found.space_id}.")
    return strays


async def stray_docs(client: ClickUpClient, team_id: str, wanted: Sequence[str]) -> list[str]:
    """Return the ids in CLICKUP_DOCS that are no Doc."""
    strays: list[str] = []
    for one in wanted:
        try:
            found = await ClickUpReader(client, team_id, (one,)).procedure_docs()
            strays += [f"{doc.doc_id}: {doc.trouble}" for doc in found if doc.trouble]
        except Refused as refused:
            strays.append(f"{one}: {refused.message}")
    return strays


async def stray_in_clickup(db: Database, reader: ClickUpReader) -> list[str]:
    """Return the people at work whose ClickUp account is not in the workspace."""
    seats = {str(member.id) for member in await reader.members()}
    return [
        f"{row['full_name']}: there is no ClickUp account {row['clickup_user_id']}."
        for row in await db.pool.fetch(_PEOPLE)
        if row["clickup_user_id"] and row["clickup_user_id"] not in seats
    ]


async def stray_in_slack(db: Database, bot_token: str, api_url: str) -> tuple[int, list[str]]:
    """Return how many people at work are linked to Slack, and whose account is missing."""
    rows: list[Any] = await db.pool.fetch(_PEOPLE)
    names = {row["slack_user_id"]: row["full_name"] for row in rows if row["slack_user_id"]}
    missing = await missing_people(bot_token, api_url, list(names))
    return len(names), [f"{names[one]}: there is no Slack account {one}." for one in missing]
