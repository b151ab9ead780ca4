-- Procedures and documents, their search by words, and questions that nothing answered.

create function sop_heading(name text, category text, aliases text[]) returns text
language sql immutable parallel safe
begin atomic
  select name || ' ' || replace(category, '_', ' ')
    || coalesce((select string_agg(' ' || word, '') from unnest(aliases) as word), '');
end;

-- A text's first paragraph says what it is about and weighs more than the rest. A procedure without
-- text has no words: it can't be used, so it must not be found. The bodies are parsed when they are
-- created, so that a restore, which has an empty search path, finds what they call.
create function sop_words(name text, category text, aliases text[], body text) returns tsvector
language sql immutable parallel safe
begin atomic
  select setweight(to_tsvector('english', name), 'A')
    || setweight(to_tsvector('english', sop_heading('', category, aliases)), 'B')
    || setweight(to_tsvector('english', left(split_part(body, E'\n\n', 1), 1000)), 'C')
    || setweight(to_tsvector('english', left(body, 200000)), 'D')
  where body ~ '\S';
end;

-- Copied from ClickUp: waits for its first approval, is in use, retired by an admin, or gone from
-- ClickUp. Only what is approved has words and can be found; the same holds for documents.
create table playbook_sops (
  id uuid primary key default gen_random_uuid(),
  clickup_doc_id varchar not null,
  clickup_page_id varchar not null,
  name varchar not null,
  content_md text not null default '',
  category varchar not null,
  aliases text[] not null default '{}',
  version text not null default '1',
  last_synced_at timestamptz,
  created_at timestamptz not null default now(),
  state text not null default 'approved',
  search tsvector generated always as (
    case when state = 'approved' then sop_words(name, category, aliases, content_md) end) stored,
  constraint playbook_sops_state check (state in ('waiting', 'approved', 'retired', 'gone'))
);
create index ix_playbook_sops_category on playbook_sops (category);
create index playbook_sops_aliases on playbook_sops using gin (aliases);
create unique index playbook_sops_page_key on playbook_sops (clickup_doc_id, clickup_page_id);
-- Written seldom and read with every request: no list of pending entries to read through.
create index playbook_sops_search on playbook_sops using gin (search) with (fastupdate = off);

-- Documents beside the procedures; the columns have the procedures' names.
create table knowledge_documents (
  id uuid primary key default gen_random_uuid(),
  tier text not null default 'internal',
  origin text not null,
  part integer not null default 1,
  name text not null,
  category text not null default '',
  aliases text[] not null default '{}',
  content_md text not null,
  version text not null,
  url text,
  checksum text not null,
  state text not null default 'waiting',
  added_by text not null default '',
  approved_by text,
  approved_at timestamptz,
  created_at timestamptz not null default now(),
  search tsvector generated always as (
    case when state = 'approved' then sop_words(name, category, aliases, content_md) end) stored,
  constraint knowledge_documents_version unique (origin, version, part),
  constraint knowledge_documents_state check (state in ('waiting', 'approved', 'replaced')),
  constraint knowledge_documents_tier check (tier in ('internal', 'external'))
);
create index knowledge_documents_search on knowledge_documents
  using gin (search) with (fastupdate = off);

-- For whoever has an embedding model; plain arrays need no extension.
create table procedure_vectors (
  sop_id uuid not null references playbook_sops on delete cascade,
  model text not null,
  part integer not null,
  text_hash text not null,
  vector float4[] not null,
  primary key (sop_id, model, part)
);

-- How many procedures and how many documents hold each stem, exact at any time, so that rare words
-- can go first without counting; the empty stem has the number of texts.
create table search_words (
  shelf text not null,
  stem text collate "C" not null,
  documents integer not null,
  primary key (shelf, stem)
);

-- A server without the contrib package, or an owner who may not add it, does without the
-- correction of spelling: the query that needs the extension finds nothing.
do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_trgm') then
    create extension if not exists pg_trgm;
    create index search_words_spelling on search_words using gin (stem gin_trgm_ops);
  end if;
exception when insufficient_privilege then
  raise notice 'pg_trgm may not be installed by this role: spelling is not corrected';
end
$$;

create function count_words_added() returns trigger language plpgsql as $$
begin
  insert into search_words as w (shelf, stem, documents)
  select tg_argv[0], stem, sum(n) from (
    select stem, 1 as n from new_rows, unnest(tsvector_to_array(search) || array['']) as stem
    where search is not null
  ) as changed group by stem having sum(n) <> 0 order by stem
  on conflict (shelf, stem) do update set documents = w.documents + excluded.documents;
  return null;
end $$;

create function count_words_changed() returns trigger language plpgsql as $$
begin
  insert into search_words as w (shelf, stem, documents)
  select tg_argv[0], stem, sum(n) from (
    select stem, 1 as n from new_rows, unnest(tsvector_to_array(search) || array['']) as stem
    where search is not null
    union all
    select stem, -1 as n from old_rows, unnest(tsvector_to_array(search) || array['']) as stem
    where search is not null
  ) as changed group by stem having sum(n) <> 0 order by stem
  on conflict (shelf, stem) do update set documents = w.documents + excluded.documents;
  return null;
end $$;

create function count_words_removed() returns trigger language plpgsql as $$
begin
  insert into search_words as w (shelf, stem, documents)
  select tg_argv[0], stem, sum(n) from (
    select stem, -1 as n from old_rows, unnest(tsvector_to_array(search) || array['']) as stem
    where search is not null
  ) as changed group by stem having sum(n) <> 0 order by stem
  on conflict (shelf, stem) do update set documents = w.documents + excluded.documents;
  return null;
end $$;

create trigger playbook_sops_words_added after insert on playbook_sops
  referencing new table as new_rows
  for each statement execute function count_words_added('sop');
create trigger playbook_sops_words_changed after update on playbook_sops
  referencing new table as new_rows old table as old_rows
  for each statement execute function count_words_changed('sop');
create trigger playbook_sops_words_removed after delete on playbook_sops
  referencing old table as old_rows
  for each statement execute function count_words_removed('sop');

create trigger knowledge_documents_words_added after insert on knowledge_documents
  referencing new table as new_rows
  for each statement execute function count_words_added('document');
create trigger knowledge_documents_words_changed after update on knowledge_documents
  referencing new table as new_rows old table as old_rows
  for each statement execute function count_words_changed('document');
create trigger knowledge_documents_words_removed after delete on knowledge_documents
  referencing old table as old_rows
  for each statement execute function count_words_removed('document');

-- Questions to which nothing was found, the same words once, with how often they were asked. If
-- reading a procedure answered one, `chosen_id` names it.
create table knowledge_gaps (
  id uuid primary key default gen_random_uuid(),
  key text not null,
  client_id uuid references agency_clients on delete cascade,
  question text not null,
  asked integer not null default 1,
  best double precision not null default 0,
  closest text,
  first_asked timestamptz not null default now(),
  last_asked timestamptz not null default now(),
  asked_by uuid references profiles on delete set null,
  settled_at timestamptz,
  chosen_id uuid references playbook_sops on delete set null,
  constraint knowledge_gaps_key unique nulls not distinct (key, client_id)
);

-- Which run noted a question: one a run, and so many of a person within a day.
create table knowledge_gap_notes (
  run_id uuid primary key,
  asked_by uuid references profiles on delete cascade,
  noted_at timestamptz not null default now(),
  was_read boolean not null default false
);
create index knowledge_gap_notes_noted_at on knowledge_gap_notes (noted_at);
