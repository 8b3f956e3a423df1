-- Every purchase runs what follows. Its statements are planned once for a connection, maybe while the tables are all but
-- empty, when reading them through from end to end seems best and would be done ever after: hence `enable_seqscan`.

drop trigger ledger_lines_weighed on ledger_lines;
drop trigger ledger_lines_booked on ledger_lines;
drop trigger ledger_lines_balanced on ledger_lines;
drop function ledger_line_weighed, ledger_line_booked;
alter table ledger_lines alter position set default nextval('ledger_positions');

-- The lines of a statement are balanced, entry by entry, and become the balances of their accounts: all of them, each of
-- its own account and from the balance that is there.
create function ledger_lines_booked() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  line_count bigint;
  wrong uuid[];
  booked_count bigint;
begin
  select sum(lines), array_agg(entry_id) filter (where lines < 2 or total <> 0) into line_count, wrong
  from (
    select entry_id, count(*) as lines, sum(amount) as total from written group by entry_id
  ) as entries;
  if wrong is not null then
    raise exception 'not balanced: %', wrong
      using errcode = 'check_violation', constraint = 'ledger_entries_balanced';
  end if;
  update ledger_accounts as held set balance = written.balance_after, changed_at = written.created_at
  from written
  where held.id = written.account_id and held.balance + written.amount = written.balance_after
    and held.changed_at <= written.created_at and held.user_id is not distinct from written.user_id;
  get diagnostics booked_count = row_count;
  if booked_count < line_count then
    raise exception 'lines that do not follow from the balances of their accounts'
      using errcode = 'check_violation', constraint = 'ledger_lines_follow';
  end if;
  return null;
end
$$;
create trigger ledger_lines_booked after insert on ledger_lines
  referencing new table as written for each statement execute function ledger_lines_booked();

-- Whose account is not there is not booked; accounts stay.
alter table ledger_lines drop constraint ledger_lines_account_id_fkey;

-- An entry has lines when its transaction ends; that they are balanced is known by then.
drop trigger ledger_entries_balanced on ledger_entries;
drop function ledger_entry_balanced;
create function ledger_entry_filled() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if not exists (select from ledger_lines where entry_id = new.id) then
    raise exception 'not balanced: % has no lines', new.id
      using errcode = 'check_violation', constraint = 'ledger_entries_balanced';
  end if;
  return null;
end
$$;
create constraint trigger ledger_entries_filled after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_entry_filled();

-- By one name each account is found at once, be it a person's or the platform's.
create function ledger_key(account text, user_id uuid, provider text, slot smallint)
returns text language sql immutable parallel safe
return account || ':' || coalesce(user_id::text, provider) || ':' || slot::text;
alter table ledger_accounts
  add column key text not null generated always as (ledger_key(account, user_id, provider, slot)) stored;
alter table ledger_accounts drop constraint ledger_accounts_key;
alter table ledger_accounts add constraint ledger_accounts_key unique (key);

create or replace function ledger_post(
  new_entry uuid, new_kind text, new_title text, new_order uuid, new_withdrawal uuid, at timestamptz,
  line_ids uuid[], accounts text[], user_ids uuid[], providers text[], slots smallint[], amounts bigint[]
) returns void language plpgsql set enable_seqscan = off as $$
declare
  keys text[] := array(
    select ledger_key(account, user_id, provider, slot)
    from unnest(accounts, user_ids, providers, slots) as line (account, user_id, provider, slot)
  );
  held ledger_accounts[];
begin
  for attempt in 1..2 loop
    -- People's accounts before the platform's, each in the order of ids: nobody waits in a circle.
    held := array(
      select one from ledger_accounts as one where key = any (keys)
      order by user_id is null, id for no key update
    );
    exit when cardinality(held) = cardinality(keys);
    -- In one order for all: whoever makes the same ones at the same time waits.
    insert into ledger_accounts (account, user_id, provider, slot)
    select * from unnest(accounts, user_ids, providers, slots) as line (account, user_id, provider, slot)
    order by account, user_id, provider, slot
    on conflict do nothing;
  end loop;
  insert into ledger_entries (id, kind, title, order_id, withdrawal_id, created_at)
  values (new_entry, new_kind, new_title, new_order, new_withdrawal, at);
  insert into ledger_lines (id, entry_id, account_id, amount, user_id, balance_after, created_at)
  select line.id, new_entry, one.id, line.amount, one.user_id, one.balance + line.amount, greatest(one.changed_at, at)
  from unnest(line_ids, keys, amounts) as line (id, key, amount) join unnest(held) as one on one.key = line.key;
end
$$;

-- What somebody wants to buy or reward; it cannot be deleted until the transaction ends.
create function order_target(buyer uuid, essay uuid) returns table (
  title text, price integer, author_id uuid, status smallint,
  was_shown boolean, is_gone boolean, is_owned boolean, is_blocked boolean
) language plpgsql rows 1 set enable_seqscan = off as $$
begin
  return query
    select essays.title, essays.price, essays.author_id, essays.status,
      published_at is not null, deleted_at is not null,
      exists (select 1 from purchases where user_id = buyer and target_id = essays.id)
        or exists (select 1 from purchases where user_id = buyer and target_id = essays.column_id),
      exists (select 1 from blocks where user_id = essays.author_id and blocked_id = buyer)
    from essays where id = essay for key share;
end
$$;

-- An order that is paid as it is made, with what it delivers for reading; who has that already is refused. `placed` is
-- false if the request was made before; `cancelled` are the buyer's other orders for it.
create function order_place(new_order jsonb, kept_as text, out placed boolean, out cancelled uuid[])
language plpgsql set enable_seqscan = off as $$
declare
  new_one orders := jsonb_populate_record(null::orders, new_order);
begin
  cancelled := '{}';
  insert into orders select new_one.*
  on conflict (user_id, request_id) where request_id is not null do nothing;
  placed := found;
  if not placed then return; end if;
  insert into untold_orders (order_id, created_at) values (new_one.id, new_one.created_at);
  if kept_as is null then return; end if;
  insert into purchases (user_id, target_id, kind, order_id, created_at)
  values (new_one.user_id, new_one.target_id, kept_as, new_one.id, new_one.created_at);
  -- One that is being paid at this moment is left alone: who pays it finds that it is owned.
  with others as (
    select id from orders
    where target_id = new_one.target_id and user_id = new_one.user_id and status = 0 and id <> new_one.id
    for no key update skip locked
  ), gone as (
    update orders set status = 2 from others where orders.id = others.id returning orders.id
  )
  select coalesce(array_agg(id), '{}') into cancelled from gone;
end
$$;

-- The same for a purchase that a single statement makes, which has its own transaction: what is sold is looked at once
-- more. Null, and nothing done, if it has changed or if the buyer has other orders for it.
create function order_buy(new_order jsonb, kept_as text) returns boolean
language plpgsql set enable_seqscan = off as $$
declare
  new_one orders := jsonb_populate_record(null::orders, new_order);
begin
  if kept_as = 'essay' then
    perform from essays
    where id = new_one.target_id and author_id = new_one.payee_id and price = new_one.amount
      and status = 3 and deleted_at is null
    for key share;
  else
    perform from columns
    where id = new_one.target_id and author_id = new_one.payee_id and price = new_one.amount and essay_count > 0
    for key share;
  end if;
  if not found or exists (
    select from orders where target_id = new_one.target_id and user_id = new_one.user_id and status = 0
  ) then
    return null;
  end if;
  return (order_place(new_order, kept_as)).placed;
end
$$;
