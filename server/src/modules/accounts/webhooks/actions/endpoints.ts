import { FLAG } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/webhooks.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, logChange, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import * as queries from '../queries.ts';
import { checkEndpointUrl, MAX_ENDPOINTS } from '../rules.ts';
import type { EndpointRow } from '../tables.ts';
import { DISABLED_MESSAGE } from './deliver.ts';
import { queueDeliveries, scheduleDeliveries } from './emit.ts';
import { createSecret } from './secret.ts';

const toLog = ({ name, url, events, enabled }: EndpointRow) => ({ name, url, events, enabled });

export function createEndpoint(
  ctx: Ctx,
  viewer: Viewer,
  { enabled, ...fields }: z.output<typeof calls.createEndpoint.input>,
): Promise<EndpointRow> {
  checkEndpointUrl(fields.url, ctx.services.config.webhookAllowPrivate);
  return inTransaction(ctx, async (ctx) => {
    if ((await queries.countEndpoints(ctx.db)) >= MAX_ENDPOINTS)
      throw invalidField('name', `外部通知最多 ${MAX_ENDPOINTS} 个`);
    const id = newId();
    const row: EndpointRow = {
      ...fields,
      id,
      secret: createSecret(ctx, id),
      enabled: enabled === FLAG.on,
      failingSince: null,
      disabledAt: null,
      createdBy: viewer.id,
      createdAt: ctx.now,
    };
    await queries.endpointRows.insert(ctx.db, row);
    logChange(ctx, `webhook:${row.id}`, null, toLog(row));
    return row;
  });
}

export function updateEndpoint(
  ctx: Ctx,
  { id, enabled, renew, ...changes }: z.output<typeof calls.updateEndpoint.input>,
): Promise<EndpointRow> {
  if (changes.url !== undefined) checkEndpointUrl(changes.url, ctx.services.config.webhookAllowPrivate);
  return inTransaction(ctx, async (ctx) => {
    const before = await queries.endpointRows.get(ctx.db, id);
    await queries.endpointRows.update(ctx.db, id, {
      name: changes.name ?? before.name,
      url: changes.url ?? before.url,
      events: changes.events ?? before.events,
      ...(enabled === undefined ? {} : { enabled: enabled === FLAG.on }),
      ...(renew === FLAG.on ? { secret: createSecret(ctx, id) } : {}),
      // The endpoint gets the full time again before it is disabled.
      ...(enabled === FLAG.on || changes.url !== undefined ? { failingSince: null, disabledAt: null } : {}),
    });
    if (enabled === FLAG.off) await queries.failWaitingDeliveries(ctx.db, id, DISABLED_MESSAGE);
    const after = await queries.endpointRows.get(ctx.db, id);
    logChange(ctx, `webhook:${id}`, toLog(before), toLog(after));
    return after;
  });
}

export function removeEndpoint(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const before = await queries.endpointRows.get(ctx.db, id);
    await queries.endpointRows.remove(ctx.db, id);
    logChange(ctx, `webhook:${id}`, toLog(before), null);
  });
}

/** Sends a `ping`, whatever events the endpoint subscribes to. */
export function testEndpoint(ctx: Ctx, id: string): Promise<string> {
  return inTransaction(ctx, async (ctx) => {
    const { name, enabled } = await queries.endpointRows.get(ctx.db, id);
    if (!enabled) throw invalidField('id', '已停用，启用后才能发送测试');
    const [deliveryId = ''] = await queueDeliveries(ctx, [id], 'ping', [
      { message: `来自「${name}」的测试` },
    ]);
    logChange(ctx, `webhook:${id}`, null, { name, delivery: deliveryId });
    return deliveryId;
  });
}

export function redeliver(ctx: Ctx, ids: string[]): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const requeued = await queries.requeueDeliveries(ctx.db, ids, ctx.now);
    await scheduleDeliveries(
      ctx,
      requeued.map(({ endpointId }) => endpointId),
    );
    logChange(ctx, 'webhook', null, { deliveries: requeued.map(({ id }) => id) });
    return requeued.length;
  });
}
