import type { SentEvent, WebhookEvent } from '@mozhan/contract/webhooks.ts';
import type { Ctx } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { addJobs } from '../../../../jobs.ts';
import { insertDeliveries, listSubscribedEndpointIds } from '../queries.ts';

/** Must contain only public data. */
export type WebhookData = Record<string, unknown>;

/** Returns an absolute URL when the site address is configured. */
export const toPublicUrl = ({ services: { config } }: Ctx, path: string): string =>
  (config.siteUrl ?? config.basePath) + path;

/** Stores deliveries in the caller's transaction; nothing is sent before it commits. */
export async function queueDeliveries(
  ctx: Ctx,
  endpointIds: string[],
  event: SentEvent,
  items: WebhookData[],
): Promise<string[]> {
  const rows = items.flatMap((data) =>
    endpointIds.map((endpointId) => {
      const id = newId();
      const body = JSON.stringify({ id, event, createdAt: ctx.now.toISOString(), data });
      return {
        id,
        endpointId,
        event,
        body,
        status: 'waiting' as const,
        nextAt: ctx.now,
        createdAt: ctx.now,
      };
    }),
  );
  if (rows.length === 0) return [];
  await insertDeliveries(ctx.db, rows);
  await scheduleDeliveries(ctx, endpointIds);
  return rows.map(({ id }) => id);
}

/** Adds jobs that send at once; without them the schedule would find the rows within a minute. */
export const scheduleDeliveries = (ctx: Ctx, endpointIds: string[]): Promise<void> =>
  addJobs(
    ctx,
    'deliver-webhooks',
    [...new Set(endpointIds)].map((id) => ({ id })),
  );

/** Call it in the transaction of the event; `getData` is called only when an endpoint subscribes to the event. */
export async function emitWebhook(
  ctx: Ctx,
  event: WebhookEvent,
  getData: () => WebhookData[] | Promise<WebhookData[]>,
): Promise<void> {
  const endpointIds = await listSubscribedEndpointIds(ctx.db, event);
  if (endpointIds.length > 0) await queueDeliveries(ctx, endpointIds, event, await getData());
}
