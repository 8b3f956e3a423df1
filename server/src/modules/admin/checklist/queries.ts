import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../db/client.ts';
import { parseRow, timestamp } from '../../../db/rows.ts';
import { SUPER_ROLE } from '../../accounts/access/index.ts';
import { accountRoles, roles } from '../../accounts/access/tables.ts';
import { accounts, users } from '../../accounts/users/tables.ts';
import { categories } from '../../content/categories/tables.ts';
import { essays } from '../../content/essays/tables.ts';
import { settings } from '../../platform/settings/tables.ts';
import { backups } from '../backups/tables.ts';

const factsRow = z.object({
  site: z.record(z.string(), z.unknown()),
  hasAdminEmail: z.boolean(),
  lastBackup: timestamp.nullable(),
  categories: z.array(z.string()),
  hasEssay: z.boolean(),
});
export type Facts = z.output<typeof factsRow>;

/** One statement, because the dashboard requests it at every visit. */
export async function findFacts(db: Db): Promise<Facts> {
  const result = await db.execute(sql`
    select coalesce((select value from ${settings} where key = 'site'), '{}') as site,
      exists (select 1 from ${accountRoles} as granted
        join ${roles} as role on role.id = granted.role_id and role.code = ${SUPER_ROLE}
        join ${accounts} as account on account.user_id = granted.user_id
        where account.email_verified and account.enabled) as "hasAdminEmail",
      (select finished_at from ${backups} where status = 'done' order by created_at desc limit 1) as "lastBackup",
      array(select name from ${categories} order by sort, id) as categories,
      exists (select 1 from ${essays} as essay where essay.status = ${ESSAY_STATUS.onShelf}
        and not exists (select 1 from ${users} as author where author.id = essay.author_id and author.demo)
      ) as "hasEssay"`);
  return parseRow(factsRow, result);
}
