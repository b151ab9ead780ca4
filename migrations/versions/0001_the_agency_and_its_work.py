"""the agency and its work."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "agency_clients",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("company_name", sa.String(), nullable=True),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("status", sa.Text(), server_default="active", nullable=False),
        sa.Column("notes", sa.String(), nullable=True),
        sa.Column("context_summary", sa.String(), nullable=True),
        sa.Column("target_audience", sa.String(), nullable=True),
        sa.Column("positioning_notes", sa.String(), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "status in ('active','inactive','archived')", name="agency_clients_status"
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "agency_roles",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("slug"),
    )
    op.create_table(
        "playbook_sops",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("clickup_doc_id", sa.String(), nullable=False),
        sa.Column("clickup_page_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("content_md", sa.Text(), server_default="", nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column(
            "aliases",
            postgresql.ARRAY(sa.Text()),
            server_default=sa.text("'{}'::text[]"),
            nullable=False,
        ),
        sa.Column("version", sa.Text(), server_default="1", nullable=False),
        sa.Column("last_synced_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_playbook_sops_category"), "playbook_sops", ["category"], unique=False)
    op.create_index(
        "playbook_sops_aliases", "playbook_sops", ["aliases"], unique=False, postgresql_using="gin"
    )
    op.create_index(
        "playbook_sops_page_key",
        "playbook_sops",
        ["clickup_doc_id", "clickup_page_id"],
        unique=True,
    )
    op.create_table(
        "profiles",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("full_name", sa.String(), nullable=True),
        sa.Column("display_name", sa.String(), nullable=True),
        sa.Column("is_admin", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("role", sa.Text(), server_default="member", nullable=False),
        sa.Column(
            "allowed_tools",
            postgresql.ARRAY(sa.Text()),
            server_default=sa.text("'{}'::text[]"),
            nullable=False,
        ),
        sa.Column("employment_status", sa.Text(), server_default="active", nullable=False),
        sa.Column("bench_status", sa.Text(), server_default="available", nullable=False),
        sa.Column("clickup_user_id", sa.String(), nullable=True),
        sa.Column("slack_user_id", sa.String(), nullable=True),
        sa.Column("timezone", sa.Text(), server_default="UTC", nullable=False),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "employment_status in ('active','inactive','contractor')",
            name="profiles_employment_check",
        ),
        sa.CheckConstraint("role in ('admin','member','viewer')", name="profiles_role_check"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        op.f("ix_profiles_clickup_user_id"), "profiles", ["clickup_user_id"], unique=False
    )
    op.create_index(op.f("ix_profiles_slack_user_id"), "profiles", ["slack_user_id"], unique=False)
    op.create_index(
        "profiles_email_key", "profiles", [sa.literal_column("lower(email)")], unique=True
    )
    op.create_table(
        "skill_catalog",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("tool_name", sa.String(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("owner_service", sa.String(), nullable=False),
        sa.Column("changes", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("min_tier", sa.Text(), server_default="member", nullable=False),
        sa.Column(
            "implemented_in_code", sa.Boolean(), server_default=sa.text("false"), nullable=False
        ),
        sa.Column("enabled", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "slack_event_receipts",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("event_key", sa.String(), nullable=False),
        sa.Column("event_source", sa.String(), nullable=False),
        sa.Column("event_type", sa.String(), nullable=False),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("channel_id", sa.String(), nullable=False),
        sa.Column("thread_ts", sa.String(), nullable=False),
        sa.Column("slack_ts", sa.String(), nullable=False),
        sa.Column("is_direct", sa.Boolean(), nullable=False),
        sa.Column("slack_user_id", sa.String(), nullable=False),
        sa.Column("lane", sa.String(), nullable=False),
        sa.Column(
            "payload",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("status", sa.Text(), server_default="received", nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column(
            "received_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("processed_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status in ('received','done','ignored','dead')", name="receipts_status"
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("event_key"),
    )
    op.create_index(
        "receipts_open_lane",
        "slack_event_receipts",
        ["lane", "slack_ts"],
        unique=False,
        postgresql_where=sa.text("status = 'received'"),
    )
    op.create_index("receipts_received_at", "slack_event_receipts", ["received_at"], unique=False)
    op.create_table(
        "brands",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column(
            "product_keywords",
            postgresql.ARRAY(sa.Text()),
            server_default=sa.text("'{}'::text[]"),
            nullable=False,
        ),
        sa.Column(
            "amazon_marketplaces",
            postgresql.ARRAY(sa.Text()),
            server_default=sa.text("'{}'::text[]"),
            nullable=False,
        ),
        sa.Column("clickup_space_id", sa.String(), nullable=True),
        sa.Column("clickup_list_id", sa.String(), nullable=True),
        sa.Column("context_summary", sa.String(), nullable=True),
        sa.Column("target_audience", sa.String(), nullable=True),
        sa.Column("positioning_notes", sa.String(), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(["client_id"], ["agency_clients.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_brands_client_id"), "brands", ["client_id"], unique=False)
    op.create_table(
        "playbook_sessions",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("slack_user_id", sa.String(), nullable=False),
        sa.Column("profile_id", sa.Uuid(), nullable=True),
        sa.Column("active_client_id", sa.Uuid(), nullable=True),
        sa.Column(
            "context",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column(
            "last_message_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["active_client_id"],
            ["agency_clients.id"],
        ),
        sa.ForeignKeyConstraint(
            ["profile_id"],
            ["profiles.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "playbook_sessions_place",
        "playbook_sessions",
        ["team_id", "place", "slack_user_id", "last_message_at"],
        unique=False,
    )
    op.create_table(
        "agent_runs",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("run_type", sa.Text(), server_default="main", nullable=False),
        sa.Column("run_key", sa.String(), nullable=False),
        sa.Column("status", sa.Text(), server_default="running", nullable=False),
        sa.Column("parent_run_id", sa.Uuid(), nullable=True),
        sa.Column("receipt_id", sa.BigInteger(), nullable=True),
        sa.Column("actor_profile_id", sa.Uuid(), nullable=True),
        sa.Column("client_id", sa.Uuid(), nullable=True),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("channel_id", sa.String(), nullable=False),
        sa.Column("thread_ts", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=True),
        sa.Column("trace_id", sa.String(), nullable=False),
        sa.Column(
            "input_payload",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("output_payload", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("error_message", sa.String(), nullable=True),
        sa.Column(
            "started_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("completed_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.CheckConstraint(
            "run_type in ('main','planner','child','heartbeat','ingestion')", name="agent_runs_type"
        ),
        sa.CheckConstraint(
            "status in ('queued','running','awaiting_confirmation','needs_clarification','completed','failed','cancelled','blocked')",
            name="agent_runs_status",
        ),
        sa.ForeignKeyConstraint(
            ["actor_profile_id"],
            ["profiles.id"],
        ),
        sa.ForeignKeyConstraint(
            ["client_id"],
            ["agency_clients.id"],
        ),
        sa.ForeignKeyConstraint(["parent_run_id"], ["agent_runs.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(
            ["receipt_id"],
            ["slack_event_receipts.id"],
        ),
        sa.ForeignKeyConstraint(["session_id"], ["playbook_sessions.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("run_key"),
    )
    op.create_index(
        "agent_runs_place", "agent_runs", ["team_id", "place", "started_at"], unique=False
    )
    op.create_index(op.f("ix_agent_runs_receipt_id"), "agent_runs", ["receipt_id"], unique=False)
    op.create_table(
        "clickup_space_registry",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("space_id", sa.String(), nullable=False),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("classification", sa.Text(), server_default="unknown", nullable=False),
        sa.Column("brand_id", sa.Uuid(), nullable=True),
        sa.Column("active", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("last_seen_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("last_synced_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "classification in ('brand_scoped','shared_service','unknown')",
            name="clickup_space_registry_classification",
        ),
        sa.ForeignKeyConstraint(["brand_id"], ["brands.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("space_id"),
    )
    op.create_table(
        "client_assignments",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("team_member_id", sa.Uuid(), nullable=False),
        sa.Column("brand_id", sa.Uuid(), nullable=True),
        sa.Column("role_id", sa.Uuid(), nullable=False),
        sa.Column(
            "assigned_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("assigned_by", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["assigned_by"],
            ["profiles.id"],
        ),
        sa.ForeignKeyConstraint(
            ["brand_id"],
            ["brands.id"],
        ),
        sa.ForeignKeyConstraint(
            ["client_id"],
            ["agency_clients.id"],
        ),
        sa.ForeignKeyConstraint(
            ["role_id"],
            ["agency_roles.id"],
        ),
        sa.ForeignKeyConstraint(["team_member_id"], ["profiles.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "client_assignments_brand_slot",
        "client_assignments",
        ["client_id", "brand_id", "role_id"],
        unique=True,
        postgresql_where=sa.text("brand_id is not null"),
    )
    op.create_index(
        "client_assignments_client_slot",
        "client_assignments",
        ["client_id", "role_id"],
        unique=True,
        postgresql_where=sa.text("brand_id is null"),
    )
    op.create_index(
        op.f("ix_client_assignments_client_id"), "client_assignments", ["client_id"], unique=False
    )
    op.create_index(
        op.f("ix_client_assignments_team_member_id"),
        "client_assignments",
        ["team_member_id"],
        unique=False,
    )
    op.create_table(
        "surface_bindings",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("channel_id", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("client_id", sa.Uuid(), nullable=True),
        sa.Column("brand_id", sa.Uuid(), nullable=True),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("scope in ('internal','client_scoped')", name="surface_bindings_scope"),
        sa.ForeignKeyConstraint(
            ["brand_id"],
            ["brands.id"],
        ),
        sa.ForeignKeyConstraint(
            ["client_id"],
            ["agency_clients.id"],
        ),
        sa.ForeignKeyConstraint(
            ["created_by"],
            ["profiles.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "surface_bindings_channel_key", "surface_bindings", ["team_id", "channel_id"], unique=True
    )
    op.create_table(
        "agent_messages",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column(
            "content",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("summary", sa.String(), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "role in ('user','assistant','system','planner_report')", name="agent_messages_role"
        ),
        sa.ForeignKeyConstraint(["run_id"], ["agent_runs.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_agent_messages_run_id"), "agent_messages", ["run_id"], unique=False)
    op.create_table(
        "agent_skill_events",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("event_type", sa.String(), nullable=False),
        sa.Column("skill_id", sa.String(), nullable=False),
        sa.Column("tool_call_id", sa.String(), nullable=True),
        sa.Column(
            "payload",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("payload_summary", sa.String(), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "event_type in ('skill_call','skill_result')", name="agent_skill_events_type"
        ),
        sa.ForeignKeyConstraint(["run_id"], ["agent_runs.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        op.f("ix_agent_skill_events_run_id"), "agent_skill_events", ["run_id"], unique=False
    )
    op.create_table(
        "ai_token_usage",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("tool", sa.String(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("prompt_tokens", sa.Integer(), nullable=False),
        sa.Column("completion_tokens", sa.Integer(), nullable=False),
        sa.Column("total_tokens", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.Float(), nullable=True),
        sa.Column(
            "meta",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(["run_id"], ["agent_runs.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["profiles.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "outbox",
        sa.Column("seq", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("channel_id", sa.String(), nullable=False),
        sa.Column("thread_ts", sa.String(), nullable=True),
        sa.Column("slack_user_id", sa.String(), nullable=True),
        sa.Column("receipt_id", sa.BigInteger(), nullable=True),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column(
            "proposal_ids",
            postgresql.ARRAY(sa.UUID()),
            server_default=sa.text("'{}'::uuid[]"),
            nullable=False,
        ),
        sa.Column(
            "body",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("sending_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("sent_ts", sa.String(), nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("state in ('pending','sending','sent','dead')", name="outbox_state"),
        sa.ForeignKeyConstraint(
            ["receipt_id"],
            ["slack_event_receipts.id"],
        ),
        sa.ForeignKeyConstraint(["run_id"], ["agent_runs.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_index(op.f("ix_outbox_receipt_id"), "outbox", ["receipt_id"], unique=False)
    op.create_index(
        "outbox_unsent",
        "outbox",
        ["seq"],
        unique=False,
        postgresql_where=sa.text("state in ('pending','sending')"),
    )
    op.create_table(
        "proposals",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("receipt_id", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("channel_id", sa.String(), nullable=False),
        sa.Column("thread_ts", sa.String(), nullable=False),
        sa.Column("is_direct", sa.Boolean(), nullable=False),
        sa.Column("actor_profile_id", sa.Uuid(), nullable=False),
        sa.Column("actor_slack_user_id", sa.String(), nullable=False),
        sa.Column("actor_name", sa.String(), nullable=False),
        sa.Column("skill_id", sa.String(), nullable=False),
        sa.Column(
            "arguments",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("state", sa.Text(), server_default="draft", nullable=False),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("opened_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("expires_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("confirmed_by", sa.Uuid(), nullable=True),
        sa.Column("confirming_receipt_id", sa.BigInteger(), nullable=True),
        sa.Column("settled_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("settled_by", sa.String(), nullable=True),
        sa.Column("superseded_by", sa.Uuid(), nullable=True),
        sa.Column("result", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.CheckConstraint(
            "state in ('draft','open','confirmed','executing','done','unclear','failed','cancelled','expired','superseded')",
            name="proposals_state",
        ),
        sa.ForeignKeyConstraint(
            ["actor_profile_id"],
            ["profiles.id"],
        ),
        sa.ForeignKeyConstraint(
            ["confirmed_by"],
            ["profiles.id"],
        ),
        sa.ForeignKeyConstraint(
            ["confirming_receipt_id"],
            ["slack_event_receipts.id"],
        ),
        sa.ForeignKeyConstraint(
            ["receipt_id"],
            ["slack_event_receipts.id"],
        ),
        sa.ForeignKeyConstraint(["run_id"], ["agent_runs.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(
            ["superseded_by"],
            ["proposals.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "proposals_open",
        "proposals",
        ["place", "actor_profile_id"],
        unique=False,
        postgresql_where=sa.text("state='open'"),
    )
    op.create_index("proposals_ordinal", "proposals", ["receipt_id", "ordinal"], unique=True)
    op.create_table(
        "agent_events",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("event_type", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("actor_profile_id", sa.Uuid(), nullable=True),
        sa.Column("slack_user_id", sa.String(), nullable=True),
        sa.Column("client_id", sa.Uuid(), nullable=True),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("proposal_id", sa.Uuid(), nullable=True),
        sa.Column(
            "payload",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["actor_profile_id"],
            ["profiles.id"],
        ),
        sa.ForeignKeyConstraint(
            ["client_id"],
            ["agency_clients.id"],
        ),
        sa.ForeignKeyConstraint(
            ["proposal_id"],
            ["proposals.id"],
        ),
        sa.ForeignKeyConstraint(["run_id"], ["agent_runs.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        op.f("ix_agent_events_event_type"), "agent_events", ["event_type"], unique=False
    )
    op.create_table(
        "agent_tasks",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("proposal_id", sa.Uuid(), nullable=False),
        sa.Column("marker", sa.String(), nullable=False),
        sa.Column("content_key", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("brand_id", sa.Uuid(), nullable=True),
        sa.Column("clickup_list_id", sa.String(), nullable=False),
        sa.Column("clickup_task_id", sa.String(), nullable=True),
        sa.Column("clickup_url", sa.String(), nullable=True),
        sa.Column("assignee_profile_id", sa.Uuid(), nullable=True),
        sa.Column("requested_by", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("source", sa.Text(), server_default="slack", nullable=False),
        sa.Column("skill_invoked", sa.Text(), server_default="create_task", nullable=False),
        sa.Column("status", sa.Text(), server_default="dispatching", nullable=False),
        sa.Column("sends", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("looks", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column(
            "dispatched_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "status in ('dispatching','created','unclear','failed','undone')",
            name="agent_tasks_status",
        ),
        sa.ForeignKeyConstraint(
            ["assignee_profile_id"],
            ["profiles.id"],
        ),
        sa.ForeignKeyConstraint(
            ["brand_id"],
            ["brands.id"],
        ),
        sa.ForeignKeyConstraint(
            ["client_id"],
            ["agency_clients.id"],
        ),
        sa.ForeignKeyConstraint(
            ["proposal_id"],
            ["proposals.id"],
        ),
        sa.ForeignKeyConstraint(
            ["requested_by"],
            ["profiles.id"],
        ),
        sa.ForeignKeyConstraint(["run_id"], ["agent_runs.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("marker"),
        sa.UniqueConstraint("proposal_id"),
    )
    op.create_index("agent_tasks_client", "agent_tasks", ["client_id", "created_at"], unique=False)
    op.create_index(
        "agent_tasks_content", "agent_tasks", ["content_key", "created_at"], unique=False
    )
    op.create_table(
        "skill_invocation_log",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("skill_id", sa.String(), nullable=False),
        sa.Column("idempotency_key", sa.String(), nullable=False),
        sa.Column("proposal_id", sa.Uuid(), nullable=True),
        sa.Column("requested_by", sa.Uuid(), nullable=True),
        sa.Column("confirmed_by", sa.Uuid(), nullable=True),
        sa.Column("status", sa.Text(), server_default="pending", nullable=False),
        sa.Column("result", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("completed_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status in ('pending','success','failed','duplicate')", name="skill_invocation_status"
        ),
        sa.ForeignKeyConstraint(
            ["confirmed_by"],
            ["profiles.id"],
        ),
        sa.ForeignKeyConstraint(
            ["proposal_id"],
            ["proposals.id"],
        ),
        sa.ForeignKeyConstraint(
            ["requested_by"],
            ["profiles.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("idempotency_key"),
    )


def downgrade() -> None:
    op.drop_table("skill_invocation_log")
    op.drop_index("agent_tasks_content", table_name="agent_tasks")
    op.drop_index("agent_tasks_client", table_name="agent_tasks")
    op.drop_table("agent_tasks")
    op.drop_index(op.f("ix_agent_events_event_type"), table_name="agent_events")
    op.drop_table("agent_events")
    op.drop_index("proposals_ordinal", table_name="proposals")
    op.drop_index(
        "proposals_open", table_name="proposals", postgresql_where=sa.text("state='open'")
    )
    op.drop_table("proposals")
    op.drop_index(
        "outbox_unsent",
        table_name="outbox",
        postgresql_where=sa.text("state in ('pending','sending')"),
    )
    op.drop_index(op.f("ix_outbox_receipt_id"), table_name="outbox")
    op.drop_table("outbox")
    op.drop_table("ai_token_usage")
    op.drop_index(op.f("ix_agent_skill_events_run_id"), table_name="agent_skill_events")
    op.drop_table("agent_skill_events")
    op.drop_index(op.f("ix_agent_messages_run_id"), table_name="agent_messages")
    op.drop_table("agent_messages")
    op.drop_index("surface_bindings_channel_key", table_name="surface_bindings")
    op.drop_table("surface_bindings")
    op.drop_index(op.f("ix_client_assignments_team_member_id"), table_name="client_assignments")
    op.drop_index(op.f("ix_client_assignments_client_id"), table_name="client_assignments")
    op.drop_index(
        "client_assignments_client_slot",
        table_name="client_assignments",
        postgresql_where=sa.text("brand_id is null"),
    )
    op.drop_index(
        "client_assignments_brand_slot",
        table_name="client_assignments",
        postgresql_where=sa.text("brand_id is not null"),
    )
    op.drop_table("client_assignments")
    op.drop_table("clickup_space_registry")
    op.drop_index(op.f("ix_agent_runs_receipt_id"), table_name="agent_runs")
    op.drop_index("agent_runs_place", table_name="agent_runs")
    op.drop_table("agent_runs")
    op.drop_index("playbook_sessions_place", table_name="playbook_sessions")
    op.drop_table("playbook_sessions")
    op.drop_index(op.f("ix_brands_client_id"), table_name="brands")
    op.drop_table("brands")
    op.drop_index("receipts_received_at", table_name="slack_event_receipts")
    op.drop_index(
        "receipts_open_lane",
        table_name="slack_event_receipts",
        postgresql_where=sa.text("status = 'received'"),
    )
    op.drop_table("slack_event_receipts")
    op.drop_table("skill_catalog")
    op.drop_index("profiles_email_key", table_name="profiles")
    op.drop_index(op.f("ix_profiles_slack_user_id"), table_name="profiles")
    op.drop_index(op.f("ix_profiles_clickup_user_id"), table_name="profiles")
    op.drop_table("profiles")
    op.drop_index("playbook_sops_page_key", table_name="playbook_sops")
    op.drop_index("playbook_sops_aliases", table_name="playbook_sops", postgresql_using="gin")
    op.drop_index(op.f("ix_playbook_sops_category"), table_name="playbook_sops")
    op.drop_table("playbook_sops")
    op.drop_table("agency_roles")
    op.drop_table("agency_clients")
