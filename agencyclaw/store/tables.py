"""SQLModel tables of the agency: people, clients, brands, procedures, ClickUp spaces."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Column, Index, Numeric, text
from sqlmodel import Field, SQLModel

from agencyclaw.store.columns import (
    default_column,
    flag_column,
    id_column,
    json_column,
    partial_index,
    reference_column,
    texts_column,
    time_column,
)


class Profile(SQLModel, table=True):
    """A team member; may exist before the first login."""

    __tablename__ = "profiles"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("role in ('admin','member','viewer')", name="profiles_role_check"),
        CheckConstraint(
            "employment_status in ('active','inactive','contractor')",
            name="profiles_employment_check",
        ),
        Index("profiles_email_key", text("lower(email)"), unique=True),
    )
    id: UUID = id_column()
    email: str
    full_name: str | None = None
    display_name: str | None = None
    is_admin: bool = flag_column()
    role: str = default_column("member")
    allowed_tools: list[str] = texts_column()
    employment_status: str = default_column("active")
    bench_status: str = default_column("available")
    clickup_user_id: str | None = Field(default=None, index=True)
    slack_user_id: str | None = Field(default=None, index=True)
    timezone: str = default_column("UTC")
    created_at: datetime = time_column()
    updated_at: datetime = time_column()


class AgencyClient(SQLModel, table=True):
    """A client of the agency."""

    __tablename__ = "agency_clients"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("status in ('active','inactive','archived')", name="agency_clients_status"),
    )
    id: UUID = id_column()
    name: str
    company_name: str | None = None
    email: str | None = None
    status: str = default_column("active")
    notes: str | None = None
    context_summary: str | None = None
    target_audience: str | None = None
    positioning_notes: str | None = None
    created_at: datetime = time_column()
    updated_at: datetime = time_column()


class BrandRow(SQLModel, table=True):
    """A brand of a client, with its ClickUp mapping."""

    __tablename__ = "brands"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (CheckConstraint("status in ('active','archived')", name="brands_status"),)
    id: UUID = id_column()
    client_id: UUID = Field(foreign_key="agency_clients.id", ondelete="RESTRICT", index=True)
    name: str
    status: str = default_column("active")
    product_keywords: list[str] = texts_column()
    amazon_marketplaces: list[str] = texts_column()
    clickup_space_id: str | None = None
    clickup_list_id: str | None = None
    context_summary: str | None = None
    target_audience: str | None = None
    positioning_notes: str | None = None
    created_at: datetime = time_column()
    updated_at: datetime = time_column()


class AgencyRole(SQLModel, table=True):
    """A role slot a person can hold for a client or brand."""

    __tablename__ = "agency_roles"  # pyright: ignore[reportAssignmentType]
    id: UUID = id_column()
    slug: str = Field(unique=True)
    name: str
    created_at: datetime = time_column()


class ClientAssignment(SQLModel, table=True):
    """One person in one role slot of one client or brand."""

    __tablename__ = "client_assignments"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        partial_index(
            "client_assignments_client_slot",
            "client_id",
            "role_id",
            where="brand_id is null",
            unique=True,
        ),
        partial_index(
            "client_assignments_brand_slot",
            "client_id",
            "brand_id",
            "role_id",
            where="brand_id is not null",
            unique=True,
        ),
    )
    id: UUID = id_column()
    client_id: UUID = Field(foreign_key="agency_clients.id", index=True)
    team_member_id: UUID = Field(foreign_key="profiles.id", ondelete="CASCADE", index=True)
    brand_id: UUID | None = reference_column("brands.id")
    role_id: UUID = Field(foreign_key="agency_roles.id")
    assigned_at: datetime = time_column()
    assigned_by: UUID | None = reference_column("profiles.id")


class PlaybookSop(SQLModel, table=True):
    """A standard operating procedure; `search` is kept by Postgres."""

    __tablename__ = "playbook_sops"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("playbook_sops_page_key", "clickup_doc_id", "clickup_page_id", unique=True),
        Index("playbook_sops_aliases", "aliases", postgresql_using="gin"),
        CheckConstraint(
            "state in ('waiting','approved','retired','gone')", name="playbook_sops_state"
        ),
    )
    id: UUID = id_column()
    clickup_doc_id: str
    clickup_page_id: str
    name: str
    content_md: str = default_column("")
    category: str = Field(index=True)
    aliases: list[str] = texts_column()
    version: str = default_column("1")
    state: str = default_column("approved")
    last_synced_at: datetime | None = time_column(optional=True)
    created_at: datetime = time_column()


class CatalogProduct(SQLModel, table=True):
    """A product of a client, by ASIN, SKU or both."""

    __tablename__ = "catalog_products"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("asin is not null or sku is not null", name="catalog_products_identified"),
        Index("catalog_products_asin", "client_id", "brand_id", "asin"),
        Index("catalog_products_sku", "client_id", "brand_id", "sku"),
    )
    id: UUID = id_column()
    client_id: UUID = Field(foreign_key="agency_clients.id", ondelete="CASCADE")
    brand_id: UUID | None = reference_column("brands.id", ondelete="CASCADE")
    asin: str | None = None
    sku: str | None = None
    title: str
    active: bool = flag_column(default=True)
    created_at: datetime = time_column()
    updated_at: datetime = time_column()


class ClientMemoryNote(SQLModel, table=True):
    """A fact about a client, kept beyond one conversation."""

    __tablename__ = "client_memory_notes"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("source in ('chat','meeting','manual')", name="client_memory_source"),
        Index("client_memory_notes_client", "client_id", "created_at"),
    )
    id: UUID = id_column()
    client_id: UUID = Field(foreign_key="agency_clients.id", ondelete="CASCADE")
    author_profile_id: UUID | None = reference_column("profiles.id", ondelete="SET NULL")
    proposal_id: UUID | None = Field(default=None, unique=True)
    source: str = default_column("chat")
    note: str
    confidence: Decimal = Field(
        default=None, sa_column=Column(Numeric(3, 2), nullable=False, server_default="0.70")
    )
    tags: list[str] = texts_column()
    created_at: datetime = time_column()
    archived_at: datetime | None = time_column(optional=True)


class UserPreferences(SQLModel, table=True):
    """One person's preferences; `preferences` is a list of key, value and date."""

    __tablename__ = "agencyclaw_user_preferences"  # pyright: ignore[reportAssignmentType]
    id: UUID = id_column()
    profile_id: UUID = Field(foreign_key="profiles.id", ondelete="CASCADE", unique=True)
    default_client_id: UUID | None = reference_column("agency_clients.id", ondelete="SET NULL")
    preferences: list[dict[str, Any]] = json_column("[]")
    created_at: datetime = time_column()
    updated_at: datetime = time_column()


