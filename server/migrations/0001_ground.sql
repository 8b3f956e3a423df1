create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null
);

create table users (
  id uuid primary key,
  display_name text not null,
  head_img text not null default '',
  title text not null default '',
  bio text not null default '',
  gender text not null default 'unknown',
  city text not null default '',
  company text not null default '',
  position text not null default '',
  homepage text not null default '',
  github text not null default '',
  cur_identity smallint not null default 1 check (cur_identity in (1, 2)),
  region text not null default '',
  invite_code text not null unique,
  invited_by uuid references users (id) on delete set null,
  member_until timestamptz,
  balance bigint not null default 0 check (balance >= 0),
  notify jsonb not null default '{}',
  privacy jsonb not null default '{}',
  essay_count integer not null default 0,
  read_count bigint not null default 0,
  like_count bigint not null default 0,
  follower_count integer not null default 0,
  following_count integer not null default 0,
  demo boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index users_invited_by on users (invited_by) where invited_by is not null;
create index users_name_prefix on users ((lower(display_name) collate "C"), id);

create table accounts (
  user_id uuid primary key references users (id) on delete cascade,
  name text not null constraint accounts_name_key unique,
  email text constraint accounts_email_key unique,
  email_verified boolean not null default false,
  password_hash text not null,
  enabled boolean not null default true,
  must_change_password boolean not null default false,
  totp_secret text,
  totp_on boolean not null default false,
  totp_step bigint not null default 0,
  updated_at timestamptz not null
);

create table roles (
  id uuid primary key,
  code text not null unique,
  name text not null,
  enabled boolean not null default true,
  created_at timestamptz not null
);
create table menus (
  id uuid primary key,
  parent_id uuid references menus (id) on delete cascade,
  name text not null,
  path text not null default '',
  icon text not null default '',
  permission text unique,
  kind text not null check (kind in ('group', 'screen', 'act')),
  sort integer not null default 0,
  enabled boolean not null default true
);
create table role_menus (
  role_id uuid not null references roles (id) on delete cascade,
  menu_id uuid not null references menus (id) on delete cascade,
  primary key (role_id, menu_id)
);
create table account_roles (
  user_id uuid not null references accounts (user_id) on delete cascade,
  role_id uuid not null references roles (id) on delete cascade,
  primary key (user_id, role_id)
);
create index account_roles_role on account_roles (role_id);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  via text not null,
  device text not null,
  address text not null,
  region text not null,
  created_at timestamptz not null,
  renewed_at timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_age on sessions (renewed_at);
create table session_tokens (
  hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  issued_at timestamptz not null,
  used_at timestamptz,
  expires_at timestamptz not null
);
create index session_tokens_session on session_tokens (session_id);
create index session_tokens_expiry on session_tokens (expires_at);

create table sign_in_failures (
  account text not null,
  address text not null,
  failures integer not null,
  last_at timestamptz not null,
  primary key (account, address)
);
create index sign_in_failures_age on sign_in_failures (last_at);
create table codes (
  purpose text not null,
  target text not null,
  user_id uuid references users (id) on delete cascade,
  hash bytea not null,
  attempts smallint not null default 0,
  expires_at timestamptz not null,
  primary key (purpose, target)
);
create index codes_expiry on codes (expires_at);
create table spent_challenges (
  signature text primary key,
  expires_at timestamptz not null
);
create index spent_challenges_expiry on spent_challenges (expires_at);
create table qr_tickets (
  hash bytea primary key,
  secret_hash bytea not null,
  status text not null default 'waiting' check (status in ('waiting', 'scanned', 'confirmed', 'cancelled')),
  user_id uuid references users (id) on delete cascade,
  claimed boolean not null default false,
  device text not null,
  address text not null,
  region text not null,
  expires_at timestamptz not null
);
create index qr_tickets_expiry on qr_tickets (expires_at);

create table requests (
  user_id uuid not null references users (id) on delete cascade,
  request_id text not null,
  content_hash bytea not null,
  response jsonb,
  created_at timestamptz not null,
  primary key (user_id, request_id)
);
create index requests_age on requests (created_at);
create unlogged table rate_limits (
  key text not null,
  ends_at timestamptz not null,
  count integer not null,
  primary key (key, ends_at)
);
create index rate_limits_end on rate_limits (ends_at);

create table operations (
  id uuid primary key,
  user_id uuid references users (id) on delete set null,
  call text not null,
  summary text not null,
  target text,
  address text not null,
  request_id text not null,
  input jsonb not null,
  before jsonb,
  after jsonb,
  created_at timestamptz not null
);
create index operations_user on operations (user_id, id desc);
create index operations_call on operations (call, id desc);

create table trends (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  type smallint not null check (type between 0 and 19),
  target_kind smallint not null check (target_kind in (0, 1)),
  target_id uuid not null,
  created_at timestamptz not null
);
create index trends_user on trends (user_id, id desc);

create table notices (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null,
  text text not null,
  read_at timestamptz,
  created_at timestamptz not null
);
create index notices_user on notices (user_id, id desc);
create index notices_user_kind on notices (user_id, kind, id desc);
create index notices_unread on notices (user_id, kind) where read_at is null;

create table uploads (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  path text not null,
  thumb_path text not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  created_at timestamptz not null
);
create index uploads_user on uploads (user_id, id desc);
create index uploads_path on uploads (path);

-- Live events too large for a notification, between processes.
create table live_attachments (
  id bigserial primary key,
  created_at timestamptz default now(),
  payload bytea
);
