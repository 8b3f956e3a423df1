import { CallError } from '@mozhan/contract/errors.ts';
import { infoPageNames } from '@mozhan/contract/site.ts';
import { type Ctx, inTx } from '../../../../ctx.ts';
import { isStillUsed } from '../../../../db/errors.ts';
import { releaseTrends } from '../../../accounts/activity/index.ts';
import { removeUsers } from '../../../accounts/users/index.ts';
import { removeCategory } from '../../../content/categories/index.ts';
import { listEssayIdsOf, removeAnyColumn, takeBackEssay, whyKept } from '../../../content/essays/index.ts';
import { updateInfoPage } from '../../../content/site/index.ts';
import { listOwnFiles } from '../../../platform/uploads/index.ts';
import { listAllItems, updateItem } from '../queries/runs.ts';
import * as targets from '../queries/targets.ts';
import type { ItemRow } from '../tables.ts';
import type { Run } from './run.ts';
import { ordererOf, patiently, sentenceOf } from './world.ts';

/** Null: it is gone. Otherwise why it stays. */
type Verdict = string | null;

async function takeEssay(ctx: Ctx, { targetId, detail }: ItemRow, run: Run): Promise<Verdict> {
  const essay = await targets.lockEssay(ctx.db, targetId ?? '');
  if (essay === null || essay.deletedAt !== null) return null;
  const why = await whyKept(ctx, essay, detail?.version ?? 1);
  if (why !== null) return why;
  if (await targets.hasNewComments(ctx.db, essay.id, run.row.createdAt)) return '之后有人评论';
  await takeBackEssay(ctx, essay);
  return null;
}

async function takeColumn(ctx: Ctx, { targetId }: ItemRow): Promise<Verdict> {
  const id = targetId ?? '';
  if ((await targets.findColumn(ctx.db, id)) === null) return null;
  if (await targets.hasEssaysIn(ctx.db, id)) return '里面还有文章';
  await removeAnyColumn(ctx, id);
  return null;
}

async function takeCategory(ctx: Ctx, { targetId }: ItemRow): Promise<Verdict> {
  const id = targetId ?? '';
  if (!(await targets.listCategories(ctx.db)).some((each) => each.id === id)) return null;
  if (await targets.hasEssaysOf(ctx.db, id)) return '里面还有文章';
  await removeCategory(ctx, id);
  return null;
}

/** As it was before, unless somebody has written in it since. */
async function takePage(ctx: Ctx, { key, detail }: ItemRow, run: Run): Promise<Verdict> {
  const name = infoPageNames.find((each) => key === `page:pages/${each}.md`);
  const page = name === undefined ? null : await targets.findPage(ctx.db, name);
  if (page === null || detail?.before === undefined) return null;
  if (page.version !== detail.version) return '之后有人改过';
  await updateInfoPage(ctx, await ordererOf(run), {
    page: page.name,
    ...detail.before,
    version: page.version,
  });
  return null;
}

async function takeAuthor(ctx: Ctx, { targetId }: ItemRow): Promise<Verdict> {
  const id = targetId ?? '';
  if ((await targets.findUser(ctx.db, id)) === null) return null;
  if (await targets.isInUse(ctx.db, id)) return '账号已在使用，或还有内容';
  await releaseTrends(ctx, [id, ...(await listEssayIdsOf(ctx.db, [id]))]);
  await removeUsers(ctx.db, [id]);
  return null;
}

type Taker = (ctx: Ctx, item: ItemRow, run: Run) => Promise<Verdict>;

/** What hangs on something goes before it. Comments go with their essays, pictures with their owners. */
const takers: [ItemRow['kind'], Taker][] = [
  ['essay', takeEssay],
  ['column', takeColumn],
  ['category', takeCategory],
  ['page', takePage],
  ['author', takeAuthor],
];

/** Null: nothing is known against it, so that it is tried again. */
function whyRefused(error: unknown): string | null {
  if (isStillUsed(error)) return '别处还在用它';
  return error instanceof CallError && error.status < 500 ? sentenceOf(error) : null;
}

async function takeBack(run: Run, item: ItemRow, take: Taker): Promise<void> {
  const ctx = run.ctx();
  const isPerson = item.kind === 'author' && item.targetId !== null;
  const files = isPerson ? await listOwnFiles(ctx.db, [item.targetId ?? '']) : [];
  const work = () =>
    inTx(ctx, async (ctx) => {
      const why = await take(ctx, item, run);
      await updateItem(ctx.db, item, { outcome: why === null ? 'removed' : 'kept', note: why ?? '' });
      return why;
    });
  const verdict = await patiently(run, work).catch(async (error: unknown) => {
    const note = whyRefused(error);
    if (note === null) throw error;
    await updateItem(ctx.db, item, { outcome: 'kept', note });
    return note;
  });
  if (verdict === null) for (const path of files) await ctx.services.files.remove(path);
}

/** What an import brought is taken back; what people have made their own since stays, is named, and may go another time. */
export async function undoImport(run: Run): Promise<void> {
  const items = (await listAllItems(run.ctx().db, run.row.id)).filter(
    ({ outcome }) => outcome === 'created' || outcome === 'kept',
  );
  const wanted = items.filter(({ kind }) => takers.some(([each]) => each === kind));
  run.setTotal(wanted.length);
  for (const [kind, take] of takers) {
    for (const item of wanted.filter((each) => each.kind === kind).toReversed()) {
      run.check();
      await takeBack(run, item, take);
      run.advance();
    }
  }
  await settleComments(run, items);
}

/** They share the lot of their essays. */
async function settleComments(run: Run, items: ItemRow[]): Promise<void> {
  const { db } = run.ctx();
  const essays = new Map(
    (await listAllItems(db, run.row.id)).flatMap((item) =>
      item.kind === 'essay' && item.targetId !== null ? [[item.targetId, item.outcome] as const] : [],
    ),
  );
  for (const item of items.filter(({ kind }) => kind === 'comments'))
    await updateItem(db, item, { outcome: essays.get(item.targetId ?? '') ?? 'kept' });
}
