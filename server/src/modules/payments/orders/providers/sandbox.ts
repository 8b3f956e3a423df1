import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { CallError } from '@mozhan/contract/errors.ts';
import { and, eq, gt, gte, inArray, isNotNull, isNull, lt } from 'drizzle-orm';
import { z } from 'zod';
import type { Ctx, Services } from '../../../../ctx.ts';
import { createDb, type Db } from '../../../../db/client.ts';
import { type SandboxPayment, sandboxPayments } from '../tables.ts';
import type { Callback, Payment, Provider, StatementLine } from './provider.ts';

/** 演示收银台: a provider without real money. It has its own table and signs its callbacks like the others. */

const SIGNATURE = 'sandbox-signature';

const sign = (secret: string, what: string): string =>
  createHmac('sha256', secret).update(what).digest('hex');

function isSigned(secret: string, what: string, signature: unknown): boolean {
  const right = Buffer.from(sign(secret, what));
  const given = Buffer.from(typeof signature === 'string' ? signature : '');
  return given.length === right.length && timingSafeEqual(given, right);
}

const cashierKeyOf = (secret: string, no: string): string => sign(secret, `cashier ${no}`);

export const isCashierKey = ({ services }: Ctx, no: string, key: string): boolean =>
  isSigned(services.secret, `cashier ${no}`, key);

const hasNo = (no: string) => eq(sandboxPayments.no, no);

async function find(db: Db, no: string): Promise<SandboxPayment | null> {
  const [row] = await db.select().from(sandboxPayments).where(hasNo(no));
  return row ?? null;
}

const toPayment = ({ no, tradeNo, amount, paidAt }: SandboxPayment): Payment | null =>
  paidAt === null ? null : { no, tradeNo, amount, paidAt };

const dbOf = ({ services }: Ctx): Db => createDb(services.pool);

export const findSandboxPayment = (ctx: Ctx, no: string): Promise<SandboxPayment | null> =>
  find(dbOf(ctx), no);

/** Returns whether the payment was still open. */
export async function approveSandboxPayment(ctx: Ctx, no: string): Promise<boolean> {
  const rows = await dbOf(ctx)
    .update(sandboxPayments)
    .set({ paidAt: ctx.now, declined: false })
    .where(isOpen(no, ctx.now))
    .returning({ no: sandboxPayments.no });
  return rows.length > 0;
}

/** Returns whether the payment was still open; a declined payment can still be approved. */
export async function declineSandboxPayment(ctx: Ctx, no: string): Promise<boolean> {
  const rows = await dbOf(ctx)
    .update(sandboxPayments)
    .set({ declined: true })
    .where(isOpen(no, ctx.now))
    .returning({ no: sandboxPayments.no });
  return rows.length > 0;
}

const isOpen = (no: string, now: Date) =>
  and(
    hasNo(no),
    isNull(sandboxPayments.paidAt),
    isNull(sandboxPayments.closedAt),
    gt(sandboxPayments.expiresAt, now),
  );

/** Runs in the transaction that removes the orders. */
export async function removeSandboxPayments(db: Db, nos: string[]): Promise<void> {
  await db.delete(sandboxPayments).where(inArray(sandboxPayments.no, nos));
}

export async function createSandboxCallback(ctx: Ctx, no: string): Promise<Callback | null> {
  const bill = await findSandboxPayment(ctx, no);
  const payment = bill && toPayment(bill);
  if (payment === null) return null;
  const body = JSON.stringify(payment);
  return { headers: { [SIGNATURE]: sign(ctx.services.secret, `callback ${body}`) }, body };
}

const callback = z.object({
  no: z.string(),
  tradeNo: z.string(),
  amount: z.int(),
  paidAt: z.coerce.date(),
});

const signatureError = () => new CallError('MALFORMED', { message: '签名不对' });

/** Midnight to midnight in China. */
function dayBounds(day: string): { from: Date; to: Date } {
  const from = new Date(`${day}T00:00:00+08:00`);
  return { from, to: new Date(from.getTime() + 86_400_000) };
}

export function createSandbox({
  config,
  pool,
  secret,
  clock,
}: Pick<Services, 'config' | 'pool' | 'secret' | 'clock'>): Provider {
  const db = createDb(pool);
  const cashierUrlOf = (no: string): string =>
    `${config.siteUrl ?? config.basePath}/cashier.html?no=${no}&key=${cashierKeyOf(secret, no)}`;

  return {
    async start({ no, title, amount, expiresAt }) {
      const tradeNo = `S${no}${randomInt(10 ** 6, 10 ** 7)}`;
      await db
        .insert(sandboxPayments)
        .values({ no, title, amount, tradeNo, expiresAt })
        .onConflictDoNothing();
      const url = cashierUrlOf(no);
      return { url, qr: url };
    },
    async query(no) {
      const row = await find(db, no);
      return row === null ? null : toPayment(row);
    },
    async close(no) {
      await db
        .update(sandboxPayments)
        .set({ closedAt: clock() })
        .where(and(hasNo(no), isNull(sandboxPayments.paidAt), isNull(sandboxPayments.closedAt)));
    },
    async refund({ no, refundNo, amount }) {
      await db
        .update(sandboxPayments)
        .set({ refundNo, refundedAt: clock() })
        .where(
          and(
            hasNo(no),
            eq(sandboxPayments.amount, amount),
            isNotNull(sandboxPayments.paidAt),
            isNull(sandboxPayments.refundNo),
          ),
        );
      const row = await find(db, no);
      return row?.refundNo === refundNo ? 'done' : 'failed';
    },
    async parseCallback({ headers, body }) {
      if (!isSigned(secret, `callback ${body}`, headers[SIGNATURE])) throw signatureError();
      const payment = callback.parse(JSON.parse(body));
      return { payment, reply: { status: 200, type: 'text/plain', body: 'success' } };
    },
    async listStatement(day) {
      const { from, to } = dayBounds(day);
      const paid = await db
        .select()
        .from(sandboxPayments)
        .where(and(gte(sandboxPayments.paidAt, from), lt(sandboxPayments.paidAt, to)));
      const refunded = await db
        .select()
        .from(sandboxPayments)
        .where(and(gte(sandboxPayments.refundedAt, from), lt(sandboxPayments.refundedAt, to)));
      const toLine =
        (kind: StatementLine['kind']) =>
        ({ no, tradeNo, amount }: SandboxPayment): StatementLine => ({ no, tradeNo, kind, amount });
      return [...paid.map(toLine('payment')), ...refunded.map(toLine('refund'))];
    },
  };
}
