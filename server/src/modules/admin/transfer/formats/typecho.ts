import { CallError } from '@mozhan/contract/errors.ts';
import { DEFAULT_ZONE, parseDate } from './dates.ts';
import { commentToMarkdown, htmlToMarkdown } from './html.ts';
import { createLinkIndex, hostOf, type LinkIndex, toBaseUrl, toOldUrls } from './links.ts';
import { createFileIndex, decodePath } from './paths.ts';
import { dateValues, encodePathname, fillPattern } from './permalinks.ts';
import { resolveContent, resolveCover } from './references.ts';
import { createSiteCounter } from './site.ts';
import { readSqlDump, type SqlRow } from './sql-dump.ts';
import { STATUS_REASONS } from './status.ts';
import {
  type Archive,
  convertSafely,
  type Format,
  type ImportedComment,
  type ImportedEssay,
  type ImportedItem,
  type ImportedPage,
  type ImportedStatus,
} from './types.ts';

const TABLES = ['contents', 'metas', 'relationships', 'comments', 'users', 'fields', 'options'] as const;
type Tables = Record<(typeof TABLES)[number], SqlRow[]>;

const listSqlFiles = (archive: Pick<Archive, 'names'>): string[] =>
  archive.names().filter((name) => /\.sql$/i.test(name) && !name.startsWith('__MACOSX/'));

const TABLE_NAME = /^(.*?)(contents|metas|relationships|comments|users|fields|options)$/;
/** Without the e-mail and IP address. */
const PRIVATE_COLUMNS = ['mail', 'ip', 'agent'];

/** The tables have any prefix; that of a table with Typecho's columns counts. */
function readTables(text: string): Tables | null {
  const byPrefix = new Map<string, Tables>();
  const createTables = (): Tables =>
    Object.fromEntries(TABLES.map((name) => [name, [] as SqlRow[]])) as Tables;
  for (const { table, row } of readSqlDump(text, (name) => TABLE_NAME.test(name))) {
    const [, prefix = '', name = ''] = TABLE_NAME.exec(table) ?? [];
    const tables = byPrefix.get(prefix) ?? createTables();
    byPrefix.set(prefix, tables);
    const { uid = '', name: account = '', screenName = '' } = row;
    const kept = Object.entries(row).filter(([column]) => !PRIVATE_COLUMNS.includes(column));
    tables[name as keyof Tables].push(
      name === 'users' ? { uid, name: account, screenName } : Object.fromEntries(kept),
    );
  }
  const isTypecho = ({ contents }: Tables): boolean =>
    contents.some(({ cid, authorId }) => cid !== undefined && authorId !== undefined);
  return [...byPrefix.values()].find(isTypecho) ?? null;
}

