import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Length } from '@mozhan/contract/word-count.ts';
import { and, desc, eq, gte, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { uploads } from '../../../platform/uploads/tables.ts';
import { noEssay } from '../rules/essays.ts';
import {
  type EssayRow,
  essayLockedTexts,
  essayRecords,
  essayRevisions,
  essays,
  essayTexts,
  type RecordRow,
  type RevisionRow,
  type TextRow,
} from '../tables.ts';

/** It is there, and was not deleted. */
export function present(essay: EssayRow | undefined): EssayRow {
  if (essay === undefined) throw noEssay();
  if (essay.deletedAt !== null) throw new CallError('GONE', { message: '这篇文章已被删除' });
  return essay;
}

export async function getEssay(db: Db, id: string): Promise<EssayRow> {
  const [essay] = await db.select().from(essays).where(eq(essays.id, id));
  return present(essay);
}

/** Nobody else changes it until the transaction ends. */
export async function lockEssay(db: Db, id: string): Promise<EssayRow> {
  const [essay] = await db.select().from(essays).where(eq(essays.id, id)).for('update');
  return present(essay);
}

/** What others read, or wait for: to be audited, or for its time. */
export const listOpenOf = (db: Db, authorId: string): Promise<Pick<EssayRow, 'id' | 'status'>[]> =>
  db
    .select({ id: essays.id, status: essays.status })
    .from(essays)
    .where(
      and(
        eq(essays.authorId, authorId),
        inArray(essays.status, [ESSAY_STATUS.waiting, ESSAY_STATUS.approved, ESSAY_STATUS.onShelf]),
        isNull(essays.deletedAt),
      ),
    )
    .orderBy(essays.id);

/** Those that were deleted too. */
export async function listEssayIdsOf(db: Db, authorIds: string[]): Promise<string[]> {
  const rows = await db.select({ id: essays.id }).from(essays).where(inArray(essays.authorId, authorIds));
  return rows.map(({ id }) => id);
}

/** Locked, all of them. */
export async function listByAuthors(db: Db, authorIds: string[]): Promise<EssayRow[]> {
  if (authorIds.length === 0) return [];
  return db
    .select()
    .from(essays)
    .where(and(inArray(essays.authorId, authorIds), isNull(essays.deletedAt)))
    .orderBy(essays.id)
    .for('update');
}

export async function insertEssay(db: Db, essay: typeof essays.$inferInsert): Promise<void> {
  await db.insert(essays).values(essay);
}

export async function updateEssay(
  db: Db,
  id: string,
  fields: Partial<typeof essays.$inferInsert>,
): Promise<EssayRow> {
  const [essay] = await db.update(essays).set(fields).where(eq(essays.id, id)).returning();
  return present(essay);
}

/** With all that hangs on it, as if it had never been. */
export async function deleteEssay(db: Db, id: string): Promise<void> {
  await db.delete(essays).where(eq(essays.id, id));
}

/** What the author wrote is gone for good; that it was there is remembered. */
export async function eraseEssay(db: Db, id: string, now: Date): Promise<void> {
  const blank = {
    title: '',
    summary: '',
    source: '',
    cover: '',
    tags: [],
    attachments: [],
    categoryId: null,
    columnId: null,
  };
  await db
    .update(essays)
    .set({
      ...blank,
      deletedAt: now,
      scheduledAt: null,
      submittedAt: null,
      revisionStatus: null,
      status: ESSAY_STATUS.draft,
    })
    .where(eq(essays.id, id));
  await db.delete(essayRevisions).where(eq(essayRevisions.essayId, id));
  await db.delete(essayTexts).where(eq(essayTexts.essayId, id));
  await db.delete(essayLockedTexts).where(eq(essayLockedTexts.essayId, id));
}

const { content: _, ...briefColumns } = {
  essayId: essayRevisions.essayId,
  version: essayRevisions.version,
  auto: essayRevisions.auto,
  title: essayRevisions.title,
  characters: essayRevisions.characters,
  wordCount: essayRevisions.wordCount,
  fields: essayRevisions.fields,
  content: essayRevisions.content,
  createdAt: essayRevisions.createdAt,
  updatedAt: essayRevisions.updatedAt,
};
export type RevisionBriefRow = Omit<RevisionRow, 'content'>;

const isRevision = (essayId: string, version: number): SQL | undefined =>
  and(eq(essayRevisions.essayId, essayId), eq(essayRevisions.version, version));

export async function findRevision(db: Db, essayId: string, version: number): Promise<RevisionRow | null> {
  const [row] = await db.select().from(essayRevisions).where(isRevision(essayId, version));
  return row ?? null;
}

export async function getRevision(db: Db, essayId: string, version: number): Promise<RevisionRow> {
  const row = await findRevision(db, essayId, version);
  if (row === null) throw new CallError('NOT_FOUND', { message: '没有这个版本' });
  return row;
}

/** Without its text, which may be long. */
export async function findRevisionBrief(
  db: Db,
  essayId: string,
  version: number,
): Promise<RevisionBriefRow | null> {
  const [row] = await db.select(briefColumns).from(essayRevisions).where(isRevision(essayId, version));
  return row ?? null;
}

export async function getRevisionBrief(db: Db, essayId: string, version: number): Promise<RevisionBriefRow> {
  const row = await findRevisionBrief(db, essayId, version);
  if (row === null) throw new CallError('NOT_FOUND', { message: '没有这个版本' });
  return row;
}

export async function insertRevision(db: Db, revision: RevisionRow): Promise<void> {
  await db.insert(essayRevisions).values(revision);
}

export const listUncounted = (
  db: Db,
  limit: number,
): Promise<Pick<RevisionRow, 'essayId' | 'version' | 'content'>[]> =>
  db
    .select({
      essayId: essayRevisions.essayId,
      version: essayRevisions.version,
      content: essayRevisions.content,
    })
    .from(essayRevisions)
    .where(isNull(essayRevisions.wordCount))
    .orderBy(desc(essayRevisions.essayId), desc(essayRevisions.version))
    .limit(limit);

/** Of a version, of its text for readers, and of the card that shows it. */
export async function updateLength(
  db: Db,
  essayId: string,
  version: number,
  { wordCount, readMinutes }: Length,
): Promise<void> {
  const length = { wordCount, readMinutes };
  await db.update(essayRevisions).set({ wordCount }).where(isRevision(essayId, version));
  await db
    .update(essayTexts)
    .set(length)
    .where(and(eq(essayTexts.essayId, essayId), eq(essayTexts.version, version)));
  const isShown = sql`case when ${essays.status} = ${ESSAY_STATUS.onShelf} then ${essays.shelvedVersion} else ${essays.version} end = ${version}`;
  await db
    .update(essays)
    .set(length)
    .where(and(eq(essays.id, essayId), isShown));
}

/** The version before becomes this one: a save of the editor that follows another closely. */
export async function replaceRevision(db: Db, before: number, revision: RevisionRow): Promise<void> {
  const { createdAt: __, ...fields } = revision;
  await db.update(essayRevisions).set(fields).where(isRevision(revision.essayId, before));
}

/** In versions that readers see or may see soon. */
export async function updateAllowComment(
  db: Db,
  essayId: string,
  versions: number[],
  allowComment: boolean,
): Promise<void> {
  await db
    .update(essayRevisions)
    .set({ fields: sql`${essayRevisions.fields} || ${JSON.stringify({ allowComment })}::jsonb` })
    .where(and(eq(essayRevisions.essayId, essayId), inArray(essayRevisions.version, versions)));
}

/** In the version readers see and all that the author wrote since: the next approval would undo it otherwise. */
export async function updateFiling(
  db: Db,
  essayId: string,
  from: number,
  filing: { categoryId?: string; tags?: string[] },
): Promise<void> {
  await db
    .update(essayRevisions)
    .set({ fields: sql`${essayRevisions.fields} || ${JSON.stringify(filing)}::jsonb` })
    .where(and(eq(essayRevisions.essayId, essayId), gte(essayRevisions.version, from)));
}

export const listRevisions = (
  db: Db,
  query: PageQuery & { essayId: string },
): Promise<Page<RevisionBriefRow>> => {
  const match = eq(essayRevisions.essayId, query.essayId);
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select(briefColumns)
        .from(essayRevisions)
        .where(and(match, after === null ? undefined : lt(essayRevisions.version, Number(after[0]))))
        .orderBy(desc(essayRevisions.version))
        .offset(offset)
        .limit(limit),
    total: () => db.$count(essayRevisions, match),
    key: (row) => [String(row.version), row.essayId],
    parts: ['int'],
  });
};

