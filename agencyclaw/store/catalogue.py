"""Rows that every installation has: the product's skills and the agency's role slots."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_DNS, UUID, uuid5

import yaml

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.skills import Skill
from agencyclaw.store.engine import Database

Row = dict[str, Any]

FILE = Path(__file__).with_name("catalogue.yaml")
_NAMESPACE = uuid5(NAMESPACE_DNS, "roles.agencyclaw")
_WITHOUT_TOOL: Row = {
    "tool_name": None,
    "owner_service": "orchestrator",
    "implemented_in_code": False,
}
_FAST_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# Plain SQL instead of the table classes: this runs at every start, and importing those is slow.
_KEEP_ROLES = """
insert into agency_roles (id, slug, name)
select id, slug, name from jsonb_to_recordset($1::jsonb) as given (id uuid, slug text, name text)
on conflict do nothing
returning id
"""
_KEEP_SKILLS = """
insert into skill_catalog as old (id, tool_name, name, owner_service, min_tier, changes,
  implemented_in_code, enabled)
select id, tool_name, name, owner_service, min_tier, changes, implemented_in_code, enabled
from jsonb_to_recordset($1::jsonb) as given (id text, tool_name text, name text,
  owner_service text, min_tier text, changes boolean, implemented_in_code boolean, enabled boolean)
on conflict (id) do update set
  tool_name = excluded.tool_name, name = excluded.name, owner_service = excluded.owner_service,
  min_tier = excluded.min_tier, changes = excluded.changes,
  implemented_in_code = excluded.implemented_in_code,
  enabled = case when excluded.implemented_in_code and not old.implemented_in_code
    then excluded.enabled else old.enabled end
where (old.tool_name, old.name, old.owner_service, old.min_tier, old.changes,
    old.implemented_in_code)
  is distinct from (excluded.tool_name, excluded.name, excluded.owner_service, excluded.min_tier,
    excluded.changes, excluded.implemented_in_code)
returning id
"""


def read_yaml(path: Path) -> Any:
    """Return a YAML file's content; the C loader, where there is one, is ten times faster."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=_FAST_LOADER)  # noqa: S506


def _read_catalogue() -> dict[str, Any]:
    try:
        found: Any = read_yaml(FILE)
        return {"skills": found["skills"], "roles": found["roles"]}
    except (OSError, ValueError, LookupError, TypeError, yaml.YAMLError):
        raise Misconfigured(
            f"The catalogue {FILE} is missing, empty or unreadable: install it again."
        ) from None


def role_id(slug: str) -> UUID:
    """Return the id of a role slot, the same in every installation."""
    return uuid5(_NAMESPACE, slug)


def skill_rows(built: Iterable[Skill]) -> list[Row]:
    """Return the skills of the tools, and those without a tool; what is not built is disabled."""
    listed: dict[str, Row] = _read_catalogue()["skills"]
    tools = [skill.model_dump(mode="json") | {"min_tier": skill.min_tier.label} for skill in built]
    rows = [*tools, *(_WITHOUT_TOOL | {"id": key} | row for key, row in listed.items())]
    return [row | {"enabled": row["implemented_in_code"]} for row in rows]


def role_rows() -> list[Row]:
    """Return the role slots."""
    roles: dict[str, str] = _read_catalogue()["roles"]
    return [{"id": str(role_id(slug)), "slug": slug, "name": name} for slug, name in roles.items()]


async def install_roles(db: Database) -> int:
    """Insert the role slots that are missing; returns how many."""
    return len(await db.pool.fetch(_KEEP_ROLES, role_rows()))


async def install_catalogue(db: Database, built: Iterable[Skill]) -> int:
    """Insert missing role slots, and insert or update the skills; returns how many skills changed.

    A skill that an operator disabled stays disabled; only a newly built one takes its default.
    """
    await install_roles(db)
    return len(await db.pool.fetch(_KEEP_SKILLS, skill_rows(built)))
