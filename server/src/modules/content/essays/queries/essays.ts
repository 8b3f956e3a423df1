import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { TextLength } from '@mozhan/contract/word-count.ts';
import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { uploads } from '../../../platform/uploads/tables.ts';
import { essayNotFound } from '../rules/essays.ts';
import {
  type EssayDrawingRow,
  type EssayRecordRow,
  type EssayRow,
  type EssayTextRow,
  essayLockedTexts,
  essayRecords,
  essayRevisions,
  essays,
  essayTexts,
  type RevisionRow,
} from '../tables.ts';
import { removeDrawings, removeOtherDrawings, replaceDrawings } from './drawings.ts';

/** Throws if the essay does not exist or was deleted. */
export function requirePresent(essay: EssayRow | undefined): EssayRow {
  if (essay === undefined) throw essayNotFound();
  if (essay.deletedAt !== null) throw new CallError('GONE', { message: '这篇文章已被删除' });
  return essay;
}

export async function getEssay(db: Db, id: string): Promise<EssayRow> {
  const [essay] = await db.select().from(essays).where(eq(essays.id, id));
  return requirePresent(essay);
}

export async function lockEssay(db: Db, id: string): Promise<EssayRow> {
  const [essay] = await db.select().from(essays).where(eq(essays.id, id)).for('update');
  return requirePresent(essay);
}

export const listPublicOrPending = (db: Db, authorId: string): Promise<Pick<EssayRow, 'id' | 'status'>[]> =>
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

export async function listTitles(db: Db, ids: string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: essays.id, title: essays.title })
    .from(essays)
    .where(inArray(essays.id, ids));
  return new Map(rows.map(({ id, title }) => [id, title]));
}

type OwnBrief = Pick<EssayRow, 'id' | 'title' | 'columnId'> & { pinPosition: EssayRow['authorPin'] };

/** Includes deleted essays. */
export const listOwnBriefs = (db: Db, authorId: string, ids: string[]): Promise<OwnBrief[]> =>
  db
    .select({
      id: essays.id,
      title: essays.title,
      columnId: essays.columnId,
      pinPosition: essays.authorPin,
    })
    .from(essays)
    .where(and(inArray(essays.id, ids), eq(essays.authorId, authorId)));

/** Includes deleted essays. */
export async function listEssayIdsOf(db: Db, authorIds: string[]): Promise<string[]> {
  const rows = await db.select({ id: essays.id }).from(essays).where(inArray(essays.authorId, authorIds));
  return rows.map(({ id }) => id);
}

export async function lockByAuthors(db: Db, authorIds: string[]): Promise<EssayRow[]> {
  if (authorIds.length === 0) return [];
  return db
    .select()
    .from(essays)
    .where(and(inArray(essays.authorId, authorIds), isNull(essays.deletedAt)))
    .orderBy(essays.id)
    .for('update');
}

/** Serializes claims of a slug until the transaction ends, so that one of two concurrent claims sees the other. */
export async function lockSlug(db: Db, slug: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('essay_slug'), hashtext(${slug}))`);
}

export async function findEssayBySlug(db: Db, slug: string): Promise<EssayRow | null> {
  const [essay] = await db.select().from(essays).where(eq(essays.slug, slug));
  return essay ?? null;
}

/** The ids of the essays that have these slugs. */
export async function listSlugHolders(db: Db, slugs: string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: essays.id, slug: essays.slug })
    .from(essays)
    .where(sql`${essays.slug} = any(${sql.param(slugs)}::text[])`);
  return new Map(rows.map(({ id, slug }) => [slug ?? '', id]));
}

export function createEssayQuery(db: Db): (ids: string[]) => Promise<EssayRow[]> {
  const query = db
    .select()
    .from(essays)
    .where(sql`${essays.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare('essays_by_id');
  return (ids) => query.execute({ ids });
}

export function createSlugQuery(db: Db): (slugs: string[]) => Promise<EssayRow[]> {
  const query = db
    .select()
    .from(essays)
    .where(sql`${essays.slug} = any(${sql.placeholder('slugs')}::text[])`)
    .prepare('essays_by_slug');
  return (slugs) => query.execute({ slugs });
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
  return requirePresent(essay);
}

/** Deletes the row and everything that references it. */
export async function deleteEssay(db: Db, id: string): Promise<void> {
  await db.delete(essays).where(eq(essays.id, id));
}