export async function findText(db: Db, essayId: string, version: number): Promise<TextRow | null> {
  const [row] = await db
    .select()
    .from(essayTexts)
    .where(and(eq(essayTexts.essayId, essayId), eq(essayTexts.version, version)));
  return row ?? null;
}

type LockedText = typeof essayLockedTexts.$inferSelect;

export async function findLockedText(db: Db, essayId: string, version: number): Promise<LockedText | null> {
  const [row] = await db
    .select()
    .from(essayLockedTexts)
    .where(and(eq(essayLockedTexts.essayId, essayId), eq(essayLockedTexts.version, version)));
  return row ?? null;
}

export async function insertTexts(db: Db, open: TextRow, locked: LockedText | null): Promise<void> {
  const key = [essayTexts.essayId, essayTexts.version];
  // What was withdrawn and is handed in again unchanged.
  await db.insert(essayTexts).values(open).onConflictDoUpdate({ target: key, set: open });
  if (locked === null) return;
  await db
    .insert(essayLockedTexts)
    .values(locked)
    .onConflictDoUpdate({ target: [essayLockedTexts.essayId, essayLockedTexts.version], set: locked });
}

/** Of the versions that were handed in, only this one is needed from now on. */
export async function removeOtherTexts(db: Db, essayId: string, version: number): Promise<void> {
  await db.delete(essayTexts).where(and(eq(essayTexts.essayId, essayId), ne(essayTexts.version, version)));
  await db
    .delete(essayLockedTexts)
    .where(and(eq(essayLockedTexts.essayId, essayId), ne(essayLockedTexts.version, version)));
}

