"""The demo agency, Lanternfish Commerce, as rows: people, clients, procedures, channels, spaces.

Ids are derived from names, so that the same person or brand has the same id everywhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import NAMESPACE_DNS, UUID, uuid5

import yaml

from agencyclaw.store.catalogue import Row, read_yaml, role_id

DOMAIN = "lanternfish.example"
TIMEZONE = "Europe/Lisbon"
SOPS = "playbook_sops"
_FILES = Path(__file__).with_name("demo")
_NAMESPACE = uuid5(NAMESPACE_DNS, DOMAIN)


def address_of(name: str) -> str:
    """Return the e-mail address of a member by name."""
    return f"{name.lower().replace(' ', '.')}@{DOMAIN}"


def person_id(name: str) -> UUID:
    """Return the profile id of a member by name."""
    return _id("person", address_of(name))


def client_id(name: str) -> UUID:
    """Return the id of a client by name."""
    return _id("client", name)


def brand_id(client: str, brand: str) -> UUID:
    """Return the id of a brand; two clients may each have a brand of the same name."""
    return _id("brand", client, brand)


def sop_id(category: str) -> UUID:
    """Return the id of a procedure by its category."""
    return _id("sop", category)


def agency_rows() -> dict[str, list[Row]]:
    """Return the rows by table, in the order of their references."""
    clients = read_clients()
    places: Row = _read("places")
    memory: Row = _read("memory")
    return {
        "profiles": person_rows(),
        "agency_clients": _client_rows(clients),
        "brands": [_brand(one["name"], brand) for one in clients for brand in one["brands"]],
        "client_assignments": _assignment_rows(clients),
        SOPS: sop_rows(),
        "clickup_space_registry": _space_rows(places),
        "surface_bindings": _channel_rows(places),
        "catalog_products": _product_rows(),
        "client_memory_notes": _note_rows(memory),
        "agencyclaw_user_preferences": _preference_rows(memory),
    }


def read_clients() -> list[Row]:
    """Return the clients as they are in the file, with their brands and roles."""
    return _read("clients")


def _read(name: str) -> Any:
    return read_yaml(_FILES / f"{name}.yaml")


def person_rows() -> list[Row]:
    """Return the members."""
    return [_person(person) for person in _read("people")]


def _person(person: Row) -> Row:
    name: str = person["name"]
    return {
        "id": person_id(name),
        "email": address_of(name),
        "full_name": name,
        "display_name": name,
        "is_admin": person.get("admin", False),
        "role": person.get("role", "member"),
        "employment_status": person.get("status", "active"),
        "slack_user_id": person.get("slack"),
        "clickup_user_id": person.get("clickup"),
        "timezone": TIMEZONE,
    }


def _client_rows(clients: list[Row]) -> list[Row]:
    return [
        {
            "id": client_id(client["name"]),
            "name": client["name"],
            "status": client.get("status", "active"),
            "context_summary": client["summary"],
        }
        for client in clients
    ]


def _brand(client: str, brand: Row) -> Row:
    return {
        "id": brand_id(client, brand["name"]),
        "client_id": client_id(client),
        "name": brand["name"],
        "clickup_space_id": brand.get("space"),
        "clickup_list_id": brand.get("list"),
        "amazon_marketplaces": brand["marketplaces"],
        "product_keywords": brand["keywords"],
    }


def _assignment_rows(clients: list[Row]) -> list[Row]:
    """Return who holds which role, for a client or one of its brands."""
    rows: list[Row] = []
    for client in clients:
        rows += _slots(client["name"], None, client["roles"])
        for brand in client["brands"]:
            rows += _slots(client["name"], brand["name"], brand.get("roles", {}))
    return rows


def _slots(client: str, brand: str | None, roles: dict[str, str]) -> list[Row]:
    return [
        {
            "id": _id("slot", client, brand or "", slug),
            "client_id": client_id(client),
            "brand_id": brand_id(client, brand) if brand else None,
            "role_id": role_id(slug),
            "team_member_id": person_id(person),
        }
        for slug, person in roles.items()
    ]


def sop_rows() -> list[Row]:
    """Return the procedures: one file each, named after its category."""
    return [_sop(path) for path in sorted((_FILES / "sops").glob("*.md"))]


def _sop(path: Path) -> Row:
    _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
    about: Row = yaml.safe_load(head)
    return {
        "id": sop_id(about["category"]),
        "clickup_doc_id": about["document"],
        "clickup_page_id": f"{about['document']}-{about['category']}",
        "name": about["title"],
        "category": about["category"],
        "aliases": about["aliases"],
        "version": about["version"],
        "content_md": body.strip(),
    }


def _product_rows() -> list[Row]:
    return [
        {
            "id": _id("product", one["client"], one["sku"]),
            "client_id": client_id(one["client"]),
            "brand_id": brand_id(one["client"], one["brand"]),
            "asin": one["asin"],
            "sku": one["sku"],
            "title": one["title"],
        }
        for one in _read("products")
    ]


def _note_rows(memory: Row) -> list[Row]:
    return [
        {
            "id": _id("note", note["client"], note["note"]),
            "client_id": client_id(note["client"]),
            "author_profile_id": person_id(note["author"]),
            "source": "manual",
            "note": note["note"],
            "confidence": note["confidence"],
        }
        for note in memory["notes"]
    ]


def _preference_rows(memory: Row) -> list[Row]:
    return [
        {
            "id": _id("preferences", one["person"]),
            "profile_id": person_id(one["person"]),
            "default_client_id": client_id(one["default_client"]),
        }
        for one in memory["preferences"]
    ]


def _space_rows(places: Row) -> list[Row]:
    return [
        {
            "id": _id("space", space["id"]),
            "space_id": space["id"],
            "team_id": places["clickup_team"],
            "name": space["name"],
            "classification": space["kind"],
            "brand_id": brand_id(space["client"], space["brand"]) if "brand" in space else None,
            "active": space.get("active", True),
        }
        for space in places["spaces"]
    ]


def _channel_rows(places: Row) -> list[Row]:
    team: str = places["slack_team"]
    return [
        {
            "id": _id("channel", team, channel["id"]),
            "team_id": team,
            "channel_id": channel["id"],
            "scope": channel["scope"],
            "client_id": client_id(channel["client"]) if "client" in channel else None,
            "created_by": person_id("Ines Varga"),
        }
        for channel in places["channels"]
    ]


def _id(*parts: str) -> UUID:
    return uuid5(_NAMESPACE, "/".join(parts))
