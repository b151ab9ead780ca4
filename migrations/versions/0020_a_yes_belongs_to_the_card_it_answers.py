"""What a word of consent is judged by: the present card, its two ends, what suspends it."""

from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Proposals from before take a press only; their end stays as it was."""
    op.execute(
        "alter table proposals"
        " add column press_only boolean not null default true,"
        " add column words_until timestamptz,"
        " add column card_id uuid,"
        " add column suspended_by bigint,"
        " add column suspended_until timestamptz"
    )
    op.execute(
        "update proposals set card_id = (select id from outbox where kind = 'card'"
        " and proposal_ids @> array[proposals.id] order by seq desc limit 1)"
        " where state not in ('draft', 'done', 'cancelled', 'expired', 'superseded')"
    )
    op.execute(
        "create index proposals_suspended_by on proposals (suspended_by)"
        " where suspended_by is not null"
    )
    op.execute(
        "create table consent_rules ("
        " team_id varchar not null,"
        " scope varchar not null check (scope in ('workspace', 'client', 'channel')),"
        " scope_id varchar not null,"
        " policy varchar not null check (policy in ('words', 'press')),"
        " set_by uuid not null references profiles (id),"
        " set_at timestamptz not null default now(),"
        " primary key (team_id, scope, scope_id))"
    )
    op.execute("alter table outbox add column sent_at timestamptz, add column shown_hash varchar")


def downgrade() -> None:
    """Drop them again."""
    op.execute("drop table consent_rules")
    op.execute("alter table outbox drop column sent_at, drop column shown_hash")
    op.execute(
        "alter table proposals drop column press_only, drop column words_until,"
        " drop column card_id, drop column suspended_by, drop column suspended_until"
    )
