-- Pictures on other hosts that an import found: each address once per import. They are fetched by a job afterwards.
create table remote_pictures (
  id uuid primary key,
  transfer_id uuid not null references transfers (id) on delete cascade,
  -- As in the text: https://…, http://… or //….
  url text not null,
  host text not null,
  status text not null default 'waiting' check (status in ('waiting', 'done', 'failed')),
  attempts integer not null default 0,
  error text not null default '',
  path text,
  next_at timestamptz not null,
  -- Until then a process fetches it; afterwards another one may.
  leased_until timestamptz,
  check ((status = 'done') = (path is not null))
);
-- A hash, because addresses may be longer than an index allows.
create unique index remote_pictures_url on remote_pictures (transfer_id, md5(url));
create index remote_pictures_listed on remote_pictures (transfer_id, id);
create index remote_pictures_by_status on remote_pictures (transfer_id, status, id);
create index remote_pictures_due on remote_pictures (next_at, id) where status = 'waiting';
create index remote_pictures_leased on remote_pictures (leased_until) where leased_until is not null;

-- Where such a picture is shown.
create table remote_picture_uses (
  picture_id uuid not null references remote_pictures (id) on delete cascade,
  essay_id uuid references essays (id) on delete cascade,
  page_id uuid references pages (id) on delete cascade,
  is_cover boolean not null,
  -- The text has the result of the last attempt.
  applied boolean not null default false,
  check (num_nonnulls(essay_id, page_id) = 1),
  unique nulls not distinct (picture_id, essay_id, page_id, is_cover)
);
create index remote_picture_uses_essay on remote_picture_uses (essay_id) where essay_id is not null;
create index remote_picture_uses_page on remote_picture_uses (page_id) where page_id is not null;
create index remote_picture_uses_pending on remote_picture_uses (picture_id) where not applied;

-- Progress of the pictures of an import, so that a list of imports need not count them.
alter table transfers
  add column pictures_total integer not null default 0,
  add column pictures_done integer not null default 0,
  add column pictures_failed integer not null default 0;

create index transfer_items_target on transfer_items (transfer_id, target_id) where target_id is not null;
