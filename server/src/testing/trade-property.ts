import { IDENTITY, ORDER_STATUS, WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Ctx, Viewer } from '../ctx.ts';
import { newId } from '../db/id.ts';
import type { Binding } from '../http/route.ts';
import { systemCtx } from '../jobs.ts';
import {
  approveSandboxPayment,
  createSandboxCallback,
  settlePayment,
} from '../modules/payments/orders/index.ts';
import { orders } from '../modules/payments/orders/module.ts';
import { wallet } from '../modules/payments/wallet/module.ts';
import type { TestApp } from './app.ts';

const BUYERS = 3;
const ESSAYS = 3;
const bindings: Binding[] = [...orders.routes, ...wallet.routes];

const buyer = fc.nat(BUYERS - 1);
const essay = fc.nat(ESSAYS - 1);
/** Selects one of the orders that exist at that time. */
const nth = fc.nat(50);
const payBy = fc.constantFrom('balance' as const, 'sandbox' as const);
const amount = fc.integer({ min: 100, max: 3000 });
/** Few values, so that request ids are repeated. */
const request = fc.option(fc.nat(3), { nil: null });

const tradeAction = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('recharge' as const), by: buyer, amount, request }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('read' as const), by: buyer, essay, payBy, request }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('column' as const), by: buyer, payBy, request }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('reward' as const), by: buyer, essay, amount, payBy }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('member' as const), by: buyer, payBy }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('agree', 'callback', 'pay', 'cancel', 'expire', 'close', 'refund', 'settle-refund'),
      nth,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('withdraw' as const), amount }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('decide' as const), nth, status: fc.constantFrom(1, 2) }),
  },
);
type TradeAction = typeof tradeAction extends fc.Arbitrary<infer T> ? T : never;

