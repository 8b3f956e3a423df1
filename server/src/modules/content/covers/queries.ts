import type { CoverKind } from '@mozhan/contract/covers.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { and, asc, eq, max } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { type Cover, covers } from './tables.ts';

export const noCover = () => new CallError('NOT_FOUND', { message: '没有找到这张图片' });

/** In order. */
export const listCovers = (db: Db, kind: CoverKind | undefined): Promise<Cover[]> =>
  db
    .select()
    .from(covers)
    .where(kind === undefined ? undefined : eq(covers.kind, kind))
    .orderBy(asc(covers.kind), asc(covers.sort), asc(covers.id));

export async function getCover(db: Db, id: string): Promise<Cover> {
  const [cover] = await db.select().from(covers).where(eq(covers.id, id));
  if (cover === undefined) throw noCover();
  return cover;
}

/** Nobody else changes it until the transaction ends. */
export async function lockCover(db: Db, id: string): Promise<Cover> {
  const [cover] = await db.select().from(covers).where(eq(covers.id, id)).for('update');
  if (cover === undefined) throw noCover();
  return cover;
}

export const countCovers = (db: Db, kind: CoverKind): Promise<number> =>
  db.$count(covers, eq(covers.kind, kind));

/** Whether writers may take this picture for an essay. */
export async function isLibraryCover(db: Db, image: string): Promise<boolean> {
  const rows = await db
    .select({ id: covers.id })
    .from(covers)
    .where(and(eq(covers.kind, 'library'), eq(covers.image, image), eq(covers.enabled, true)))
    .limit(1);
  return rows.length > 0;
}

export async function findLastSort(db: Db, kind: CoverKind): Promise<number> {
  const [last] = await db
    .select({ sort: max(covers.sort) })
    .from(covers)
    .where(eq(covers.kind, kind));
  return last?.sort ?? 0;
}

export async function insertCover(db: Db, cover: Cover): Promise<void> {
  await db.insert(covers).values(cover);
}

export async function updateCover(db: Db, cover: Cover): Promise<void> {
  await db.update(covers).set(cover).where(eq(covers.id, cover.id));
}

export async function removeCover(db: Db, id: string): Promise<void> {
  await db.delete(covers).where(eq(covers.id, id));
}
