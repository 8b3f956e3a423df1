import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Ctx } from '../../../../ctx.ts';
import { FileMissing } from '../../../../files/files.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { toFileName } from '../../../platform/uploads/index.ts';
import {
  FORMAT,
  formatDocument,
  listRelativePaths,
  toJsonLines,
  toRelativePaths,
  toStateName,
  VERSION,
} from '../documents.ts';
import * as queries from '../queries/contents.ts';
import type { ZipFile } from '../zip/write.ts';
import { listThreads } from './export-comments.ts';
import { exportFrame } from './export-frame.ts';

/** Small, because texts are long. */
const ESSAY_BATCH_SIZE = 10;
const BATCH_SIZE = 200;

interface ExportOptions {
  authorId: string | null;
  onEssay: () => void;
  /** Called for a missing file, with the title of the content that uses it. */
  onMissing: (name: string, title: string) => Promise<void>;
}

interface ExportState extends ExportOptions {
  ctx: Ctx;
  counts: Record<
    | 'essays'
    | 'drafts'
    | 'pictures'
    | 'attachments'
    | 'authors'
    | 'columns'
    | 'categories'
    | 'pages'
    | 'comments'
    | 'redirects',
    number
  >;
  exportedNames: Set<string>;
  essayIds: string[];
}

