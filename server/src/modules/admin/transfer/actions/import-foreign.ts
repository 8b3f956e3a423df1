import type { Ctx } from '../../../../ctx.ts';
import type { FormatName } from '../formats/formats.ts';
import { readFormat } from '../formats/read-format.ts';
import type { SkippedItem, Upload } from '../formats/types.ts';
import { listCategories } from '../queries/targets.ts';
import { importForeignComments } from './foreign-comments.ts';
import { toIncomingEssay } from './foreign-essay.ts';
import { importForeignPage } from './foreign-page.ts';
import { createRedirectImport } from './foreign-redirects.ts';
import { essayKey, importEssay } from './import-essay.ts';
import { type ImportState, importItem, withRetries } from './import-state.ts';

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

export async function importForeign(state: ImportState, format: FormatName): Promise<void> {
  const { run, archive } = state;
  const readContent: Upload['readContent'] = (name, maxBytes) =>
    withRetries(run, () => archive.readContent(name, maxBytes));
  const upload = { ...archive, readContent };
  let total = 0;
  for await (const item of readFormat(format, upload)) {
    run.throwIfStopped();
    if (item.kind !== 'site') total += 1;
  }
  run.setTotal(total);
  const { categories, fallback } = await findFallbackCategory(run.ctx(), state);
  const redirects = createRedirectImport(state);
  for await (const given of readFormat(format, upload)) {
    if (given.kind === 'skipped') {
      await recordSkipped(state, given);
      continue;
    }
    if (given.kind === 'page') await importForeignPage(state, given);
    else if (given.kind === 'essay') {
      await importEssay(state, toIncomingEssay(given, { categories, fallback, now: run.ctx().now }));
      await importForeignComments(state, given);
    }
    await redirects.add(given);
  }
  await redirects.finish();
}
