import type { Ctx, Viewer } from '../../../ctx.ts';
import type { PageQuery } from '../../../db/page.ts';
import { callerOf } from '../../../fair-queue.ts';
import { countText } from '../../text/index.ts';
import * as queries from '../queries/essays.ts';
import { toRevisionBrief } from '../views.ts';
import { requireAuthor } from './save.ts';

/** One that was saved before words were counted is counted now, and stays so. */
async function counted<T extends queries.RevisionBriefRow>(
  ctx: Ctx,
  row: T,
): Promise<T & { wordCount: number }> {
  if (row.wordCount !== null) return { ...row, wordCount: row.wordCount };
  const { essayId, version } = row;
  const { content } = await queries.getRevision(ctx.db, essayId, version);
  const { wordCount } = await countText(callerOf(ctx), content);
  await queries.updateWordCount(ctx.db, essayId, version, wordCount);
  return { ...row, wordCount };
}

export async function listRevisions(ctx: Ctx, viewer: Viewer, { id, ...query }: PageQuery & { id: string }) {
  const essay = await queries.getEssay(ctx.db, id);
  requireAuthor(viewer, essay);
  const page = await queries.listRevisions(ctx.db, { ...query, essayId: id });
  const list = [];
  for (const row of page.list) list.push(toRevisionBrief(await counted(ctx, row), essay.shelvedVersion));
  return { ...page, list };
}

export async function readRevision(ctx: Ctx, viewer: Viewer, id: string, version: number) {
  const essay = await queries.getEssay(ctx.db, id);
  requireAuthor(viewer, essay);
  const { fields, ...row } = await counted(ctx, await queries.getRevision(ctx.db, id, version));
  return { ...toRevisionBrief(row, essay.shelvedVersion), ...fields, content: row.content };
}
