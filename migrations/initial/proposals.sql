-- Prepared effects, consent, execution, deliveries to Slack, and the audit.

-- A stored effect that waits for a person's consent. `entity` is what it would change.
create table proposals (
  id uuid primary key default gen_random_uuid(),
  receipt_id bigint not null references slack_event_receipts,
  run_id uuid references agent_runs on delete set null,
  ordinal integer not null,
  team_id varchar not null,
  place varchar not null,
  channel_id varchar not null,
  thread_ts varchar not null,
  is_direct boolean not null,
  actor_profile_id uuid not null references profiles,
  actor_slack_user_id varchar not null,
  actor_name varchar not null,
  skill_id varchar not null,
  arguments jsonb not null default '{}',
  fingerprint varchar not null,
  state text not null default 'draft',
  created_at timestamptz not null default now(),
  opened_at timestamptz,
  expires_at timestamptz,
  confirmed_by uuid references profiles,
  confirming_receipt_id bigint references slack_event_receipts,
  settled_at timestamptz,
  settled_by varchar,
  superseded_by uuid references proposals,
  result jsonb,
  reason varchar,
  entity text not null default '',
  undo_of uuid references proposals,
  undone_by uuid references proposals,
  press_only boolean not null default true,
  words_until timestamptz,
  card_id uuid,
  suspended_by bigint,
  suspended_until timestamptz,
  waiting_since timestamptz,
  constraint proposals_state check (state in (
    'draft', 'open', 'confirmed', 'executing', 'done', 'unclear', 'failed',
    'cancelled', 'expired', 'superseded'
  ))
);
create index proposals_at_work on proposals (entity)
  where state in ('confirmed', 'executing', 'unclear');
create index proposals_client on proposals ((arguments -> 'client' ->> 'id'), settled_at);
create index proposals_confirming_receipt_id on proposals (confirming_receipt_id)
  where confirming_receipt_id is not null;
create index proposals_of_actor on proposals (channel_id, actor_profile_id, settled_at);
create index proposals_of_person on proposals (actor_slack_user_id, settled_at);
create index proposals_open on proposals (place, actor_profile_id) where state = 'open';
create unique index proposals_ordinal on proposals (receipt_id, ordinal);
create index proposals_place on proposals (place, actor_profile_id);
create index proposals_run_id on proposals (run_id) where run_id is not null;
create index proposals_suspended_by on proposals (suspended_by) where suspended_by is not null;

-- Messages to Slack, each delivered once; an answer may be a stream before it is sent.
create table outbox (
  seq bigint generated always as identity primary key,
  id uuid not null unique default gen_random_uuid(),
  key varchar not null unique,
  kind varchar not null,
  team_id varchar not null,
  channel_id varchar not null,
  thread_ts varchar,
  slack_user_id varchar,
  receipt_id bigint references slack_event_receipts,
  run_id uuid references agent_runs on delete set null,
  proposal_ids uuid[] not null default '{}',
  body jsonb not null default '{}',
  state text not null default 'pending',
  attempts integer not null default 0,
  sending_at timestamptz,
  sent_ts varchar,
  error varchar,
  created_at timestamptz not null default now(),
  stream_ts varchar,
  stream_text varchar,
  stream_is_whole boolean not null default false,
  stream_busy_since timestamptz,
  sent_at timestamptz,
  shown_hash varchar,
  failures integer not null default 0,
  file_id varchar,
  constraint outbox_state check (state in ('streaming', 'pending', 'sending', 'sent', 'dead'))
);
create index ix_outbox_receipt_id on outbox (receipt_id);
-- Answers whose choices can still be pressed.
create index outbox_asking on outbox (channel_id)
  where kind = 'answer' and body -> 'choices' <> '[]' and body ->> 'answered' is null;
create index outbox_channel on outbox (channel_id, created_at);
create index outbox_proposals on outbox using gin (proposal_ids);
create index outbox_run_id on outbox (run_id) where run_id is not null;
create index outbox_streams on outbox (channel_id, stream_ts) where stream_text is not null;
create index outbox_unsent on outbox (seq) where state in ('pending', 'sending');

