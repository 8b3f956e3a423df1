create table transfers (
  id uuid primary key,
  kind text not null check (kind in ('export', 'import')),
  scope text not null check (scope in ('site', 'author')),
  format text not null,
  status text not null
    check (status in ('waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone')),
  author_id uuid references users (id) on delete set null,
  user_id uuid references users (id) on delete set null,
  -- Asked for by a writer, of what is theirs.
  own boolean not null default false,
  options jsonb not null default '{}',
  total integer not null default 0,
  done integer not null default 0,
  message text not null default '',
  report jsonb not null default '[]',
  file_path text,
  file_name text not null default '',
  file_bytes bigint not null default 0,
  -- Whose turn it is, and when it last gave a sign of life.
  runner uuid,
  alive_at timestamptz,
  failures integer not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index transfers_listed on transfers (id) where not own;
create index transfers_author on transfers (author_id);
create index transfers_user on transfers (user_id, id);
create index transfers_under_way on transfers (id) where status in ('waiting', 'running', 'undoing');
create index transfers_file on transfers (file_path) where file_path is not null;

-- What became of each part of a run. The key keeps a run that goes on after a crash from doing anything twice.
create table transfer_items (
  transfer_id uuid not null references transfers (id) on delete cascade,
  key text not null,
  seq uuid not null,
  kind text not null,
  outcome text not null check (outcome in ('created', 'skipped', 'removed', 'kept')),
  title text not null,
  note text not null default '',
  target_id uuid,
  detail jsonb,
  primary key (transfer_id, key)
);
create unique index transfer_items_listed on transfer_items (transfer_id, seq);
