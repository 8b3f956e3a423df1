import type { SentEvent, WebhookEvent } from '@mozhan/contract/webhooks.ts';
import type { Ctx } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { addJobs } from '../../../../jobs.ts';
import { insertDeliveries, listWanting } from '../queries.ts';

/** What is public of the thing, and nothing else. */
export type Told = Record<string, unknown>;

/** For those beyond the site its whole address. */
export const addressOf = ({ services: { config } }: Ctx, path: string): string =>
  (config.siteUrl ?? config.basePath) + path;

/** To these endpoints, within the transaction: each is a row before anything is sent. */
export async function deliverLater(
  ctx: Ctx,
  endpointIds: string[],
  event: SentEvent,
  told: Told[],
): Promise<string[]> {
  const rows = told.flatMap((data) =>
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
  await wake(ctx, endpointIds);
  return rows.map(({ id }) => id);
}

/** A job only hastens what the rows say anyway. */
export const wake = (ctx: Ctx, endpointIds: string[]): Promise<void> =>
  addJobs(
    ctx,
    'deliver-webhooks',
    [...new Set(endpointIds)].map((id) => ({ id })),
  );

/**
 * Tells the world of what happened, in the transaction in which it happens. What is told is asked for only where
 * somebody wants to hear it.
 */
export async function emit(
  ctx: Ctx,
  event: WebhookEvent,
  tell: () => Told[] | Promise<Told[]>,
): Promise<void> {
  const endpointIds = await listWanting(ctx.db, event);
  if (endpointIds.length > 0) await deliverLater(ctx, endpointIds, event, await tell());
}