/** Also finds a deleted essay. */
export async function lockAnyEssay(db: Db, id: string): Promise<EssayRow | null> {
  const [essay] = await db.select().from(essays).where(eq(essays.id, id)).for('update');
  return essay ?? null;
}

/** Keeps the content; null restores the essay. */
export async function updateDeletedAt(db: Db, id: string, deletedAt: Date | null): Promise<void> {
  await db.update(essays).set({ deletedAt }).where(eq(essays.id, id));
}

/** Deletes the content but keeps the row, so that its address returns 410. */
export async function eraseEssay(db: Db, id: string, now: Date): Promise<void> {
  const blank = {
    slug: null,
    title: '',
    summary: '',
    source: '',
    cover: '',
    shareCover: '',
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
  await removeDrawings(db, id);
}

const { content: _, ...briefColumns } = {
  essayId: essayRevisions.essayId,
  version: essayRevisions.version,
  auto: essayRevisions.auto,
  name: essayRevisions.name,
  merged: essayRevisions.merged,
  title: essayRevisions.title,
  characters: essayRevisions.characters,
  wordCount: essayRevisions.wordCount,
  fields: essayRevisions.fields,
  content: essayRevisions.content,
  editorId: essayRevisions.editorId,
  createdAt: essayRevisions.createdAt,
  updatedAt: essayRevisions.updatedAt,
};
export type RevisionBriefRow = Omit<RevisionRow, 'content'>;

const matchesRevision = (essayId: string, version: number): SQL | undefined =>
  and(eq(essayRevisions.essayId, essayId), eq(essayRevisions.version, version));

export async function findRevision(db: Db, essayId: string, version: number): Promise<RevisionRow | null> {
  const [row] = await db.select().from(essayRevisions).where(matchesRevision(essayId, version));
  return row ?? null;
}

export async function getRevision(db: Db, essayId: string, version: number): Promise<RevisionRow> {
  const row = await findRevision(db, essayId, version);
  if (row === null) throw new CallError('NOT_FOUND', { message: '没有这个版本' });
  return row;
}

/** Omits the text, which may be long. */
export async function findRevisionBrief(
  db: Db,
  essayId: string,
  version: number,
): Promise<RevisionBriefRow | null> {
  const [row] = await db.select(briefColumns).from(essayRevisions).where(matchesRevision(essayId, version));
  return row ?? null;
}

export async function getRevisionBrief(db: Db, essayId: string, version: number): Promise<RevisionBriefRow> {
  const row = await findRevisionBrief(db, essayId, version);
  if (row === null) throw new CallError('NOT_FOUND', { message: '没有这个版本' });
  return row;
}

export async function insertRevision(db: Db, revision: typeof essayRevisions.$inferInsert): Promise<void> {
  await db.insert(essayRevisions).values(revision);
}

export const listUncountedRevisions = (
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

/** Updates the version, its rendered text, and the card if it shows this version. */
export async function updateWordCount(
  db: Db,
  essayId: string,
  version: number,
  { wordCount, readMinutes }: TextLength,
): Promise<void> {
  const length = { wordCount, readMinutes };
  await db.update(essayRevisions).set({ wordCount }).where(matchesRevision(essayId, version));
  await db
    .update(essayTexts)
    .set(length)
    .where(and(eq(essayTexts.essayId, essayId), eq(essayTexts.version, version)));
  const isDisplayedVersion = sql`case when ${essays.status} = ${ESSAY_STATUS.onShelf} then ${essays.shelvedVersion} else ${essays.version} end = ${version}`;
  await db
    .update(essays)
    .set(length)
    .where(and(eq(essays.id, essayId), isDisplayedVersion));
}

export async function updateRevisionName(
  db: Db,
  essayId: string,
  version: number,
  name: string | null,
): Promise<void> {
  await db.update(essayRevisions).set({ name }).where(matchesRevision(essayId, version));
}

/** Overwrites the previous autosave with this version, and counts it. */
export async function replaceRevision(
  db: Db,
  before: number,
  revision: Omit<RevisionRow, 'name' | 'merged'>,
): Promise<void> {
  const { createdAt: __, ...fields } = revision;
  await db
    .update(essayRevisions)
    .set({ ...fields, merged: sql`${essayRevisions.merged} + 1` })
    .where(matchesRevision(revision.essayId, before));
}

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

/** Also changes later versions of the author, because the next approval would undo it otherwise. */
export async function updateClassification(
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

export const listRevisionFields = (
  db: Db,
  essayId: string,
  from: number,
): Promise<Pick<RevisionRow, 'version' | 'fields'>[]> =>
  db
    .select({ version: essayRevisions.version, fields: essayRevisions.fields })
    .from(essayRevisions)
    .where(and(eq(essayRevisions.essayId, essayId), gte(essayRevisions.version, from)));

export async function updateRevisionFields(
  db: Db,
  essayId: string,
  revisions: Pick<RevisionRow, 'version' | 'fields'>[],
): Promise<void> {
  await db.execute(sql`
    update ${essayRevisions} set fields = changed.fields
    from unnest(
      ${sql.param(revisions.map(({ version }) => version))}::int[],
      ${sql.param(revisions.map(({ fields }) => JSON.stringify(fields)))}::jsonb[]
    ) as changed (version, fields)
    where essay_id = ${essayId} and essay_revisions.version = changed.version`);
}

export const listRevisions = (
  db: Db,
  query: PageQuery & { essayId: string; isNamed: boolean },
): Promise<Page<RevisionBriefRow>> => {
  const match = and(
    eq(essayRevisions.essayId, query.essayId),
    query.isNamed ? isNotNull(essayRevisions.name) : undefined,
  );
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

export async function findText(db: Db, essayId: string, version: number): Promise<EssayTextRow | null> {
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

interface RenderedTexts {
  open: EssayTextRow;
  locked: LockedText | null;
  drawings: EssayDrawingRow[];
}

export async function insertRenderedTexts(db: Db, { open, locked, drawings }: RenderedTexts): Promise<void> {
  const key = [essayTexts.essayId, essayTexts.version];
  // The version exists already if it was withdrawn and is submitted again unchanged.
  await db.insert(essayTexts).values(open).onConflictDoUpdate({ target: key, set: open });
  await replaceDrawings(db, open, drawings);
  if (locked === null) return;
  await db
    .insert(essayLockedTexts)
    .values(locked)
    .onConflictDoUpdate({ target: [essayLockedTexts.essayId, essayLockedTexts.version], set: locked });
}

export async function listRenderedVersions(db: Db, essayId: string): Promise<number[]> {
  const rows = await db
    .select({ version: essayTexts.version })
    .from(essayTexts)
    .where(eq(essayTexts.essayId, essayId));
  return rows.map(({ version }) => version);
}

export async function removeLockedText(db: Db, essayId: string, version: number): Promise<void> {
  await db
    .delete(essayLockedTexts)
    .where(and(eq(essayLockedTexts.essayId, essayId), eq(essayLockedTexts.version, version)));
}

export async function removeOtherRenderedTexts(db: Db, essayId: string, version: number): Promise<void> {
  await db.delete(essayTexts).where(and(eq(essayTexts.essayId, essayId), ne(essayTexts.version, version)));
  await db
    .delete(essayLockedTexts)
    .where(and(eq(essayLockedTexts.essayId, essayId), ne(essayLockedTexts.version, version)));
  await removeOtherDrawings(db, essayId, version);
}

export async function insertRecord(db: Db, record: typeof essayRecords.$inferInsert): Promise<void> {
  await db.insert(essayRecords).values(record);
}

/** Newest first. */
export const listRecords = (
  db: Db,
  essayId: string,
): Promise<{ record: EssayRecordRow; user: User | null }[]> =>
  db
    .select({ record: essayRecords, user: users })
    .from(essayRecords)
    .leftJoin(users, eq(users.id, essayRecords.userId))
    .where(eq(essayRecords.essayId, essayId))
    .orderBy(desc(essayRecords.id))
    .limit(100);

export async function listLastRecords(db: Db, essayIds: string[]): Promise<Map<string, EssayRecordRow>> {
  if (essayIds.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([essayRecords.essayId])
    .from(essayRecords)
    .where(inArray(essayRecords.essayId, essayIds))
    .orderBy(essayRecords.essayId, desc(essayRecords.id));
  return new Map(rows.map((row) => [row.essayId, row]));
}

export async function listSensitiveWords(
  db: Db,
  submitted: Pick<EssayRow, 'id' | 'submittedVersion'>[],
): Promise<Map<string, string[]>> {
  const versions = submitted.flatMap(({ id, submittedVersion }) =>
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
