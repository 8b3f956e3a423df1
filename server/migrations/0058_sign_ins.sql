-- The sign-in log: who signed in or failed to, kept for six months.
create table sign_ins (
  id uuid primary key,
  -- Null: the account does not exist, or nobody knows it, as for an API token.
  user_id uuid references users (id) on delete cascade,
  -- The name of the account, or a keyed hash of what was typed.
  account text not null,
  succeeded boolean not null,
  via text not null,
  reason text,
  address text not null,
  region text not null,
  device text not null,
  created_at timestamptz not null,
  constraint sign_ins_reason check (succeeded = (reason is null))
);
create index sign_ins_user on sign_ins (user_id, id desc) where user_id is not null;
create index sign_ins_unknown on sign_ins (account, id desc) where user_id is null;
create index sign_ins_address on sign_ins (address, id desc);
create index sign_ins_result on sign_ins (succeeded, id desc);
create index sign_ins_created on sign_ins (created_at, id);
