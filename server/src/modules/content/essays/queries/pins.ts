import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, asc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type EssayRow, essays } from '../tables.ts';
import { type CardRow, selectCards } from './lists.ts';

/** Where essays are pinned: on the home page of an author, or on that of the site. */
export type PinPlace = { authorId: string } | 'site';

export const pinColumnOf = (place: PinPlace) => (place === 'site' ? 'sitePin' : 'authorPin');

const isPinnedAt = (place: PinPlace): SQL | undefined =>
  place === 'site'
    ? isNotNull(essays.sitePin)
    : and(eq(essays.authorId, place.authorId), isNotNull(essays.authorPin));

/** In the order of their positions; at most five. */
export const listPinned = (db: Db, place: PinPlace) =>
  selectCards(db)
    .where(and(isPinnedAt(place), eq(essays.status, ESSAY_STATUS.onShelf)))
    .orderBy(asc(essays[pinColumnOf(place)]));

/** The site's pinned essays, under every key, because there is one list. */
export function createSitePinsQuery(db: Db): (keys: string[]) => Promise<Map<string, CardRow[]>> {
  const query = listPinned(db, 'site').prepare('site_pins');
  return async (keys) => {
    const rows = await query.execute();
    return new Map(keys.map((key) => [key, rows]));
  };
}

/** Serializes changes of the pins of one place until the transaction ends. */
export async function lockPins(db: Db, place: PinPlace): Promise<void> {
  const name = place === 'site' ? 'site' : place.authorId;
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`essay pins ${name}`}, 0))`);
}

/** Locks an essay and the pinned ones in the order of their ids, to avoid a deadlock. */
export const lockWithPinned = (db: Db, place: PinPlace, id: string): Promise<EssayRow[]> =>
  db
    .select()
    .from(essays)
    .where(sql`${essays.id} = ${id} or (${isPinnedAt(place)})`)
    .orderBy(asc(essays.id))
    .for('no key update');

/** Locks everything that an import of a pinned essay may move, before the locks of counters, to avoid a deadlock. */
export async function lockForImport(db: Db, authorId: string): Promise<void> {
  await lockPins(db, { authorId });
  await lockPins(db, 'site');
  await db
    .select({ id: essays.id })
    .from(essays)
    .where(or(isPinnedAt({ authorId }), isPinnedAt('site')))
    .orderBy(asc(essays.id))
    .for('no key update');
}

/** The essays must be locked. All positions are cleared first, because a position is unique in every statement. */
export async function updatePins(db: Db, place: PinPlace, before: string[], after: string[]): Promise<void> {
  const column = sql.identifier(place === 'site' ? 'site_pin' : 'author_pin');
  if (before.length > 0)
    await db.execute(sql`
      update essays set ${column} = null where id = any(${sql.param(before)}::uuid[]) and ${column} is not null`);
  if (after.length > 0)
    await db.execute(sql`
      update essays set ${column} = pin.position
      from unnest(${sql.param(after)}::uuid[]) with ordinality as pin (id, position)
      where essays.id = pin.id`);
}

/** An essay that leaves the shelf is pinned nowhere. */
export async function removePins(db: Db, id: string): Promise<void> {
  await db
    .update(essays)
    .set({ authorPin: null, sitePin: null })
    .where(and(eq(essays.id, id), sql`(${essays.authorPin} is not null or ${essays.sitePin} is not null)`));
}
