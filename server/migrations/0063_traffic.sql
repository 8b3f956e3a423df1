-- Page loads per day, counted in memory and added in batches. No row says what a person did.
create table traffic_days (
  day date primary key,
  views bigint not null,
  visits bigint not null,
  visitors bigint not null default 0,
  -- Random, for the hashes of this day's visitors; deleted when the day is over.
  salt bytea
);

-- Hashes of the current day's visitors, to count each of them once; deleted when the day is over.
create table traffic_visitors (
  day date not null,
  visitor bytea not null,
  primary key (day, visitor)
);

-- Loads per page, and visits per source, region and device. A day has a limited number of values.
create table traffic_values (
  day date not null,
  dimension text not null,
  value text not null check (char_length(value) between 1 and 200),
  count bigint not null,
  primary key (day, dimension, value)
);

-- Where an author's essays were opened from.
create table author_sources (
  author_id uuid not null references users (id) on delete cascade,
  day date not null,
  value text not null check (char_length(value) between 1 and 200),
  count bigint not null,
  primary key (author_id, day, value)
);
create index author_sources_day on author_sources (day);