-- The intent to create a ClickUp task, written before the request, and its outcome.
create table agent_tasks (
  id uuid primary key default gen_random_uuid(),
  proposal_id uuid not null unique references proposals,
  marker varchar not null unique,
  content_key varchar not null,
  title varchar not null,
  client_id uuid not null references agency_clients,
  brand_id uuid references brands,
  clickup_list_id varchar not null,
  clickup_task_id varchar,
  clickup_url varchar,
  assignee_profile_id uuid references profiles,
  requested_by uuid not null references profiles,
  run_id uuid references agent_runs on delete set null,
  source text not null default 'slack',
  skill_invoked text not null default 'create_task',
  status text not null default 'dispatching',
  sends integer not null default 0,
  looks integer not null default 0,
  dispatched_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint agent_tasks_status check (
    status in ('dispatching', 'created', 'unclear', 'failed', 'undone')
  )
);
create index agent_tasks_client on agent_tasks (client_id, created_at);
create index agent_tasks_content on agent_tasks (content_key, created_at);
create index agent_tasks_run_id on agent_tasks (run_id) where run_id is not null;

-- One row per execution, so that none happens twice.
create table skill_invocation_log (
  id uuid primary key default gen_random_uuid(),
  skill_id varchar not null,
  idempotency_key varchar not null unique,
  proposal_id uuid references proposals,
  requested_by uuid references profiles,
  confirmed_by uuid references profiles,
  status text not null default 'pending',
  result jsonb,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  constraint skill_invocation_status check (status in ('pending', 'success', 'failed', 'duplicate'))
);

-- The audit: rows are added and stay.
create table agent_events (
  id uuid primary key default gen_random_uuid(),
  event_type varchar not null,
  reason varchar,
  actor_profile_id uuid references profiles,
  slack_user_id varchar,
  client_id uuid references agency_clients,
  run_id uuid references agent_runs on delete set null,
  proposal_id uuid references proposals,
  payload jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index agent_events_run_id on agent_events (run_id) where run_id is not null;
create index ix_agent_events_event_type on agent_events (event_type);

create function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'run_id' = to_jsonb(old) - 'run_id'
    and new.run_id is null then
    return new;
  end if;
  raise exception 'audit rows are added, never changed';
end $$;
-- A run may be deleted after its time; its audit rows then only lose their pointer to it.
create trigger audit_rows_stay before update or delete on agent_events
  for each row execute function keep_audit();
create trigger audit_stays before truncate on agent_events
  for each statement execute function keep_audit();

-- Where a plain yes counts, and where only a press does.
create table consent_rules (
  team_id varchar not null,
  scope varchar not null check (scope in ('workspace', 'client', 'channel')),
  scope_id varchar not null,
  policy varchar not null check (policy in ('words', 'press')),
  set_by uuid not null references profiles,
  set_at timestamptz not null default now(),
  primary key (team_id, scope, scope_id)
);

-- While a row is not resumed, nothing is carried out in its workspace.
create table execution_pauses (
  id bigint generated always as identity primary key,
  team_id varchar not null,
  paused_by uuid not null references profiles,
  paused_at timestamptz not null default now(),
  resumed_by uuid references profiles,
  resumed_at timestamptz
);
create unique index execution_pauses_running on execution_pauses (team_id) where resumed_at is null;

-- Whoever is unlinked, relinked or inactive did not consent to what comes after.
create function end_proposals_of_profile() returns trigger language plpgsql as $$
begin
  update proposals set state = 'cancelled', settled_at = now(), reason = 'unlinked'
  where actor_profile_id = old.id and state in ('draft', 'open', 'failed');
  return null;
end $$;
create trigger ends_proposals after update of slack_user_id, employment_status on profiles
  for each row when (
    old.slack_user_id is distinct from new.slack_user_id
    or old.employment_status is distinct from new.employment_status)
  execute function end_proposals_of_profile();
