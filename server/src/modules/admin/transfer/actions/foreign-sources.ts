import { createHash } from 'node:crypto';
import type { Ctx } from '../../../../ctx.ts';
import { deriveId } from '../../../../db/id.ts';
import { hashContent } from '../formats/content-hash.ts';
import type { ImportedEssay, ImportedPage } from '../formats/types.ts';
import { type FoundSource, listSources, upsertSource } from '../queries/sources.ts';
import type { Run } from './run.ts';

type Given = ImportedEssay | ImportedPage;
type Source = Pick<Given, 'sourceId' | 'title'>;

const BATCH_SIZE = 1000;
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Readers leave the host empty if the archive does not name the site. */
const WITHOUT_HOST = /^\w+::/;

/** Archives that do not name their site are distinguished by the chosen author and the title. */
export function hashSource({ sourceId, title }: Source, authorId: string | null): string {
  return hash(WITHOUT_HOST.test(sourceId) ? `${sourceId}\n${authorId}\n${title}` : sourceId);
}

/** What an archive contains, and what earlier imports brought of it. */
export interface Sources {
  /** Must be called for every item before the others are. */
  collect: (given: Given) => Promise<void>;
  /** Looks up the last items. */
  close: () => Promise<void>;
  find: (given: Given) => FoundSource | undefined;
  /** Where the essay with this key is or will be; undefined if the archive has no such essay. */
  essayIdOf: (key: string) => string | undefined;
  /** Must run in the transaction of the imported item. */
  record: (ctx: Ctx, given: Given, target: { essayId: string } | { pageId: string }) => Promise<void>;
}

export const describeExisting = (found: FoundSource, given: Given): string =>
  found.contentHash === hashContent(given) ? '已存在' : '已存在；原文有改动，本站保留现有的';

export function createSources(run: Run): Sources {
  const found = new Map<string, FoundSource>();
  const ids = new Map<string, string>();
  let waiting = new Map<string, string>();

  async function close(): Promise<void> {
    const rows = await listSources(run.ctx().db, [...waiting.keys()]);
    for (const row of rows) {
      // What this run brought before it was interrupted is found by its items.
      if (row.transferId === run.row.id) continue;
      found.set(row.sourceHash, row);
      const key = waiting.get(row.sourceHash);
      if (key !== undefined && row.essayId !== null) ids.set(key, row.essayId);
    }
    waiting = new Map();
  }

  return {
    async collect(given) {
      // The id is known before the essay is imported, so that essays before it can link to it.
      if (given.kind === 'essay')
        ids.set(given.key, deriveId(run.row.createdAt.getTime(), `${run.row.id}\n${given.key}`));
      waiting.set(hashSource(given, run.row.authorId), given.key);
      if (waiting.size >= BATCH_SIZE) await close();
    },
    close,
    find: (given) => found.get(hashSource(given, run.row.authorId)),
    essayIdOf: (key) => ids.get(key),
    record: (ctx, given, target) =>
      upsertSource(ctx.db, {
        sourceHash: hashSource(given, run.row.authorId),
        essayId: null,
        pageId: null,
        transferId: run.row.id,
        contentHash: hashContent(given),
        ...target,
      }),
  };
}
