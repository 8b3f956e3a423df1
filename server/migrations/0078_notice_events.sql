-- One row per comment, reply, mention, reward or purchase of a grouped notice.
create table notice_events (
  notice_id uuid not null references notices on delete cascade,
  event_id uuid not null,
  user_id uuid not null references users on delete cascade,
  position bigint not null,
  url text not null,
  excerpt text not null,
  told_at timestamptz not null,
  primary key (notice_id, event_id)
);
create index notice_events_newest on notice_events (notice_id, position desc);
create index notice_events_event on notice_events (event_id);
create index notice_events_user on notice_events (user_id);
