-- A batch of purchases is written by one statement for each table instead of several for each purchase, because starting
-- a statement costs more than writing its rows.

-- An account may have several lines in one statement: in the order of their positions, each follows from the previous one,
-- and the first from the balance.
create or replace function ledger_apply_lines() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  line_count bigint;
  unbalanced uuid[];
  updated_count bigint;
  is_overdrawn boolean;
begin
  select sum(lines), array_agg(entry_id) filter (where lines < 2 or total <> 0) into line_count, unbalanced
  from (
    select entry_id, count(*) as lines, sum(amount) as total from new_lines group by entry_id
  ) as entries;
  if unbalanced is not null then
    raise exception 'not balanced: %', unbalanced
      using errcode = 'check_violation', constraint = 'ledger_entries_balanced';
  end if;
  with lines as (
    select account_id, user_id, amount, balance_after, created_at,
      balance_after - sum(amount) over until_here as balance_before_all,
      created_at >= lag(created_at, 1, created_at) over until_here as is_in_order
    from new_lines window until_here as (partition by account_id order by position)
  ), changes as (
    select account_id, user_id, balance_before_all, count(*) as lines, sum(amount) as amount,
      min(created_at) as first_at, max(created_at) as last_at, min(balance_after) as lowest
    from lines group by account_id, user_id, balance_before_all having bool_and(is_in_order)
  ), updated as (
    update ledger_accounts as account set balance = balance + change.amount, changed_at = change.last_at
    from changes as change
    where account.id = change.account_id and account.balance = change.balance_before_all
      and account.changed_at <= change.first_at and account.user_id is not distinct from change.user_id
    returning change.lines, account.account = 'balance' and change.lowest < 0 as is_overdrawn
  )
  select coalesce(sum(updated.lines), 0), bool_or(updated.is_overdrawn) into updated_count, is_overdrawn from updated;
  if updated_count < line_count then
    raise exception 'ledger lines do not match the balances of their accounts'
      using errcode = 'check_violation', constraint = 'ledger_lines_follow';
  end if;
  -- The check of the table sees only the last balance.
  if is_overdrawn then
    raise exception 'a balance is negative between two ledger lines'
      using errcode = 'check_violation', constraint = 'ledger_accounts_not_negative';
  end if;
  return null;
end
$$;

-- Posts several entries in their order. The caller holds the lock on their accounts (`ledger_lock`).
create function ledger_post_all(entries jsonb) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into ledger_entries (id, kind, title, order_id, created_at)
  select id, kind, title, order_id, created_at
  from jsonb_to_recordset(entries) as entry (id uuid, kind text, title text, order_id uuid, created_at timestamptz);
  insert into ledger_lines (id, entry_id, account_id, amount, user_id, balance_after, created_at)
  select line.id, entry.id, target.id, line.amount, target.user_id,
    target.balance + sum(line.amount) over until_here,
    greatest(target.changed_at, max(entry.created_at) over until_here)
  from rows from (
      jsonb_to_recordset(entries) as (id uuid, created_at timestamptz, lines jsonb)
    ) with ordinality as entry (id, created_at, lines, place)
  cross join jsonb_to_recordset(entry.lines)
    as line (id uuid, account text, user_id uuid, provider text, slot smallint, amount bigint)
  join ledger_accounts as target
    on target.key = ledger_key(line.account, line.user_id, line.provider, line.slot)
  window until_here as (partition by target.id order by entry.place)
  -- The column `position` gets its values in this order.
  order by entry.place;
end
$$;

-- Inserts all purchases of a batch or, if a constraint forbids one of them, none. Like `order_buy`, it omits those of
-- which something has changed. The caller holds the lock on the accounts.
create function order_buy_together(batch jsonb, out allowed uuid[], out inserted uuid[])
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  new_orders orders[] := array(
    select new_order from jsonb_populate_recordset(null::orders, jsonb_path_query_array(batch, '$[*].order')) as new_order
    where not exists (
      select from orders where target_id = new_order.target_id and user_id = new_order.user_id and status = 0
    )
  );
begin
  allowed := array(
    select new_order.id from unnest(new_orders) as new_order join essays on essays.id = new_order.target_id
    where new_order.kind = 'read' and essays.author_id = new_order.payee_id and essays.price = new_order.amount
      and essays.status = 3 and essays.deleted_at is null
    for key share of essays
  ) || array(
    select new_order.id from unnest(new_orders) as new_order join columns on columns.id = new_order.target_id
    where new_order.kind = 'column' and columns.author_id = new_order.payee_id and columns.price = new_order.amount
      and columns.essay_count > 0
    for key share of columns
  );
  with inserted_orders as (
    insert into orders select new_order.* from unnest(new_orders) as new_order where new_order.id = any (allowed)
    on conflict (user_id, request_id) where request_id is not null do nothing
    returning id, user_id, target_id, kind, created_at
  ), inserted_untold as (
    insert into untold_orders (order_id, created_at) select id, created_at from inserted_orders
  ), inserted_purchases as (
    insert into purchases (user_id, target_id, kind, order_id, created_at)
    select user_id, target_id, case kind when 'read' then 'essay' else kind end, id, created_at from inserted_orders
  )
  select array_agg(id) into inserted from inserted_orders;
  if inserted is null then return; end if;
  perform ledger_post_all(jsonb_agg(purchase -> 'entry' order by place))
  from jsonb_array_elements(batch) with ordinality as all_purchases (purchase, place)
  where (purchase -> 'order' ->> 'id')::uuid = any (inserted);
end
$$;

-- `inserted` is null for a purchase of which nothing was done, because something changed or a constraint forbids it.
create or replace function order_buy_all(batch jsonb) returns table (order_id uuid, inserted boolean)
language plpgsql set enable_seqscan = off as $$
declare
  purchase jsonb;
  together record;
begin
  perform ledger_lock(jsonb_path_query_array(batch, '$[*].entry'));
  begin
    together := order_buy_together(batch);
    return query
      select id, case when id = any (together.inserted) then true when id = any (together.allowed) then false end
      from (select (value -> 'order' ->> 'id')::uuid as id from jsonb_array_elements(batch)) as orders_of_batch;
    return;
  exception when integrity_constraint_violation then
    -- One purchase must not fail the others, so each is made alone, in the same transaction.
  end;
  for purchase in select value from jsonb_array_elements(batch) loop
    order_id := (purchase -> 'order' ->> 'id')::uuid;
    begin
      inserted := order_buy(purchase -> 'order', purchase ->> 'kind');
      if inserted then perform ledger_post(purchase -> 'entry'); end if;
    exception when integrity_constraint_violation then
      inserted := null;
    end;
    return next;
  end loop;
end
$$;
