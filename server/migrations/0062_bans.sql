-- Addresses and networks whose requests are refused.
create table bans (
  id uuid primary key,
  network cidr not null,
  reason text not null default '',
  expires_at timestamptz,
  -- Who banned it.
  user_id uuid references users (id) on delete set null,
  created_at timestamptz not null,
  constraint bans_network unique (network)
);
create index bans_networks on bans using gist (network inet_ops);
create index bans_expires on bans (expires_at) where expires_at is not null;
create index bans_user on bans (user_id) where user_id is not null;
