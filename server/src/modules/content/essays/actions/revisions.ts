import { type Ctx, inTx, touch, type Viewer } from '../../../../ctx.ts';
import { mapPage, type PageQuery } from '../../../../db/page.ts';
import { SYSTEM } from '../../../../threads/fair-queue.ts';
import { countText } from '../../../platform/text/index.ts';
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

const BATCH = 20;

/** Counts the words of what was saved before they were counted, newest essays first. */
export async function countWords(ctx: Ctx): Promise<void> {
  for (let found = BATCH; found === BATCH; ) {
    const rows = await queries.listUncounted(ctx.db, BATCH);
    for (const { essayId, version, content } of rows) {
      const length = await countText(SYSTEM, content);
      await inTx(ctx, async (ctx) => {
        await queries.updateLength(ctx.db, essayId, version, length);
        touch(ctx, `essay:${essayId}`);
      });
    }
    found = rows.length;
  }
}
