-- What writers want of their earnings. It is held in the ledger from the beginning. Like all of money, it stays when
-- people go.
create table withdrawals (
  id uuid primary key,
  no text not null constraint withdrawals_no_key unique,
  user_id uuid not null,
  amount integer not null check (amount > 0),
  account text not null,
  real_name text not null default '',
  -- 0 waiting, 1 approved, 2 refused, 3 paid.
  status smallint not null default 0 check (status between 0 and 3),
  reason text not null default '',
  trade_no text not null default '' check ((trade_no <> '') = (status = 3)),
  decided_by uuid,
  decided_at timestamptz check ((decided_at is null) = (status = 0)),
  paid_at timestamptz check ((paid_at is not null) = (status = 3)),
  created_at timestamptz not null
);
create index withdrawals_user on withdrawals (user_id, id desc);
create index withdrawals_status on withdrawals (status, id desc);
