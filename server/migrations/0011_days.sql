-- What readers did with an essay on each day (in China), taken back what was taken back on it.
create table essay_days (
  essay_id uuid not null references essays (id) on delete cascade,
  day date not null,
  reads integer not null default 0,
  likes integer not null default 0,
  cmts integer not null default 0,
  collects integer not null default 0,
  shares integer not null default 0,
  downloads integer not null default 0,
  rewards integer not null default 0,
  primary key (essay_id, day)
);
create index essay_days_day on essay_days (day, essay_id);

create table user_days (
  user_id uuid not null references users (id) on delete cascade,
  day date not null,
  followers integer not null default 0,
  primary key (user_id, day)
);

-- Whether somebody did this before, and to take back what is told of it.
create index trends_user_target on trends (user_id, target_id, type);
