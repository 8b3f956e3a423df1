import { setImmediate } from 'node:timers/promises';
import type { RevisionBrief } from '#contract/essays.ts';
import type { Ctx, Viewer } from '../../../ctx.ts';
import type { PageQuery } from '../../../db/page.ts';
import * as queries from '../queries/essays.ts';
import { toRevisionBrief } from '../views.ts';
import { requireAuthor } from './save.ts';

export async function listRevisions(ctx: Ctx, viewer: Viewer, { id, ...query }: PageQuery & { id: string }) {
  const essay = await queries.getEssay(ctx.db, id);
  requireAuthor(viewer, essay);
  const page = await queries.listRevisions(ctx.db, { ...query, essayId: id });
  const list: RevisionBrief[] = [];
  for (const row of page.list) {
    list.push(toRevisionBrief(row, essay.shelvedVersion));
    // Counting the words of several long texts must not keep other requests waiting.
    await setImmediate();
  }
  return { ...page, list };
}

export async function readRevision(ctx: Ctx, viewer: Viewer, id: string, version: number) {
  const essay = await queries.getEssay(ctx.db, id);
  requireAuthor(viewer, essay);
  const { fields, ...row } = await queries.getRevision(ctx.db, id, version);
  return { ...toRevisionBrief(row, essay.shelvedVersion), ...fields, content: row.content };
}
