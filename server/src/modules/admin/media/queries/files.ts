import type { Page } from '@mozhan/contract/common.ts';
import { FLAG, SORT_ORDER } from '@mozhan/contract/enums.ts';
import type { listMedia } from '@mozhan/contract/media.ts';
import { and, eq, getTableColumns, gte, or, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import {
  containsKeyword,
  MAX_COUNTED_ROWS,
  MAX_SCANNED_ROWS,
  startsWithKeyword,
} from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import { createdWithin } from '../../../../db/sort.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { type AttachmentRow, attachments, uploads } from '../../../platform/uploads/tables.ts';
import { transfers } from '../../transfer/tables.ts';

type Query = z.output<typeof listMedia.input>;

export type UploadRow = typeof uploads.$inferSelect;
export interface MediaRow {
  file: UploadRow | AttachmentRow;
  user: User;
}

const FILE_PATH = /\/files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5}/;

/** A picture has no name: it is found by its address, or by that of a smaller size. */
function matchesAddress(keyword: string): SQL | undefined {
  const path = FILE_PATH.exec(keyword)?.[0];
  if (path === undefined) return sql`false`;
  return or(eq(uploads.path, path), eq(uploads.thumbPath, path), eq(uploads.middlePath, path));
}

const matchesName = (keyword: string): SQL => sql`${attachments.id} in (
  select ${attachments.id} from ${attachments} where ${startsWithKeyword(sql`lower(${attachments.name})`, keyword)}
  union
  select newest.id from (select * from ${attachments} order by id desc limit ${MAX_SCANNED_ROWS}) as newest
  where ${containsKeyword(sql`newest.name`, keyword)})`;

export function listMediaFiles(db: Db, query: Query): Promise<Page<MediaRow>> {
  const { kind, keyword, userId, unused, minBytes, from, to, order = SORT_ORDER.descending } = query;
  const table = kind === 'image' ? uploads : attachments;
  const isBySize = query.sort === 'bytes' || (query.sort === undefined && minBytes !== undefined);
  const match = and(
    keyword ? (kind === 'image' ? matchesAddress(keyword) : matchesName(keyword)) : undefined,
    userId === undefined ? undefined : eq(table.userId, userId),
    unused === undefined ? undefined : unused === FLAG.on ? sql`not ${table.isUsed}` : sql`${table.isUsed}`,
    minBytes === undefined ? undefined : gte(table.bytes, minBytes),
    createdWithin(table.id, { from, to }),
  );
  const options = {
    match,
    by: isBySize ? table.bytes : null,
    id: table.id,
    isDescending: order === SORT_ORDER.descending,
    key: ({ file }: MediaRow) => [file.bytes, file.id],
    maxCounted: MAX_COUNTED_ROWS,
  };
  return kind === 'image'
    ? listPage<MediaRow>(db, query, {
        ...options,
        select: db
          .select({ file: getTableColumns(uploads), user: getTableColumns(users) })
          .from(uploads)
          .innerJoin(users, eq(users.id, uploads.userId)),
      })
    : listPage<MediaRow>(db, query, {
        ...options,
        select: db
          .select({ file: getTableColumns(attachments), user: getTableColumns(users) })
          .from(attachments)
          .innerJoin(users, eq(users.id, attachments.userId)),
      });
}

/** Files of imports and exports may have the content of an attachment. */
export async function isFileOfTransfer(db: Db, path: string): Promise<boolean> {
  const rows = await db
    .select({ id: transfers.id })
    .from(transfers)
    .where(eq(transfers.filePath, path))
    .limit(1);
  return rows.length > 0;
}
