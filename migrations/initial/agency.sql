-- People, clients, brands, the agency's records about them, and which tools are on.

-- A team member; may exist before the first login.
create table profiles (
  id uuid primary key default gen_random_uuid(),
  email varchar not null,
  full_name varchar,
  display_name varchar,
  is_admin boolean not null default false,
  role text not null default 'member',
  allowed_tools text[] not null default '{}',
  employment_status text not null default 'active',
  bench_status text not null default 'available',
  clickup_user_id varchar,
  slack_user_id varchar,
  timezone text not null default 'UTC',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint profiles_employment_check check (
    employment_status in ('active', 'inactive', 'contractor')
  ),
  constraint profiles_role_check check (role in ('admin', 'member', 'viewer'))
);
create index ix_profiles_clickup_user_id on profiles (clickup_user_id);
create index ix_profiles_slack_user_id on profiles (slack_user_id);
create index profiles_called on profiles using gin (string_to_array(lower(full_name), ' '));
create unique index profiles_email_key on profiles (lower(email));

create table agency_clients (
  id uuid primary key default gen_random_uuid(),
  name varchar not null,
  company_name varchar,
  email varchar,
  status text not null default 'active',
  notes varchar,
  context_summary varchar,
  target_audience varchar,
  positioning_notes varchar,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint agency_clients_status check (status in ('active', 'inactive', 'archived'))
);
create index agency_clients_called on agency_clients (lower(name));
create index agency_clients_called_first on agency_clients (lower(split_part(name, ' ', 1)));

