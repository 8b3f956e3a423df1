-- `word` as typed, `key` as it is compared: no two of them mean the same.
create table words (
  id uuid primary key,
  word text not null,
  key text not null constraint words_key_key unique,
  level text not null check (level in ('mask', 'hold', 'refuse')),
  note text not null,
  enabled boolean not null,
  created_at timestamptz not null
);
create index words_level on words (level, id desc);

-- One row, another version with every change: what was built from the words is good while it stays.
create table word_lists (version uuid primary key);
insert into word_lists values ('00000000-0000-0000-0000-000000000000');

create table dicts (
  id uuid primary key,
  code text not null constraint dicts_code_key unique,
  name text not null,
  enabled boolean not null,
  created_at timestamptz not null
);

create table dict_items (
  id uuid primary key,
  dict_id uuid not null constraint dict_items_dict_fkey references dicts,
  value text not null,
  item text not null,
  sort integer not null,
  enabled boolean not null,
  created_at timestamptz not null,
  constraint dict_items_value_key unique (dict_id, value)
);
create index dict_items_order on dict_items (dict_id, sort, id);

create table covers (
  id uuid primary key,
  kind text not null check (kind in ('library', 'banner')),
  title text not null,
  image text not null,
  link text not null,
  sort integer not null,
  enabled boolean not null,
  starts_at timestamptz,
  ends_at timestamptz,
  created_at timestamptz not null
);
create index covers_order on covers (kind, sort, id);
create index covers_image on covers (image) where kind = 'library';
