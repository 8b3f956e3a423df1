-- What stands for what. Owed by the platform is positive, held for it by providers (clearing) negative: all accounts
-- together are zero. The platform's own are spread over slots, so that purchases rarely wait for the same row.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  account text not null,
  user_id uuid,
  provider text not null default '',
  slot smallint not null default 0,
  balance bigint not null default 0,
  -- Of the newest line.
  changed_at timestamptz not null default '-infinity',
  constraint ledger_accounts_key unique nulls not distinct (account, user_id, provider, slot),
  constraint ledger_accounts_kind check (
    case account
      when 'balance' then user_id is not null and provider = '' and slot = 0
      when 'earnings' then user_id is not null and provider = '' and slot = 0
      when 'commission' then user_id is null and provider = ''
      when 'refunds' then user_id is null and provider = ''
      when 'withdrawals' then user_id is null and provider = ''
      when 'clearing' then user_id is null and provider <> ''
      else false
    end
  ),
  constraint ledger_accounts_not_negative check (account <> 'balance' or balance >= 0)
) with (fillfactor = 50);
create index ledger_accounts_user on ledger_accounts (user_id) where user_id is not null;
insert into ledger_accounts (account, provider, slot)
select account, provider, slot
from generate_series(0, 15) as slot, (values
  ('commission', ''), ('refunds', ''), ('withdrawals', ''),
  ('clearing', 'alipay'), ('clearing', 'wechat'), ('clearing', 'sandbox'), ('clearing', 'bank')
) as platform (account, provider)
order by account, provider, slot;

create table ledger_entries (
  id uuid primary key,
  kind text not null,
  title text not null,
  order_id uuid,
  withdrawal_id uuid,
  created_at timestamptz not null,
  constraint ledger_entries_order_key unique (order_id, kind),
  constraint ledger_entries_withdrawal_key unique (withdrawal_id, kind)
);
create index ledger_entries_kind on ledger_entries (kind, id desc);
create index ledger_entries_created on ledger_entries (created_at);

create sequence ledger_positions;

create table ledger_lines (
  id uuid primary key,
  entry_id uuid not null references ledger_entries (id),
  account_id bigint not null references ledger_accounts (id),
  amount bigint not null,
  -- Set by the database from here on. Of an account the times never go back and the positions grow.
  user_id uuid,
  balance_after bigint not null,
  position bigint not null,
  created_at timestamptz not null,
  constraint ledger_lines_account_key unique (entry_id, account_id),
  check (amount <> 0)
);
create index ledger_lines_account on ledger_lines (account_id, created_at desc, position desc);
create index ledger_lines_user on ledger_lines (user_id, created_at desc, position desc) where user_id is not null;
create index ledger_lines_user_entry on ledger_lines (user_id, entry_id desc) where user_id is not null;

-- A line and the balance of its account are written together. What the line says is found first, under the lock; the
-- account is changed once the line is really there, which it is not after a conflict.
create function ledger_line_weighed() returns trigger language plpgsql as $$
begin
  select balance + new.amount, greatest(changed_at, new.created_at), user_id
  into new.balance_after, new.created_at, new.user_id
  from ledger_accounts where id = new.account_id for no key update;
  new.position := nextval('ledger_positions');
  return new;
end
$$;
create trigger ledger_lines_weighed before insert on ledger_lines
  for each row execute function ledger_line_weighed();

create function ledger_line_booked() returns trigger language plpgsql as $$
begin
  update ledger_accounts set balance = new.balance_after, changed_at = new.created_at
  where id = new.account_id and balance + new.amount = new.balance_after;
  if not found then
    raise exception 'two lines of one account in one statement' using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger ledger_lines_booked after insert on ledger_lines
  for each row execute function ledger_line_booked();

create function ledger_entry_balanced() returns trigger language plpgsql as $$
declare
  entry uuid := to_jsonb(new) ->> tg_argv[0];
  line_count bigint;
  total numeric;
