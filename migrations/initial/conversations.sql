-- Messages, the runs that answer them, and what Slack shows and reports of people and channels.

-- Something a person did in Slack, stored before it is acknowledged.
create table slack_event_receipts (
  id bigint generated always as identity primary key,
  event_key varchar not null unique,
  event_source varchar not null,
  event_type varchar not null,
  team_id varchar not null,
  channel_id varchar not null,
  thread_ts varchar not null,
  slack_ts varchar not null,
  is_direct boolean not null,
  slack_user_id varchar not null,
  lane varchar not null,
  payload jsonb not null default '{}',
  status text not null default 'received',
  reason varchar,
  attempts integer not null default 0,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  waiting_since timestamptz,
  waits integer not null default 0,
  failures integer not null default 0,
  edited_at timestamptz,
  constraint receipts_status check (status in ('received', 'done', 'ignored', 'dead'))
);
create index receipts_by_person on slack_event_receipts (slack_user_id, received_at);
create index receipts_open_lane on slack_event_receipts (lane, slack_ts) where status = 'received';
create index receipts_open_person on slack_event_receipts (slack_user_id) where status = 'received';
create index receipts_received_at on slack_event_receipts (received_at);
create index receipts_thread on slack_event_receipts (channel_id, thread_ts);

-- One stretch of conversation between a person and the assistant.
create table playbook_sessions (
  id uuid primary key default gen_random_uuid(),
  team_id varchar not null,
  place varchar not null,
  slack_user_id varchar not null,
  profile_id uuid references profiles,
  active_client_id uuid references agency_clients,
  context jsonb not null default '{}',
  last_message_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index playbook_sessions_place on playbook_sessions
  (team_id, place, slack_user_id, last_message_at);

-- One execution of an agent.
create table agent_runs (
  id uuid primary key default gen_random_uuid(),
  run_type text not null default 'main',
  run_key varchar not null unique,
  status text not null default 'running',
  parent_run_id uuid references agent_runs on delete set null,
  receipt_id bigint references slack_event_receipts,
  actor_profile_id uuid references profiles,
  client_id uuid references agency_clients,
  team_id varchar not null,
  place varchar not null,
  channel_id varchar not null,
  thread_ts varchar not null,
  source varchar not null,
  session_id uuid references playbook_sessions on delete set null,
  trace_id varchar not null,
  input_payload jsonb not null default '{}',
  output_payload jsonb,
  error_message varchar,
  started_at timestamptz not null default now(),
  completed_at timestamptz,
  constraint agent_runs_status check (status in (
    'queued', 'running', 'awaiting_confirmation', 'needs_clarification',
    'completed', 'failed', 'cancelled', 'blocked'
  )),
  constraint agent_runs_type check (
    run_type in ('main', 'planner', 'child', 'heartbeat', 'ingestion')
  )
);
create index agent_runs_parent_run_id on agent_runs (parent_run_id) where parent_run_id is not null;
create index agent_runs_place on agent_runs (team_id, place, started_at);
create index agent_runs_session_id on agent_runs (session_id) where session_id is not null;
create index agent_runs_started_at on agent_runs (started_at);
create index ix_agent_runs_receipt_id on agent_runs (receipt_id);

-- A message of a run, as the agent framework serialises it.
create table agent_messages (
  id bigint generated always as identity primary key,
  run_id uuid not null references agent_runs on delete cascade,
  role varchar not null,
  content jsonb not null default '{}',
  summary varchar,
  created_at timestamptz not null default now(),
  constraint agent_messages_role check (role in ('user', 'assistant', 'system', 'planner_report'))
);
create index ix_agent_messages_run_id on agent_messages (run_id);

-- A tool call or its result.
create table agent_skill_events (
  id uuid primary key default gen_random_uuid(),
  run_id uuid not null references agent_runs on delete cascade,
  event_type varchar not null,
  skill_id varchar not null,
  tool_call_id varchar,
  payload jsonb not null default '{}',
  payload_summary varchar,
  created_at timestamptz not null default now(),
  constraint agent_skill_events_type check (event_type in ('skill_call', 'skill_result'))
);
create index ix_agent_skill_events_run_id on agent_skill_events (run_id);

-- The cost of one model request.
create table ai_token_usage (
  id bigint generated always as identity primary key,
  tool varchar not null,
  user_id uuid references profiles,
  run_id uuid references agent_runs on delete set null,
  stage varchar not null,
  model varchar not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  total_tokens integer not null,
  cost_usd double precision,
  meta jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index ai_token_usage_run_id on ai_token_usage (run_id) where run_id is not null;

-- One person's rating of one answer; deleted with its run.
create table answer_feedback (
  id uuid primary key default gen_random_uuid(),
  run_id uuid not null references agent_runs on delete cascade,
  team_id varchar not null,
  slack_user_id varchar not null,
  profile_id uuid references profiles on delete set null,
  rating varchar not null,
  comment varchar not null default '',
  rated_at timestamptz not null default now(),
  handled_by uuid references profiles on delete set null,
  handled_at timestamptz,
  constraint answer_feedback_once unique (run_id, slack_user_id),
  constraint answer_feedback_rating check (rating in ('up', 'down'))
);
create index answer_feedback_handled_by on answer_feedback (handled_by)
  where handled_by is not null;
create index answer_feedback_profile_id on answer_feedback (profile_id)
  where profile_id is not null;
create index answer_feedback_waiting on answer_feedback (team_id, rated_at)
  where handled_at is null;

-- The older part of a thread for one person; deleted with the last run it covers.
create table thread_summaries (
  id uuid primary key default gen_random_uuid(),
  team_id varchar not null,
  place varchar not null,
  thread_ts varchar not null,
  profile_id uuid not null references profiles on delete cascade,
  standing jsonb not null default '{}',
  text varchar not null,
  covers_until timestamptz not null default now(),
  last_run_id uuid not null references agent_runs on delete cascade,
  created_at timestamptz not null default now()
);
create index ix_thread_summaries_last_run_id on thread_summaries (last_run_id);
create index thread_summaries_thread on thread_summaries (team_id, place, thread_ts, profile_id);

-- The older part of a thread between people, condensed up to a message.
create table thread_digests (
  team_id varchar not null,
  channel_id varchar not null,
  thread_ts varchar not null,
  text varchar not null,
  covers_until varchar not null,
  fingerprint varchar not null,
  left_out integer not null default 0,
  made_at timestamptz not null default now(),
  primary key (team_id, channel_id, thread_ts)
);

-- How Slack shows a thread; since `changed_at` that may be wrong.
create table slack_sessions (
  team_id varchar not null,
  channel_id varchar not null,
  thread_ts varchar not null,
  place varchar not null,
  shown varchar,
  changed_at timestamptz,
  busy_until timestamptz,
  shown_at timestamptz not null default now(),
  primary key (team_id, channel_id, thread_ts)
);
create index slack_sessions_changed on slack_sessions (team_id, changed_at)
  where changed_at is not null;

-- How a person belongs to a workspace, as Slack reported last.
create table slack_members (
  team_id varchar not null,
  slack_user_id varchar not null,
  membership varchar,
  asked_at timestamptz,
  primary key (team_id, slack_user_id)
);

-- What Slack reported last about a channel.
create table slack_channels (
  team_id varchar not null,
  channel_id varchar not null,
  kind varchar,
  name varchar not null default '',
  is_shared boolean not null default false,
  is_archived boolean not null default false,
  asked_at timestamptz,
  changed_at timestamptz,
  primary key (team_id, channel_id)
);

-- The kind of a channel decides; the form of its id only where Slack has not reported the kind.
create function is_direct_channel(team varchar, channel varchar) returns boolean
language sql stable as $$
  select coalesce(
    (select kind = 'im' from slack_channels where team_id = team and channel_id = channel),
    channel like 'D%')
$$;
