"""More people than the demo agency has: each with an account in Slack and a profile."""

from __future__ import annotations

import itertools

from ground import Ground

from workbench.clock import MachineClock
from workbench.seed import add_people

_FIRST = "Ada Bo Cleo Dag Ema Finn Gil Hana Ivo Jo Kit Lia Max Nia Ola Pia Quin Rui Sia Tom"
_LAST = "Abel Borg Cruz Dahl Eder Faye Gray Hale Iden Juul"
_PROFILES = """
insert into profiles (email, full_name, role, is_admin, slack_user_id, timezone)
select id || '@lanternfish.example', name, 'admin', true, id, 'Europe/Lisbon'
from unnest($1::text[], $2::text[]) as person(id, name)
"""


async def settle_people(ground: Ground, number: int) -> tuple[str, ...]:
    """Give so many people an account in Slack and a profile; returns their ids."""
    people = _names(number)
    add_people(ground.bench.storage, MachineClock(), people)
    async with ground.database() as database:
        await database.execute(_PROFILES, *map(list, zip(*people, strict=True)))
    return tuple(user for user, _ in people)


def _names(number: int) -> list[tuple[str, str]]:
    """So many people by Slack id and name."""
    pairs = itertools.product(_FIRST.split(), _LAST.split())
    return [(f"U02P{at:03}", " ".join(pair)) for at, pair in enumerate(pairs)][:number]
