import { type Ctx, inTx, type Services } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import { notify } from '../../users/index.ts';
import { post } from '../post.ts';
import * as queries from '../queries.ts';
import { GIVE_UP_AFTER, isDelivered, LEASE, LOG_LIFE, nextAttempt, sign } from '../rules.ts';
import type { DeliveryRow, EndpointRow } from '../tables.ts';
import { wake } from './emit.ts';
import { readSecret } from './secret.ts';

/** Sent at the same time to one endpoint. */
const AT_ONCE = 10;
/** Other jobs want their turn too, and a process that stops waits for this one. */
const LONGEST_MS = 15_000;
/** Endpoints that one process serves at a time: slow ones do not keep all jobs waiting. */
const MOST_SERVED = 2;
const TURN_MS = 5000;

const before = (now: Date, ms: number) => new Date(now.getTime() - ms);

export const STOPPED = '外部通知已停用，没有再发';

interface Receiver {
  url: string;
  secret: string;
}

async function attempt(ctx: Ctx, { url, secret }: Receiver, delivery: DeliveryRow): Promise<boolean> {
  const { clock, config } = ctx.services;
  const { id, event, body, attempts } = delivery;
  const timestamp = Math.floor(clock().getTime() / 1000);
  const { code, error, response, duration } = await post({
    url,
    body,
    mayBePrivate: config.webhookAllowPrivate,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Mozhan-Webhook/1',
      'x-mozhan-event': event,
      'x-mozhan-delivery': id,
      'x-mozhan-timestamp': String(timestamp),
      'x-mozhan-signature': sign(secret, timestamp, body),
    },
  });
  const now = clock();
  const isThere = isDelivered(code);
  const next = isThere ? null : nextAttempt(attempts, now);
  await queries.updateAnswered(
    ctx.db,
    id,
    {
      status: isThere ? 'delivered' : next === null ? 'failed' : 'waiting',
      code,
      error,
      response,
      duration,
      nextAt: next ?? now,
    },
    { at: now.toISOString(), code, error, duration },
  );
  return isThere;
}

/** Whoever set it up is told when nothing more is sent there. */
async function giveUpOn(ctx: Ctx, { id, name, createdBy }: EndpointRow): Promise<void> {
  await inTx(ctx, async (ctx) => {
    const now = ctx.services.clock();
    if (!(await queries.disableFailing(ctx.db, id, before(now, GIVE_UP_AFTER), now))) return;
    await queries.failWaiting(ctx.db, id, STOPPED);
    if (createdBy === null) return;
    await notify(ctx, {
      userId: createdBy,
      kind: 'system',
      text: `外部通知「${name}」连续多日没有送达，已停用。查明原因后可以在管理后台重新启用。`,
    });
  });
}

/** What is due of one endpoint, some at a time; false when nothing was. */
async function deliverSome(ctx: Ctx, endpointId: string): Promise<boolean> {
  const endpoint = await queries.endpointRows.find(ctx.db, endpointId);
  if (!endpoint?.enabled) return false;
  const receiver = { url: endpoint.url, secret: readSecret(ctx, endpoint) };
  const now = ctx.services.clock();
  const taken = await queries.takeDue(ctx.db, endpointId, {
    now,
    until: new Date(now.getTime() + LEASE),
    limit: AT_ONCE,
  });
  if (taken.length === 0) return false;
  const arrived = await Promise.all(taken.map((delivery) => attempt(ctx, receiver, delivery)));
  if (arrived.includes(true)) await queries.updateArrived(ctx.db, endpointId);
  else {
    await queries.updateFailing(ctx.db, endpointId, now);
    await giveUpOn(ctx, endpoint);
  }
  return true;
}

/** By endpoint: whether somebody came by meanwhile. */
const serving = new WeakMap<Services, Map<string, boolean>>();

/** One at a time for an endpoint; who comes meanwhile has it look once more. */
export async function deliverDue(ctx: Ctx, endpointId: string): Promise<void> {
  const served = serving.get(ctx.services) ?? new Map<string, boolean>();
  serving.set(ctx.services, served);
  if (served.has(endpointId)) {
    served.set(endpointId, true);
    return;
  }
  if (served.size >= MOST_SERVED) {
    const runAt = new Date(Date.now() + TURN_MS);
    return addJob(ctx, 'deliver-webhooks', { id: endpointId }, { key: `webhook:${endpointId}`, runAt });
  }
  const end = performance.now() + LONGEST_MS;
  try {
    for (;;) {
      served.set(endpointId, false);
      const isMore = await deliverSome(ctx, endpointId);
      if (!isMore && served.get(endpointId) !== true) return;
      if (performance.now() < end) continue;
      await wake(ctx, [endpointId]);
      return;
    }
  } finally {
    served.delete(endpointId);
  }
}

/** What is due again, and what somebody died over. */
export async function wakeDue(ctx: Ctx): Promise<void> {
  await wake(ctx, await queries.listDueEndpoints(ctx.db, ctx.now));
}

export const forgetDeliveries = (ctx: Ctx): Promise<void> =>
  queries.removeOldDeliveries(ctx.db, before(ctx.now, LOG_LIFE));
