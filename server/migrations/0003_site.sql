create table info_pages (
  name text primary key,
  title text not null,
  content text not null,
  html text not null,
  toc jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null
);

create table categories (
  id uuid primary key,
  slug text not null constraint categories_slug_key unique,
  name text not null,
  icon text not null,
  sort integer not null,
  enabled boolean not null default true,
  created_at timestamptz not null
);

-- One's trends of one type; and those that others may see, which reading and searching would otherwise bury.
create index trends_user_type on trends (user_id, type, id desc);
create index trends_user_public on trends (user_id, id desc) where type between 1 and 11;
