"""The lock under which people and their roles change."""

from __future__ import annotations

from agencyclaw.store.engine import Connection


async def lock_people(conn: Connection) -> None:
    """Let nobody else change people or who holds a role until the transaction ends.

    Accounts are unique, one admin has to remain, who is archived holds no role, and whether
    somebody is available follows from all of their roles.
    """
    await conn.execute("lock table profiles in share row exclusive mode")
