import { IDENTITY, ORDER_STATUS, WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Ctx, Viewer } from '../ctx.ts';
import { newId } from '../db/id.ts';
import type { Binding } from '../http/route.ts';
import { systemCtx } from '../jobs.ts';
import { approveSandboxBill, makeSandboxCallback, settlePayment } from '../modules/payments/orders/index.ts';
import { orders } from '../modules/payments/orders/module.ts';
import { wallet } from '../modules/payments/wallet/module.ts';
import type { TestApp } from './app.ts';

const BUYERS = 3;
const ESSAYS = 3;
const bindings: Binding[] = [...orders.routes, ...wallet.routes];

const buyer = fc.nat(BUYERS - 1);
const essay = fc.nat(ESSAYS - 1);
/** Which of the orders there are by then. */
const nth = fc.nat(50);
const payBy = fc.constantFrom('balance' as const, 'sandbox' as const);
const amount = fc.integer({ min: 100, max: 3000 });
/** A few, so that requests are repeated. */
const request = fc.option(fc.nat(3), { nil: null });

const deed = fc.oneof(
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
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

const rounds = fc.array(fc.array(deed, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 8 });

interface World {
  ctx: Ctx;
  buyers: string[];
  author: string;
  essays: string[];
  column: string;
  plan: string;
  orders: Order[];
  /** Of what was answered to be paid. */
  paid: string[];
  withdrawals: string[];
}

async function makeWorld(t: TestApp): Promise<World> {
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

/** A call as `id` makes it; what it refuses is answered with null, anything else is a fault. */
async function call(
  world: World,
  id: string,
  name: string,
  given: object,
  requestId: string | null = null,
): Promise<unknown> {
  const binding = bindings.find((each) => `${each.call.method} ${each.call.path}` === name);
  if (binding === undefined) throw new Error(`no call ${name}`);
  const ctx = { ...world.ctx, now: world.ctx.services.clock(), viewer: viewerOf(id), changes: [] };
  const input = binding.call.input.parse(given) as never;
  try {
    return await (binding.runOnce?.(ctx, input, requestId) ?? binding.run(ctx, input));
  } catch (error) {
    if (error instanceof CallError && error.status < 500) return null;
    throw error;
  }
}

async function place(world: World, each: Deed): Promise<void> {
  if (!('by' in each)) return;
  const { by, ...rest } = each;
  const id = world.buyers[by] ?? '';
  const essayId = 'essay' in rest ? world.essays[rest.essay] : undefined;
  const paidBy = 'payBy' in rest ? rest.payBy : 'sandbox';
  const targetId = { column: world.column, member: world.plan, recharge: undefined, read: essayId }[
    rest.do as 'read'
  ];
  const requestId = 'request' in rest && rest.request !== null ? `request ${rest.request}` : null;
  const made =
    rest.do === 'reward'
      ? call(world, id, 'POST core/essay/reward', { essayId, amount: rest.amount, payBy: paidBy })
      : call(
          world,
          id,
          'POST core/user/order',
          { kind: rest.do, targetId, amount: 'amount' in rest ? rest.amount : undefined, payBy: paidBy },
          requestId,
        );
  const order = (await made) as Order | null;
  if (order?.status === ORDER_STATUS.paid) world.paid.push(order.id);
  if (order !== null && !world.orders.some((known) => known.id === order.id)) world.orders.push(order);
}

async function callBack(world: World, no: string): Promise<void> {
  const callback = await makeSandboxCallback(world.ctx, no);
  const sandbox = world.ctx.services.providers.sandbox;
  if (callback === null || sandbox === undefined) return;
  const { payment } = await sandbox.read(callback);
  if (payment !== null) await settlePayment(world.ctx, 'sandbox', payment);
}

/** Its half hour is over. */
async function expire(world: World, id: string): Promise<void> {
  await world.ctx.services.pool.query(
    `update orders set expires_at = now() - interval '1 minute', ask_at = now() - interval '1 minute'
     where id = $1 and status = ${ORDER_STATUS.waiting}`,
    [id],
  );
  await orders.jobs['watch-orders']?.(world.ctx, {});
}

async function change(world: World, what: string, order: Order): Promise<void> {
  const { rows } = await world.ctx.services.pool.query<{ user_id: string; status: number }>(
    'select user_id, status from orders where id = $1',
    [order.id],
  );
  const owner = rows[0]?.user_id ?? '';
  const { id, no } = order;
  if (what === 'agree') await approveSandboxBill({ ...world.ctx, now: new Date() }, no);
  if (what === 'callback') await callBack(world, no);
  if (what === 'expire') await expire(world, id);
  if (what === 'pay' || what === 'cancel')
    await call(world, owner, 'PUT core/user/order', { id, action: what });
  if (what === 'close' && rows[0]?.status === ORDER_STATUS.cancelled)
    await orders.jobs['close-order']?.(world.ctx, { id });
  if (what === 'refund') await call(world, world.author, 'PUT core/sys/order/refund', { id, reason: '退' });
  if (what === 'settle-refund' && rows[0]?.status === ORDER_STATUS.refunded)
    await orders.jobs['refund-order']?.(world.ctx, { id });
}

async function act(world: World, each: Deed): Promise<void> {
  if ('by' in each) return place(world, each);
  if (each.do === 'withdraw') {
    const wanted = { amount: 1000 + each.amount, account: '某银行 1234' };
    const made = await call(world, world.author, 'POST core/user/withdraw', wanted);
    if (made !== null) world.withdrawals.push((made as { id: string }).id);
    return;
  }
  if (each.do === 'decide') {
    const id = world.withdrawals[each.nth % Math.max(1, world.withdrawals.length)];
    const decider = world.buyers[0] ?? '';
    if (id !== undefined)
      await call(world, decider, 'PUT core/sys/withdraw/', { id, status: each.status, reason: '不行' });
    return;
  }
  const order = world.orders['nth' in each ? each.nth % Math.max(1, world.orders.length) : 0];
  if (order !== undefined) await change(world, each.do, order);
}

/** What everyone must have, by the orders alone. */
async function expectFair({ ctx, buyers, author, paid }: World): Promise<void> {
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
 * Random deeds of buyers, the cashier, the clock, staff and the author, those of a round at the same moment. Once every
 * callback has come, everyone has what the orders say, and the cashier's books agree.
 */
export const followTrade = (t: TestApp) =>
  fc.asyncProperty(rounds, async (rounds) => {
    const world = await makeWorld(t);
    // Something to begin with.
    await Promise.all(
      world.buyers.map((_, by) => place(world, { do: 'recharge', by, amount: 3000, request: null })),
    );
    await Promise.all(world.orders.map((order) => change(world, 'pay', order)));
    for (const round of rounds) await Promise.all(round.map((each) => act(world, each)));
    await Promise.all(world.orders.map(({ no }) => callBack(world, no)));
    await expectFair(world);
  });
