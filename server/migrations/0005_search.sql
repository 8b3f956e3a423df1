-- What essays are found by. Tokens are hashes of words; the arrays are kept out of the row, so that looking at many
-- rows reads little. A pending list would make one search in many wait for all inserts since the last vacuum.
-- Statistics of the arrays would be of no use, the index is always right, and take seconds of every analyze.
create table search_essays (
  id uuid primary key,
  title text not null,
  folded_title text collate "C" not null,
  fresh real not null,
  stat real not null,
  tokens integer[] not null,
  impacts bytea not null
) with (toast_tuple_target = 128, fillfactor = 70);
alter table search_essays
  alter column tokens set storage external,
  alter column tokens set statistics 0,
  alter column impacts set storage external,
  alter column impacts set statistics 0;
create index search_essays_tokens on search_essays using gin (tokens) with (fastupdate = off);
create index search_essays_title on search_essays (folded_title);

-- A copy of those that stand highest: questions of common words only are answered from it.
create table search_hot (
  id uuid primary key,
  stat real not null,
  tokens integer[] not null
) with (toast_tuple_target = 128, fillfactor = 70);
alter table search_hot alter column tokens set storage external, alter column tokens set statistics 0;
create index search_hot_tokens on search_hot using gin (tokens) with (fastupdate = off);

-- How common a token is among all essays, from a sample.
create table search_shares (
  token integer primary key,
  share real not null
);

-- Latin words that typing errors may be meant for; those of new essays wait to be added.
create table search_words (
  word text collate "C" primary key,
  uses integer not null,
  keys integer[] not null
);
create index search_words_keys on search_words using gin (keys) with (fastupdate = off);
create table search_new_words (
  id bigint generated always as identity primary key,
  words text[] not null
);

-- Every beginning that a person or a tag is found by: characters, pinyin, initials.
create table search_names (
  kind text not null,
  id uuid not null,
  form text collate "C" not null,
  name text not null,
  is_whole boolean not null,
  weight real not null,
  primary key (kind, id, form)
);
create index search_names_form on search_names (kind, form);
