import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, asc, eq, exists, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { sqlAs, sqlText } from '../../../../db/rows.ts';
import { accounts, users } from '../../../accounts/users/tables.ts';
import { categories } from '../../../content/categories/tables.ts';
import { comments } from '../../../content/comments/tables.ts';
import { columns, essayRecords, essayRevisions, essays } from '../../../content/essays/tables.ts';
import { redirects } from '../../../content/redirects/tables.ts';
import { friendLinks } from '../../../content/site/tables.ts';
import { attachments } from '../../../platform/uploads/tables.ts';

const NO_ID = '0'.repeat(32);

const sqlTextOrNull = sqlAs(z.string().nullable());

/** Users who sign in with an e-mail address appear in archives by their id, because the address is private. */
const accountName = sqlText`case when ${accounts.name} is null or ${accounts.name} like '%@%'
  then replace(${users.id}::text, '-', '') else ${accounts.name} end`;

/** The public version of an essay, or the newest one if it was never published. */
const baseVersion = sql`case when ${essays.status} in (${literal(ESSAY_STATUS.onShelf)}, ${literal(ESSAY_STATUS.offShelf)})
  then coalesce(${essays.shelvedVersion}, ${essays.version}) else ${essays.version} end`;

const newest = alias(essayRevisions, 'newest');

const notDeleted = (authorId: string | null) =>
  and(isNull(essays.deletedAt), authorId === null ? undefined : eq(essays.authorId, authorId));

export const countEssays = (db: Db, authorId: string | null): Promise<number> =>
  db.$count(essays, notDeleted(authorId));

export const listEssays = (db: Db, authorId: string | null, after: string | null, limit: number) =>
  db
    .select({
      essay: essays,
      account: accountName,
      base: essayRevisions,
      newest,
      reason: sqlAs(
        z.string().nullable(),
      )`case when ${essays.status} in (${literal(ESSAY_STATUS.offShelf)}, ${literal(ESSAY_STATUS.rejected)}) then (
        select ${essayRecords.reason} from ${essayRecords} where ${essayRecords.essayId} = ${essays.id}
        order by ${essayRecords.id} desc limit 1) end`,
    })
    .from(essays)
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .innerJoin(
      essayRevisions,
      and(eq(essayRevisions.essayId, essays.id), eq(essayRevisions.version, baseVersion)),
    )
    .innerJoin(newest, and(eq(newest.essayId, essays.id), eq(newest.version, essays.version)))
    .where(and(notDeleted(authorId), gt(essays.id, after ?? NO_ID)))
    .orderBy(asc(essays.id))
    .limit(limit);
export type ExportedEssay = Awaited<ReturnType<typeof listEssays>>[number];

export const findColumnName = async (db: Db, id: string): Promise<string | null> =>
  (await db.select({ name: columns.name }).from(columns).where(eq(columns.id, id)))[0]?.name ?? null;

export const listFiles = (db: Db, ids: string[]) =>
  db.select().from(attachments).where(inArray(attachments.id, ids));

export const listCategories = (db: Db) =>
  db.select().from(categories).orderBy(categories.sort, categories.id);

export const listColumns = (db: Db, authorId: string | null, after: string | null, limit: number) =>
  db
    .select({ column: columns, account: accountName })
    .from(columns)
    .innerJoin(users, eq(users.id, columns.authorId))
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(
      and(gt(columns.id, after ?? NO_ID), authorId === null ? undefined : eq(columns.authorId, authorId)),
    )
    .orderBy(asc(columns.id))
    .limit(limit);

export const listAuthors = (db: Db, after: string | null, limit: number) =>
  db
    .select({ user: users, account: accountName })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(
      and(
        gt(users.id, after ?? NO_ID),
        or(
          exists(
            db
              .select({ one: sql`1` })
              .from(essays)
              .where(and(eq(essays.authorId, users.id), isNull(essays.deletedAt))),
          ),
          exists(db.select({ one: sql`1` }).from(comments).where(eq(comments.userId, users.id))),
        ),
      ),
    )
    .orderBy(asc(users.id))
    .limit(limit);

export const listFriendLinks = (db: Db) =>
  db.select().from(friendLinks).orderBy(friendLinks.sort, friendLinks.id);

const repliedTo = alias(users, 'answered');
const repliedToAccount = alias(accounts, 'answered_account');

const selectComments = (db: Db) =>
  db
    .select({
      comment: comments,
      account: sqlTextOrNull`case when ${users.id} is null then null else ${accountName} end`,
      replyTo: sqlTextOrNull`case when ${repliedTo.id} is null then null
        when ${repliedToAccount.name} is null or ${repliedToAccount.name} like '%@%'
        then replace(${repliedTo.id}::text, '-', '') else ${repliedToAccount.name} end`,
    })
    .from(comments)
    .leftJoin(users, eq(users.id, comments.userId))
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .leftJoin(repliedTo, eq(repliedTo.id, comments.replyToUserId))
    .leftJoin(repliedToAccount, eq(repliedToAccount.userId, repliedTo.id));
export type ExportedComment = Awaited<ReturnType<typeof selectComments>>[number];

export const listRoots = (db: Db, essayId: string, after: string | null, limit: number) =>
  selectComments(db)
    .where(and(eq(comments.essayId, essayId), isNull(comments.rootId), gt(comments.id, after ?? NO_ID)))
    .orderBy(asc(comments.id))
    .limit(limit);

export const listReplies = (db: Db, rootIds: string[]) =>
  selectComments(db).where(inArray(comments.rootId, rootIds)).orderBy(asc(comments.id));

/** Maps user ids to account names in the archive. */
export async function listAccountNames(db: Db, userIds: string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, account: accountName })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(inArray(users.id, userIds));
  return new Map(rows.map((row) => [row.id, row.account]));
}

/** Without those of deleted essays. */
export const listRedirects = (db: Db, after: string | null, limit: number) =>
  db
    .select({
      id: redirects.id,
      path: redirects.path,
      query: redirects.query,
      target: redirects.target,
      essayId: redirects.essayId,
    })
    .from(redirects)
    .leftJoin(essays, eq(essays.id, redirects.essayId))
    .where(
      and(
        gt(redirects.id, after ?? NO_ID),
        or(isNull(redirects.essayId), and(isNotNull(essays.id), isNull(essays.deletedAt))),
      ),
    )
    .orderBy(asc(redirects.id))
    .limit(limit);
