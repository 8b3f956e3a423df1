-- One for a person, an essay and a channel. The ids are of the time of the deed: lists are in their order.
create table shares (
  id uuid primary key,
  code text not null,
  user_id uuid not null references users (id) on delete cascade,
  essay_id uuid not null references essays (id) on delete cascade,
  channel text not null,
  -- The person's first of this essay: the one that lists of essays show.
  is_first boolean not null,
  read_count integer not null default 0,
  created_at timestamptz not null,
  constraint shares_code_key unique (code),
  constraint shares_channel_key unique (user_id, essay_id, channel)
);
create index shares_user on shares (user_id, id desc);
create unique index shares_first on shares (user_id, essay_id) where is_first;
create index shares_shown on shares (user_id, id desc) where is_first;
create index shares_essay on shares (essay_id);

-- Who came by what on which day: a visitor counts once a day. Kept for two days.
create table share_reads (
  day date not null,
  share_id uuid not null references shares (id) on delete cascade,
  reader bytea not null,
  primary key (day, share_id, reader)
);
create index share_reads_share on share_reads (share_id);
