-- Backups that were made or are being made; the files lie in the data folder. One at a time.
create table backups (
  id uuid primary key,
  made_by text not null check (made_by in ('manual', 'scheduled', 'command')),
  user_id uuid references users (id) on delete set null,
  status text not null check (status in ('waiting', 'running', 'done', 'failed')),
  -- Of the file.
  name text unique,
  bytes bigint,
  -- How far it has come, while it runs.
  done bigint not null default 0,
  total bigint not null default 0,
  message text not null default '',
  contents jsonb,
  attempts smallint not null default 0,
  created_at timestamptz not null,
  -- The last sign of life.
  seen_at timestamptz not null,
  finished_at timestamptz
);
create unique index backups_open on backups ((true)) where status in ('waiting', 'running');
create index backups_created on backups (created_at desc, id desc);
