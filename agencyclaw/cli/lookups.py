"""Finds records that point at nothing in ClickUp or Slack: lists, spaces, Docs, accounts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.domain.errors import Refused
from agencyclaw.slack.checkup import missing_people
from agencyclaw.store.engine import Database
from agencyclaw.store.setup_checks import MappedBrand, linked_people, mapped_brands


class CheckedLinks(NamedTuple):
    """How many records were looked up, and a sentence for each that leads nowhere."""

    total: int
    problems: list[str]


async def stray_brands(db: Database, reader: ClickUpReader) -> CheckedLinks:
    """Look up the ClickUp space and list of every mapped brand."""
    brands = await mapped_brands(db)
    spaces = {space.id for space in await reader.spaces()}
    problems: list[str] = []
    for brand in brands:
        problems += await _problems_of(brand, reader, spaces)
    return CheckedLinks(len(brands), problems)


async def _problems_of(brand: MappedBrand, reader: ClickUpReader, spaces: set[str]) -> list[str]:
    title = f"{brand.name} ({brand.client})"
    space_id, list_id = brand.clickup_space_id, brand.clickup_list_id
    problems: list[str] = []
    if space_id and space_id not in spaces:
        problems.append(f"{title}: the space {space_id} is not to be seen in ClickUp.")
    if list_id:
        try:
            place = await reader.list_ref(list_id)
        except Refused as refused:
            return [*problems, f"{title}: the list {list_id}: {refused.message}"]
        if space_id and place.space_id and place.space_id != space_id:
            problems.append(f"{title}: the list {list_id} is in another space, {place.space_id}.")
    return problems


async def stray_docs(client: ClickUpClient, team_id: str, place_ids: Sequence[str]) -> list[str]:
    """Return the ids in CLICKUP_DOCS that are no Doc."""
    problems: list[str] = []
    for place_id in place_ids:
        try:
            docs = await ClickUpReader(client, team_id, (place_id,)).procedure_docs()
            problems += [f"{doc.doc_id}: {doc.trouble}" for doc in docs if doc.trouble]
        except Refused as refused:
            problems.append(f"{place_id}: {refused.message}")
    return problems


async def stray_in_clickup(db: Database, reader: ClickUpReader) -> list[str]:
    """Return the people at work whose ClickUp account is not in the workspace."""
    members = {str(member.id) for member in await reader.members()}
    return [
        f"{person.name}: there is no ClickUp account {person.clickup_user_id}."
        for person in await linked_people(db)
        if person.clickup_user_id and person.clickup_user_id not in members
    ]


async def stray_in_slack(db: Database, bot_token: str, api_url: str) -> CheckedLinks:
    """Look up the Slack account of everybody at work who has one."""
    people = await linked_people(db)
    names = {person.slack_user_id: person.name for person in people if person.slack_user_id}
    missing = await missing_people(bot_token, api_url, list(names))
    problems = [f"{names[user_id]}: there is no Slack account {user_id}." for user_id in missing]
    return CheckedLinks(len(names), problems)
