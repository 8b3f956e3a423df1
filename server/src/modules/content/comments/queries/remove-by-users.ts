import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { parseRows } from '../../../../db/rows.ts';
import { essays } from '../../essays/tables.ts';

const SHOWN = literal(COMMENT_STATUS.visible);

/** By how much the counts of an essay decrease. */
export interface RemovedCounts {
  essayId: string;
  /** Decrease of `essays.cmt_count`; `listed` is that of `comment_counts`. */
  cmts: number;
  listed: number;
}

const removedCountsRow = z.object({ essay_id: z.string(), cmts: z.int(), listed: z.int() });
const answerRow = z.object({ root_id: z.string().nullable() });

/**
 * Deletes the comments and comment likes of these users. Replies of others to their comments are deleted too, as are
 * tombstones that lose their last reply.
 */
export async function removeCommentsForUsers(db: Db, userIds: string[]): Promise<RemovedCounts[]> {
  const leaving = sql`${sql.param(userIds)}::uuid[]`;
  const roots = sql`select id from comments where user_id = any(${leaving}) and root_id is null`;
  // Prevents new comments on these essays.
  await db.execute(sql`
    select 1 from ${essays} where id in (
      select essay_id from comments where user_id = any(${leaving})
      union select essay_id from comments where root_id in (${roots})
    ) order by id for no key update`);
  const counted = await db.execute(sql`
    with doomed as (
      select id, essay_id, root_id, status, reply_count from comments where user_id = any(${leaving})
      union select id, essay_id, root_id, status, reply_count from comments where root_id in (${roots})
    ), emptied as (
      select root.essay_id from comments as root
      join doomed on doomed.root_id = root.id and doomed.status = ${SHOWN}
      where (root.user_id is null or root.user_id <> all(${leaving})) and root.status <> ${SHOWN}
      group by root.id having count(*) = root.reply_count
    )
    select essay_id, sum(cmts)::int as cmts, sum(listed)::int as listed from (
      select essay_id, (status = ${SHOWN})::int as cmts,
        (root_id is null and (status = ${SHOWN} or reply_count > 0))::int as listed
      from doomed
      union all select essay_id, 0, 1 from emptied
    ) as each group by essay_id order by essay_id`);
  const lost = parseRows(removedCountsRow, counted);
  await db.execute(sql`
    update comments set reply_count = reply_count - lost.count
    from (
      select root_id, count(*)::int as count from comments
      where user_id = any(${leaving}) and status = ${SHOWN} and root_id is not null group by root_id
    ) as lost
    where id = lost.root_id`);
  await db.execute(sql`
    update comments set like_count = like_count - lost.count
    from (
      select comment_id, count(*)::int as count from comment_likes
      where user_id = any(${leaving}) group by comment_id
    ) as lost
    where id = lost.comment_id`);
  await db.execute(sql`delete from comment_likes where user_id = any(${leaving})`);
  const removed = await db.execute(sql`
    delete from comments where user_id = any(${leaving}) returning root_id`);
  const left = [...new Set(parseRows(answerRow, removed).flatMap((row) => row.root_id ?? []))];
  await db.execute(sql`
    delete from comments as root where id = any(${sql.param(left)}::uuid[]) and status = ${literal(COMMENT_STATUS.deleted)}
      and not exists (select 1 from comments where root_id = root.id)`);
  return lost.map((row) => ({ essayId: row.essay_id, cmts: row.cmts, listed: row.listed }));
}