create table brands (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references agency_clients on delete restrict,
  name varchar not null,
  product_keywords text[] not null default '{}',
  amazon_marketplaces text[] not null default '{}',
  clickup_space_id varchar,
  clickup_list_id varchar,
  context_summary varchar,
  target_audience varchar,
  positioning_notes varchar,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- The keywords of a brand, whole and word by word, so that a word of a question finds the brand.
create function keyword_words(keywords text[]) returns text[] language sql immutable parallel safe
return array(
  select lower(keyword) from unnest(keywords) as keyword
  union select word from unnest(keywords) as keyword,
    unnest(string_to_array(lower(keyword), ' ')) as word
);
create index brands_called on brands (lower(name));
create index brands_called_first on brands (lower(split_part(name, ' ', 1)));
create index brands_keyword_words on brands using gin (keyword_words(product_keywords));
create index ix_brands_client_id on brands (client_id);

create table agency_roles (
  id uuid primary key default gen_random_uuid(),
  slug varchar not null unique,
  name varchar not null,
  created_at timestamptz not null default now()
);

-- One person in one role of one client or brand.
create table client_assignments (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references agency_clients,
  team_member_id uuid not null references profiles on delete cascade,
  brand_id uuid references brands,
  role_id uuid not null references agency_roles,
  assigned_at timestamptz not null default now(),
  assigned_by uuid references profiles
);
create unique index client_assignments_brand_slot
  on client_assignments (client_id, brand_id, role_id)
  where brand_id is not null;
create unique index client_assignments_client_slot on client_assignments (client_id, role_id)
  where brand_id is null;
create index ix_client_assignments_client_id on client_assignments (client_id);
create index ix_client_assignments_team_member_id on client_assignments (team_member_id);

-- ClickUp spaces, and whether tasks may be created there.
create table clickup_space_registry (
  id uuid primary key default gen_random_uuid(),
  space_id varchar not null unique,
  team_id varchar not null,
  name varchar not null,
  classification text not null default 'unknown',
  brand_id uuid references brands on delete set null,
  active boolean not null default true,
  last_seen_at timestamptz,
  last_synced_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint clickup_space_registry_classification check (
    classification in ('brand_scoped', 'shared_service', 'unknown')
  )
);

-- The client of a Slack channel.
create table surface_bindings (
  id uuid primary key default gen_random_uuid(),
  team_id varchar not null,
  channel_id varchar not null,
  scope varchar not null,
  client_id uuid references agency_clients,
  brand_id uuid references brands,
  created_by uuid references profiles,
  created_at timestamptz not null default now(),
  constraint surface_bindings_scope check (scope in ('internal', 'client_scoped'))
);
create unique index surface_bindings_channel_key on surface_bindings (team_id, channel_id);

create table catalog_products (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references agency_clients on delete cascade,
  brand_id uuid references brands on delete cascade,
  asin varchar,
  sku varchar,
  title varchar not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint catalog_products_identified check (asin is not null or sku is not null)
);
create index catalog_products_asin on catalog_products (client_id, brand_id, asin);
create index catalog_products_sku on catalog_products (client_id, brand_id, sku);

-- Targets of a brand in a marketplace, for a month or a year.
create table brand_market_kpi_targets (
  id uuid primary key default gen_random_uuid(),
  brand_id uuid not null references brands on delete cascade,
  marketplace_code varchar not null,
  period_granularity varchar not null,
  period_start date not null,
  tacos_target_pct numeric(6,2),
  acos_target_pct numeric(6,2),
  sales_target numeric(14,2),
  sales_currency varchar,
  notes varchar,
  active boolean not null default true,
  created_by uuid references profiles,
  updated_by uuid references profiles,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint kpi_targets_marketplace check (marketplace_code = upper(marketplace_code)),
  constraint kpi_targets_period check (period_granularity in ('monthly', 'annual')),
  constraint kpi_targets_start check (
    extract(day from period_start) = 1
    and (period_granularity = 'monthly' or extract(month from period_start) = 1)
  ),
  constraint kpi_targets_percent check (
    (tacos_target_pct is null or tacos_target_pct between 0 and 100)
    and (acos_target_pct is null or acos_target_pct between 0 and 100)
  ),
  constraint kpi_targets_sales check (
    sales_target is null or (sales_target >= 0 and sales_currency ~ '^[A-Z]{3}$')
  ),
  constraint kpi_targets_metric check (
    coalesce(tacos_target_pct, acos_target_pct, sales_target) is not null
  )
);
create unique index kpi_targets_active
  on brand_market_kpi_targets (brand_id, marketplace_code, period_granularity, period_start)
  where active;

create table client_memory_notes (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references agency_clients on delete cascade,
  author_profile_id uuid references profiles on delete set null,
  proposal_id uuid unique,
  source text not null default 'chat',
  note varchar not null,
  confidence numeric(3,2) not null default 0.70,
  tags text[] not null default '{}',
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  constraint client_memory_source check (source in ('chat', 'meeting', 'manual'))
);
create index client_memory_notes_client on client_memory_notes (client_id, created_at);

create table agencyclaw_user_preferences (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null unique references profiles on delete cascade,
  default_client_id uuid references agency_clients on delete set null,
  preferences jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table reminders (
  id uuid primary key default gen_random_uuid(),
  active boolean not null default true,
  created_by uuid references profiles,
  updated_by uuid references profiles,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  person_id uuid not null references profiles on delete cascade,
  team_id varchar not null,
  words varchar not null,
  timing jsonb not null default '{}',
  next_at timestamptz,
  ended_because varchar
);
create index reminders_person on reminders (person_id) where active;

-- What the product can do; a skill is offered only if it is enabled.
create table skill_catalog (
  id varchar primary key,
  tool_name varchar,
  name varchar not null,
  owner_service varchar not null,
  changes boolean not null default false,
  min_tier text not null default 'member',
  implemented_in_code boolean not null default false,
  enabled boolean not null default true,
  created_at timestamptz not null default now()
);

-- An admin's decision about a skill: everywhere, in one workspace, or for one client.
create table skill_policy_overrides (
  id uuid primary key default gen_random_uuid(),
  skill_id varchar not null references skill_catalog on delete cascade,
  scope_type varchar not null,
  scope_id varchar,
  enabled boolean,
  min_role_tier varchar,
  requires_confirmation boolean,
  allowed_channels text[] not null default '{}',
  max_calls_per_hour integer,
  created_by uuid references profiles,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint skill_policy_overrides_calls check (max_calls_per_hour >= 0),
  constraint skill_policy_overrides_confirmation check (requires_confirmation is not false),
  constraint skill_policy_overrides_scope check (scope_type in ('global', 'team', 'client')),
  constraint skill_policy_overrides_scope_id check (
    (scope_type = 'global') = (scope_id is null)
  ),
  constraint skill_policy_overrides_tier check (min_role_tier in ('member', 'admin', 'super_admin'))
);
create unique index skill_policy_overrides_key
  on skill_policy_overrides (skill_id, scope_type, coalesce(scope_id, ''));

-- When a person called a tool, for its limit per hour.
create table skill_call_meter (
  profile_id uuid not null references profiles on delete cascade,
  tool varchar not null,
  calls timestamptz[] not null default '{}',
  primary key (profile_id, tool)
);

-- Statements that ask which tools are on read these views.
create view enabled_tools as
select tool_name as tool from skill_catalog where tool_name is not null
group by tool_name having bool_and(enabled) and bool_or(implemented_in_code);

create view tool_overrides as
select s.tool_name as tool, o.scope_type as scope, o.scope_id, o.enabled, o.min_role_tier as tier,
  o.requires_confirmation, o.allowed_channels as channels, o.max_calls_per_hour as calls_per_hour
from skill_policy_overrides o join skill_catalog s on s.id = o.skill_id
where s.tool_name is not null;

-- Changes with every client, brand and ClickUp space, so that processes know when to read them
-- again. A stamp is never used twice, also where rows of the past are restored.
create table directory_stamp (
  is_only boolean primary key default true check (is_only),
  stamp uuid not null default gen_random_uuid()
);
insert into directory_stamp default values;

create function stamp_directory() returns trigger language plpgsql as $$
begin
  update directory_stamp set stamp = gen_random_uuid();
  return null;
end $$;

create trigger stamps_directory
  after insert or update or delete or truncate on agency_clients
  for each statement execute function stamp_directory();
alter table agency_clients enable always trigger stamps_directory;

create trigger stamps_directory
  after insert or update or delete or truncate on brands
  for each statement execute function stamp_directory();
alter table brands enable always trigger stamps_directory;

create trigger stamps_directory
  after insert or update or delete or truncate on clickup_space_registry
  for each statement execute function stamp_directory();
alter table clickup_space_registry enable always trigger stamps_directory;
