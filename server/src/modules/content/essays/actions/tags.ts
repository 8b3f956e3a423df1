import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import { type Ctx, inTransaction, invalidate, logChange } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { addJob } from '../../../../jobs.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { lockTags } from '../queries/shelf.ts';
import { moveTagFollows } from '../queries/tag-follows.ts';
import * as queries from '../queries/tags.ts';
import type { TagAliasRow } from '../tables.ts';
import { indexTags, invalidateLists, reindexEssays, removeUnusedTags } from './shelf.ts';

/** Essays changed per transaction. */
const MAX_BATCH_SIZE = 50;
/** Essays scanned per transaction. */
const SCAN_SIZE = 2000;

/** Throws if a tag does not exist or is being renamed. */
async function requireTags(ctx: Ctx, names: string[]): Promise<queries.StaffTagRow['name'][]> {
  const found = new Map((await queries.listTagsByNames(ctx.db, names)).map((row) => [row.name, row]));
  const missing = names.find((name) => !found.has(name));
  if (missing !== undefined) throw queries.tagNotFound(missing);
  const [moving] = await queries.listAliases(ctx.db, names);
  if (moving !== undefined)
    throw new CallError('TAG_MOVING', { message: `标签「${moving.name}」正在处理，请稍后再试` });
  return names;
}

/** Redirects the old names immediately. The job changes the essays that still have them. */
async function redirectNames(ctx: Ctx, names: string[], to: string | null): Promise<void> {
  await queries.insertAliases(ctx.db, names, to, ctx.now);
  await moveTagFollows(ctx.db, names, to);
  invalidate(ctx, 'essays');
  await addJob(ctx, 'retag-essays', {}, { key: 'retag-essays' });
}

/** A tag name becomes public without an audit, so a sensitive word of any level is refused. */
async function checkName(ctx: Ctx, to: string): Promise<void> {
  const { words } = await screenText(ctx, to);
  if (words[0] !== undefined) throw invalidField('to', `不能有「${words[0]}」，请换个说法`);
}

export async function mergeTags(ctx: Ctx, from: string[], target: string): Promise<void> {
  const to = target.normalize('NFC');
  const names = [...new Set(from)].filter((name) => name !== to);
  if (names.length === 0) throw invalidField('to', '和原来的名字一样');
  await checkName(ctx, to);
  await inTransaction(ctx, async (ctx) => {
    await queries.lockTagNames(ctx.db);
    await requireTags(ctx, names);
    const [existing] = await queries.listAliases(ctx.db, [to]);
    // The target itself is still being renamed.
    if (existing?.pending)
      throw new CallError('TAG_MOVING', { message: `标签「${to}」正在处理，请稍后再试` });
    await redirectNames(ctx, names, to);
    for (const name of names) logChange(ctx, `tag:${name}`, { name }, { name: to });
  });
}

export const removeTag = (ctx: Ctx, name: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    await queries.lockTagNames(ctx.db);
    await requireTags(ctx, [name]);
    await redirectNames(ctx, [name], null);
    logChange(ctx, `tag:${name}`, { name }, null);
  });

/** Essays on the shelf come first, then all essays with the tag in any version. */
async function findNextBatch(
  ctx: Ctx,
  { name, position }: TagAliasRow,
): Promise<{ ids: string[]; next: string | null }> {
  const shelved = await queries.listShelvedIds(ctx.db, name, MAX_BATCH_SIZE);
  if (shelved.length > 0) return { ids: shelved, next: position };
  const { ids, last } = await queries.scanEssays(ctx.db, { tag: name, after: position, limit: SCAN_SIZE });
  const batch = ids.slice(0, MAX_BATCH_SIZE);
  return { ids: batch, next: ids.length > batch.length ? (batch.at(-1) ?? null) : last };
}

async function retagBatch(ctx: Ctx, ids: string[], { name, toName }: TagAliasRow): Promise<void> {
  if (ids.length === 0) return;
  const before = await queries.lockEssays(ctx.db, ids);
  await lockTags(ctx.db, toName === null ? [name] : [name, toName]);
  await queries.replaceTag(ctx.db, ids, name, toName);
  await indexTags(ctx, await queries.moveTagRows(ctx.db, ids, name, toName, newId()));
  const changedEssays = before.filter((essay) => essay.tags.includes(name));
  await reindexEssays(
    ctx,
    changedEssays.map((essay) => essay.id),
  );
  for (const essay of changedEssays) invalidateLists(ctx, essay);
}

/** Runs one step. Returns false when nothing is left or another process holds the lock. */
async function runStep(ctx: Ctx): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    if (!(await queries.tryLockRetagging(ctx.db))) return false;
    const alias = await queries.findPendingAlias(ctx.db);
    if (alias === null) return false;
    const { ids, next } = await findNextBatch(ctx, alias);
    await retagBatch(ctx, ids, alias);
    if (next !== null) {
      await queries.updateAliasPosition(ctx.db, alias.name, next);
      return true;
    }
    await queries.completeAlias(ctx.db, alias);
    await removeUnusedTags(ctx, alias.toName === null ? [alias.name] : [alias.name, alias.toName]);
    invalidate(ctx, 'essays');
    return true;
  });
}

/** Can be interrupted: the position of each tag is stored, and the next run resumes there. */
export async function retagEssays(ctx: Ctx): Promise<void> {
  while (await runStep({ ...ctx, now: ctx.services.clock() }));
}
