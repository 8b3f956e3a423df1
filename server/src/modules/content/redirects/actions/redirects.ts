import type * as calls from '@mozhan/contract/redirects.ts';
import type { z } from 'zod';
import { type Ctx, type EssayMove, inTransaction, invalidate, logChange } from '../../../../ctx.ts';
import * as missing from '../queries/missing-paths.ts';
import * as queries from '../queries/redirects.ts';
import { formatAddress, normalizeAddress } from '../rules/addresses.ts';
import type { RedirectRow } from '../tables.ts';
import { toRedirect } from '../views.ts';
import { type GivenRedirect, storeRedirect, storeRedirects } from './store.ts';

const toLog = (row: queries.RedirectWithEssay) => {
  const { path, target } = toRedirect(row);
  return { path, target };
};

export function createRedirect(
  ctx: Ctx,
  given: z.output<typeof calls.createRedirect.input>,
): Promise<queries.RedirectWithEssay> {
  return inTransaction(ctx, async (ctx) => {
    const id = await storeRedirect(ctx, given, { transferId: null, existing: 'refuse' });
    const row = await queries.getRedirect(ctx.db, id);
    logChange(ctx, `redirect:${id}`, null, toLog(row));
    return row;
  });
}

const destinationOf = ({ essayId, target }: RedirectRow): { essayId: string } | { target: string } =>
  essayId === null ? { target: target ?? '/' } : { essayId };

export function updateRedirect(
  ctx: Ctx,
  { id, path, target }: z.output<typeof calls.updateRedirect.input>,
): Promise<queries.RedirectWithEssay> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockRedirects(ctx.db);
    const before = await queries.getRedirect(ctx.db, id);
    const { redirect } = before;
    const given: GivenRedirect = {
      path: path ?? formatAddress(redirect),
      ...(target === undefined ? destinationOf(redirect) : { target }),
    };
    await storeRedirect(ctx, given, {
      transferId: redirect.transferId,
      existing: 'refuse',
      before: redirect,
    });
    const after = await queries.getRedirect(ctx.db, id);
    logChange(ctx, `redirect:${id}`, toLog(before), toLog(after));
    return after;
  });
}

export function removeRedirects(ctx: Ctx, ids: string[]): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const removed = await queries.removeRedirects(ctx.db, ids);
    if (removed.length === 0) throw queries.redirectRows.notFoundError();
    for (const { id, ...row } of removed)
      logChange(ctx, `redirect:${id}`, { path: formatAddress(row), target: row.target ?? row.essayId }, null);
    invalidate(ctx, 'redirects');
  });
}

export async function removeMissingPaths(
  ctx: Ctx,
  { ids, all }: z.output<typeof calls.removeMissingPaths.input>,
): Promise<void> {
  if (all === true) await missing.removeAllMissing(ctx.db);
  else if (ids !== undefined) await missing.removeMissing(ctx.db, ids);
}

/** The old address of an essay leads to the essay; a redirect from its new address would never be used again. */
export async function keepOldAddress(ctx: Ctx, { essayId, oldPath, newPath }: EssayMove): Promise<void> {
  const taken = newPath === null ? null : normalizeAddress(newPath, '');
  if (taken !== null) {
    await queries.removeByPath(ctx.db, taken.path);
    invalidate(ctx, 'redirects');
  }
  if (oldPath !== null)
    await storeRedirect(ctx, { path: oldPath, essayId }, { transferId: null, existing: 'replace' });
}

/** Rows of one statement, whose check takes a few milliseconds. */
const BATCH_SIZE = 50;

interface ImportResult {
  added: number;
  updated: number;
  /** In the order of the rows. */
  skipped: { path: string; reason: string }[];
}

/**
 * Stores the redirects of an import. Repeating it changes nothing; a path of this site, or one that has a redirect by other
 * means, is skipped.
 */
export async function importRedirects(
  ctx: Ctx,
  { transferId, rows }: { transferId: string; rows: readonly GivenRedirect[] },
): Promise<ImportResult> {
  const result: ImportResult = { added: 0, updated: 0, skipped: [] };
  for (let from = 0; from < rows.length; from += BATCH_SIZE) {
    const batch = rows.slice(from, from + BATCH_SIZE);
    const outcomes = await storeRedirects(ctx, batch, { transferId, existing: 'own' });
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.kind === 'refused')
        result.skipped.push({ path: batch[index]?.path ?? '', reason: outcome.reason });
      else result[outcome.kind] += 1;
    }
  }
  return result;
}

/** Removes the redirects that an import made. Returns their number. */
export function removeRedirectsOf(ctx: Ctx, transferId: string): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const count = await queries.removeByTransfer(ctx.db, transferId);
    if (count > 0) invalidate(ctx, 'redirects');
    return count;
  });
}
