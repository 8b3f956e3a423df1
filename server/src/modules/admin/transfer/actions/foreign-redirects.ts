import { pagePath } from '@mozhan/contract/page-address.ts';
import { importRedirects } from '../../../content/redirects/index.ts';
import type { ImportedEssay, ImportedPage, ImportedSite } from '../formats/types.ts';
import { pageKey } from './foreign-page.ts';
import { findImportedEssay } from './import-essay.ts';
import { type ImportState, importItem, withRetries } from './import-state.ts';
import { toItemKey } from './run.ts';

const BATCH_SIZE = 500;
const ITEM = { key: 'redirects', kind: 'redirect', title: '旧网址' } as const;
const FEED_PATH = '/feed.xml';

type Row = Parameters<typeof importRedirects>[1]['rows'][number];

interface RedirectImport {
  addRow: (row: Row) => Promise<void>;
  /** Must be called after the item was imported. */
  add: (given: ImportedEssay | ImportedPage | ImportedSite) => Promise<void>;
  /** Records the counts. */
  finish: () => Promise<void>;
}

function toDestination(
  state: ImportState,
  given: ImportedEssay | ImportedPage,
): { essayId: string } | { target: string } | null {
  if (given.kind === 'essay') {
    const essayId = findImportedEssay(state, given.key);
    return essayId === undefined ? null : { essayId };
  }
  const slug = state.pages.get(toItemKey(pageKey(given.key)));
  return slug === undefined ? null : { target: pagePath(slug) };
}

/**
 * Old addresses lead to what was imported. A run that goes on after an interruption stores all of them again, which
 * changes nothing, so that their counts are complete.
 */
export function createRedirectImport(state: ImportState): RedirectImport {
  const { run, before } = state;
  const isDone = before.has(ITEM.key);
  const seen = new Set<string>();
  const reasons = new Map<string, number>();
  let rows: Row[] = [];
  let stored = 0;

  async function flush(): Promise<void> {
    if (rows.length === 0) return;
    run.throwIfStopped();
    const batch = rows;
    rows = [];
    const { added, updated, skipped } = await withRetries(run, () =>
      importRedirects(run.ctx(), { transferId: run.row.id, rows: batch }),
    );
    stored += added + updated;
    for (const { reason } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }

  async function addRow(row: Row): Promise<void> {
    if (isDone || seen.has(row.path)) return;
    seen.add(row.path);
    rows.push(row);
    if (rows.length >= BATCH_SIZE) await flush();
  }

  return {
    addRow,
    async add(given) {
      const destination = given.kind === 'site' ? { target: FEED_PATH } : toDestination(state, given);
      if (destination === null) return;
      const urls = given.kind === 'site' ? given.feedUrls : given.oldUrls;
      for (const path of urls) if (path !== FEED_PATH) await addRow({ path, ...destination });
    },
    async finish() {
      if (isDone) return;
      await flush();
      if (seen.size === 0) return;
      const work = async (ctx: ReturnType<typeof run.ctx>) => {
        const counts = [...reasons].map(([reason, count]) => `${count} 条没有建：${reason}`);
        if (stored > 0) counts.unshift(`${stored} 条旧网址会跳转到新的网址`);
        const note = counts.join('；');
        await run.recordItem(ctx, { ...ITEM, outcome: stored > 0 ? 'created' : 'skipped', note });
      };
      await importItem(state, ITEM, work, 0);
    },
  };
}
