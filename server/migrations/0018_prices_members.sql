-- Amounts that are offered to choose from, in fen.
create table price_tiers (
  id uuid primary key,
  kind text not null check (kind in ('read', 'reward', 'recharge')),
  amount integer not null check (amount > 0),
  sort integer not null,
  enabled boolean not null default true,
  constraint price_tiers_amount_key unique (kind, amount)
);
insert into price_tiers (id, kind, amount, sort)
select gen_random_uuid(), kind, amount, 10 * row_number() over (partition by kind order by amount)
from (values
  ('read', 100), ('read', 300), ('read', 600), ('read', 990), ('read', 1990),
  ('reward', 200), ('reward', 500), ('reward', 1000), ('reward', 2000), ('reward', 5000),
  ('recharge', 1000), ('recharge', 3000), ('recharge', 5000), ('recharge', 10000), ('recharge', 20000),
  ('recharge', 50000)
) as tiers (kind, amount);

-- One row.
create table price_rules (
  single boolean primary key default true check (single),
  reward_min integer not null,
  reward_max integer not null check (reward_max >= reward_min),
  recharge_min integer not null,
  recharge_max integer not null check (recharge_max >= recharge_min),
  commission_percent integer not null check (commission_percent between 0 and 100),
  withdraw_min integer not null,
  refund_days integer not null,
  invite_days integer not null
);
insert into price_rules (reward_min, reward_max, recharge_min, recharge_max, commission_percent, withdraw_min,
  refund_days, invite_days)
values (100, 50000, 100, 1000000, 10, 1000, 30, 7);

create table member_plans (
  id uuid primary key,
  name text not null,
  days integer not null check (days > 0),
  price integer not null check (price > 0),
  sort integer not null,
  enabled boolean not null default true,
  created_at timestamptz not null
);
insert into member_plans (id, name, days, price, sort, created_at) values
  (gen_random_uuid(), '月度会员', 30, 1500, 10, now()),
  (gen_random_uuid(), '季度会员', 90, 3900, 20, now()),
  (gen_random_uuid(), '年度会员', 365, 12800, 30, now());

-- Where somebody's days came from, and which were taken back. They stay when people go, as orders do.
create table member_terms (
  id uuid primary key,
  user_id uuid not null,
  source text not null check (source in ('order', 'grant', 'invite', 'refund')),
  days integer not null check (days <> 0),
  -- When the membership ends from then on.
  until timestamptz not null,
  -- Of `order` and `refund`.
  order_id uuid,
  -- Of `invite`: by whose first payment both were given days.
  invitee_id uuid,
  reason text not null default '',
  by_id uuid,
  created_at timestamptz not null
);
create index member_terms_user on member_terms (user_id, id desc);
-- Nothing is given or taken twice.
create unique index member_terms_order on member_terms (order_id, source) where order_id is not null;
create unique index member_terms_invite on member_terms (invitee_id, user_id) where invitee_id is not null;

create index users_member on users (member_until desc, id desc) where member_until is not null;

-- What was given for an essay; the money itself is in its order. The ids are of the time of the deed: lists are in
-- their order.
create table rewards (
  id uuid primary key,
  order_id uuid not null constraint rewards_order_key unique,
  user_id uuid not null references users (id) on delete cascade,
  essay_id uuid not null references essays (id) on delete cascade,
  amount integer not null check (amount > 0),
  message text not null default '',
  reply text not null default '',
  replied_at timestamptz,
  created_at timestamptz not null
);
create index rewards_essay on rewards (essay_id, id desc);
create index rewards_user on rewards (user_id, essay_id);