const rounds = fc.array(fc.array(tradeAction, { minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 8,
});

interface TradeState {
  ctx: Ctx;
  buyers: string[];
  author: string;
  essays: string[];
  column: string;
  plan: string;
  orders: Order[];
  /** Ids of the orders that a response reported as paid. */
  paid: string[];
  withdrawals: string[];
}

async function createTradeState(t: TestApp): Promise<TradeState> {
  const ctx = systemCtx(t.app.services);
  const { pool } = t.app.services;
  const ids = Array.from({ length: BUYERS + 1 }, () => newId());
  const [author = '', ...buyers] = ids;
  await pool.query(
    `insert into users (id, display_name, invite_code, cur_identity, created_at, updated_at)
     select id, '某人', replace(id::text, '-', ''), 2, now(), now() from unnest($1::uuid[]) as id`,
    [ids],
  );
  const column = newId();
  await pool.query(
    `insert into columns (id, author_id, name, price, essay_count, created_at) values ($1, $2, '专栏', 900, 1, now())`,
    [column, author],
  );
  const essays = Array.from({ length: ESSAYS }, () => newId());
  await pool.query(
    `insert into essays (id, author_id, title, status, shelved_version, price, column_id, published_at, updated_at, saved_at, created_at)
     select id, $2, '文章', 3, 1, 300 + 201 * nth, case nth when 1 then $3::uuid end, now(), now(), now(), now()
     from unnest($1::uuid[]) with ordinality as each (id, nth)`,
    [essays, author, column],
  );
  const { rows } = await pool.query<{ id: string }>('select id from member_plans order by sort limit 1');
  return {
    ctx,
    buyers,
    author,
    essays,
    column,
    plan: rows[0]?.id ?? '',
    orders: [],
    paid: [],
    withdrawals: [],
  };
}

const viewerOf = (id: string): Viewer => ({
  id,
  sessionId: id,
  account: id,
  displayName: '某人',
  curIdentity: IDENTITY.writer,
  isStaff: true,
  isSuper: true,
  permissions: [],
  mustChangePassword: false,
});

/** Makes a call as the user `id` and returns null if the call is refused; other errors are thrown. */
async function call(
  state: TradeState,
  id: string,
  name: string,
  input: object,
  requestId: string | null = null,
): Promise<unknown> {
  const binding = bindings.find((each) => `${each.call.method} ${each.call.path}` === name);
  if (binding === undefined) throw new Error(`no call ${name}`);
  const ctx = { ...state.ctx, now: state.ctx.services.clock(), viewer: viewerOf(id), changes: [] };
  const parsed = binding.call.input.parse(input) as never;
  try {
    return await (binding.runOnce?.(ctx, parsed, requestId) ?? binding.run(ctx, parsed));
  } catch (error) {
    if (error instanceof CallError && error.status < 500) return null;
    throw error;
  }
}

async function placeOrder(state: TradeState, each: TradeAction): Promise<void> {
  if (!('by' in each)) return;
  const { by, ...rest } = each;
  const id = state.buyers[by] ?? '';
  const essayId = 'essay' in rest ? state.essays[rest.essay] : undefined;
  const paidBy = 'payBy' in rest ? rest.payBy : 'sandbox';
  const targetId = { column: state.column, member: state.plan, recharge: undefined, read: essayId }[
    rest.do as 'read'
  ];
  const requestId = 'request' in rest && rest.request !== null ? `request ${rest.request}` : null;
  const created =
    rest.do === 'reward'
      ? call(state, id, 'POST core/essay/reward', { essayId, amount: rest.amount, payBy: paidBy })
      : call(
          state,
          id,
          'POST core/user/order',
          { kind: rest.do, targetId, amount: 'amount' in rest ? rest.amount : undefined, payBy: paidBy },
          requestId,
        );
  const order = (await created) as Order | null;
  if (order?.status === ORDER_STATUS.paid) state.paid.push(order.id);
  if (order !== null && !state.orders.some((known) => known.id === order.id)) state.orders.push(order);
}

async function sendCallback(state: TradeState, no: string): Promise<void> {
  const callback = await createSandboxCallback(state.ctx, no);
  const sandbox = state.ctx.services.providers.sandbox;
  if (callback === null || sandbox === undefined) return;
  const { payment } = await sandbox.parseCallback(callback);
  if (payment !== null) await settlePayment(state.ctx, 'sandbox', payment);
}

async function expire(state: TradeState, id: string): Promise<void> {
  await state.ctx.services.pool.query(
    `update orders set expires_at = now() - interval '1 minute', ask_at = now() - interval '1 minute'
     where id = $1 and status = ${ORDER_STATUS.waiting}`,
    [id],
  );
  await orders.jobs['watch-orders']?.(state.ctx, {});
}

async function changeOrder(state: TradeState, what: string, order: Order): Promise<void> {
  const { rows } = await state.ctx.services.pool.query<{ user_id: string; status: number }>(
    'select user_id, status from orders where id = $1',
    [order.id],
  );
  const owner = rows[0]?.user_id ?? '';
  const { id, no } = order;
  if (what === 'agree') await approveSandboxPayment({ ...state.ctx, now: new Date() }, no);
  if (what === 'callback') await sendCallback(state, no);
  if (what === 'expire') await expire(state, id);
  if (what === 'pay' || what === 'cancel')
    await call(state, owner, 'PUT core/user/order', { id, action: what });
  if (what === 'close' && rows[0]?.status === ORDER_STATUS.cancelled)
    await orders.jobs['close-order']?.(state.ctx, { id });
  if (what === 'refund') await call(state, state.author, 'PUT core/sys/order/refund', { id, reason: '退' });
  if (what === 'settle-refund' && rows[0]?.status === ORDER_STATUS.refunded)
    await orders.jobs['refund-order']?.(state.ctx, { id });
}

async function perform(state: TradeState, each: TradeAction): Promise<void> {
  if ('by' in each) return placeOrder(state, each);
  if (each.do === 'withdraw') {
    const fields = { amount: 1000 + each.amount, account: '某银行 1234' };
    const created = await call(state, state.author, 'POST core/user/withdraw', fields);
    if (created !== null) state.withdrawals.push((created as { id: string }).id);
    return;
  }
  if (each.do === 'decide') {
    const id = state.withdrawals[each.nth % Math.max(1, state.withdrawals.length)];
    const decider = state.buyers[0] ?? '';
    if (id !== undefined)
      await call(state, decider, 'PUT core/sys/withdraw/', { id, status: each.status, reason: '不行' });
    return;
  }
  const order = state.orders['nth' in each ? each.nth % Math.max(1, state.orders.length) : 0];
  if (order !== undefined) await changeOrder(state, each.do, order);
}

/** Computes balances, purchases, rewards and memberships from the orders and compares them with the tables. */
async function expectConsistent({ ctx, buyers, author, paid }: TradeState): Promise<void> {
  const { rows } = await ctx.services.pool.query(
    `with theirs as (select * from orders where user_id = any($1)),
    wanted as (
      select user_id, 'balance' as account, sum(case
        when kind = 'recharge' and status = ${ORDER_STATUS.paid} then amount
        when status = ${ORDER_STATUS.refunded} and refund_reason like '%已退到余额' then amount
        when pay_by = 'balance' and status = ${ORDER_STATUS.paid} then -amount
        else 0 end) as total
      from theirs group by user_id
      union all
      select $2, 'earnings', coalesce((select sum(amount - commission) from theirs where status = ${ORDER_STATUS.paid} and payee_id = $2), 0)
        - coalesce((select sum(amount) from withdrawals where user_id = $2 and status <> ${WITHDRAWAL_STATUS.refused}), 0)
    ),
    given as (
      select user_id, target_id from theirs where status = ${ORDER_STATUS.paid} and kind in ('read', 'column')
    )
    select 'account' as wrong, account || ': ' || total || ' is ' || coalesce(balance, 0) as what
    from wanted left join ledger_accounts using (user_id, account) where total <> coalesce(balance, 0)
    union all
    select 'purchase', target_id::text from purchases full join given using (user_id, target_id)
    where user_id = any($1) and (purchases.order_id is null or given.target_id is null)
    union all
    select 'reward', theirs.id::text from rewards full join (
      select id from theirs where status = ${ORDER_STATUS.paid} and kind = 'reward') as theirs on theirs.id = rewards.order_id
    where (rewards.user_id = any($1) or rewards.user_id is null) and (rewards.id is null or theirs.id is null)
    union all
    select 'days', user_id::text from theirs group by user_id having
      coalesce(sum(days) filter (where status = ${ORDER_STATUS.paid}), 0) <>
      coalesce((select sum(days) from member_terms where member_terms.user_id = theirs.user_id), 0)
    union all
    select 'lost', no from theirs where id = any($3) and status not in (${ORDER_STATUS.paid}, ${ORDER_STATUS.refunded})
    union all
    select 'bill', theirs.no from theirs join sandbox_payments using (no)
    where (sandbox_payments.paid_at is not null) <> (status in (${ORDER_STATUS.paid}, ${ORDER_STATUS.refunded}))
    union all
    select 'refund', theirs.no from theirs join sandbox_payments using (no)
    where case when sandbox_payments.refunded_at is null
      then refund_settled_at is not null and refund_reason not like '%已退到余额' else status <> ${ORDER_STATUS.refunded} end`,
    [buyers, author, paid],
  );
  expect(rows).toEqual([]);
}

/**
 * Performs random actions of buyers, the sandbox, the clock, staff and the author, those of one round concurrently. After
 * all callbacks, the tables must agree with the orders and with the sandbox.
 */
export const tradeProperty = (t: TestApp) =>
  fc.asyncProperty(rounds, async (rounds) => {
    const state = await createTradeState(t);
    await Promise.all(
      state.buyers.map((_, by) => placeOrder(state, { do: 'recharge', by, amount: 3000, request: null })),
    );
    await Promise.all(state.orders.map((order) => changeOrder(state, 'pay', order)));
    for (const round of rounds) await Promise.all(round.map((each) => perform(state, each)));
    await Promise.all(state.orders.map(({ no }) => sendCallback(state, no)));
    await expectConsistent(state);
  });
