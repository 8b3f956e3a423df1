import type { CoverKind } from '@mozhan/contract/covers.ts';
import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { createRowQueries } from '../../../db/row-queries.ts';
import { sqlText } from '../../../db/rows.ts';
import { uploads } from '../../platform/uploads/tables.ts';
import { type Cover, covers } from './tables.ts';

export interface LargePicture {
  path: string;
  middlePath: string;
  width: number;
  height: number;
}

export const coverRows = createRowQueries(covers, '没有找到这张图片');

export const listCovers = (db: Db, kind: CoverKind | undefined): Promise<Cover[]> =>
  db
    .select()
    .from(covers)
    .where(kind === undefined ? undefined : eq(covers.kind, kind))
    .orderBy(asc(covers.kind), asc(covers.sort), asc(covers.id));

/** Pictures of these covers that also exist in a medium size. */
export async function listLargePictures(db: Db, images: string[]): Promise<LargePicture[]> {
  if (images.length === 0) return [];
  return db
    .selectDistinctOn([uploads.path], {
      path: uploads.path,
      middlePath: sqlText`${uploads.middlePath}`,
      width: uploads.width,
      height: uploads.height,
    })
    .from(uploads)
    .where(and(inArray(uploads.path, images), isNotNull(uploads.middlePath)))
    .orderBy(uploads.path);
}

export async function removeCoversOf(db: Db, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  const theirs = db.select({ path: uploads.path }).from(uploads).where(inArray(uploads.userId, userIds));
  await db.delete(covers).where(inArray(covers.image, theirs));
}

/** Whether writers may use this picture as the cover of an essay. */
export async function isLibraryCover(db: Db, image: string): Promise<boolean> {
  const rows = await db
    .select({ id: covers.id })
    .from(covers)
    .where(and(eq(covers.kind, 'library'), eq(covers.image, image), eq(covers.enabled, true)))
    .limit(1);
  return rows.length > 0;
}
