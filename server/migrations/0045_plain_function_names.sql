-- Functions and triggers get names that say what they do. Behaviour is unchanged.

drop function chat_say(jsonb);

create function chat_message_insert(new_message jsonb, out new_seq bigint, out previous_message_at timestamptz)
language plpgsql set enable_seqscan = off as $$
declare
  message chat_messages := jsonb_populate_record(null::chat_messages, new_message);
  is_room boolean;
begin
  select last_seq + 1, essay_id is not null into message.seq, is_room
  from conversations where id = message.conversation_id for no key update;
  insert into chat_messages select message.* on conflict (from_id, conversation_id, client_id) do nothing;
  if not found then return; end if;
  new_seq := message.seq;
  update conversations set last_seq = new_seq, updated_at = greatest(updated_at, message.created_at)
  where id = message.conversation_id;
  select said_at into previous_message_at from conversation_members
  where conversation_id = message.conversation_id and user_id = message.from_id;
  -- Sending does not mark older unread messages as read.
  insert into conversation_members as member (conversation_id, user_id, read_seq, said_at)
  values (message.conversation_id, message.from_id, new_seq, message.created_at)
  on conflict (conversation_id, user_id) do update set
    read_seq = case when member.read_seq = new_seq - 1 then new_seq else member.read_seq end,
    said_at = message.created_at, left_at = null;
  if is_room then return; end if;
  update conversation_members set listed_at = message.created_at where conversation_id = message.conversation_id;
end
$$;

alter function ledger_entry_filled() rename to ledger_check_entry_has_lines;
alter function ledger_kept() rename to ledger_forbid_change;
alter function ledger_lines_booked() rename to ledger_apply_lines;

create or replace function ledger_check_entry_has_lines() returns trigger
language plpgsql set enable_seqscan = off as $$
begin
  if not exists (select from ledger_lines where entry_id = new.id) then
    raise exception 'not balanced: % has no lines', new.id
      using errcode = 'check_violation', constraint = 'ledger_entries_balanced';
  end if;
  return null;
end
$$;

create or replace function ledger_forbid_change() returns trigger language plpgsql as $$
begin
  if current_setting('mozhan.ledger', true) = 'demo removal' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise exception '% of % is not allowed: the ledger is append-only', tg_op, tg_table_name
    using errcode = 'check_violation', constraint = 'ledger_append_only';
end
$$;

create or replace function ledger_apply_lines() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  line_count bigint;
  unbalanced uuid[];
  updated_count bigint;
begin
  select sum(lines), array_agg(entry_id) filter (where lines < 2 or total <> 0) into line_count, unbalanced
  from (
    select entry_id, count(*) as lines, sum(amount) as total from new_lines group by entry_id
  ) as entries;
  if unbalanced is not null then
    raise exception 'not balanced: %', unbalanced
      using errcode = 'check_violation', constraint = 'ledger_entries_balanced';
  end if;
  update ledger_accounts as account set balance = line.balance_after, changed_at = line.created_at
  from new_lines as line
  where account.id = line.account_id and account.balance + line.amount = line.balance_after
    and account.changed_at <= line.created_at and account.user_id is not distinct from line.user_id;
  get diagnostics updated_count = row_count;
  if updated_count < line_count then
    raise exception 'ledger lines do not match the balances of their accounts'
      using errcode = 'check_violation', constraint = 'ledger_lines_follow';
  end if;
  return null;
end
$$;

drop trigger ledger_lines_booked on ledger_lines;
create trigger ledger_lines_apply after insert on ledger_lines
referencing new table as new_lines for each statement execute function ledger_apply_lines();

alter trigger ledger_accounts_changed on ledger_accounts rename to ledger_accounts_forbid_update;
alter trigger ledger_accounts_empty on ledger_accounts rename to ledger_accounts_start_at_zero;
alter trigger ledger_accounts_kept on ledger_accounts rename to ledger_accounts_forbid_delete;
alter trigger ledger_accounts_never_emptied on ledger_accounts rename to ledger_accounts_forbid_truncate;
alter trigger ledger_entries_filled on ledger_entries rename to ledger_entries_have_lines;
alter trigger ledger_entries_kept on ledger_entries rename to ledger_entries_forbid_change;
alter trigger ledger_entries_never_emptied on ledger_entries rename to ledger_entries_forbid_truncate;
alter trigger ledger_lines_kept on ledger_lines rename to ledger_lines_forbid_change;
alter trigger ledger_lines_never_emptied on ledger_lines rename to ledger_lines_forbid_truncate;

