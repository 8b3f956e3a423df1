/** Counts of exports that are one text: XML, JSON or SQL. */
import { addPictures, emptyCounts, type SourceCounts, type SourceFiles, textOf } from './source.ts';

const CDATA = /^<!\[CDATA\[|\]\]>$/g;
const plain = (value: string | undefined): string => (value ?? '').trim().replace(CDATA, '');
const field = (item: string, name: string): string => {
  const from = item.indexOf(`<${name}>`);
  return from < 0 ? '' : plain(item.slice(from + name.length + 2, item.indexOf(`</${name}>`, from)));
};
const toPath = (address: string): string => {
  const { pathname, search } = new URL(address, 'http://site.invalid');
  return pathname.replace(/^\/{2,}/, '/') + search;
};

const isRealComment = (comment: string): boolean =>
  !/<wp:comment_type>(?:<!\[CDATA\[)?(?:pingback|trackback)/.test(comment) &&
  !/<wp:comment_approved>(?:<!\[CDATA\[)?(?:spam|trash|post-trashed)/.test(comment);

function addTerms(counts: SourceCounts, item: string): void {
  const lists: Record<string, string[]> = { post_tag: [], category: [] };
  for (const [, domain, name] of item.matchAll(/<category domain="(\w+)"[^>]*>([^\n]*?)<\/category>/g)) {
    if (domain === 'category') counts.categories.add(plain(name));
    if (domain === 'post_tag') counts.tags.add(plain(name));
    lists[domain ?? '']?.push(plain(name));
  }
  counts.tagLists.push(Object.values(lists).flat());
}

const itemsOf = (files: SourceFiles, name: string): string[] => textOf(files, name).split('<item>').slice(1);

/** A large site is exported as several files. */
export function countWordPress(files: SourceFiles, names: readonly string[]): SourceCounts {
  const counts = emptyCounts('wordpress');
  for (const item of names.flatMap((name) => itemsOf(files, name))) {
    const type = field(item, 'wp:post_type');
    const status = field(item, 'wp:status');
    if ((type !== 'post' && type !== 'page') || status === 'trash' || status === 'auto-draft') continue;
    const title = field(item, 'title');
    (type === 'post' ? counts.essays : counts.pages).push(title);
    if (status !== 'publish' || field(item, 'wp:post_password') !== '') counts.hidden.push(title);
    addPictures(counts, field(item, 'content:encoded'));
    const link = field(item, 'link');
    if (link !== '') counts.urls.add(toPath(link));
    if (type === 'page') continue;
    counts.authors.add(field(item, 'dc:creator'));
    addTerms(counts, item);
    if (item.includes('_thumbnail_id')) counts.covers += 1;
    counts.comments += item.split('<wp:comment>').slice(1).filter(isRealComment).length;
  }
  return counts;
}

interface GhostData {
  posts: Record<string, unknown>[];
  comments?: unknown[];
  tags?: { id: unknown; name: string }[];
  posts_tags?: { post_id: unknown; tag_id: unknown }[];
}

export function countGhost(files: SourceFiles, [name = '']: readonly string[]): SourceCounts {
  const counts = emptyCounts('ghost');
  const parsed = JSON.parse(textOf(files, name));
  const data = (parsed.db?.[0]?.data ?? parsed.data) as GhostData;
  const isPage = (post: Record<string, unknown>) =>
    post.type === 'page' || post.page === 1 || post.page === true;
  for (const post of data.posts) {
    const title = String(post.title);
    (isPage(post) ? counts.pages : counts.essays).push(title);
    if (post.status !== 'published' || (post.visibility ?? 'public') !== 'public') counts.hidden.push(title);
    addPictures(counts, String(post.html ?? post.markdown ?? '').replaceAll('__GHOST_URL__', ''));
    counts.urls.add(`/${post.slug}/`);
    if (isPage(post)) continue;
    if (typeof (post.feature_image ?? post.image) === 'string' && (post.feature_image ?? post.image) !== '')
      counts.covers += 1;
    counts.authors.add(String(post.author_id ?? post.created_by ?? ''));
  }
  const essayIds = new Set(data.posts.filter((post) => !isPage(post)).map(({ id }) => String(id)));
  const used = (data.posts_tags ?? []).filter(({ post_id }) => essayIds.has(String(post_id)));
  const names = new Map((data.tags ?? []).map(({ id, name }) => [String(id), name]));
  for (const { tag_id } of used) counts.tags.add(names.get(String(tag_id)) ?? '');
  for (const id of essayIds)
    counts.tagLists.push(
      used.flatMap(({ post_id, tag_id }) =>
        String(post_id) === id ? [names.get(String(tag_id)) ?? ''] : [],
      ),
    );
  counts.comments = data.comments?.length ?? 0;
  return counts;
}

interface HaloObject {
  metadata: { deletionTimestamp?: string };
  spec: Record<string, unknown>;
  status?: { permalink?: string };
}

export function countHalo(files: SourceFiles, [name = '']: readonly string[]): SourceCounts {
  const counts = emptyCounts('halo');
  const rows = JSON.parse(textOf(files, name)) as { name: string; data: string }[];
  const list = (kind: string): HaloObject[] =>
    rows
      .filter((row) => row.name.includes(`/${kind}/`))
      .map((row): HaloObject => JSON.parse(Buffer.from(row.data, 'base64').toString()))
      .filter(({ metadata, spec }) => metadata.deletionTimestamp === undefined && spec.deleted !== true);
  for (const [kind, titles] of [
    ['posts', counts.essays],
    ['singlepages', counts.pages],
  ] as const)
    for (const { spec, status } of list(kind)) {
      titles.push(String(spec.title));
      if (spec.publish !== true || (spec.visible ?? 'PUBLIC') !== 'PUBLIC')
        counts.hidden.push(String(spec.title));
      if (status?.permalink !== undefined) counts.urls.add(toPath(status.permalink));
      if (kind !== 'posts') continue;
      if (typeof spec.cover === 'string' && spec.cover !== '') counts.covers += 1;
      counts.authors.add(String(spec.owner));
      for (const id of (spec.categories ?? []) as string[]) counts.categories.add(id);
      for (const id of (spec.tags ?? []) as string[]) counts.tags.add(id);
    }
  const ofPosts = list('comments').filter(
    ({ spec }) => (spec.subjectRef as { kind: string }).kind === 'Post',
  );
  counts.comments = ofPosts.length + list('replies').length;
  for (const { spec } of list('snapshots')) addPictures(counts, String(spec.rawPatch ?? ''));
  return counts;
}

const CONTENT_ROW = /'(post|page)',\s*'(publish|hidden|private|waiting|password)'/g;
const DRAFT_ROW = /'(post_draft|page_draft)',\s*'\w+'/g;
const COMMENT_ROW = /'comment',\s*'(?:approved|waiting)'/g;
const META_ROW = /\(\d+,\s*'([^']*)',\s*(?:'[^']*'|NULL),\s*'(category|tag)'/g;

/** Drafts of published posts are counted too; Typecho stores them as rows of their own. */
export function countTypecho(files: SourceFiles, [name = '']: readonly string[]): SourceCounts {
  const counts = emptyCounts('typecho');
  const sql = textOf(files, name).replaceAll('`', '');
  for (const [row, type, status] of [...sql.matchAll(CONTENT_ROW), ...sql.matchAll(DRAFT_ROW)]) {
    (type?.startsWith('post') ? counts.essays : counts.pages).push(row);
    if (status !== 'publish') counts.hidden.push(row);
  }
  counts.comments = [...sql.matchAll(COMMENT_ROW)].length;
  for (const [, meta = '', type] of sql.matchAll(META_ROW))
    (type === 'category' ? counts.categories : counts.tags).add(meta);
  addPictures(counts, sql.replaceAll('\\r\\n', '\n').replaceAll('\\n', '\n').replaceAll('\\"', '"'));
  return counts;
}
