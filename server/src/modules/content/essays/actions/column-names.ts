import type { Ctx } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import { indexNames } from '../../../platform/search/index.ts';
import { listColumnsByIds } from '../queries/columns.ts';
import { queueColumnEssays } from '../queries/reindex.ts';

/** Makes columns searchable by name while they have essays on the shelf. */
export async function indexColumnNames(ctx: Ctx, ids: (string | null)[]): Promise<void> {
  const given = [...new Set(ids.filter((id) => id !== null))];
  if (given.length === 0) return;
  const columns = (await listColumnsByIds(ctx.db, given)).map(({ column }) => column);
  await indexNames(
    ctx,
    'column',
    given,
    columns
      .filter(({ essayCount }) => essayCount > 0)
      .map(({ id, name, essayCount }) => ({ id, name, weight: essayCount })),
  );
}

/** The search entries of its essays contain the name. Call it before the column is deleted. */
export async function reindexColumn(ctx: Ctx, id: string): Promise<void> {
  await indexColumnNames(ctx, [id]);
  await queueColumnEssays(ctx.db, id);
  await addJob(ctx, 'reindex-essays', {}, { key: 'reindex-essays' });
}
