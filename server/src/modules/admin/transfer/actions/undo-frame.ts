import { infoPageNames } from '@mozhan/contract/page-address.ts';
import type { Ctx } from '../../../../ctx.ts';
import {
  getNavigation,
  removeFriendLink,
  removeImportedPages,
  updateNavigation,
  updatePage,
} from '../../../content/site/index.ts';
import * as targets from '../queries/targets.ts';
import type { ItemRow } from '../tables.ts';
import { getRequester } from './import-state.ts';
import type { Run } from './run.ts';

/** The reason why an item is kept, or null if it was removed. */
export type KeptReason = string | null;

const CHANGED = '之后有人改过';

/** Removes a page that the run created; one that came with the program gets its old text back. */
export async function undoPage(ctx: Ctx, { key, detail, targetId }: ItemRow, run: Run): Promise<KeptReason> {
  if (targetId !== null) {
    const { kept } = await removeImportedPages(ctx, run.row.id, [targetId]);
    return kept.length > 0 ? CHANGED : null;
  }
  const name = infoPageNames.find((each) => key === `page:pages/${each}.md`);
  const page = name === undefined ? null : await targets.findPage(ctx.db, name);
  if (name === undefined || page === null || detail?.before === undefined) return null;
  if (page.version !== detail.version) return CHANGED;
  await updatePage(ctx, await getRequester(run), { page: name, ...detail.before, version: page.version });
  return null;
}

/** It was the default before, or it would not have been imported. */
export async function undoNavigation(ctx: Ctx, { detail }: ItemRow): Promise<KeptReason> {
  const { version } = await getNavigation(ctx);
  if (version !== detail?.version) return CHANGED;
  await updateNavigation(ctx, { version, header: null, footer: null });
  return null;
}

export async function undoFriendLink(ctx: Ctx, { targetId }: ItemRow): Promise<KeptReason> {
  const link = await targets.findFriendLink(ctx.db, { id: targetId ?? '' });
  if (link === null) return null;
  if (link.updatedAt.getTime() !== link.createdAt.getTime()) return CHANGED;
  await removeFriendLink(ctx, link.id);
  return null;
}
