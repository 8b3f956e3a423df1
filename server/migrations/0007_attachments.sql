create table attachments (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  type text not null,
  bytes integer not null,
  path text not null,
  created_at timestamptz not null
);
create index attachments_user on attachments (user_id, id desc);
create index attachments_path on attachments (path);
