-- What somebody wants to pay, or has paid. Orders stay when people and essays go: what they say is in them.
create table orders (
  id uuid primary key,
  -- The day in China and twelve digits: what people and providers know it by.
  no text not null constraint orders_no_key unique,
  user_id uuid not null,
  kind text not null check (kind in ('recharge', 'read', 'column', 'reward', 'member')),
  -- The essay, column or plan.
  target_id uuid check ((target_id is null) = (kind = 'recharge')),
  title text not null,
  -- Whose earnings it goes to.
  payee_id uuid check ((payee_id is not null) = (kind in ('read', 'column', 'reward'))),
  amount integer not null check (amount > 0),
  -- The platform's part, as it was when the order was made.
  commission integer not null check (commission between 0 and amount),
  -- Of membership.
  days integer not null default 0 check ((days > 0) = (kind = 'member')),
  message text not null default '',
  pay_by text not null check (pay_by in ('balance', 'alipay', 'wechat', 'sandbox')),
  -- 0 waiting, 1 paid, 2 cancelled, 3 paid back.
  status smallint not null default 0 check (status between 0 and 3),
  -- A repeated request finds its order by it.
  request_id text,
  -- What the provider said about how to pay.
  pay jsonb,
  trade_no text not null default '',
  invoice jsonb,
  expires_at timestamptz not null,
  -- When the provider is asked next whether it was paid.
  ask_at timestamptz not null,
  paid_at timestamptz check ((paid_at is not null) = (status in (1, 3))),
  refunded_at timestamptz check ((refunded_at is not null) = (status = 3)),
  refund_reason text not null default '',
  refunded_by uuid,
  -- When the provider had paid it back, or the balance.
  refund_settled_at timestamptz,
  created_at timestamptz not null
);
create unique index orders_request on orders (user_id, request_id) where request_id is not null;
create index orders_user on orders (user_id, id desc);
create index orders_waiting on orders (ask_at) where status = 0;
create index orders_unfinished on orders (status, id desc) where status <> 1;
create index orders_target on orders (target_id) where status = 0;
create index orders_trade on orders (trade_no) where trade_no <> '';
create index orders_invoice on orders (id desc) where invoice is not null;
create index orders_paid on orders (paid_at) where paid_at is not null;
-- What authors have earned with what.
create index orders_payee on orders (payee_id, target_id) include (amount, commission) where status = 1;
create index orders_refunded on orders (refunded_at) where refunded_at is not null;

-- Who may read what they bought: an essay, or all of a column.
create table purchases (
  user_id uuid not null,
  target_id uuid not null,
  kind text not null check (kind in ('essay', 'column')),
  order_id uuid not null,
  created_at timestamptz not null,
  primary key (user_id, target_id)
);
create index purchases_target on purchases (target_id);

-- Paid orders of which nobody has been told yet.
create table untold_orders (
  order_id uuid primary key,
  created_at timestamptz not null
);

-- The books of the sandbox: a provider of its own, which knows orders by their numbers only.
create table sandbox_payments (
  no text primary key,
  title text not null,
  amount integer not null check (amount > 0),
  trade_no text not null,
  declined boolean not null default false,
  expires_at timestamptz not null,
  closed_at timestamptz,
  paid_at timestamptz,
  refund_no text,
  refunded_at timestamptz check ((refunded_at is null) = (refund_no is null))
);
create index sandbox_payments_paid on sandbox_payments (paid_at) where paid_at is not null;
create index sandbox_payments_refunded on sandbox_payments (refunded_at) where refunded_at is not null;
