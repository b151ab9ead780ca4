"""A thumb up or down under an answer, one per person, with a comment; it goes with its run."""

from alembic import op

revision = "0028"
down_revision = "0027"

_FEEDBACK = """
create table answer_feedback (
  id uuid primary key default gen_random_uuid(),
  run_id uuid not null references agent_runs on delete cascade,
  team_id varchar not null,
  slack_user_id varchar not null,
  profile_id uuid references profiles on delete set null,
  rating varchar not null constraint answer_feedback_rating check (rating in ('up','down')),
  comment varchar not null default '',
  rated_at timestamptz not null default now(),
  handled_by uuid references profiles on delete set null,
  handled_at timestamptz,
  constraint answer_feedback_once unique (run_id, slack_user_id)
)
"""
_INDEXES = (
    "create index answer_feedback_waiting on answer_feedback (team_id, rated_at)"
    " where handled_at is null",
    "create index answer_feedback_profile_id on answer_feedback (profile_id)"
    " where profile_id is not null",
    "create index answer_feedback_handled_by on answer_feedback (handled_by)"
    " where handled_by is not null",
)


def upgrade() -> None:
    op.execute(_FEEDBACK)
    for index in _INDEXES:
        op.execute(index)


def downgrade() -> None:
    op.execute("drop table answer_feedback")
