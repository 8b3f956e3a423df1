import { pagePath } from '@mozhan/contract/page-address.ts';
import type { Ctx } from '../../../../ctx.ts';
import type { FormatName } from '../formats/formats.ts';
import { readFormat } from '../formats/read-format.ts';
import type { ImportedEssay, ImportedItem, SkippedItem, Upload } from '../formats/types.ts';
import { listCategories } from '../queries/targets.ts';
import { importForeignComments } from './foreign-comments.ts';
import { type PathOf, toIncomingEssay } from './foreign-essay.ts';
import { essayPathIn, importForeignPage, pageKey } from './foreign-page.ts';
import { createRedirectImport } from './foreign-redirects.ts';
import { createSources, isChanged, type Sources } from './foreign-sources.ts';
import { essayKey, importEssay } from './import-essay.ts';
import { type ImportState, importItem, withRetries } from './import-state.ts';
import { type Mapping, openMapping } from './mapping.ts';
import { toItemKey } from './run.ts';
import { updateForeignEssay } from './update-foreign.ts';

async function recordSkipped(state: ImportState, given: SkippedItem): Promise<void> {
  const item = { key: essayKey(given.key), kind: 'essay', title: given.title || given.key } as const;
  await importItem(state, item, async (ctx) => {
    await state.run.recordItem(ctx, { ...item, outcome: 'skipped', note: given.skipped });
  });
}

async function findFallbackCategory(ctx: Ctx, state: ImportState) {
  const categories = await listCategories(ctx.db);
  const chosen = state.run.row.options.categoryId;
  const fallback = categories.find(({ id }) => id === chosen) ?? categories.find(({ enabled }) => enabled);
  return { categories, fallback };
}

async function importForeignEssay(
  state: ImportState,
  sources: Sources,
  given: ImportedEssay,
  context: Awaited<ReturnType<typeof findFallbackCategory>> & { mapping: Mapping },
): Promise<void> {
  const { run } = state;
  const existing = sources.find(given);
  if (existing !== undefined && existing.essayId !== null) state.essays.set(given.key, existing.essayId);
  // What was an essay may be a page in the earlier import, if the operator has mapped its section in another way.
  if (existing !== undefined && (existing.essayId === null || !isChanged(existing, given))) {
    const item = { key: essayKey(given.key), kind: 'essay', title: given.title || given.key } as const;
    await importItem(state, item, async (ctx) => {
      await run.recordItem(ctx, {
        ...item,
        outcome: 'skipped',
        note: '已存在',
        targetId: existing.essayId,
      });
    });
    return;
  }
  const pathOf: PathOf = (key) => {
    const slug = state.pages.get(toItemKey(pageKey(key)));
    return essayPathIn(sources, key) ?? (slug === undefined ? undefined : pagePath(slug));
  };
  const id = sources.essayIdOf(given.key) ?? null;
  const { fetchPictures = false } = run.row.options;
  const { mapping, ...categories } = context;
  const incoming = mapping.toIncoming(given, (mapped) =>
    toIncomingEssay(mapped, { ...categories, now: run.ctx().now, id, fetchPictures, pathOf }),
  );
  if (existing !== undefined) await updateForeignEssay(state, sources, { existing, given, incoming });
  else
    await importEssay(state, {
      ...incoming,
      onImported: (ctx, essayId, version) => sources.record(ctx, given, { essayId, version }),
    });
}

export async function importForeign(state: ImportState, format: FormatName): Promise<void> {
  const { run, archive } = state;
  const readContent: Upload['readContent'] = (name, maxBytes) =>
    withRetries(run, () => archive.readContent(name, maxBytes));
  const upload = { ...archive, readContent };
  const mapping = await openMapping(state);
  async function* readItems(): AsyncGenerator<ImportedItem> {
    for await (const item of readFormat(format, upload)) yield mapping.toKind(item);
  }
  const sources = createSources(run);
  let total = 0;
  let hasPages = false;
  for await (const item of readItems()) {
    run.throwIfStopped();
    if (item.kind === 'site') continue;
    total += 1;
    if (item.kind === 'page') hasPages = true;
    if (item.kind !== 'skipped') await sources.collect(item);
  }
  await sources.close();
  run.setTotal(total);
  const context = { ...(await findFallbackCategory(run.ctx(), state)), mapping };
  const redirects = createRedirectImport(state);
  // Pages come first, because essays link to them by their slugs.
  if (hasPages)
    for await (const given of readItems()) {
      if (given.kind !== 'page') continue;
      await importForeignPage(state, sources, given);
      await redirects.add(given);
    }
  for await (const given of readItems()) {
    if (given.kind === 'skipped') await recordSkipped(state, given);
    else if (given.kind === 'essay') {
      await importForeignEssay(state, sources, given, context);
      await importForeignComments(state, given);
    }
    if (given.kind === 'essay' || given.kind === 'site') await redirects.add(given);
  }
  await redirects.finish();
}
