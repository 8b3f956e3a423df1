import { CallError, invalid } from '@mozhan/contract/errors.ts';
import { type Ctx, changed, inTx, touch } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { addJob } from '../../../../jobs.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { lockTags } from '../queries/shelf.ts';
import * as queries from '../queries/tags.ts';
import type { TagAlias } from '../tables.ts';
import { dropUnused, indexAgain, indexTags, touchLists } from './shelf.ts';

/** Essays that are changed in one transaction. */
const AT_ONCE = 50;
/** Essays that are looked at in one. */
const SCANNED = 2000;

/** They are there, and nothing is being done with them. */
async function requireTags(ctx: Ctx, names: string[]): Promise<queries.StaffTagRow['name'][]> {
  const found = new Map((await queries.listNamed(ctx.db, names)).map((row) => [row.name, row]));
  const missing = names.find((name) => !found.has(name));
  if (missing !== undefined) throw queries.noTag(missing);
  const [moving] = await queries.listAliases(ctx.db, names);
  if (moving !== undefined)
    throw new CallError('TAG_MOVING', { message: `标签「${moving.name}」正在处理，请稍后再试` });
  return names;
}

/** From now on nobody gets the old names; what has them is changed by the job. */
async function giveUp(ctx: Ctx, names: string[], to: string | null): Promise<void> {
  await queries.insertAliases(ctx.db, names, to, ctx.now);
  touch(ctx, 'essays');
  await addJob(ctx, 'retag-essays', {}, { key: 'retag-essays' });
}

/** A name that is new here is read by everyone at once: any word of the list refuses it. */
async function checkName(ctx: Ctx, to: string): Promise<void> {
  const { words } = await screenText(ctx, to);
  if (words[0] !== undefined) throw invalid('to', `不能有「${words[0]}」，请换个说法`);
}

export async function mergeTags(ctx: Ctx, from: string[], target: string): Promise<void> {
  const to = target.normalize('NFC');
  const names = [...new Set(from)].filter((name) => name !== to);
  if (names.length === 0) throw invalid('to', '和原来的名字一样');
  await checkName(ctx, to);
  await inTx(ctx, async (ctx) => {
    await queries.lockNames(ctx.db);
    await requireTags(ctx, names);
    const [there] = await queries.listAliases(ctx.db, [to]);
    // One that is on its way elsewhere, and has essays still.
    if (there?.pending) throw new CallError('TAG_MOVING', { message: `标签「${to}」正在处理，请稍后再试` });
    await giveUp(ctx, names, to);
    for (const name of names) changed(ctx, `tag:${name}`, { name }, { name: to });
  });
}

export const removeTag = (ctx: Ctx, name: string): Promise<void> =>
  inTx(ctx, async (ctx) => {
    await queries.lockNames(ctx.db);
    await requireTags(ctx, [name]);
    await giveUp(ctx, [name], null);
    changed(ctx, `tag:${name}`, { name }, null);
  });

/** The essays on the shelf first, which readers find; then all that has the tag in some version. */
async function findNext(
  ctx: Ctx,
  { name, position }: TagAlias,
): Promise<{ ids: string[]; next: string | null }> {
  const shelved = await queries.listShelvedIds(ctx.db, name, AT_ONCE);
  if (shelved.length > 0) return { ids: shelved, next: position };
  const { ids, last } = await queries.scanEssays(ctx.db, { tag: name, after: position, limit: SCANNED });
  const some = ids.slice(0, AT_ONCE);
  return { ids: some, next: ids.length > some.length ? (some.at(-1) ?? null) : last };
}

async function changeEssays(ctx: Ctx, ids: string[], { name, toName }: TagAlias): Promise<void> {
  if (ids.length === 0) return;
  const before = await queries.lockEssays(ctx.db, ids);
  await lockTags(ctx.db, toName === null ? [name] : [name, toName]);
  await queries.replaceTag(ctx.db, ids, name, toName);
  await indexTags(ctx, await queries.moveInLists(ctx.db, ids, name, toName, newId()));
  const changedOnes = before.filter((essay) => essay.tags.includes(name));
  await indexAgain(
    ctx,
    changedOnes.map((essay) => essay.id),
  );
  for (const essay of changedOnes) touchLists(ctx, essay);
}

/** One step of what is left to do; false: nothing is, or another process does it. */
async function step(ctx: Ctx): Promise<boolean> {
  return inTx(ctx, async (ctx) => {
    if (!(await queries.tryToMove(ctx.db))) return false;
    const alias = await queries.findPending(ctx.db);
    if (alias === null) return false;
    const { ids, next } = await findNext(ctx, alias);
    await changeEssays(ctx, ids, alias);
    if (next !== null) {
      await queries.updatePosition(ctx.db, alias.name, next);
      return true;
    }
    await queries.finishAlias(ctx.db, alias);
    await dropUnused(ctx, alias.toName === null ? [alias.name] : [alias.name, alias.toName]);
    touch(ctx, 'essays');
    return true;
  });
}

/** Goes on from wherever it was broken off. */
export async function retagEssays(ctx: Ctx): Promise<void> {
  while (await step({ ...ctx, now: ctx.services.clock() }));
}
