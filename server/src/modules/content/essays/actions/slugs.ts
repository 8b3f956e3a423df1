import { invalidField } from '@mozhan/contract/errors.ts';
import type { Ctx } from '../../../../ctx.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import * as queries from '../queries/essays.ts';
import { essayPathOf } from '../rules/essays.ts';
import type { EssayRow } from '../tables.ts';
import { invalidateLists } from './shelf.ts';

/** A slug becomes public without an audit, so a sensitive word of any level is refused. */
export async function findRefusedWord(ctx: Ctx, slug: string): Promise<string | null> {
  const { words } = await screenText(ctx, slug.replaceAll('-', ' '));
  return words[0] ?? null;
}

/** Whether the essay may take the slug in this transaction; others who want it wait until it ends. */
export async function claimSlug(ctx: Ctx, essayId: string, slug: string): Promise<boolean> {
  await queries.lockSlug(ctx.db, slug);
  const holder = await queries.findEssayBySlug(ctx.db, slug);
  return holder === null || holder.id === essayId;
}

/** Decides which of these essays, by id, will get the slugs they want; the first of two with the same one does. */
export async function planSlugs(ctx: Ctx, wanted: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const slugs = [...new Set(wanted.values())];
  const holders = await queries.listSlugHolders(ctx.db, slugs);
  const { words } = await screenText(ctx, slugs.join('\n').replaceAll('-', ' '));
  const planned = new Map<string, string>();
  const taken = new Set<string>();
  for (const [essayId, slug] of wanted) {
    if (taken.has(slug) || (holders.get(slug) ?? essayId) !== essayId) continue;
    // Rare: at least one of the slugs has a sensitive word.
    if (words.length > 0 && (await findRefusedWord(ctx, slug)) !== null) continue;
    taken.add(slug);
    planned.set(essayId, slug);
  }
  return planned;
}

const slugPath = (slug: string | null): string | null =>
  slug === null ? null : essayPathOf({ id: '', slug });

/** Takes effect without an audit. The old address of an essay that was public once leads to the new one. */
export async function setSlug(ctx: Ctx, essay: EssayRow, slug: string | null): Promise<void> {
  if (slug === essay.slug) return;
  if (slug !== null) {
    const word = await findRefusedWord(ctx, slug);
    if (word !== null) throw invalidField('slug', `不能有「${word}」，请换个说法`);
    if (!(await claimSlug(ctx, essay.id, slug))) throw invalidField('slug', '这个网址已被别的文章使用');
  }
  await queries.updateEssay(ctx.db, essay.id, { slug });
  await ctx.services.essayMoved(ctx, {
    essayId: essay.id,
    oldPath: essay.shelvedVersion === null ? null : slugPath(essay.slug),
    newPath: slugPath(slug),
  });
  invalidateLists(ctx, essay);
}

/** The old address of an erased essay that was public leads to it, so that it answers 410 as the address of its id does. */
export async function keepSlugOfErased(ctx: Ctx, { id, slug, shelvedVersion }: EssayRow): Promise<void> {
  if (slug === null || shelvedVersion === null) return;
  await ctx.services.essayMoved(ctx, { essayId: id, oldPath: slugPath(slug), newPath: null });
}
