-- What a day's ledger, orders and provider's statement say, and where they do not agree. Done again, it is replaced.
create table reconciliations (
  id uuid primary key,
  -- In China.
  day date not null,
  provider text not null check (provider in ('balance', 'alipay', 'wechat', 'sandbox')),
  -- Each { count, paid, refunded }.
  ledger jsonb not null,
  orders jsonb not null,
  -- Null: there is none, or none yet; `note` says why.
  statement jsonb,
  note text not null default '',
  differences jsonb not null,
  created_at timestamptz not null,
  constraint reconciliations_day_key unique (day, provider)
);
create index reconciliations_list on reconciliations (day desc, id desc);

create index orders_refund_settled on orders (refund_settled_at) where refund_settled_at is not null;
