-- How many guesses at passwords and codes somebody has made lately. Each moves `empty_at` by the time after which it is
-- forgotten, so that one column says how many still count, and a row whose time has come counts none.
create table guesses (
  -- An address, a network, or an account's second factor.
  key text primary key,
  empty_at timestamptz not null
);
create index guesses_empty on guesses (empty_at);

-- Networks from which an account has signed in: who asks for its codes from there is not a stranger.
create table sign_in_networks (
  user_id uuid not null references users (id) on delete cascade,
  network text not null,
  seen_at timestamptz not null,
  primary key (user_id, network)
);
create index sign_in_networks_seen on sign_in_networks (seen_at);

-- When codes were asked for by mail or text message, and when they were sent. The key is a hash: it holds an address.
create table code_asks (
  key bytea primary key,
  asked_at timestamptz[] not null,
  expires_at timestamptz not null
);
create index code_asks_expires on code_asks (expires_at);
drop table sms_asks;

-- Codes that the site has sent on a day.
create table code_budgets (
  day date not null,
  way text not null check (way in ('mail', 'sms')),
  sent integer not null,
  primary key (day, way)
);

-- A person's own list of sessions, the last used first.
create index sessions_user_used on sessions (user_id, used_at, id);
drop index sessions_user;
