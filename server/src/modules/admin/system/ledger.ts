import { ORDER_STATUS, WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Ctx, inTransaction } from '../../../ctx.ts';
import { parseRows } from '../../../db/rows.ts';

/** Formats ids like the API, without hyphens. */
const idText = (column: string): string => `replace(${column}::text, '-', '')`;

/** Each query returns one message per problem. */
const checks: string[] = [
  `select '所有账户之和应为 0，实为 ' || sum(balance) as problem from ledger_accounts having sum(balance) <> 0`,
  `select '分录 ' || ${idText('ledger_entries.id')} || ' 有 ' || count(ledger_lines.id) || ' 行，之和为 '
      || coalesce(sum(amount), 0) as problem
    from ledger_entries left join ledger_lines on entry_id = ledger_entries.id
    group by ledger_entries.id having count(ledger_lines.id) < 2 or sum(amount) <> 0`,
  `select '账户 ' || concat_ws(' ', ledger_accounts.id, account, nullif(provider, ''), ${idText('user_id')})
      || '：各行之和为 ' || coalesce(total, 0) || '，记为 ' || balance as problem
    from ledger_accounts
    left join (select account_id, sum(amount) as total from ledger_lines group by 1) as lines
      on account_id = ledger_accounts.id
    where balance <> coalesce(total, 0)`,
  `select '账户 ' || account_id || ' 的第 ' || position || ' 行：之后应为 ' || expected || '，记为 '
      || balance_after as problem
    from (
      select account_id, position, balance_after,
        sum(amount) over (partition by account_id order by position) as expected
      from ledger_lines
    ) as lines
    where balance_after <> expected`,
  `select '用户 ' || ${idText('user_id')} || ' 的余额为负：' || balance as problem
    from ledger_accounts where account = 'balance' and balance < 0`,
  `select '订单 ' || no || ' 的平台服务费应为 ' || commission || '，记为 ' || coalesce(sum(ledger_lines.amount), 0) as problem
    from orders
    join ledger_entries on order_id = orders.id and ledger_entries.kind = orders.kind
    left join (ledger_lines join ledger_accounts on ledger_accounts.id = account_id and account = 'commission')
      on entry_id = ledger_entries.id
    group by orders.id having commission <> coalesce(sum(ledger_lines.amount), 0)`,
  checkPosted({
    name: '订单',
    table: 'orders',
    key: 'order_id',
    kinds: `case
      when status in (${ORDER_STATUS.waiting}, ${ORDER_STATUS.cancelled}) then '{}'
      when status = ${ORDER_STATUS.refunded} and exists (
        select 1 from ledger_entries where order_id = orders.id and ledger_entries.kind = 'overpaid'
      ) then '{overpaid}'
      when status = ${ORDER_STATUS.paid} then array[kind]
      when pay_by = 'balance' or refund_settled_at is null then array[kind, 'refund']
      else array[kind, 'refund', 'refund-settled']
    end`,
  }),
  checkPosted({
    name: '提现',
    table: 'withdrawals',
    key: 'withdrawal_id',
    kinds: `case status
      when ${WITHDRAWAL_STATUS.refused} then '{withdraw,withdraw-refused}'
      when ${WITHDRAWAL_STATUS.paid} then '{withdraw,withdraw-paid}'
      else '{withdraw}'
    end`,
  }),
];

/** Compares the entries of each order or withdrawal with the expected kinds; the positive lines sum to the amount. */
function checkPosted({
  name,
  table,
  key,
  kinds,
}: Record<'name' | 'table' | 'key' | 'kinds', string>): string {
  return `
    select case
        when no is null then '分录 ' || kind || ' 的${name} ' || ${idText('key')} || ' 不存在'
        when moved is null then '${name} ' || no || ' 没有分录 ' || kind
        when wanted is null then '${name} ' || no || ' 不应有分录 ' || kind
        else '${name} ' || no || ' 的分录 ' || kind || ' 应为 ' || wanted || '，记为 ' || moved
      end as problem
    from (
      select id as key, unnest((${kinds})::text[]) as kind, amount as wanted from ${table}
    ) as expected
    full join (
      select ${key} as key, kind, sum(amount) filter (where amount > 0) as moved
      from ledger_entries join ledger_lines on entry_id = ledger_entries.id
      where ${key} is not null group by ledger_entries.id
    ) as entries using (key, kind)
    left join (select id as key, no from ${table}) as things using (key)
    where wanted is distinct from moved`;
}

const problemRow = z.object({ problem: z.string() });

export function checkLedger(ctx: Ctx): Promise<string[]> {
  return inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(sql`set transaction isolation level repeatable read, read only`);
    // An operator waits for the result, however large the ledger is.
    await ctx.db.execute(sql`set local statement_timeout = 0`);
    const problems: string[] = [];
    for (const check of checks) {
      const result = await ctx.db.execute(sql.raw(`${check} order by 1`));
      problems.push(...parseRows(problemRow, result).map(({ problem }) => problem));
    }
    return problems;
  });
}