/** The pattern of a route: `s:4:"post";a:3:{s:3:"url";s:24:"/archives/[cid:digital]/"`, or the same as JSON. */
function routeOf(table: string, name: string, fallback: string): string {
  const mark = `"${name}"`;
  for (let at = table.indexOf(mark); at >= 0; at = table.indexOf(mark, at + 1)) {
    const found = /^"\w+"[;:][^"]*"url"[;:](?:s:\d+:)?"([^"]*)"/.exec(table.slice(at, at + 500))?.[1];
    if (found !== undefined) return found.replaceAll('\\/', '/');
  }
  return fallback;
}

const group = (list: readonly SqlRow[], column: string): Map<string, SqlRow[]> =>
  Map.groupBy(list, (row) => row[column] ?? '');

interface ConversionContext {
  archive: Archive;
  find: (address: string) => string[];
  links: LinkIndex;
  metas: ReadonlyMap<string, SqlRow>;
  relations: ReadonlyMap<string, SqlRow[]>;
  fields: ReadonlyMap<string, SqlRow[]>;
  comments: ReadonlyMap<string, SqlRow[]>;
  users: ReadonlyMap<string, SqlRow>;
  pinned: ReadonlySet<string>;
  routes: { post: string; page: string };
  basePath: string;
  zone: string;
}

const isPage = ({ type = '' }: SqlRow): boolean => /^page/.test(type);
const keyOf = ({ cid = '' }: SqlRow): string => cid;
const namesOf = ({ relations, metas }: ConversionContext, row: SqlRow, type: string): SqlRow[] =>
  (relations.get(keyOf(row)) ?? [])
    .flatMap(({ mid = '' }): SqlRow[] => {
      const meta = metas.get(mid);
      return meta === undefined ? [] : [meta];
    })
    .filter((meta) => meta.type === type);

function oldUrlsOf(context: ConversionContext, row: SqlRow): string[] {
  const { routes, basePath, zone } = context;
  const category = namesOf(context, row, 'category')[0]?.slug ?? null;
  const path = fillPattern(isPage(row) ? routes.page : routes.post, {
    ...dateValues(parseDate(row.created), zone),
    cid: keyOf(row),
    slug: row.slug || null,
    category,
    directory: category,
  });
  if (path === null) return [];
  // Without a rewriting web server, addresses contain the program's name.
  return toOldUrls([`${basePath}${path}`, `${basePath}/index.php${path}`].map(encodePathname));
}

/** A draft with a parent is a newer version of a published item. */
function skipReason({ type = '', parent = '0', title = '', text = '' }: SqlRow): string | null {
  if (/_draft$/.test(type) && parent !== '0' && parent !== '') return '已发布文章没有发布的修改，没有导入';
  if (type === 'revision') return '旧版本，没有导入';
  if (!/^(?:post|page)(?:_draft)?$/.test(type)) return `「${type}」类型的内容，没有导入`;
  return title.trim() === '' && text.trim() === '' ? '没有标题也没有正文，没有导入' : null;
}

function statusOf({ type = '', status = '', password = '' }: SqlRow): {
  status: ImportedStatus;
  statusReason: string;
} {
  const decide = (value: ImportedStatus, statusReason = STATUS_REASONS[value]) => ({
    status: value,
    statusReason,
  });
  if (password !== '') return decide('password');
  if (status === 'private') return decide('private');
  if (status === 'hidden') return decide('hidden');
  if (status === 'waiting') return decide('draft', '原文还在等待审核，作为草稿导入');
  return decide(/_draft$/.test(type) || status !== 'publish' ? 'draft' : 'published');
}

function commentsOf(
  { comments }: ConversionContext,
  row: SqlRow,
): { comments: ImportedComment[]; notes: string[] } {
  const all = (comments.get(keyOf(row)) ?? []).filter(({ type = 'comment' }) => type === 'comment');
  const kept = all.filter(({ status }) => status === 'approved' || status === 'waiting');
  return {
    comments: kept.map((comment) => ({
      id: comment.coid ?? '',
      parentId: (comment.parent ?? '').replace(/^0$/, '') || null,
      name: comment.author ?? '',
      url: comment.url ?? '',
      createdAt: parseDate(comment.created),
      status: comment.status === 'approved' ? 'approved' : 'pending',
      content: commentToMarkdown(comment.text ?? ''),
    })),
    notes: all.length > kept.length ? [`${all.length - kept.length} 条垃圾评论没有导入`] : [],
  };
}

const COVER_FIELDS =
  /^(?:thumb|thumbnail|thumbUrl|cover|coverImg|banner|bannerimg|image|img|pic|headimg|featured_image|og_image)$/i;
const SUMMARY_FIELDS = /^(?:summary|excerpt|description|customSummary|desc)$/i;
const fieldOf = ({ fields }: ConversionContext, row: SqlRow, pattern: RegExp): string =>
  (fields.get(keyOf(row)) ?? [])
    .find(({ name = '', str_value = '' }) => pattern.test(name) && str_value !== '')
    ?.str_value?.trim() ?? '';

const MARKDOWN_MARK = '<!--markdown-->';

function toItem(context: ConversionContext, row: SqlRow): ImportedEssay | ImportedPage {
  const { archive, find, links, users } = context;
  const text = (row.text ?? '').replace(/\r\n?/g, '\n');
  const converted = text.startsWith(MARKDOWN_MARK)
    ? {
        content: text
          .slice(MARKDOWN_MARK.length)
          .replace(/<!--more-->/g, '')
          .trim(),
        notes: [],
      }
    : htmlToMarkdown(text);
  const oldUrls = oldUrlsOf(context, row);
  const references = { archive, find, links, from: oldUrls[0] ?? '', key: keyOf(row) };
  const { notes: missing, ...resolved } = resolveContent(converted.content, references);
  const { cover, notes: coverNotes } = resolveCover(fieldOf(context, row, COVER_FIELDS), references);
  const decided = statusOf(row);
  const user = users.get(row.authorId ?? '');
  const displayName = user?.screenName || user?.name || '';
  const comments = commentsOf(context, row);
  const createdAt = parseDate(row.created);
  return {
    ...resolved,
    ...decided,
    kind: isPage(row) ? 'page' : 'essay',
    key: keyOf(row),
    sourceId: `typecho:${hostOf(links.baseUrl)}:${keyOf(row)}`,
    section: '',
    title: (row.title ?? '').trim(),
    slug: row.slug === keyOf(row) ? '' : (row.slug ?? ''),
    summary: fieldOf(context, row, SUMMARY_FIELDS),
    tags: namesOf(context, row, 'tag').map(({ name = '' }) => name),
    categories: namesOf(context, row, 'category').map(({ name = '' }) => name),
    cover,
    author: displayName === '' ? null : { account: user?.name || displayName, displayName },
    authors: displayName === '' ? [] : [displayName],
    isPinned: context.pinned.has(keyOf(row)),
    commentsClosed: row.allowComment === '0',
    createdAt,
    publishedAt: decided.status === 'published' ? createdAt : null,
    updatedAt: parseDate(row.modified),
    invalidDates: [],
    oldUrls,
    comments: comments.comments,
    notes: [
      ...(resolved.content === '' ? ['正文是空的'] : []),
      ...coverNotes,
      ...converted.notes,
      ...missing,
      ...comments.notes,
    ],
  };
}

/** `28800` seconds east of UTC. */
function zoneOf(seconds: string): string {
  const minutes = Math.round(Number(seconds) / 60);
  if (!Number.isInteger(minutes) || seconds === '' || Math.abs(minutes) > 14 * 60) return DEFAULT_ZONE;
  if (minutes === 480) return DEFAULT_ZONE;
  const two = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function createContext(tables: Tables, archive: Archive): { context: ConversionContext; title: string } {
  const options = new Map(tables.options.map(({ name = '', value = '' }) => [name, value]));
  const baseUrl = toBaseUrl(options.get('siteUrl') ?? '');
  const routes = options.get('routingTable') ?? '';
  const sticky = [...options.values()].flatMap(
    (value) =>
      /sticky(?:_cids|Cids)?"[;:](?:s:\d+:)?"([\d,，| ]*)"/i.exec(value.slice(0, 100_000))?.[1] ?? [],
  );
  const findUpload = createFileIndex(archive.names(), 'uploads/');
  const context: ConversionContext = {
    archive,
    find: (address) => {
      const plain = `/${decodePath(address)}`;
      const at = plain.indexOf('/uploads/');
      return at < 0 ? [] : findUpload(plain.slice(at + '/uploads/'.length));
    },
    links: createLinkIndex(baseUrl),
    metas: new Map(tables.metas.map((meta) => [meta.mid ?? '', meta])),
    relations: group(tables.relationships, 'cid'),
    fields: group(tables.fields, 'cid'),
    comments: group(tables.comments, 'cid'),
    users: new Map(tables.users.map((user) => [user.uid ?? '', user])),
    pinned: new Set(sticky.flatMap((ids) => ids.split(/[^\d]+/)).filter((id) => id !== '')),
    routes: {
      post: routeOf(routes, 'post', '/archives/[cid:digital]/'),
      page: routeOf(routes, 'page', '/[slug].html'),
    },
    basePath: baseUrl === '' ? '' : new URL(baseUrl).pathname.replace(/\/$/, ''),
    zone: zoneOf(options.get('timezone') ?? ''),
  };
  return { context, title: options.get('title') ?? '' };
}

function* convertTables(tables: Tables, archive: Archive): Generator<ImportedItem> {
  const { context, title } = createContext(tables, archive);
  const contents = tables.contents.filter(({ type }) => type !== 'attachment');
  for (const row of contents)
    if (skipReason(row) === null) context.links.add(oldUrlsOf(context, row), keyOf(row));
  const counter = createSiteCounter();
  for (const row of contents) {
    const reason = skipReason(row);
    const about = { key: keyOf(row), title: (row.title ?? '').trim() };
    const item =
      reason === null
        ? convertSafely({ ...about, content: row.text ?? '' }, () => toItem(context, row))
        : { kind: 'skipped' as const, ...about, skipped: reason };
    counter.add(item);
    yield item;
  }
  const { links, basePath, zone } = context;
  yield {
    kind: 'site',
    program: 'typecho',
    title,
    owner: '',
    baseUrl: links.baseUrl,
    timeZone: zone,
    feedUrls: ['/feed/', '/index.php/feed/', '/feed/atom/', '/feed/rss/'].map((path) => basePath + path),
    sections: [],
    ...counter.list(),
  };
}

const NOT_TYPECHO = '不是 Typecho 的数据库备份，或没有下载完整';

/** Reads a dump of Typecho's database; a ZIP may also contain the files in `usr/uploads`. */
export const typecho: Format = {
  async detect(upload) {
    for (const name of listSqlFiles(upload).slice(0, 5))
      if (/\bcoid\b|\ballowFeed\b|typecho_/.test(await upload.readStart(name))) return true;
    return false;
  },
  async *read(archive): AsyncGenerator<ImportedItem> {
    for (const name of listSqlFiles(archive)) {
      let tables: Tables | null = null;
      try {
        tables = readTables(await archive.readText(name));
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        yield { kind: 'skipped', key: name, skipped: error.message };
        continue;
      }
      if (tables === null) yield { kind: 'skipped', key: name, skipped: NOT_TYPECHO };
      else yield* convertTables(tables, archive);
    }
  },
};
