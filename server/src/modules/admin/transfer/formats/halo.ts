import { CallError } from '@mozhan/contract/errors.ts';
import { z } from 'zod';
import { DEFAULT_ZONE, parseDate } from './dates.ts';
import { isFields } from './front-matter.ts';
import { applySnapshot, type Snapshot } from './halo-snapshots.ts';
import { isHalo1, readHalo1 } from './halo1.ts';
import { commentToMarkdown, htmlToMarkdown } from './html.ts';
import { createLinkIndex, type LinkIndex, toBaseUrl, toOldUrls } from './links.ts';
import { createFileIndex, decodePath } from './paths.ts';
import { dateValues, encodePathname, fillPattern } from './permalinks.ts';
import { resolveContent, resolveCover } from './references.ts';
import { createSiteCounter } from './site.ts';
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

const text = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((value) => (value === null || value === undefined ? '' : String(value)));
const flag = z.boolean().nullish().catch(null);
const names = z.array(z.string()).nullish().catch(null);
const metadata = z.object({
  name: z.string(),
  creationTimestamp: text,
  deletionTimestamp: text,
  annotations: z.record(z.string(), z.string()).nullish().catch(null),
});
const content = z.object({
  metadata,
  spec: z.object({
    title: text,
    slug: text,
    releaseSnapshot: text,
    headSnapshot: text,
    baseSnapshot: text,
    owner: text,
    cover: text,
    deleted: flag,
    publish: flag,
    publishTime: text,
    pinned: flag,
    allowComment: flag,
    visible: text,
    excerpt: z.object({ raw: text, autoGenerate: flag }).nullish().catch(null),
    categories: names,
    tags: names,
  }),
  status: z
    .object({ permalink: text, lastModifyTime: text, hideFromList: flag, contributors: names })
    .nullish()
    .catch(null),
});
type Content = z.output<typeof content> & { isPage: boolean };
const snapshot = z.object({
  metadata,
  spec: z.object({ rawType: text, rawPatch: text, contentPatch: text }),
});
const term = z.object({ metadata, spec: z.object({ displayName: text, slug: text, hideFromList: flag }) });
const comment = z.object({
  metadata,
  spec: z.object({
    raw: text,
    content: text,
    owner: z
      .object({
        kind: text,
        name: text,
        displayName: text,
        annotations: z.record(z.string(), z.string()).nullish().catch(null),
      })
      .nullish()
      .catch(null),
    creationTime: text,
    approvedTime: text,
    approved: flag,
    hidden: flag,
    subjectRef: z.object({ name: text }).nullish().catch(null),
    commentName: text,
    quoteReply: text,
  }),
});
type Comment = z.output<typeof comment>;
const user = z.object({ metadata, spec: z.object({ displayName: text }) });
const configMap = z.object({ data: z.record(z.string(), z.string()).nullish().catch(null) });

/** A stored record: the path of its kind and name, and its JSON in base64. */
const stored = z.object({ name: z.string(), data: z.string() });

const decode = (data: string): unknown => JSON.parse(Buffer.from(data, 'base64').toString('utf8'));

interface Backup {
  contents: Content[];
  /** Decoded only when they are used. */
  snapshots: Map<string, string>;
  categories: Map<string, z.output<typeof term>>;
  tags: Map<string, z.output<typeof term>>;
  users: Map<string, string>;
  commentsOf: Map<string, Comment[]>;
  repliesOf: Map<string, Comment[]>;
  settings: Map<string, string>;
  damaged: string[];
}