begin
  select count(*), sum(amount) into line_count, total from ledger_lines where entry_id = entry;
  if line_count < 2 or total <> 0 then
    raise exception 'entry % is not balanced: % lines, together %', entry, line_count, total
      using errcode = 'check_violation', constraint = 'ledger_entries_balanced';
  end if;
  return null;
end
$$;
create constraint trigger ledger_entries_balanced after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_entry_balanced('id');
create constraint trigger ledger_lines_balanced after insert on ledger_lines
  deferrable initially deferred for each row execute function ledger_entry_balanced('entry_id');

-- An entry with its lines, in the order given; accounts that people did not have yet are made. One call, whose
-- statements the database has planned before: every purchase makes it.
create function ledger_post(
  new_entry uuid, new_kind text, new_title text, new_order uuid, new_withdrawal uuid, at timestamptz,
  line_ids uuid[], accounts text[], user_ids uuid[], providers text[], slots smallint[], amounts bigint[]
) returns void language plpgsql as $$
declare
  account_ids bigint[];
begin
  loop
    select array_agg(found.id order by line.place) into account_ids
    from unnest(accounts, user_ids, providers, slots) with ordinality
      as line (account, user_id, provider, slot, place)
    left join ledger_accounts as found on found.account = line.account
      and found.user_id is not distinct from line.user_id
      and found.provider = line.provider and found.slot = line.slot;
    exit when array_position(account_ids, null) is null;
    -- In one order for all: whoever makes the same ones at the same time waits.
    insert into ledger_accounts (account, user_id, provider, slot)
    select * from unnest(accounts, user_ids, providers, slots) as line (account, user_id, provider, slot)
    order by account, user_id, provider, slot
    on conflict do nothing;
  end loop;
  insert into ledger_entries (id, kind, title, order_id, withdrawal_id, created_at)
  values (new_entry, new_kind, new_title, new_order, new_withdrawal, at);
  -- People's accounts before the platform's, each in the order of ids: nobody waits in a circle.
  insert into ledger_lines (id, entry_id, account_id, amount, balance_after, position, created_at)
  select line.id, new_entry, line.account_id, line.amount, 0, 0, at
  from unnest(line_ids, account_ids, amounts, user_ids) as line (id, account_id, amount, user_id)
  order by line.user_id is null, line.account_id;
end
$$;

-- What is booked stays, except in a transaction that takes the demo people away.
create function ledger_kept() returns trigger language plpgsql as $$
begin
  if current_setting('mozhan.ledger', true) = 'demo removal' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise exception '% of % is not allowed: what is booked stays', tg_op, tg_table_name
    using errcode = 'check_violation', constraint = 'ledger_kept';
end
$$;
create trigger ledger_entries_kept before update or delete on ledger_entries
  for each row execute function ledger_kept();
create trigger ledger_lines_kept before update or delete on ledger_lines
  for each row execute function ledger_kept();
create trigger ledger_accounts_kept before delete on ledger_accounts
  for each row execute function ledger_kept();
-- A balance changes only by a line: by the trigger above, which is one level up.
create trigger ledger_accounts_changed before update on ledger_accounts
  for each row when (
    pg_trigger_depth() < 1
    or (old.id, old.account, old.user_id, old.provider, old.slot)
      is distinct from (new.id, new.account, new.user_id, new.provider, new.slot)
  )
  execute function ledger_kept();
create trigger ledger_accounts_empty before insert on ledger_accounts
  for each row when (new.balance <> 0) execute function ledger_kept();
create trigger ledger_entries_never_emptied before truncate on ledger_entries
  for each statement execute function ledger_kept();
create trigger ledger_lines_never_emptied before truncate on ledger_lines
  for each statement execute function ledger_kept();
create trigger ledger_accounts_never_emptied before truncate on ledger_accounts
  for each statement execute function ledger_kept();

alter table users drop column balance;

-- Money comes before the system in the back office's menu, where operators left it as it was.
update menus set sort = 4 where code = 'system' and sort = 3;
