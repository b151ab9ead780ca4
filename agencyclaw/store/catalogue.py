"""The catalogue every installation has: the product's skills and the agency's role slots."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import NAMESPACE_DNS, UUID, uuid5

import yaml
from sqlalchemy import Insert, case, tuple_
from sqlalchemy.dialects.postgresql import insert

from agencyclaw.store.engine import Database
from agencyclaw.store.tables import AgencyRole, SkillCatalog

Row = dict[str, Any]

FILE = Path(__file__).with_name("catalogue.yaml")
_NAMESPACE = uuid5(NAMESPACE_DNS, "roles.agencyclaw")
_FAST_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WORDS = ("tool_name", "name", "owner_service", "min_tier", "changes", "implemented_in_code")


def read_yaml(path: Path) -> Any:
    """Return a data file's content; the C loader, where there is one, is ten times faster."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=_FAST_LOADER)  # noqa: S506


def role_id(slug: str) -> UUID:
    """Return the id of a role slot, the same in every installation."""
    return uuid5(_NAMESPACE, slug)


def skill_rows() -> list[Row]:
    """Return the skills of the product; what is not built yet starts switched off."""
    skills: dict[str, list[Any]] = read_yaml(FILE)["skills"]
    rows = [{"id": key} | dict(zip(_WORDS, words, strict=True)) for key, words in skills.items()]
    return [row | {"enabled": row["implemented_in_code"]} for row in rows]


def role_rows() -> list[Row]:
    """Return the role slots a person can hold."""
    roles: dict[str, str] = read_yaml(FILE)["roles"]
    return [{"id": role_id(slug), "slug": slug, "name": name} for slug, name in roles.items()]


async def install_catalogue(db: Database) -> dict[str, int]:
    """Bring skills and roles up to date; returns how many rows of each table were written.

    What an operator switched off stays off. Only a skill that was just built takes its default.
    """
    async with db.session() as session:
        roles = await session.exec(_keep_roles())
        skills = await session.exec(_keep_skills())
        await session.commit()
    return {"agency_roles": roles.rowcount, "skill_catalog": skills.rowcount}


def _keep_roles() -> Insert:
    return insert(AgencyRole).values(role_rows()).on_conflict_do_nothing()


def _keep_skills() -> Insert:
    statement = insert(SkillCatalog).values(skill_rows())
    old: Any = SkillCatalog
    new = statement.excluded
    just_built = new.implemented_in_code & ~old.implemented_in_code
    changes: Row = {word: new[word] for word in _WORDS}
    changes["enabled"] = case((just_built, new.enabled), else_=old.enabled)
    differs = tuple_(*(getattr(old, word) for word in _WORDS)).is_distinct_from(
        tuple_(*(new[word] for word in _WORDS))
    )
    return statement.on_conflict_do_update(index_elements=["id"], set_=changes, where=differs)