export async function insertRecord(db: Db, record: typeof essayRecords.$inferInsert): Promise<void> {
  await db.insert(essayRecords).values(record);
}

/** The newest first; an essay has few. */
export const listRecords = (db: Db, essayId: string): Promise<{ record: RecordRow; user: User | null }[]> =>
  db
    .select({ record: essayRecords, user: users })
    .from(essayRecords)
    .leftJoin(users, eq(users.id, essayRecords.userId))
    .where(eq(essayRecords.essayId, essayId))
    .orderBy(desc(essayRecords.id))
    .limit(100);

/** The last change of state of each, as far as it was one by which the essay was handed in or refused. */
export async function listLastRecords(db: Db, essayIds: string[]): Promise<Map<string, RecordRow>> {
  if (essayIds.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([essayRecords.essayId])
    .from(essayRecords)
    .where(inArray(essayRecords.essayId, essayIds))
    .orderBy(essayRecords.essayId, desc(essayRecords.id));
  return new Map(rows.map((row) => [row.essayId, row]));
}

/** Words that the audit should look at, of the versions handed in. */
export async function listWords(
  db: Db,
  handedIn: Pick<EssayRow, 'id' | 'submittedVersion'>[],
): Promise<Map<string, string[]>> {
  const versions = handedIn.flatMap(({ id, submittedVersion }) =>
    submittedVersion === null
      ? []
      : [and(eq(essayTexts.essayId, id), eq(essayTexts.version, submittedVersion))],
  );
  if (versions.length === 0) return new Map();
  const rows = await db
    .select({ essayId: essayTexts.essayId, words: essayTexts.words })
    .from(essayTexts)
    .where(or(...versions));
  return new Map(rows.map((row) => [row.essayId, row.words]));
}

export interface PictureRow {
  path: string;
  thumbPath: string;
  middlePath: string | null;
  width: number;
  height: number;
}

/** The sizes of these pictures, as far as they were uploaded here. */
export async function listPictures(db: Db, paths: string[]): Promise<PictureRow[]> {
  if (paths.length === 0) return [];
  return db
    .selectDistinctOn([uploads.path], {
      path: uploads.path,
      thumbPath: uploads.thumbPath,
      middlePath: uploads.middlePath,
      width: uploads.width,
      height: uploads.height,
    })
    .from(uploads)
    .where(sql`${uploads.path} = any(${sql.param(paths)}::text[])`);
}
