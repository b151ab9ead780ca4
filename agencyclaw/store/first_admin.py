"""Creates the first admin of an agency, once, while nobody has a profile."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from agencyclaw.domain.errors import Broken, Refused
from agencyclaw.domain.team import AddPerson, PersonFacts
from agencyclaw.store.engine import Database, Executor
from agencyclaw.store.events import record_event
from agencyclaw.store.people_lock import lock_people

_CREATE = """
insert into profiles (id, email, full_name, is_admin, role, slack_user_id, clickup_user_id,
  timezone)
values ($1, $2, $3, true, 'admin', $4, $5, $6)
"""
_NOT_THE_FIRST = (
    "Somebody else has become the first super admin meanwhile. Run `agencyclaw setup` again."
)


async def has_people(conn: Executor) -> bool:
    """Return whether anybody has a profile."""
    return await conn.fetchval("select exists (select from profiles)")


async def create_first_admin(
    db: Database, profile_id: UUID, person: AddPerson, *, announce: Callable[[], None]
) -> PersonFacts:
    """Create the profile with this id, and audit it; raises Refused if anybody has a profile.

    `announce` is called when nobody else can become the first any more, before it is committed.
    """
    if person.after is None:
        raise Broken("the first admin is added without a name")
    facts = person.after.model_copy(update={"access": "admin"})
    async with db.transaction() as conn:
        await lock_people(conn)
        if await has_people(conn):
            raise Refused(_NOT_THE_FIRST, reason="not_the_first")
        announce()
        accounts = (facts.slack, facts.clickup, facts.timezone or "UTC")
        await conn.execute(_CREATE, profile_id, person.email, facts.name, *accounts)
        audited = {"email": person.email, **facts.model_dump(mode="json")}
        await record_event(
            conn,
            "first_admin_created",
            actor=profile_id,
            slack_user_id=facts.slack,
            payload={"before": None, "after": audited},
        )
    return facts
