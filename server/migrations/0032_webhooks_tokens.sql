-- What somebody may do from a command line in their own name, with these scopes and nothing else.
create table api_tokens (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  hash bytea not null constraint api_tokens_hash unique,
  scopes text[] not null,
  -- None: until it is removed.
  expires_at timestamptz,
  used_at timestamptz,
  used_address text not null default '',
  created_at timestamptz not null
);
create index api_tokens_user on api_tokens (user_id, id);
create index api_tokens_expires on api_tokens (expires_at) where expires_at is not null;

create table webhook_endpoints (
  id uuid primary key,
  name text not null,
  url text not null,
  events text[] not null,
  secret text not null,
  enabled boolean not null,
  -- Since when nothing has arrived there.
  failing_since timestamptz,
  -- By us, because nothing arrived for days.
  disabled_at timestamptz,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null
);

create table webhook_deliveries (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  event text not null,
  -- As it is signed and sent, the same at every attempt.
  body text not null,
  status text not null check (status in ('waiting', 'delivered', 'failed')),
  -- Since it was last asked for.
  attempts smallint not null default 0,
  next_at timestamptz not null,
  -- The last answer.
  code smallint,
  error text not null default '',
  response text not null default '',
  duration integer,
  -- Of every attempt: when, and what came of it.
  log jsonb not null default '[]',
  created_at timestamptz not null
);
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id desc);
create index webhook_deliveries_event on webhook_deliveries (event, id desc);
create index webhook_deliveries_status on webhook_deliveries (status, id desc);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at) where status = 'waiting';
create index webhook_deliveries_created on webhook_deliveries (created_at);
