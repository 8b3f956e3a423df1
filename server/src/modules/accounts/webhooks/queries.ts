import type { Page } from '@mozhan/contract/common.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { DeliveryStatus, SentEvent, WebhookEvent } from '@mozhan/contract/webhooks.ts';
import {
  and,
  arrayContains,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  sql,
} from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { MAX_COUNTED_ROWS } from '../../../db/keyword.ts';
import { listPage } from '../../../db/list-page.ts';
import type { PageQuery } from '../../../db/page.ts';
import { createRowQueries } from '../../../db/row-queries.ts';
import { idRow, parseRows } from '../../../db/rows.ts';
import { createdWithin, type DayBounds } from '../../../db/sort.ts';
import {
  type Attempt,
  type DeliveryRow,
  type EndpointRow,
  webhookDeliveries,
  webhookEndpoints,
} from './tables.ts';

export const endpointRows = createRowQueries(webhookEndpoints, '没有找到这个外部通知');

export const listEndpoints = (db: Db): Promise<EndpointRow[]> =>
  db.select().from(webhookEndpoints).orderBy(desc(webhookEndpoints.id));

export async function listSubscribedEndpointIds(db: Db, event: WebhookEvent): Promise<string[]> {
  const rows = await db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.enabled, true), arrayContains(webhookEndpoints.events, [event])));
  return rows.map((row) => row.id);
}

/** Locks the table, so that concurrent inserts cannot exceed the limit. */
export async function countEndpoints(db: Db): Promise<number> {
  await db.execute(sql`lock table webhook_endpoints in share row exclusive mode`);
  return db.$count(webhookEndpoints);
}

export async function clearFailing(db: Db, id: string): Promise<void> {
  await db
    .update(webhookEndpoints)
    .set({ failingSince: null })
    .where(and(eq(webhookEndpoints.id, id), isNotNull(webhookEndpoints.failingSince)));
}

/** Keeps the time of the first failure. */
export async function markFailing(db: Db, id: string, now: Date): Promise<void> {
  await db
    .update(webhookEndpoints)
    .set({ failingSince: now })
    .where(and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.failingSince)));
}

/** Returns true only for the caller that disables it. */
export async function disableFailing(db: Db, id: string, since: Date, now: Date): Promise<boolean> {
  const rows = await db
    .update(webhookEndpoints)
    .set({ enabled: false, disabledAt: now })
    .where(
      and(
        eq(webhookEndpoints.id, id),
        eq(webhookEndpoints.enabled, true),
        lt(webhookEndpoints.failingSince, since),
      ),
    )
    .returning({ id: webhookEndpoints.id });
  return rows.length > 0;
}

export async function insertDeliveries(
  db: Db,
  rows: (typeof webhookDeliveries.$inferInsert)[],
): Promise<void> {
  await db.insert(webhookDeliveries).values(rows);
}

/** Claims due deliveries until `until`; other processes skip them meanwhile. */
export async function claimDueDeliveries(
  db: Db,
  endpointId: string,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<DeliveryRow[]> {
  const due = db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        eq(webhookDeliveries.status, 'waiting'),
        lte(webhookDeliveries.nextAt, now),
      ),
    )
    .orderBy(webhookDeliveries.nextAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  return db
    .update(webhookDeliveries)
    .set({ nextAt: until, attempts: sql`${webhookDeliveries.attempts} + 1` })
    .where(inArray(webhookDeliveries.id, due))
    .returning();
}

type AttemptResult = Pick<DeliveryRow, 'status' | 'code' | 'error' | 'response' | 'duration' | 'nextAt'>;

export async function saveAttempt(
  db: Db,
  id: string,
  fields: AttemptResult,
  attempt: Attempt,
): Promise<void> {
  const { status } = webhookDeliveries;
  await db
    .update(webhookDeliveries)
    .set({
      ...fields,
      // A delivery that was marked as failed meanwhile stays failed.
      status: sql`case when ${status} = 'failed' and ${fields.status} = 'waiting' then ${status} else ${fields.status} end`,
      log: sql`${webhookDeliveries.log} || ${JSON.stringify(attempt)}::jsonb`,
    })
    .where(eq(webhookDeliveries.id, id));
}

export async function failWaitingDeliveries(db: Db, endpointId: string, error: string): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ status: 'failed', error })
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.status, 'waiting')));
}

export async function listDueEndpoints(db: Db, now: Date): Promise<string[]> {
  const result = await db.execute(sql`
    select id from webhook_endpoints e
    where enabled and exists (
      select 1 from webhook_deliveries
      where endpoint_id = e.id and status = 'waiting' and next_at <= ${now.toISOString()})`);
  return parseRows(idRow, result).map((row) => row.id);
}

/** Queues deliveries again from the first attempt; skips waiting ones and disabled endpoints. */
export async function requeueDeliveries(db: Db, ids: string[], now: Date): Promise<DeliveryRow[]> {
  return db
    .update(webhookDeliveries)
    .set({ status: 'waiting', attempts: 0, nextAt: now })
    .where(
      and(
        inArray(webhookDeliveries.id, ids),
        ne(webhookDeliveries.status, 'waiting'),
        inArray(
          webhookDeliveries.endpointId,
          db
            .select({ id: webhookEndpoints.id })
            .from(webhookEndpoints)
            .where(eq(webhookEndpoints.enabled, true)),
        ),
      ),
    )
    .returning();
}

export async function removeDeliveriesBefore(db: Db, before: Date): Promise<void> {
  await db.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, before));
}

const { body: _body, response: _response, log: _log, ...briefColumns } = getTableColumns(webhookDeliveries);

export type BriefDelivery = Omit<DeliveryRow, 'body' | 'response' | 'log'>;
export interface ListedDelivery {
  delivery: BriefDelivery;
  endpoint: EndpointRow;
}

interface DeliveryQuery extends PageQuery, DayBounds {
  endpointId?: string | undefined;
  event?: SentEvent | undefined;
  status?: DeliveryStatus | undefined;
}

export function listDeliveries(db: Db, query: DeliveryQuery): Promise<Page<ListedDelivery>> {
  const { endpointId, event, status } = query;
  const match = and(
    endpointId === undefined ? undefined : eq(webhookDeliveries.endpointId, endpointId),
    event === undefined ? undefined : eq(webhookDeliveries.event, event),
    status === undefined ? undefined : eq(webhookDeliveries.status, status),
    createdWithin(webhookDeliveries.id, query),
  );
  return listPage(db, query, {
    select: db
      .select({ delivery: briefColumns, endpoint: webhookEndpoints })
      .from(webhookDeliveries)
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId)),
    match,
    id: webhookDeliveries.id,
    key: ({ delivery }) => [delivery.id],
    maxCounted: MAX_COUNTED_ROWS,
  });
}

export async function getDelivery(
  db: Db,
  id: string,
): Promise<{ delivery: DeliveryRow; endpoint: EndpointRow }> {
  const [row] = await db
    .select({ delivery: webhookDeliveries, endpoint: webhookEndpoints })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(eq(webhookDeliveries.id, id));
  if (row === undefined) throw new CallError('NOT_FOUND', { message: '没有找到这次投递，或已过 30 天' });
  return row;
}
