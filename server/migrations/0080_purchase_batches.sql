-- Purchases from the balance that arrive together are written in one transaction: buyers of one author do not wait for
-- each other's commit.

-- Locks the accounts of several entries in the order of `ledger_post`, so that these transactions cannot deadlock.
create function ledger_lock(entries jsonb) returns void language plpgsql set enable_seqscan = off as $$
declare
  keys text[] := array(
    select distinct ledger_key(account, user_id, provider, slot)
    from jsonb_array_elements(entries) as entry,
      jsonb_to_recordset(entry -> 'lines') as line (account text, user_id uuid, provider text, slot smallint)
  );
  locked_count bigint;
begin
  for attempt in 1..2 loop
    perform from ledger_accounts where key = any (keys) order by user_id is null, id for no key update;
    get diagnostics locked_count = row_count;
    exit when locked_count = cardinality(keys);
    insert into ledger_accounts (account, user_id, provider, slot)
    select distinct account, user_id, provider, slot
    from jsonb_array_elements(entries) as entry,
      jsonb_to_recordset(entry -> 'lines') as line (account text, user_id uuid, provider text, slot smallint)
    order by account, user_id, provider, slot
    on conflict do nothing;
  end loop;
end
$$;

create function ledger_post(entry jsonb) returns void language plpgsql set enable_seqscan = off as $$
begin
  perform ledger_post(
    (entry ->> 'id')::uuid, entry ->> 'kind', entry ->> 'title', (entry ->> 'order_id')::uuid, null,
    (entry ->> 'created_at')::timestamptz,
    array_agg(id), array_agg(account), array_agg(user_id), array_agg(provider), array_agg(slot), array_agg(amount)
  )
  from jsonb_to_recordset(entry -> 'lines')
    as line (id uuid, account text, user_id uuid, provider text, slot smallint, amount bigint);
end
$$;

-- `inserted` is null for a purchase of which nothing was done, because something changed or a constraint forbids it.
create function order_buy_all(batch jsonb) returns table (order_id uuid, inserted boolean)
language plpgsql set enable_seqscan = off as $$
declare
  purchase jsonb;
begin
  perform ledger_lock(jsonb_path_query_array(batch, '$[*].entry'));
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
