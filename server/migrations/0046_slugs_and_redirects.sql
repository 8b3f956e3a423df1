-- Addresses of essays that their writers choose, old addresses that lead elsewhere, and addresses that were not found.

alter table essays add column slug text;
alter table essays add constraint essays_slug_length check (char_length(slug) between 2 and 80);
create unique index essays_slug_key on essays (slug) where slug is not null;

create table redirects (
  id uuid primary key,
  -- Decoded, NFC, without the base path and without a trailing slash.
  path text not null,
  -- Sorted parameters without tracking ones; '' matches every query.
  query text not null default '',
  -- Null when the redirect leads to an essay, whose address may change.
  target text,
  -- The decoded path of a target on this site, by which chains are found.
  target_path text,
  essay_id uuid references essays (id) on delete cascade,
  -- The import that made it; null: by hand, or by a change of an essay's slug.
  transfer_id uuid,
  hits bigint not null default 0,
  -- The epoch until the first hit, so that lists can be sorted by it.
  last_hit_at timestamptz not null default 'epoch',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint redirects_path_length check (char_length(path) between 1 and 500 and char_length(query) <= 500),
  constraint redirects_one_target check ((target is null) <> (essay_id is null))
);
create unique index redirects_path_key on redirects (path, query);
create index redirects_path_prefix on redirects (lower(path) text_pattern_ops);
create index redirects_target_path on redirects (target_path) where target_path is not null;
create index redirects_essay on redirects (essay_id) where essay_id is not null;
create index redirects_transfer on redirects (transfer_id) where transfer_id is not null;
create index redirects_hits on redirects (hits, id);
create index redirects_last_hit on redirects (last_hit_at, id);
create index redirects_created on redirects (created_at, id);

create table missing_paths (
  id uuid primary key,
  path text not null constraint missing_paths_path_length check (char_length(path) between 1 and 500),
  hits bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null
);
create unique index missing_paths_path_key on missing_paths (path);
create index missing_paths_hits on missing_paths (hits, id);
create index missing_paths_last on missing_paths (last_at, id);
