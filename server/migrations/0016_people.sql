-- The directory of programmers: one card for whoever wants to be found.
create table farmers (
  user_id uuid primary key references users (id) on delete cascade,
  -- Values of the dictionary `skill`, in the order of the owner.
  skills text[] not null check (cardinality(skills) > 0),
  years smallint not null default 0,
  city text not null default '',
  homepage text not null default '',
  open_to_work boolean not null default false,
  intro text not null default '',
  updated_at timestamptz not null
);
create index farmers_newest on farmers (updated_at desc, user_id desc);
create index farmers_open on farmers (updated_at desc, user_id desc) where open_to_work;
create index farmers_skills on farmers using gin (skills) with (fastupdate = off);
create index farmers_city on farmers (city text_pattern_ops);

-- The best hundred writers of each range as they were computed last, and when that was.
create table star_ranks (
  range text not null check (range in ('week', 'month', 'all')),
  rank smallint not null,
  user_id uuid not null references users (id) on delete cascade,
  score bigint not null,
  reads bigint not null,
  likes bigint not null,
  collects bigint not null,
  rewards bigint not null,
  primary key (range, rank)
);
create index star_ranks_user on star_ranks (user_id);
create table star_rankings (
  range text primary key check (range in ('week', 'month', 'all')),
  computed_at timestamptz not null
);

-- Writers whom staff recommend, twenty at the most.
create table star_picks (
  user_id uuid primary key references users (id) on delete cascade,
  note text not null default '',
  sort integer not null,
  picked_at timestamptz not null
);

-- What readers say of themselves to become writers: for staff only.
create table expert_applications (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  real_name text not null,
  field text not null,
  intro text not null,
  works text[] not null default '{}',
  contact text not null,
  -- 0 waiting, 1 approved, 2 refused.
  status smallint not null default 0 check (status between 0 and 2),
  reason text not null default '',
  decided_by uuid references users (id) on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null
);
-- One at a time.
create unique index expert_applications_waiting on expert_applications (user_id) where status = 0;
create index expert_applications_user on expert_applications (user_id, id desc);
create index expert_applications_status on expert_applications (status, id);
create index expert_applications_decider on expert_applications (decided_by) where decided_by is not null;

-- What somebody reported: an essay, a comment, a user or a message.
create table reports (
  id uuid primary key,
  kind text not null check (kind in ('essay', 'comment', 'user', 'chat')),
  target_id uuid not null,
  user_id uuid references users (id) on delete set null,
  -- A value of the dictionary `report-reason`.
  reason text not null,
  detail text not null default '',
  -- 0 open, 1 true and dealt with, 2 untrue.
  status smallint not null default 0 check (status between 0 and 2),
  result text not null default '',
  handled_by uuid references users (id) on delete set null,
  handled_at timestamptz,
  created_at timestamptz not null
);
-- One open report of each reporter; they are closed together.
create unique index reports_open on reports (kind, target_id, user_id) where status = 0;
create index reports_status on reports (status, id);
create index reports_kind on reports (kind, id);
create index reports_kind_status on reports (kind, status, id);
create index reports_user on reports (user_id) where user_id is not null;
create index reports_handler on reports (handled_by) where handled_by is not null;
