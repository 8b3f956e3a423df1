import { type Ctx, inTransaction, oncePerApp } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import { notify } from '../../users/index.ts';
import { postWebhook } from '../post.ts';
import * as queries from '../queries.ts';
import {
  DISABLE_AFTER,
  getNextAttemptTime,
  isSuccessStatus,
  LEASE_DURATION,
  LOG_RETENTION,
  signBody,
} from '../rules.ts';
import type { DeliveryRow, EndpointRow } from '../tables.ts';
import { scheduleDeliveries } from './emit.ts';
import { readSecret } from './secret.ts';

const MAX_BATCH_SIZE = 10;
/** Keeps the job short: other jobs wait for it, and so does a process that shuts down. */
const MAX_RUN_MS = 15_000;
/** Limits the endpoints that a process serves at a time, so that slow ones do not block all jobs. */
const MAX_SERVED_ENDPOINTS = 2;
const REQUEUE_DELAY_MS = 5000;

const subtractMs = (now: Date, ms: number) => new Date(now.getTime() - ms);

export const DISABLED_MESSAGE = '外部通知已停用，没有再发';

interface Receiver {
  url: string;
  secret: string;
}

async function sendDelivery(ctx: Ctx, { url, secret }: Receiver, delivery: DeliveryRow): Promise<boolean> {
  const { clock, config } = ctx.services;
  const { id, event, body, attempts } = delivery;
  const timestamp = Math.floor(clock().getTime() / 1000);
  const { code, error, response, duration } = await postWebhook({
    url,
    body,
    allowPrivate: config.webhookAllowPrivate,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Mozhan-Webhook/1',
      'x-mozhan-event': event,
      'x-mozhan-delivery': id,
      'x-mozhan-timestamp': String(timestamp),
      'x-mozhan-signature': signBody(secret, timestamp, body),
    },
  });
  const now = clock();
  const isSuccess = isSuccessStatus(code);
  const next = isSuccess ? null : getNextAttemptTime(attempts, now);
  await queries.saveAttempt(
    ctx.db,
    id,
    {
      status: isSuccess ? 'delivered' : next === null ? 'failed' : 'waiting',
      code,
      error,
      response,
      duration,
      nextAt: next ?? now,
    },
    { at: now.toISOString(), code, error, duration },
  );
  return isSuccess;
}

async function disableFailingEndpoint(ctx: Ctx, { id, name, createdBy }: EndpointRow): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const now = ctx.services.clock();
    if (!(await queries.disableFailing(ctx.db, id, subtractMs(now, DISABLE_AFTER), now))) return;
    await queries.failWaitingDeliveries(ctx.db, id, DISABLED_MESSAGE);
    if (createdBy === null) return;
    await notify(ctx, {
      userId: createdBy,
      kind: 'system',
      text: `外部通知「${name}」连续多日没有送达，已停用。查明原因后可以在管理后台重新启用。`,
    });
  });
}

/** Sends one batch of due deliveries; returns false when there was none. */
async function deliverBatch(ctx: Ctx, endpointId: string): Promise<boolean> {
  const endpoint = await queries.endpointRows.find(ctx.db, endpointId);
  if (!endpoint?.enabled) return false;
  const receiver = { url: endpoint.url, secret: readSecret(ctx, endpoint) };
  const now = ctx.services.clock();
  const claimed = await queries.claimDueDeliveries(ctx.db, endpointId, {
    now,
    until: new Date(now.getTime() + LEASE_DURATION),
    limit: MAX_BATCH_SIZE,
  });
  if (claimed.length === 0) return false;
  const results = await Promise.all(claimed.map((delivery) => sendDelivery(ctx, receiver, delivery)));
  if (results.includes(true)) await queries.clearFailing(ctx.db, endpointId);
  else {
    await queries.markFailing(ctx.db, endpointId, now);
    await disableFailingEndpoint(ctx, endpoint);
  }
  return true;
}

/** By endpoint: whether another run was requested meanwhile. */
const servedOf = oncePerApp(() => new Map<string, boolean>());

/** Runs once at a time per endpoint; a call during a run makes that run check again. */
export async function deliverDue(ctx: Ctx, endpointId: string): Promise<void> {
  const served = servedOf(ctx.services);
  if (served.has(endpointId)) {
    served.set(endpointId, true);
    return;
  }
  if (served.size >= MAX_SERVED_ENDPOINTS) {
    const runAt = new Date(Date.now() + REQUEUE_DELAY_MS);
    return addJob(ctx, 'deliver-webhooks', { id: endpointId }, { key: `webhook:${endpointId}`, runAt });
  }
  const end = performance.now() + MAX_RUN_MS;
  try {
    for (;;) {
      served.set(endpointId, false);
      const isMore = await deliverBatch(ctx, endpointId);
      if (!isMore && served.get(endpointId) !== true) return;
      if (performance.now() < end) continue;
      await scheduleDeliveries(ctx, [endpointId]);
      return;
    }
  } finally {
    served.delete(endpointId);
  }
}

/** Schedules retries and deliveries whose lease has expired. */
export async function scheduleDueDeliveries(ctx: Ctx): Promise<void> {
  await scheduleDeliveries(ctx, await queries.listDueEndpoints(ctx.db, ctx.now));
}

export const removeExpiredDeliveries = (ctx: Ctx): Promise<void> =>
  queries.removeDeliveriesBefore(ctx.db, subtractMs(ctx.now, LOG_RETENTION));
