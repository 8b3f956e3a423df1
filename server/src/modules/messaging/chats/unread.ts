import { and, eq, gt } from 'drizzle-orm';
import type { Ctx } from '../../../ctx.ts';
import { sqlInt } from '../../../db/rows.ts';
import { letterPlaces } from './tables.ts';

export async function countUnreadLetters(ctx: Ctx, userId: string): Promise<number> {
  const [row] = await ctx.db
    .select({ count: sqlInt`coalesce(sum(${letterPlaces.unread}), 0)::int` })
    .from(letterPlaces)
    .where(and(eq(letterPlaces.userId, userId), gt(letterPlaces.unread, 0)));
  return row?.count ?? 0;
}