const KIND = /^\/registry\/(?:([^/]+)\/)?([a-z]+)\/([^/]+)$/;

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function addRecord(backup: Backup, kind: string, name: string, data: string): void {
  if (kind === 'snapshots') backup.snapshots.set(name, data);
  if (kind === 'posts' || kind === 'singlepages')
    backup.contents.push({ ...content.parse(decode(data)), isPage: kind === 'singlepages' });
  if (kind === 'categories') backup.categories.set(name, term.parse(decode(data)));
  if (kind === 'tags') backup.tags.set(name, term.parse(decode(data)));
  if (kind === 'users') backup.users.set(name, user.parse(decode(data)).spec.displayName || name);
  if (kind === 'comments') {
    const parsed = comment.parse(decode(data));
    addTo(backup.commentsOf, parsed.spec.subjectRef?.name ?? '', parsed);
  }
  if (kind === 'replies') {
    const parsed = comment.parse(decode(data));
    addTo(backup.repliesOf, parsed.spec.commentName, parsed);
  }
  if (kind === 'configmaps' && (name === 'system' || name === 'system-default'))
    for (const [key, value] of Object.entries(configMap.parse(decode(data)).data ?? {}))
      if (name === 'system' || !backup.settings.has(key)) backup.settings.set(key, value);
}

const USED_KINDS = new Set(
  'posts singlepages snapshots categories tags users comments replies configmaps'.split(' '),
);
const USED_GROUPS = new Set(['', 'content.halo.run']);

function parseBackup(json: string): Backup {
  const records: unknown = JSON.parse(json);
  const backup: Backup = {
    contents: [],
    snapshots: new Map(),
    categories: new Map(),
    tags: new Map(),
    users: new Map(),
    commentsOf: new Map(),
    repliesOf: new Map(),
    settings: new Map(),
    damaged: [],
  };
  for (const record of Array.isArray(records) ? records : []) {
    const parsed = stored.safeParse(record);
    const [, group = '', kind = '', name = ''] = KIND.exec(parsed.data?.name ?? '') ?? [];
    if (!parsed.success || !USED_KINDS.has(kind) || !USED_GROUPS.has(group)) continue;
    try {
      addRecord(backup, kind, name, parsed.data.data);
    } catch {
      if (kind === 'posts' || kind === 'singlepages') backup.damaged.push(parsed.data.name);
    }
  }
  return backup;
}

