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
import { MOST_COUNTED } from '../../../db/keyword.ts';
import { listPage } from '../../../db/list-page.ts';
import type { PageQuery } from '../../../db/page.ts';
import { plainRows } from '../../../db/plain-rows.ts';
import { idRow, parseRows } from '../../../db/rows.ts';
import { type Days, madeWithin } from '../../../db/sort.ts';
import {
  type Attempt,
  type DeliveryRow,
  type EndpointRow,
  webhookDeliveries,
  webhookEndpoints,
} from './tables.ts';

export const endpointRows = plainRows(webhookEndpoints, '没有找到这个外部通知');

/** The newest first. */
export const listEndpoints = (db: Db): Promise<EndpointRow[]> =>
  db.select().from(webhookEndpoints).orderBy(desc(webhookEndpoints.id));

/** Where this is to be told. */
export async function listWanting(db: Db, event: WebhookEvent): Promise<string[]> {
  const rows = await db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.enabled, true), arrayContains(webhookEndpoints.events, [event])));
  return rows.map((row) => row.id);
}

/** Also lets one wait for another. */
export async function countEndpoints(db: Db): Promise<number> {
  await db.execute(sql`lock table webhook_endpoints in share row exclusive mode`);
  return db.$count(webhookEndpoints);
}

/** Something has arrived. */
export async function updateArrived(db: Db, id: string): Promise<void> {
  await db
    .update(webhookEndpoints)
    .set({ failingSince: null })
    .where(and(eq(webhookEndpoints.id, id), isNotNull(webhookEndpoints.failingSince)));
}

/** Nothing has arrived; noted the first time only. */
export async function updateFailing(db: Db, id: string, now: Date): Promise<void> {
  await db
    .update(webhookEndpoints)
    .set({ failingSince: now })
    .where(and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.failingSince)));
}

/** True for the one who disables it. */
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

/** Takes some that are due, for as long as an attempt may take; nobody else takes them meanwhile. */
export async function takeDue(
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

type Answered = Pick<DeliveryRow, 'status' | 'code' | 'error' | 'response' | 'duration' | 'nextAt'>;

export async function updateAnswered(db: Db, id: string, fields: Answered, attempt: Attempt): Promise<void> {
  const { status } = webhookDeliveries;
  await db
    .update(webhookDeliveries)
    .set({
      ...fields,
      // Given up meanwhile, it does not wait again.
      status: sql`case when ${status} = 'failed' and ${fields.status} = 'waiting' then ${status} else ${fields.status} end`,
      log: sql`${webhookDeliveries.log} || ${JSON.stringify(attempt)}::jsonb`,
    })
    .where(eq(webhookDeliveries.id, id));
}

/** What waits for an endpoint that nothing is sent to any more. */
export async function failWaiting(db: Db, endpointId: string, error: string): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ status: 'failed', error })
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.status, 'waiting')));
}

/** Those of which something is due. */
export async function listDueEndpoints(db: Db, now: Date): Promise<string[]> {
  const result = await db.execute(sql`
    select id from webhook_endpoints e
    where enabled and exists (
      select 1 from webhook_deliveries
      where endpoint_id = e.id and status = 'waiting' and next_at <= ${now.toISOString()})`);
  return parseRows(idRow, result).map((row) => row.id);
}

/** To be sent once more, from the first attempt on; where nothing is sent and what waits anyway is left out. */
export async function updateAgain(db: Db, ids: string[], now: Date): Promise<DeliveryRow[]> {
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

export async function removeOldDeliveries(db: Db, before: Date): Promise<void> {
  await db.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, before));
}

const { body: _body, response: _response, log: _log, ...brief } = getTableColumns(webhookDeliveries);

export type BriefDelivery = Omit<DeliveryRow, 'body' | 'response' | 'log'>;
export interface ListedDelivery {
  delivery: BriefDelivery;
  endpoint: EndpointRow;
}

interface DeliveryQuery extends PageQuery, Days {
  endpointId?: string | undefined;
  event?: SentEvent | undefined;
  status?: DeliveryStatus | undefined;
}

/** The newest first. */
export function listDeliveries(db: Db, query: DeliveryQuery): Promise<Page<ListedDelivery>> {
  const { endpointId, event, status } = query;
  const match = and(
    endpointId === undefined ? undefined : eq(webhookDeliveries.endpointId, endpointId),
    event === undefined ? undefined : eq(webhookDeliveries.event, event),
    status === undefined ? undefined : eq(webhookDeliveries.status, status),
    madeWithin(webhookDeliveries.id, query),
  );
  return listPage(db, query, {
    select: db
      .select({ delivery: brief, endpoint: webhookEndpoints })
      .from(webhookDeliveries)
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId)),
    match,
    id: webhookDeliveries.id,
    key: ({ delivery }) => [delivery.id],
    maxCounted: MOST_COUNTED,
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
