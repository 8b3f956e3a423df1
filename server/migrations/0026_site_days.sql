-- How the site is doing, day by day (in China). A day that is over is counted once more and stays.
create table site_days (
  day date primary key,
  reads bigint not null,
  registrations integer not null,
  publications integer not null,
  comments integer not null,
  messages integer not null,
  -- In fen: of orders paid, and paid back, on this day.
  turnover bigint not null,
  refunded bigint not null,
  settled boolean not null,
  counted_at timestamptz not null
);

-- What was read most in a range of days, which is more than can be summed while somebody waits.
create table stat_tops (
  range text primary key,
  essays jsonb not null,
  writers jsonb not null,
  computed_at timestamptz not null
);

-- What happened since a day. Tables that grow at their end and are written much have the kind that costs no write.
create index letters_created on letters (created_at);
create index essay_records_shelved on essay_records (created_at) where to_status = 3 and not revision;
create index comments_created on comments (created_at, id);
create index chat_messages_created on chat_messages using brin (created_at) with (autosummarize = on);