async function* readInBatches<Row>(
  list: (after: string | null) => Promise<Row[]>,
  idOf: (row: Row) => string,
): AsyncGenerator<Row> {
  let after: string | null = null;
  for (;;) {
    const rows: Row[] = await list(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = idOf(last);
  }
}

async function* exportFile(
  state: ExportState,
  name: string,
  path: string,
  title: string,
): AsyncGenerator<ZipFile> {
  if (state.exportedNames.has(name)) return;
  state.exportedNames.add(name);
  const { files } = state.ctx.services;
  try {
    yield { name, modified: state.ctx.now, content: await files.readBuffer(path), isCompressed: true };
    state.counts[name.startsWith('files/') ? 'pictures' : 'attachments'] += 1;
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    await state.onMissing(name, title);
  }
}

async function* exportPictures(
  state: ExportState,
  title: string,
  ...texts: string[]
): AsyncGenerator<ZipFile> {
  for (const name of texts.flatMap((text) => listRelativePaths(toRelativePaths(text))))
    yield* exportFile(state, name, `/${name}`, title);
}

const toDocumentFile = (name: string, modified: Date, head: object, content: string): ZipFile => ({
  name,
  modified,
  content: Buffer.from(formatDocument(head, toRelativePaths(content))),
});

const toJsonFile = ({ ctx }: ExportState, name: string, records: AsyncIterable<object>): ZipFile => ({
  name,
  modified: ctx.now,
  content: toJsonLines(records),
});

type Fields = queries.ExportedEssay['base']['fields'];
type AttachmentFiles = Map<string, { path: string; name: string }>;

async function listAttachmentFiles({ ctx }: ExportState, ...fields: Fields[]): Promise<AttachmentFiles> {
  const ids = [...new Set(fields.flatMap(({ attachments }) => attachments))];
  const files = ids.length === 0 ? [] : await queries.listFiles(ctx.db, ids);
  return new Map(
    files.map(({ id, path, name }) => [id, { path, name: `attachments/${id}/${toFileName(name)}` }]),
  );
}

/** Replaces ids by names that are valid on other sites. */
async function toSettings(
  { ctx }: ExportState,
  fields: Fields,
  slugs: Map<string, string>,
  attached: AttachmentFiles,
) {
  const column = fields.columnId === null ? null : await queries.findColumnName(ctx.db, fields.columnId);
  return {
    title: fields.title,
    summary: fields.summary,
    category: slugs.get(fields.categoryId ?? '') ?? null,
    tags: fields.tags,
    cover: toRelativePaths(fields.cover),
    shareCover: toRelativePaths(fields.shareCover),
    price: fields.price,
    memberFree: fields.memberFree,
    previewPercent: fields.previewPercent,
    allowComment: fields.allowComment,
    declaration: fields.declaration,
    source: fields.source,
    column,
    columnId: column === null ? null : fields.columnId,
    attachments: fields.attachments.flatMap((id) => attached.get(id)?.name ?? []).map((name) => `../${name}`),
    scheduledAt: fields.scheduledAt,
  };
}

async function* exportEssay(
  state: ExportState,
  { essay, base, newest, account, reason }: queries.ExportedEssay,
  slugs: Map<string, string>,
): AsyncGenerator<ZipFile> {
  const attached = await listAttachmentFiles(state, base.fields, newest.fields);
  const head = {
    id: essay.id,
    ...(essay.slug === null ? {} : { slug: essay.slug }),
    author: account,
    status: toStateName(essay.status),
    ...(reason ? { reason } : {}),
    ...(essay.offByStaff ? { offByStaff: true } : {}),
    ...(await toSettings(state, base.fields, slugs, attached)),
    columnSort: essay.columnSort,
    ...(essay.authorPin === null ? {} : { authorPin: essay.authorPin }),
    ...(essay.sitePin === null ? {} : { sitePin: essay.sitePin }),
    region: essay.region,
    createdAt: essay.createdAt.toISOString(),
    publishedAt: essay.publishedAt?.toISOString() ?? null,
    updatedAt: essay.updatedAt.toISOString(),
  };
  yield toDocumentFile(`essays/${essay.id}.md`, essay.updatedAt, head, base.content);
  if (newest.version > base.version) {
    const draft = { id: essay.id, status: toStateName(essay.revisionStatus ?? ESSAY_STATUS.draft) };
    const settings = await toSettings(state, newest.fields, slugs, attached);
    yield toDocumentFile(
      `drafts/${essay.id}.md`,
      newest.updatedAt,
      { ...draft, ...settings },
      newest.content,
    );
    state.counts.drafts += 1;
  }
  yield* exportPictures(
    state,
    essay.title,
    base.content,
    base.fields.cover,
    base.fields.shareCover,
    newest.content,
    newest.fields.cover,
    newest.fields.shareCover,
  );
  for (const { name, path } of attached.values()) yield* exportFile(state, name, path, essay.title);
}

async function* exportEssays(state: ExportState): AsyncGenerator<ZipFile> {
  const { db } = state.ctx;
  const slugs = new Map((await queries.listCategories(db)).map(({ id, slug }) => [id, slug]));
  const list = (after: string | null) => queries.listEssays(db, state.authorId, after, ESSAY_BATCH_SIZE);
  for await (const row of readInBatches(list, ({ essay }) => essay.id)) {
    yield* exportEssay(state, row, slugs);
    state.counts.essays += 1;
    state.essayIds.push(row.essay.id);
    state.onEssay();
  }
}

async function* exportColumns(state: ExportState): AsyncGenerator<ZipFile> {
  const covers: string[] = [];
  const list = (after: string | null) => queries.listColumns(state.ctx.db, state.authorId, after, BATCH_SIZE);
  const records = async function* () {
    for await (const { column, account } of readInBatches(list, (row) => row.column.id)) {
      const { id, name, summary, cover, price, createdAt } = column;
      covers.push(cover);
      state.counts.columns += 1;
      yield { id, author: account, name, summary, cover: toRelativePaths(cover), price, createdAt };
    }
  };
  yield toJsonFile(state, 'columns.json', records());
  yield* exportPictures(state, '专栏的封面', ...covers);
}

async function* exportAuthors(state: ExportState): AsyncGenerator<ZipFile> {
  const avatars: string[] = [];
  const list = (after: string | null) => queries.listAuthors(state.ctx.db, after, BATCH_SIZE);
  const records = async function* () {
    for await (const { user, account } of readInBatches(list, (row) => row.user.id)) {
      const { displayName, curIdentity, title, bio, city, company, position, homepage, github } = user;
      avatars.push(user.headImg);
      state.counts.authors += 1;
      const profile = { title, bio, city, company, position, homepage, github, createdAt: user.createdAt };
      yield {
        account,
        displayName,
        identity: curIdentity,
        headImg: toRelativePaths(user.headImg),
        ...profile,
      };
    }
  };
  yield toJsonFile(state, 'authors.json', records());
  yield* exportPictures(state, '头像', ...avatars);
}

async function* listRedirectRecords({ ctx, counts }: ExportState): AsyncGenerator<object> {
  const list = (after: string | null) => queries.listRedirects(ctx.db, after, BATCH_SIZE);
  for await (const { path, query, essayId, target } of readInBatches(list, ({ id }) => id)) {
    counts.redirects += 1;
    const from = query === '' ? path : `${path}?${query}`;
    yield essayId === null ? { path: from, target } : { path: from, essay: essayId };
  }
}

async function* exportSiteData(state: ExportState): AsyncGenerator<ZipFile> {
  const { ctx, counts } = state;
  const categories = async function* () {
    for (const { slug, name, icon, sort, enabled } of await queries.listCategories(ctx.db)) {
      counts.categories += 1;
      yield { slug, name, icon, sort, enabled };
    }
  };
  yield toJsonFile(state, 'categories.json', categories());
  yield* exportAuthors(state);
  for await (const { file, title, texts, pages = 0 } of exportFrame(ctx)) {
    yield file;
    yield* exportPictures(state, title, ...texts);
    counts.pages += pages;
  }
  const comments = async function* () {
    for (const essayId of state.essayIds) {
      for await (const thread of listThreads(ctx, essayId)) {
        counts.comments += thread.length;
        yield* thread;
      }
    }
  };
  yield toJsonFile(state, 'comments.json', comments());
  yield toJsonFile(state, 'redirects.json', listRedirectRecords(state));
}

export async function* exportFiles(ctx: Ctx, options: ExportOptions): AsyncGenerator<ZipFile> {
  const counts: ExportState['counts'] = {
    essays: 0,
    drafts: 0,
    pictures: 0,
    attachments: 0,
    authors: 0,
    columns: 0,
    categories: 0,
    pages: 0,
    comments: 0,
    redirects: 0,
  };
  const state: ExportState = { ...options, ctx, counts, exportedNames: new Set(), essayIds: [] };
  yield* exportEssays(state);
  yield* exportColumns(state);
  if (options.authorId === null) yield* exportSiteData(state);
  const { title } = await getSiteSettings(ctx);
  const manifest = {
    format: FORMAT,
    version: VERSION,
    scope: options.authorId === null ? 'site' : 'author',
    site: title,
    siteUrl: ctx.services.config.siteUrl ?? '',
    madeAt: ctx.now.toISOString(),
    counts,
  };
  yield {
    name: 'manifest.json',
    modified: ctx.now,
    content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
  };
}
