import { type Ctx, inTransaction, invalidate, type Viewer } from '../../../../ctx.ts';
import { mapPage, type PageQuery } from '../../../../db/page.ts';
import { SYSTEM_CALLER } from '../../../../threads/fair-queue.ts';
import { countMarkdownWords } from '../../../platform/text/index.ts';
import * as queries from '../queries/essays.ts';
import { toRevisionBrief } from '../views/essays.ts';
import { requireAuthor } from './save.ts';

export async function listRevisions(ctx: Ctx, viewer: Viewer, { id, ...query }: PageQuery & { id: string }) {
  const essay = await queries.getEssay(ctx.db, id);
  requireAuthor(viewer, essay);
  return mapPage(await queries.listRevisions(ctx.db, { ...query, essayId: id }), (row) =>
    toRevisionBrief(row, essay.shelvedVersion),
  );
}

export async function readRevision(ctx: Ctx, viewer: Viewer, id: string, version: number) {
  const essay = await queries.getEssay(ctx.db, id);
  requireAuthor(viewer, essay);
  const { fields, ...row } = await queries.getRevision(ctx.db, id, version);
  return { ...toRevisionBrief(row, essay.shelvedVersion), ...fields, content: row.content };
}

const BATCH_SIZE = 20;

/** Fills in the word counts of revisions that were saved before the column existed, newest essays first. */
export async function countWords(ctx: Ctx): Promise<void> {
  for (let batchSize = BATCH_SIZE; batchSize === BATCH_SIZE; ) {
    const rows = await queries.listUncountedRevisions(ctx.db, BATCH_SIZE);
    for (const { essayId, version, content } of rows) {
      const length = await countMarkdownWords(SYSTEM_CALLER, content);
      await inTransaction(ctx, async (ctx) => {
        await queries.updateWordCount(ctx.db, essayId, version, length);
        invalidate(ctx, `essay:${essayId}`);
      });
    }
    batchSize = rows.length;
  }
}
