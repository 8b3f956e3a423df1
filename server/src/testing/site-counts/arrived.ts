/** What an import brought, from the tables, and what its report says. */
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { SourceCounts } from './source.ts';

type Query = (text: string, values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;

export interface Arrived {
  essays: { id: string; title: string; status: number }[];
  pages: { title: string; published: boolean }[];
  /** Names of pictures of the archive that were stored. */
  pictures: string[];
  remotePictures: string[];
  covers: number;
  comments: number;
  authors: number;
  tags: string[];
  categories: number;
  redirects: { path: string; essayId: string | null; target: string | null }[];
  items: { kind: string; outcome: string; title: string; note: string }[];
}

export async function readArrived(query: Query, transferId: string): Promise<Arrived> {
  const all = async <T>(text: string) => (await query(text, [transferId])).rows as T[];
  const essays = `from imported_sources s join essays e on e.id = s.essay_id where s.transfer_id = $1`;
  const [counts] = await all<{ covers: number; authors: number; categories: number }>(
    `select count(distinct e.author_id)::int as authors, count(distinct e.category_id)::int as categories,
       count(*) filter (where e.cover <> '' or exists (
         select from remote_picture_uses u where u.essay_id = e.id and u.is_cover))::int as covers ${essays}`,
  );
  return {
    essays: await all(`select e.id, e.title, e.status ${essays}`),
    pages: await all('select title, published from pages where transfer_id = $1'),
    pictures: (
      await all<{ title: string }>(
        `select distinct title from transfer_items where transfer_id = $1 and kind = 'file' and outcome = 'created'`,
      )
    ).map(({ title }) => title),
    remotePictures: (
      await all<{ url: string }>('select url from remote_pictures where transfer_id = $1')
    ).map(({ url }) => url),
    covers: counts?.covers ?? 0,
    authors: counts?.authors ?? 0,
    categories: counts?.categories ?? 0,
    comments: (await all('select 1 from imported_comments where transfer_id = $1')).length,
    tags: (await all<{ tag: string }>(`select distinct unnest(e.tags) as tag ${essays}`)).map(
      ({ tag }) => tag,
    ),
    redirects: await all(
      `select path || case when query = '' then '' else '?' || query end as path, essay_id as "essayId", target
       from redirects where transfer_id = $1`,
    ),
    items: await all(
      'select kind, outcome, title, note from transfer_items where transfer_id = $1 order by seq',
    ),
  };
}

export interface Line {
  what: string;
  source: number;
  arrived: number;
  /** Named in the report as not imported, or not found. */
  reported: number;
}

const countNotes = (arrived: Arrived, pattern: RegExp): number =>
  arrived.items.reduce((sum, { note }) => sum + [...note.matchAll(pattern)].length, 0);

const sumNotes = (arrived: Arrived, pattern: RegExp): number =>
  arrived.items.reduce(
    (sum, { note }) => sum + [...note.matchAll(pattern)].reduce((all, [, n]) => all + Number(n), 0),
    0,
  );

const MAX_TAGS = 5;

/** Names that are not among the first tags of any essay; the report says of each essay that they were cut off. */
function countCutTags({ tagLists }: SourceCounts): number {
  const kept = new Set(tagLists.flatMap((list) => list.slice(0, MAX_TAGS)));
  return new Set(tagLists.flat()).difference(kept).size;
}

export function compareCounts(source: SourceCounts, arrived: Arrived): Line[] {
  const skipped = (kind: string): number =>
    arrived.items.filter((item) => item.kind === kind && item.outcome === 'skipped').length;
  const drafts =
    arrived.essays.filter(({ status }) => status !== ESSAY_STATUS.onShelf).length +
    arrived.pages.filter(({ published }) => !published).length;
  return [
    {
      what: 'essays',
      source: source.essays.length,
      arrived: arrived.essays.length,
      reported: skipped('essay'),
    },
    { what: 'pages', source: source.pages.length, arrived: arrived.pages.length, reported: skipped('page') },
    { what: 'not public', source: source.hidden.length, arrived: drafts, reported: 0 },
    {
      what: 'pictures in the archive',
      source: source.pictures.size,
      arrived: arrived.pictures.length,
      reported: skipped('file') + countNotes(arrived, /没有找到(?:图片|文件)/g),
    },
    {
      what: 'pictures on other hosts',
      source: source.remotePictures.size,
      arrived: arrived.remotePictures.length,
      reported: 0,
    },
    {
      what: 'covers',
      source: source.covers,
      arrived: arrived.covers,
      reported: countNotes(
        { ...arrived, items: arrived.items.filter(({ kind }) => kind === 'essay') },
        /没有找到封面/g,
      ),
    },
    {
      what: 'comments',
      source: source.comments,
      arrived: arrived.comments,
      reported: sumNotes(arrived, /(\d+) 条没有导入/g),
    },
    { what: 'authors', source: source.authors.size, arrived: arrived.authors, reported: 0 },
    {
      what: 'tags and categories',
      source: new Set([...source.tags, ...source.categories]).size,
      arrived: arrived.tags.length,
      reported: countCutTags(source),
    },
    { what: 'redirects', source: source.urls.size, arrived: arrived.redirects.length, reported: 0 },
  ];
}
