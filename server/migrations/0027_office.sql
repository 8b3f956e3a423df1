-- When a session was last used, to some minutes: the order of the list of sessions.
alter table sessions add column used_at timestamptz;
update sessions set used_at = renewed_at;
alter table sessions alter column used_at set not null;
create index sessions_used on sessions (used_at, id);

-- Names that tags no longer have: whoever still uses one gets what it leads to, or nothing. What carries it is changed
-- in the background, essay by essay, as far as `position`; until then it is pending.
create table tag_aliases (
  name text primary key,
  to_name text,
  pending boolean not null,
  position uuid not null,
  created_at timestamptz not null,
  check (name <> to_name)
);
create index tag_aliases_to on tag_aliases (to_name);
create index tag_aliases_pending on tag_aliases (created_at) where pending;

-- The list of tags in the back office: by number, by name, by the beginning of a name.
create index tags_order on tags (essay_count, id);
create index tags_lower on tags (lower(name) text_pattern_ops);

create table announcements (
  id uuid primary key,
  title text not null,
  content text not null,
  html text not null,
  link text not null,
  level text not null,
  sort integer not null,
  enabled boolean not null,
  starts_at timestamptz,
  ends_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (ends_at > starts_at)
);
create index announcements_order on announcements (sort, id);
