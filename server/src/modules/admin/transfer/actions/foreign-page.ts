import { pagePath } from '@mozhan/contract/page-address.ts';
import { inTransaction, type Viewer } from '../../../../ctx.ts';
import { essayPathOf } from '../../../content/essays/index.ts';
import { importPage } from '../../../content/site/index.ts';
import { decodePath } from '../formats/paths.ts';
import type { ImportedPage } from '../formats/types.ts';
import { listRemaining, replaceAddresses, replaceInternalLinks } from './foreign-essay.ts';
import { isChanged, type Sources } from './foreign-sources.ts';
import { importPicture } from './import-files.ts';
import { clampToPast, getRequester, type ImportState, importItem } from './import-state.ts';
import { recordRemotePictures } from './remote-pictures.ts';
import { toItemKey } from './run.ts';
import { updateForeignPage } from './update-foreign.ts';

/** The path that the essay with this key has or will have. */
export function essayPathIn(sources: Sources, key: string): string | undefined {
  const id = sources.essayIdOf(key);
  return id === undefined ? undefined : essayPathOf({ id, slug: sources.essaySlugOf(key) });
}

export const pageKey = (key: string): string => `page:${key}`;

async function importPictures(
  state: ImportState,
  owner: Viewer,
  { pictures }: ImportedPage,
  content: string,
  notes: string[],
): Promise<string> {
  const paths = new Map<string, string>();
  for (const url of pictures) {
    const imported = await importPicture(state, owner, decodePath(url));
    if (imported === null) notes.push(`图片没有导入：${decodePath(url)}`);
    else paths.set(url, imported.path);
  }
  return replaceAddresses(content, paths);
}

/** A page of another program becomes a page of this site; one that was not public stays hidden. */
export async function importForeignPage(
  state: ImportState,
  sources: Sources,
  given: ImportedPage,
): Promise<void> {
  const { run } = state;
  const item = { key: pageKey(given.key), kind: 'page' as const, title: given.title || given.key };
  await importItem(state, item, async (ctx) => {
    const existing = sources.find(given);
    const pageId = existing?.pageId ?? null;
    if (existing !== undefined && pageId !== null) state.pages.set(toItemKey(item.key), existing.slug ?? '');
    if (existing !== undefined && (pageId === null || !isChanged(existing, given))) {
      await run.recordItem(ctx, { ...item, outcome: 'skipped', note: '已存在', targetId: pageId });
      return;
    }
    const { fetchPictures = false } = run.row.options;
    const notes = [given.statusReason, ...given.notes, ...listRemaining(given, fetchPictures)].filter(
      (note) => note !== '',
    );
    const requester = await getRequester(run);
    const linked = replaceInternalLinks(given, (key) => {
      const slug = sources.pageSlugOf(key);
      return essayPathIn(sources, key) ?? (slug === undefined ? undefined : pagePath(slug));
    });
    const content = await importPictures(state, requester, given, linked, notes);
    const isPublic = given.status === 'published';
    if (existing !== undefined && pageId !== null) {
      const update = {
        existing: { ...existing, pageId },
        given,
        item,
        content,
        isPublished: isPublic,
        notes,
      };
      await updateForeignPage(state, sources, { ...ctx, viewer: requester }, update);
      return;
    }
    const isPublished = isPublic && run.row.options.asDrafts !== true;
    const toPast = (date: Date | null) => date && clampToPast(date, ctx.now);
    await inTransaction({ ...ctx, viewer: requester }, async (ctx) => {
      const { id, slug } = await importPage(ctx, {
        slug: given.slug,
        title: given.title,
        content,
        publishedAt: toPast(given.publishedAt),
        updatedAt: toPast(given.updatedAt ?? given.publishedAt),
        isPublished,
        transferId: run.row.id,
        key: given.sourceId,
      });
      await sources.record(ctx, given, { pageId: id });
      if (fetchPictures)
        await recordRemotePictures(ctx, {
          transferId: run.row.id,
          pageId: id,
          urls: given.remotePictures,
          attachments: [],
          cover: '',
        });
      await run.recordItem(ctx, { ...item, outcome: 'created', note: notes.join('；'), targetId: id });
      state.pages.set(toItemKey(item.key), slug);
    });
  });
}
