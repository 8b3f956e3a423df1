-- Words that staff add to the dictionary of the search, in the normalized form of indexed texts.
create table search_terms (
  id uuid primary key,
  word text not null unique,
  created_at timestamptz not null
);
-- One row. The version changes with the words; indexed_version is the one that all essays were indexed with.
create table search_term_lists (
  version uuid primary key,
  indexed_version uuid not null
);
insert into search_term_lists values ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');

-- Runs that index all essays again.
create table reindex_runs (
  id uuid primary key,
  state text not null check (state in ('running', 'done', 'cancelled')),
  term_version uuid not null,
  position uuid not null,
  done integer not null default 0,
  total integer not null,
  started_by uuid references users (id) on delete set null,
  created_at timestamptz not null,
  finished_at timestamptz
);
create unique index reindex_runs_running on reindex_runs (state) where state = 'running';
create index reindex_runs_started_by on reindex_runs (started_by);

-- Essays whose author was renamed; their entries contain the name.
create table unindexed_essays (
  essay_id uuid primary key
);
alter table unindexed_people add column renamed boolean not null default false;
create or replace function queue_user_name_indexing() returns trigger language plpgsql as $$
begin
  -- The upsert locks the row, so the indexing job skips it until this transaction commits the new name.
  insert into unindexed_people (user_id, renamed) values (coalesce(new.id, old.id), tg_op = 'UPDATE')
  on conflict (user_id) do update set renamed = unindexed_people.renamed or excluded.renamed;
  return null;
end
$$;