class RegisteredSpace(SQLModel, table=True):
    """A registered ClickUp space, and whether tasks may be created there."""

    __tablename__ = "clickup_space_registry"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "classification in ('brand_scoped','shared_service','unknown')",
            name="clickup_space_registry_classification",
        ),
    )
    id: UUID = id_column()
    space_id: str = Field(unique=True)
    team_id: str
    name: str
    classification: str = default_column("unknown")
    brand_id: UUID | None = reference_column("brands.id", ondelete="SET NULL")
    active: bool = flag_column(default=True)
    last_seen_at: datetime | None = time_column(optional=True)
    last_synced_at: datetime | None = time_column(optional=True)
    created_at: datetime = time_column()
    updated_at: datetime = time_column()


class SurfaceBinding(SQLModel, table=True):
    """The scope and client of a Slack channel."""

    __tablename__ = "surface_bindings"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("surface_bindings_channel_key", "team_id", "channel_id", unique=True),
        CheckConstraint("scope in ('internal','client_scoped')", name="surface_bindings_scope"),
    )
    id: UUID = id_column()
    team_id: str
    channel_id: str
    scope: str
    client_id: UUID | None = reference_column("agency_clients.id")
    brand_id: UUID | None = reference_column("brands.id")
    created_by: UUID | None = reference_column("profiles.id")
    created_at: datetime = time_column()


class SkillCatalog(SQLModel, table=True):
    """One row per skill of the product; a skill is offered only if `enabled`."""

    __tablename__ = "skill_catalog"  # pyright: ignore[reportAssignmentType]
    id: str = Field(primary_key=True)
    tool_name: str | None = None
    name: str
    owner_service: str
    changes: bool = flag_column()
    min_tier: str = default_column("member")
    implemented_in_code: bool = flag_column()
    enabled: bool = flag_column(default=True)
    created_at: datetime = time_column()


class SkillPolicyOverride(SQLModel, table=True):
    """An admin's decision about a skill: everywhere, in one workspace, or for one client.

    `scope_id` is a Slack team id or a client's id. Confirmation can be required, never waived.
    """

    __tablename__ = "skill_policy_overrides"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "scope_type in ('global','team','client')", name="skill_policy_overrides_scope"
        ),
        CheckConstraint(
            "(scope_type = 'global') = (scope_id is null)", name="skill_policy_overrides_scope_id"
        ),
        CheckConstraint(
            "min_role_tier in ('member','admin','super_admin')", name="skill_policy_overrides_tier"
        ),
        CheckConstraint(
            "requires_confirmation is not false", name="skill_policy_overrides_confirmation"
        ),
        CheckConstraint("max_calls_per_hour >= 0", name="skill_policy_overrides_calls"),
        Index(
            "skill_policy_overrides_key",
            "skill_id",
            "scope_type",
            text("coalesce(scope_id, '')"),
            unique=True,
        ),
    )
    id: UUID = id_column()
    skill_id: str = Field(foreign_key="skill_catalog.id", ondelete="CASCADE")
    scope_type: str
    scope_id: str | None = None
    enabled: bool | None = None
    min_role_tier: str | None = None
    requires_confirmation: bool | None = None
    allowed_channels: list[str] = texts_column()
    max_calls_per_hour: int | None = None
    created_by: UUID | None = reference_column("profiles.id")
    created_at: datetime = time_column()
    updated_at: datetime = time_column()