function getSetting(settings: ReadonlyMap<string, string>, group: string, name: string): string {
  try {
    const values: unknown = JSON.parse(settings.get(group) ?? '{}');
    const value = isFields(values) ? values[name] : '';
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}

function findSnapshot({ snapshots }: Backup, name: string): Snapshot | null {
  const data = snapshots.get(name);
  if (data === undefined) return null;
  const parsed = snapshot.safeParse(decode(data));
  return parsed.success ? parsed.data.spec : null;
}

/** The published version, or the newest one of a draft. */
function convertContent(backup: Backup, { spec }: Content): { content: string; notes: string[] } {
  const name = spec.publish === true ? spec.releaseSnapshot || spec.headSnapshot : spec.headSnapshot;
  const base = findSnapshot(backup, spec.baseSnapshot || name);
  const current = name === spec.baseSnapshot ? base : findSnapshot(backup, name);
  if (base === null || current === null) return { content: '', notes: ['没有找到正文'] };
  const applied = applySnapshot(base, current);
  if (applied === null) return { content: '', notes: ['正文的版本记录已损坏，没有导入'] };
  if (/^markdown$/i.test(current.rawType))
    return { content: applied.raw.replace(/\r\n?/g, '\n').trim(), notes: [] };
  return htmlToMarkdown(applied.content || applied.raw);
}

interface ConversionContext {
  archive: Archive;
  backup: Backup;
  find: (address: string) => string[];
  links: LinkIndex;
  pattern: string;
  basePath: string;
}

function oldUrlsOf({ pattern, basePath, backup }: ConversionContext, each: Content): string[] {
  const {
    spec,
    status,
    metadata: { name },
  } = each;
  const category = backup.categories.get(spec.categories?.[0] ?? '')?.spec.slug ?? 'default';
  const filled = fillPattern(each.isPage ? '/{slug}' : pattern, {
    ...dateValues(parseDate(spec.publishTime), DEFAULT_ZONE),
    slug: spec.slug || null,
    name,
    categoryslug: category,
  });
  const paths = [status?.permalink ?? '', filled ?? ''].filter((path) => path !== '');
  return toOldUrls(
    paths.map((path) => {
      if (/^https?:/.test(path)) return path;
      return path.includes('?') ? basePath + path : encodePathname(basePath + path);
    }),
  );
}

function statusOf({ categories }: Backup, { spec, status }: Content): ImportedStatus {
  if (spec.publish !== true) return 'draft';
  if (spec.visible === 'PRIVATE') return 'private';
  if (spec.visible === 'INTERNAL') return 'members';
  const isHidden = (spec.categories ?? []).some((name) => categories.get(name)?.spec.hideFromList === true);
  return isHidden || status?.hideFromList === true ? 'hidden' : 'published';
}

function toComment(
  { metadata: { name, creationTimestamp }, spec }: Comment,
  parentId: string | null,
): ImportedComment {
  const { owner } = spec;
  return {
    id: name,
    parentId,
    name: owner?.displayName || (owner?.kind === 'Email' ? '' : (owner?.name ?? '')),
    url: owner?.annotations?.website ?? '',
    createdAt: parseDate(spec.creationTime || spec.approvedTime || creationTimestamp),
    status: spec.approved === true && spec.hidden !== true ? 'approved' : 'pending',
    content: commentToMarkdown(spec.content || spec.raw),
  };
}

const commentsOf = ({ commentsOf: of, repliesOf }: Backup, name: string): ImportedComment[] =>
  (of.get(name) ?? [])
    .filter((each) => each.metadata.deletionTimestamp === '')
    .flatMap((each) => [
      toComment(each, null),
      ...(repliesOf.get(each.metadata.name) ?? [])
        .filter((reply) => reply.metadata.deletionTimestamp === '')
        .map((reply) => toComment(reply, reply.spec.quoteReply || each.metadata.name)),
    ]);

function toItem(context: ConversionContext, each: Content): ImportedEssay | ImportedPage {
  const { archive, backup, find, links } = context;
  const { spec, metadata: about } = each;
  const converted = convertContent(backup, each);
  const oldUrls = oldUrlsOf(context, each);
  const references = { archive, find, links, from: oldUrls[0] ?? '', key: about.name };
  const { notes: missing, ...resolved } = resolveContent(converted.content, references);
  const { cover, notes: coverNotes } = resolveCover(spec.cover, references);
  const status = statusOf(backup, each);
  const namesOf = (terms: Backup['tags'], ids: string[] | null | undefined): string[] =>
    (ids ?? []).flatMap((id) => terms.get(id)?.spec.displayName ?? []);
  const displayName = backup.users.get(spec.owner) ?? spec.owner;
  const others = (each.status?.contributors ?? [])
    .filter((name) => name !== spec.owner)
    .map((name) => backup.users.get(name) ?? name);
  return {
    ...resolved,
    kind: each.isPage ? 'page' : 'essay',
    key: about.name,
    sourceId: `halo:${about.name}`,
    section: '',
    title: spec.title.trim(),
    slug: spec.slug,
    summary: spec.excerpt?.autoGenerate === true ? '' : (spec.excerpt?.raw ?? ''),
    tags: namesOf(backup.tags, spec.tags),
    categories: namesOf(backup.categories, spec.categories),
    cover,
    author: spec.owner === '' ? null : { account: spec.owner, displayName },
    authors: spec.owner === '' ? [] : [displayName, ...others],
    status,
    statusReason: STATUS_REASONS[status],
    isPinned: spec.pinned === true,
    commentsClosed: spec.allowComment === false,
    createdAt: parseDate(spec.publishTime || about.creationTimestamp),
    publishedAt:
      status === 'published' || status === 'members'
        ? parseDate(spec.publishTime || about.creationTimestamp)
        : null,
    updatedAt: parseDate(each.status?.lastModifyTime),
    invalidDates: [],
    oldUrls,
    comments: commentsOf(backup, about.name),
    notes: [
      ...(resolved.content === '' && converted.notes.length === 0 ? ['正文是空的'] : []),
      ...coverNotes,
      ...converted.notes,
      ...missing,
    ],
  };
}

/** Local files are in `attachments/upload/…` and served as `/upload/…`. */
export const createHaloFinder = (archive: Archive) => {
  const find = createFileIndex(archive.names(), 'upload/');
  return (address: string): string[] => {
    const plain = `/${decodePath(address)}`;
    const at = plain.indexOf('/upload/');
    return at < 0 ? [] : find(plain.slice(at + '/upload/'.length));
  };
};

function* convertBackup(backup: Backup, archive: Archive): Generator<ImportedItem> {
  const { settings } = backup;
  const siteUrl = toBaseUrl(getSetting(settings, 'basic', 'externalUrl'));
  const context: ConversionContext = {
    archive,
    backup,
    find: createHaloFinder(archive),
    links: createLinkIndex(siteUrl),
    pattern: getSetting(settings, 'routeRules', 'post') || '/archives/{slug}',
    basePath: siteUrl === '' ? '' : new URL(siteUrl).pathname.replace(/\/$/, ''),
  };
  const isDeleted = ({ spec, metadata: { deletionTimestamp } }: Content): boolean =>
    spec.deleted === true || deletionTimestamp !== '';
  for (const each of backup.contents)
    if (!isDeleted(each)) context.links.add(oldUrlsOf(context, each), each.metadata.name);
  const counter = createSiteCounter();
  for (const each of backup.contents) {
    const about = { key: each.metadata.name, title: each.spec.title.trim() };
    const item = isDeleted(each)
      ? { kind: 'skipped' as const, ...about, skipped: '在回收站里，没有导入' }
      : convertSafely({ ...about, content: '' }, () => toItem(context, each));
    counter.add(item);
    yield item;
  }
  for (const name of backup.damaged) yield { kind: 'skipped', key: name, skipped: '这篇文章的格式不对' };
  const { links, basePath } = context;
  yield {
    kind: 'site',
    program: 'halo',
    title: getSetting(settings, 'basic', 'title'),
    owner: '',
    baseUrl: links.baseUrl,
    timeZone: DEFAULT_ZONE,
    feedUrls: ['/rss.xml', '/feed.xml', '/atom.xml'].map((path) => basePath + path),
    sections: [],
    ...counter.list(),
  };
}

const NOT_HALO = '不是 Halo 的备份，或没有下载完整';
const isBackup = (name: string): boolean => /(?:^|\/)extensions\.data$/.test(name);
const listFiles = (archive: Pick<Archive, 'names'>): string[] =>
  archive
    .names()
    .filter((name) => isBackup(name) || (/\.json$/i.test(name) && !name.startsWith('__MACOSX/')));

/** Reads a backup of Halo 2, with `extensions.data` and the working folder, or the JSON export of Halo 1. */
export const halo: Format = {
  async detect(upload) {
    const files = listFiles(upload);
    if (files.some(isBackup)) return true;
    for (const name of files.slice(0, 5)) {
      const start = await upload.readStart(name);
      if (start.includes('"/registry/') || isHalo1(start)) return true;
    }
    return false;
  },
  async *read(archive): AsyncGenerator<ImportedItem> {
    const files = listFiles(archive);
    // A backup also contains the JSON files of themes and plugins.
    const backups = files.some(isBackup) ? files.filter(isBackup) : files;
    for (const name of backups) {
      try {
        const json = (await archive.readText(name)).replace(/^\uFEFF/, '');
        if (json.trimStart().startsWith('[')) yield* convertBackup(parseBackup(json), archive);
        else yield* readHalo1(json, archive, createHaloFinder(archive));
      } catch (error) {
        if (!(error instanceof CallError || error instanceof SyntaxError || error instanceof z.ZodError))
          throw error;
        yield { kind: 'skipped', key: name, skipped: error instanceof CallError ? error.message : NOT_HALO };
      }
    }
  },
};
