import type { RevisionSummary } from '@mozhan/contract/revisions.ts';
import { type Ctx, inTransaction, invalidate, type Viewer } from '../../../../ctx.ts';
import { mapPage, type PageQuery } from '../../../../db/page.ts';
import { SYSTEM_CALLER } from '../../../../threads/fair-queue.ts';
import { countMarkdownWords } from '../../../platform/text/index.ts';
import * as queries from '../queries/essays.ts';
import { listUsersByIds } from '../queries/users.ts';
import type { EssayRow, RevisionRow } from '../tables.ts';
import { toRevisionBrief } from '../views/essays.ts';
import { recordStaffChange } from './on-behalf.ts';
import { requireEditor } from './save.ts';

async function createBriefView(
  ctx: Ctx,
  { shelvedVersion }: EssayRow,
  rows: Pick<RevisionRow, 'editorId'>[],
): Promise<(row: Omit<RevisionRow, 'content' | 'fields'>) => RevisionSummary> {
  const ids = [...new Set(rows.flatMap(({ editorId }) => editorId ?? []))];
  const editors = new Map((await listUsersByIds(ctx.db, ids)).map((user) => [user.id, user]));
  return (row) =>
    toRevisionBrief(row, {
      shelvedVersion,
      editor: row.editorId === null ? null : (editors.get(row.editorId) ?? null),
      now: ctx.now,
    });
}

export async function listRevisions(
  ctx: Ctx,
  viewer: Viewer,
  { id, isNamed, ...query }: PageQuery & { id: string; isNamed: boolean },
) {
  const essay = await queries.getEssay(ctx.db, id);
  requireEditor(viewer, essay);
  const page = await queries.listRevisions(ctx.db, { ...query, essayId: id, isNamed });
  const toBrief = await createBriefView(ctx, essay, page.list);
  return mapPage(page, toBrief);
}

export async function readRevision(ctx: Ctx, viewer: Viewer, id: string, version: number) {
  const essay = await queries.getEssay(ctx.db, id);
  requireEditor(viewer, essay);
  const { fields, ...row } = await queries.getRevision(ctx.db, id, version);
  const toBrief = await createBriefView(ctx, essay, [row]);
  return { ...toBrief(row), ...fields, content: row.content };
}

/** An empty name removes the name. */
export function nameRevision(
  ctx: Ctx,
  viewer: Viewer,
  { id, revision, name }: { id: string; revision: number; name: string },
): Promise<RevisionSummary> {
  return inTransaction(ctx, async (ctx) => {
    // Locked, so that an autosave does not replace the version at the same time.
    const essay = await queries.lockEssay(ctx.db, id);
    requireEditor(viewer, essay);
    const before = await queries.getRevisionBrief(ctx.db, id, revision);
    const after = { ...before, name: name === '' ? null : name };
    await queries.updateRevisionName(ctx.db, id, revision, after.name);
    await recordStaffChange(ctx, viewer, essay, {
      call: 'PUT core/essay/{id}/revision/name',
      summary: '代作者给版本起名',
      notice: null,
      before: { version: revision, name: before.name },
      after: { version: revision, name: after.name },
    });
    return (await createBriefView(ctx, essay, [after]))(after);
  });
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