create or replace function ledger_post(
  new_entry uuid, new_kind text, new_title text, new_order uuid, new_withdrawal uuid, at timestamptz,
  line_ids uuid[], accounts text[], user_ids uuid[], providers text[], slots smallint[], amounts bigint[]
) returns void language plpgsql set enable_seqscan = off as $$
declare
  keys text[] := array(
    select ledger_key(account, user_id, provider, slot)
    from unnest(accounts, user_ids, providers, slots) as line (account, user_id, provider, slot)
  );
  locked ledger_accounts[];
begin
  for attempt in 1..2 loop
    -- One lock order for everyone prevents deadlocks: users' accounts before the platform's, each by id.
    locked := array(
      select target from ledger_accounts as target where key = any (keys)
      order by user_id is null, id for no key update
    );
    exit when cardinality(locked) = cardinality(keys);
    -- The fixed order prevents deadlocks between transactions that insert the same accounts.
    insert into ledger_accounts (account, user_id, provider, slot)
    select * from unnest(accounts, user_ids, providers, slots) as line (account, user_id, provider, slot)
    order by account, user_id, provider, slot
    on conflict do nothing;
  end loop;
  insert into ledger_entries (id, kind, title, order_id, withdrawal_id, created_at)
  values (new_entry, new_kind, new_title, new_order, new_withdrawal, at);
  insert into ledger_lines (id, entry_id, account_id, amount, user_id, balance_after, created_at)
  select line.id, new_entry, target.id, line.amount, target.user_id,
    target.balance + line.amount, greatest(target.changed_at, at)
  from unnest(line_ids, keys, amounts) as line (id, key, amount)
  join unnest(locked) as target on target.key = line.key;
end
$$;

drop function order_buy(jsonb, text);
drop function order_place(jsonb, text);

create function order_insert(new_order jsonb, purchase_kind text, out inserted boolean, out cancelled uuid[])
language plpgsql set enable_seqscan = off as $$
declare
  new_row orders := jsonb_populate_record(null::orders, new_order);
begin
  cancelled := '{}';
  insert into orders select new_row.*
  on conflict (user_id, request_id) where request_id is not null do nothing;
  inserted := found;
  if not inserted then return; end if;
  insert into untold_orders (order_id, created_at) values (new_row.id, new_row.created_at);
  if purchase_kind is null then return; end if;
  insert into purchases (user_id, target_id, kind, order_id, created_at)
  values (new_row.user_id, new_row.target_id, purchase_kind, new_row.id, new_row.created_at);
  -- An order whose payment is being processed is locked and skipped; that payment then finds the purchase.
  with unpaid as (
    select id from orders
    where target_id = new_row.target_id and user_id = new_row.user_id and status = 0 and id <> new_row.id
    for no key update skip locked
  ), updated as (
    update orders set status = 2 from unpaid where orders.id = unpaid.id returning orders.id
  )
  select coalesce(array_agg(id), '{}') into cancelled from updated;
end
$$;

create function order_buy(new_order jsonb, purchase_kind text) returns boolean
language plpgsql set enable_seqscan = off as $$
declare
  new_row orders := jsonb_populate_record(null::orders, new_order);
begin
  if purchase_kind = 'essay' then
    perform from essays
    where id = new_row.target_id and author_id = new_row.payee_id and price = new_row.amount
      and status = 3 and deleted_at is null
    for key share;
  else
    perform from columns
    where id = new_row.target_id and author_id = new_row.payee_id and price = new_row.amount and essay_count > 0
    for key share;
  end if;
  if not found or exists (
    select from orders where target_id = new_row.target_id and user_id = new_row.user_id and status = 0
  ) then
    return null;
  end if;
  return (order_insert(new_order, purchase_kind)).inserted;
end
$$;

drop function order_target(uuid, uuid);

create function order_target(buyer uuid, essay uuid)
returns table (
  title text, price integer, author_id uuid, status smallint,
  was_published boolean, is_deleted boolean, is_owned boolean, is_blocked boolean
)
language plpgsql rows 1 set enable_seqscan = off as $$
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

alter function person_named() rename to queue_user_name_indexing;
create or replace function queue_user_name_indexing() returns trigger language plpgsql as $$
begin
  -- The upsert locks the row, so the indexing job skips it until this transaction commits the new name.
  insert into unindexed_people (user_id) values (coalesce(new.id, old.id))
  on conflict (user_id) do update set user_id = excluded.user_id;
  return null;
end
$$;
alter trigger users_named on users rename to users_queue_name_indexing;
alter trigger users_renamed on users rename to users_queue_renamed_indexing;
