-- Until then this session may change what signs its owner in.
alter table sessions add column reauth_until timestamptz;

-- When an address was added to an account that existed already; none: given at registration, or before this column.
alter table accounts
  add column email_added_at timestamptz,
  add column phone_added_at timestamptz;

-- Changes of what signs an account in, for as long as the owner can undo them by a link.
create table account_changes (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  position bigint generated always as identity,
  kind text not null check (kind in ('email', 'phone', 'totp-on', 'totp-off', 'token', 'password')),
  hash bytea not null constraint account_changes_hash unique,
  old_value text,
  old_verified boolean not null,
  old_added_at timestamptz,
  new_value text not null,
  device text not null,
  region text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  undone_at timestamptz
);
create index account_changes_user on account_changes (user_id, position);
create index account_changes_expiry on account_changes (expires_at);
create index account_changes_old_email on account_changes (old_value) where kind = 'email';
