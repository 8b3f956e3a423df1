import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { NavEntry, NavGroup, updateNavigation as updateCall } from '@mozhan/contract/navigation.ts';
import type { z } from 'zod';
import { addPageTags, type Ctx, inTransaction, invalidate, logChange } from '../../../../ctx.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { listAllCategories } from '../../categories/index.ts';
import type { Category } from '../../categories/tables.ts';
import * as queries from '../queries/navigation.ts';
import { type ListedPageRow, listPages } from '../queries/pages.ts';
import * as rules from '../rules/navigation.ts';
import type { Frame, NavigationRow } from '../tables.ts';

/** Every page contains header and footer. */
const TAG = 'site';
const EMPTY_FRAME: Frame = { header: null, footer: null, pages: [], hasFriendLinks: false };

const findFrame = createLookup<Frame>((db) => {
  const frame = queries.selectFrame(db).prepare('site_frame');
  return async () => new Map((await frame.execute()).map((row) => ['frame', row]));
});

export async function getFrame(ctx: Ctx): Promise<Frame> {
  addPageTags(ctx, TAG);
  return (await findFrame(ctx, 'frame')) ?? EMPTY_FRAME;
}

/** The stored navigation with its defaults, and everything that can be in it. */
export interface EditedNavigation extends Pick<NavigationRow, 'version'> {
  isHeaderEdited: boolean;
  isFooterEdited: boolean;
  header: NavEntry[];
  footer: NavGroup[];
  categories: Category[];
  pages: ListedPageRow[];
}

async function readTargets(ctx: Ctx) {
  const categories = await listAllCategories(ctx);
  const pages = await listPages(ctx.db);
  const existing = {
    categoryIds: new Set(categories.map(({ id }) => id)),
    pages: new Set(pages.map(rules.toPageReference)),
  };
  return { categories, pages, existing };
}

type Targets = Awaited<ReturnType<typeof readTargets>>;

function toEdited(
  { header, footer, version }: NavigationRow,
  { categories, pages, existing }: Targets,
): EditedNavigation {
  const enabled = categories.filter((category) => category.enabled);
  return {
    version,
    isHeaderEdited: header !== null,
    isFooterEdited: footer !== null,
    header: rules.withoutUnknownTargets(header ?? rules.defaultHeader(enabled), existing),
    footer: (footer ?? rules.defaultFooter()).map(({ title, entries }) => ({
      title,
      entries: rules.withoutUnknownTargets(entries, existing),
    })),
    categories,
    pages,
  };
}

export async function getNavigation(ctx: Ctx): Promise<EditedNavigation> {
  const stored = await queries.getNavigation(ctx.db);
  return toEdited(stored, await readTargets(ctx));
}

const toLog = ({ header, footer, version }: NavigationRow) => ({ header, footer, version });

/** Optimistic locking, like pages. */
export const updateNavigation = (
  ctx: Ctx,
  input: z.output<typeof updateCall.input>,
): Promise<EditedNavigation> =>
  inTransaction(ctx, async (ctx) => {
    const before = await queries.lockNavigation(ctx.db, 'update');
    if (before.version !== input.version) throw new CallError('STALE_VERSION');
    const targets = await readTargets(ctx);
    const { header = before.header, footer = before.footer } = input;
    if (rules.hasUnknownTarget(input.header ?? [], targets.existing))
      throw invalidField('header', '其中的分类或页面已被删除，请刷新后再改');
    if (
      rules.hasUnknownTarget(
        (input.footer ?? []).flatMap(({ entries }) => entries),
        targets.existing,
      )
    )
      throw invalidField('footer', '其中的分类或页面已被删除，请刷新后再改');
    const after: NavigationRow = { ...before, header, footer, version: before.version + 1 };
    await queries.updateNavigation(ctx.db, after);
    invalidate(ctx, TAG);
    logChange(ctx, 'nav:site', toLog(before), toLog(after));
    return toEdited(after, targets);
  });
