import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { sqlAs, sqlBoolean } from '../../../../db/rows.ts';
import { type NavigationRow, navigation } from '../tables.ts';

const sqlLinkedPages = sqlAs(z.array(z.object({ id: z.string(), slug: z.string(), title: z.string() })));

/** A `Frame` in one query, as a query builder that the caller can prepare. */
export const selectFrame = (db: Db) =>
  db
    .select({
      header: navigation.header,
      footer: navigation.footer,
      pages: sqlLinkedPages`case when navigation.header is null and navigation.footer is null then '[]'::jsonb else
        (select coalesce(jsonb_agg(jsonb_build_object(
          'id', replace(pages.id::text, '-', ''), 'slug', pages.slug, 'title', pages.title)), '[]'::jsonb)
        from pages where pages.published) end`,
      hasFriendLinks: sqlBoolean`exists (select from friend_links where friend_links.enabled)`,
    })
    .from(navigation);

async function first(rows: Promise<NavigationRow[]>): Promise<NavigationRow> {
  const [row] = await rows;
  if (row === undefined) throw new Error('The table navigation is empty');
  return row;
}

export const getNavigation = (db: Db): Promise<NavigationRow> => first(db.select().from(navigation));

/** Locked by whoever changes it, and shared by those who change a page that may be in it. */
export const lockNavigation = (db: Db, strength: 'update' | 'share'): Promise<NavigationRow> =>
  first(db.select().from(navigation).for(strength));

export async function updateNavigation(db: Db, { header, footer, version }: NavigationRow): Promise<void> {
  const stored = (value: unknown) => (value === null ? sql`null` : sql`${JSON.stringify(value)}::jsonb`);
  await db.update(navigation).set({ header: stored(header), footer: stored(footer), version });
}
