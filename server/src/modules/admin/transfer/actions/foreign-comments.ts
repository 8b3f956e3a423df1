import { inTransaction } from '../../../../ctx.ts';
import { prepareGuestComments } from '../../../content/comments/index.ts';
import type { ImportedEssay } from '../formats/types.ts';
import { findImportedEssay } from './import-essay.ts';
import { type ImportState, importItem } from './import-state.ts';
import { toItemKey } from './run.ts';

type Prepare = typeof prepareGuestComments;
type Counts = Awaited<ReturnType<Awaited<ReturnType<Prepare>>>>;

const describeCounts = ({ held, existing, refused }: Counts): string =>
  [
    ...(held > 0 ? [`${held} 条等待审核`] : []),
    ...(existing > 0 ? [`${existing} 条已存在`] : []),
    ...(refused > 0 ? [`${refused} 条没有导入：是空的、太长，或不能在本站发布`] : []),
  ].join('；');

/** The comments of an essay become comments of guests; this is an item of its own, so that a run can go on with them. */
export async function importForeignComments(state: ImportState, given: ImportedEssay): Promise<void> {
  const { run } = state;
  const essayId = findImportedEssay(state, given.key);
  if (given.comments.length === 0 || essayId === undefined) return;
  const item = {
    key: `comments:${given.key}`,
    kind: 'comments' as const,
    title: `${given.comments.length} 条评论：${given.title || given.key}`,
  };
  // Comments without a date follow the essay.
  const fallback = given.publishedAt ?? given.createdAt ?? run.row.createdAt;
  const work = async (ctx: ReturnType<typeof run.ctx>) => {
    const prepared = await prepareGuestComments(ctx, {
      essayId,
      source: toItemKey(given.sourceId),
      transferId: run.row.id,
      // An undo treats comments that are newer than the run as written on this site.
      importedAt: run.row.createdAt,
      comments: given.comments.map(({ id, parentId, name, url, createdAt, status, content }) => ({
        foreignId: id,
        parentId,
        name,
        site: url,
        content: content.replaceAll('\0', ''),
        state: status,
        createdAt: createdAt ?? fallback,
      })),
    });
    await inTransaction(ctx, async (ctx) => {
      const counts = await prepared(ctx);
      const outcome = counts.created > 0 ? 'created' : 'skipped';
      await run.recordItem(ctx, { ...item, outcome, note: describeCounts(counts), targetId: essayId });
    });
  };
  await importItem(state, item, work, 0);
}
