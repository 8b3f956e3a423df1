import { type MediaUseKind, mediaUseKind } from '@mozhan/contract/media.ts';
import { pagePath } from '@mozhan/contract/page-address.ts';
import type { UploadKind } from '@mozhan/contract/uploads.ts';
import { eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRows } from '../../../../db/rows.ts';
import { users } from '../../../accounts/users/tables.ts';
import { comments } from '../../../content/comments/tables.ts';
import { covers } from '../../../content/covers/tables.ts';
import { columnPathOf, essayPathOf } from '../../../content/essays/index.ts';
import { columns, essays } from '../../../content/essays/tables.ts';
import { announcements, friendLinks, pages } from '../../../content/site/tables.ts';
import { uploadUses } from '../../../platform/uploads/tables.ts';

const useRow = z.object({ fileId: z.string(), kind: mediaUseKind, targetId: z.string().nullable() });
export type UseRow = z.output<typeof useRow>;

const fileColumns = { image: sql.identifier('upload_id'), attachment: sql.identifier('attachment_id') };

/** Each place once: an essay whose versions all show the picture is one place. */
export async function listUses(
  db: Db,
  kind: UploadKind,
  ids: readonly string[],
  limit: number,
): Promise<UseRow[]> {
  if (ids.length === 0) return [];
  const column = fileColumns[kind];
  const result = await db.execute(sql`
    select replace(file.id::text, '-', '') as "fileId", place.kind, replace(place.target_id::text, '-', '') as "targetId"
    from unnest(${sql.param([...ids])}::uuid[]) as file (id)
    cross join lateral (
      with recursive places as (
        (select kind, target_id, 1 as number from ${uploadUses} where ${column} = file.id
          order by kind, target_id nulls last limit 1)
        union all
        select next.kind, next.target_id, number + 1 from places cross join lateral (
          select kind, target_id from ${uploadUses} where ${column} = file.id
            and (kind > places.kind or (kind = places.kind and target_id > places.target_id))
          order by kind, target_id nulls last limit 1
        ) as next
        where number < ${limit}
      )
      select kind, target_id from places
    ) as place`);
  return parseRows(useRow, result);
}

export interface Place {
  id: string;
  title: string;
  /** Address on the site; null if it has none. */
  link: string | null;
}

const withoutLink = (row: { id: string; title: string }): Place => ({ ...row, link: null });

type Load = (db: Db, ids: string[]) => Promise<Place[]>;

/** Messages between users have no title, because staff do not read them. */
export const loadPlaces: Partial<Record<MediaUseKind, Load>> = {
  essay: async (db, ids) => {
    const rows = await db
      .select({ id: essays.id, title: essays.title, slug: essays.slug, deletedAt: essays.deletedAt })
      .from(essays)
      .where(inArray(essays.id, ids));
    return rows.map(({ id, title, slug, deletedAt }) =>
      deletedAt === null
        ? { id, title, link: essayPathOf({ id, slug }) }
        : { id, title: `${title}（已删除）`, link: null },
    );
  },
  comment: async (db, ids) => {
    const rows = await db
      .select({ id: comments.id, title: essays.title, essayId: essays.id, slug: essays.slug })
      .from(comments)
      .innerJoin(essays, eq(essays.id, comments.essayId))
      .where(inArray(comments.id, ids));
    return rows.map(({ id, title, essayId, slug }) => ({
      id,
      title,
      link: essayPathOf({ id: essayId, slug }),
    }));
  },
  page: async (db, ids) => {
    const rows = await db
      .select({ id: pages.id, title: pages.title, slug: pages.slug })
      .from(pages)
      .where(inArray(pages.id, ids));
    return rows.map(({ id, title, slug }) => ({ id, title, link: pagePath(slug) }));
  },
  avatar: async (db, ids) => {
    const rows = await db
      .select({ id: users.id, title: users.displayName })
      .from(users)
      .where(inArray(users.id, ids));
    return rows.map(({ id, title }) => ({ id, title, link: `/user/home/${id}.html` }));
  },
  column: async (db, ids) => {
    const rows = await db
      .select({ id: columns.id, title: columns.name })
      .from(columns)
      .where(inArray(columns.id, ids));
    return rows.map(({ id, title }) => ({ id, title, link: columnPathOf(id) }));
  },
  announcement: async (db, ids) => {
    const rows = await db
      .select({ id: announcements.id, title: announcements.title })
      .from(announcements)
      .where(inArray(announcements.id, ids));
    return rows.map(withoutLink);
  },
  cover: async (db, ids) => {
    const rows = await db
      .select({ id: covers.id, title: covers.title })
      .from(covers)
      .where(inArray(covers.id, ids));
    return rows.map(withoutLink);
  },
  'friend-link': async (db, ids) => {
    const rows = await db
      .select({ id: friendLinks.id, title: friendLinks.name })
      .from(friendLinks)
      .where(inArray(friendLinks.id, ids));
    return rows.map(withoutLink);
  },
};
