import { createHash } from 'node:crypto';
import type { Ctx } from '../../../../ctx.ts';
import { deriveId } from '../../../../db/id.ts';
import { planSlugs } from '../../../content/essays/index.ts';
import { planPageSlugs } from '../../../content/site/index.ts';
import { hashContent } from '../formats/content-hash.ts';
import type { ImportedEssay, ImportedPage } from '../formats/types.ts';
import { type FoundSource, listSources, upsertSource } from '../queries/sources.ts';
import { toEssaySlug } from './foreign-essay.ts';
import type { Run } from './run.ts';

type Given = ImportedEssay | ImportedPage;
type Source = Pick<Given, 'sourceId' | 'title'>;

const BATCH_SIZE = 1000;
/** More than a site may have. */
const MAX_PLANNED_PAGES = 500;
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
  /** Looks up the last items, and decides which addresses they will have. */
  close: () => Promise<void>;
  find: (given: Given) => FoundSource | undefined;
  /** Where the essay with this key is or will be; undefined if the archive has no such essay. */
  essayIdOf: (key: string) => string | undefined;
  /** The slug that the essay has or will have; null if none. */
  essaySlugOf: (key: string) => string | null;
  /** The slug that a page will have; undefined if the archive has no such page. */
  pageSlugOf: (key: string) => string | undefined;
  /** Must run in the transaction of the imported item. */
  record: (
    ctx: Ctx,
    given: Given,
    target: { essayId: string; version: number } | { pageId: string },
  ) => Promise<void>;
}

export const isChanged = (found: FoundSource, given: Given): boolean =>
  found.contentHash !== hashContent(given);

export function createSources(run: Run): Sources {
  const found = new Map<string, FoundSource>();
  const ids = new Map<string, string>();
  const slugs = new Map<string, string | null>();
  const claimed = new Set<string>();
  const pages: Pick<Given, 'key' | 'slug' | 'title'>[] = [];
  const pageSlugs = new Map<string, string>();
  let waiting = new Map<string, string>();
  /** Wanted by new essays. */
  let wantedSlugs = new Map<string, string>();

  async function lookUp(): Promise<void> {
    const rows = await listSources(run.ctx().db, [...waiting.keys()]);
    for (const row of rows) {
      const key = waiting.get(row.sourceHash) ?? '';
      if (row.essayId === null) pageSlugs.set(key, row.slug ?? '');
      else {
        ids.set(key, row.essayId);
        slugs.set(key, row.slug);
      }
      // What this run brought before it was interrupted is found by its items.
      if (row.transferId !== run.row.id) found.set(row.sourceHash, row);
    }
    await planEssaySlugs();
    waiting = new Map();
    wantedSlugs = new Map();
  }

  async function planEssaySlugs(): Promise<void> {
    const wanted = [...wantedSlugs].flatMap(([key, slug]) => {
      const id = ids.get(key);
      return slugs.has(key) || id === undefined || claimed.has(slug) ? [] : [[key, id, slug] as const];
    });
    const planned = await planSlugs(run.ctx(), new Map(wanted.map(([, id, slug]) => [id, slug])));
    for (const [key, id, slug] of wanted) {
      if (!planned.has(id)) continue;
      claimed.add(slug);
      slugs.set(key, slug);
    }
  }

  async function close(): Promise<void> {
    await lookUp();
    const newPages = pages.filter(({ key }) => !pageSlugs.has(key));
    const planned = await planPageSlugs(run.ctx(), newPages);
    for (const [i, { key }] of newPages.entries()) pageSlugs.set(key, planned[i] ?? '');
  }

  return {
    async collect(given) {
      // The id is known before the essay is imported, so that essays before it can link to it.
      if (given.kind === 'essay') {
        ids.set(given.key, deriveId(run.row.createdAt.getTime(), `${run.row.id}\n${given.key}`));
        const slug = toEssaySlug(given.slug);
        if (slug !== null) wantedSlugs.set(given.key, slug);
      } else if (pages.length < MAX_PLANNED_PAGES) {
        const { key, slug, title } = given;
        pages.push({ key, slug, title });
      }
      waiting.set(hashSource(given, run.row.authorId), given.key);
      if (waiting.size >= BATCH_SIZE) await lookUp();
    },
    close,
    find: (given) => found.get(hashSource(given, run.row.authorId)),
    essayIdOf: (key) => ids.get(key),
    essaySlugOf: (key) => slugs.get(key) ?? null,
    pageSlugOf: (key) => pageSlugs.get(key),
    record: (ctx, given, target) =>
      upsertSource(ctx.db, {
        sourceHash: hashSource(given, run.row.authorId),
        essayId: null,
        pageId: null,
        transferId: run.row.id,
        contentHash: hashContent(given),
        version: 1,
        ...target,
      }),
  };
}
