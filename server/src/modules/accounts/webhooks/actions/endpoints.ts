import { FLAG } from '@mozhan/contract/enums.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/webhooks.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import * as queries from '../queries.ts';
import { checkUrl, MOST_ENDPOINTS } from '../rules.ts';
import type { EndpointRow } from '../tables.ts';
import { STOPPED } from './deliver.ts';
import { deliverLater, wake } from './emit.ts';
import { makeSecret } from './secret.ts';

const toLog = ({ name, url, events, enabled }: EndpointRow) => ({ name, url, events, enabled });

export function createEndpoint(
  ctx: Ctx,
  viewer: Viewer,
  { enabled, ...fields }: z.output<typeof calls.createEndpoint.input>,
): Promise<EndpointRow> {
  checkUrl(fields.url, ctx.services.config.webhookAllowPrivate);
  return inTx(ctx, async (ctx) => {
    if ((await queries.countEndpoints(ctx.db)) >= MOST_ENDPOINTS)
      throw invalid('name', `外部通知最多 ${MOST_ENDPOINTS} 个`);
    const id = newId();
    const row: EndpointRow = {
      ...fields,
      id,
      secret: makeSecret(ctx, id),
      enabled: enabled === FLAG.on,
      failingSince: null,
      disabledAt: null,
      createdBy: viewer.id,
      createdAt: ctx.now,
    };
    await queries.endpointRows.insert(ctx.db, row);
    changed(ctx, `webhook:${row.id}`, null, toLog(row));
    return row;
  });
}

export function updateEndpoint(
  ctx: Ctx,
  { id, enabled, renew, ...given }: z.output<typeof calls.updateEndpoint.input>,
): Promise<EndpointRow> {
  if (given.url !== undefined) checkUrl(given.url, ctx.services.config.webhookAllowPrivate);
  return inTx(ctx, async (ctx) => {
    const before = await queries.endpointRows.get(ctx.db, id);
    await queries.endpointRows.update(ctx.db, id, {
      name: given.name ?? before.name,
      url: given.url ?? before.url,
      events: given.events ?? before.events,
      ...(enabled === undefined ? {} : { enabled: enabled === FLAG.on }),
      ...(renew === FLAG.on ? { secret: makeSecret(ctx, id) } : {}),
      // Another chance, and as many days for it.
      ...(enabled === FLAG.on || given.url !== undefined ? { failingSince: null, disabledAt: null } : {}),
    });
    if (enabled === FLAG.off) await queries.failWaiting(ctx.db, id, STOPPED);
    const after = await queries.endpointRows.get(ctx.db, id);
    changed(ctx, `webhook:${id}`, toLog(before), toLog(after));
    return after;
  });
}

export function removeEndpoint(ctx: Ctx, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const before = await queries.endpointRows.get(ctx.db, id);
    await queries.endpointRows.remove(ctx.db, id);
    changed(ctx, `webhook:${id}`, toLog(before), null);
  });
}

/** Whatever it wants to hear of, so that whoever sets it up sees whether it arrives. */
export function testEndpoint(ctx: Ctx, id: string): Promise<string> {
  return inTx(ctx, async (ctx) => {
    const { name, enabled } = await queries.endpointRows.get(ctx.db, id);
    if (!enabled) throw invalid('id', '已停用，启用后才能发送测试');
    const [deliveryId = ''] = await deliverLater(ctx, [id], 'ping', [{ message: `来自「${name}」的测试` }]);
    changed(ctx, `webhook:${id}`, null, { name, delivery: deliveryId });
    return deliveryId;
  });
}

export function redeliver(ctx: Ctx, ids: string[]): Promise<number> {
  return inTx(ctx, async (ctx) => {
    const again = await queries.updateAgain(ctx.db, ids, ctx.now);
    await wake(
      ctx,
      again.map(({ endpointId }) => endpointId),
    );
    changed(ctx, 'webhook', null, { deliveries: again.map(({ id }) => id) });
    return again.length;
  });
}
