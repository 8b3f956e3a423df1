-- One box for each user that was told something.
create table notice_boxes (
  user_id uuid primary key references users (id) on delete cascade,
  -- Of the newest thing told; everything that changes a user's notices holds this row.
  position bigint not null default 0,
  -- Whatever is not newer has been read, whether marked or not.
  read_to bigint not null default 0,
  -- Whatever is not newer has been mailed, or was of no interest then.
  digest_to bigint not null default 0
);
-- Who waits for the next digest.
create index notice_boxes_digest on notice_boxes (user_id) where position > digest_to;

-- What a user is told, in the order of their box: it moves up when somebody joins those who did it.
drop index notices_user, notices_user_kind, notices_unread;
alter table notices
  add column position bigint,
  -- What it is about; where it is about nothing else, the user.
  add column target_id uuid,
  add column target_title text not null default '',
  add column target_url text not null default '',
  add column excerpt text not null default '',
  -- How many did it; none: the system.
  add column actors integer not null default 0,
  -- When somebody last did it.
  add column told_at timestamptz;
update notices set position = old.position, target_id = user_id, told_at = created_at
from (select id, row_number() over (partition by user_id order by id) as position from notices) as old
where notices.id = old.id;
alter table notices
  alter column position set not null,
  alter column target_id set not null,
  alter column told_at set not null;
create unique index notices_user on notices (user_id, position desc);
create index notices_user_kind on notices (user_id, kind, position desc);
-- The newest about one thing, which others may join, and what is taken back.
create index notices_target on notices (user_id, kind, target_id, position desc);

insert into notice_boxes (user_id, position, digest_to)
select user_id, max(position), max(position) from notices group by user_id;

create table notice_actors (
  notice_id uuid not null references notices (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  position bigint not null,
  primary key (notice_id, user_id)
);
create index notice_actors_newest on notice_actors (notice_id, position desc);
create index notice_actors_user on notice_actors (user_id);

create table notice_counts (
  user_id uuid not null references users (id) on delete cascade,
  kind text not null,
  total integer not null default 0,
  unread integer not null default 0,
  primary key (user_id, kind)
);

insert into notice_counts (user_id, kind, total, unread)
select user_id, kind, count(*), count(*) filter (where read_at is null) from notices group by user_id, kind;

alter table users add column digest boolean not null default true;
-- Whom one invited, newest first.
drop index users_invited_by;
create index users_invited_by on users (invited_by, id desc) where invited_by is not null;

create table blocks (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  blocked_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  constraint blocks_pair_key unique (user_id, blocked_id),
  check (user_id <> blocked_id)
);
create index blocks_user on blocks (user_id, id desc);
create index blocks_blocked on blocks (blocked_id);
