import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Ctx } from '../../../../ctx.ts';
import { FileMissing } from '../../../../files/files.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { toFileName } from '../../../platform/uploads/index.ts';
import { FORMAT, listRelative, stateOf, toDocument, toLines, toRelative, VERSION } from '../documents.ts';
import * as queries from '../queries/contents.ts';
import type { ZipFile } from '../zip/write.ts';
import { listThreads } from './pack-comments.ts';

/** Texts are long: few at a time. */
const ESSAYS = 10;
const ROWS = 200;

interface Packing {
  authorId: string | null;
  /** After each essay. */
  onEssay: () => void;
  /** A file that should have been there, and what it belongs to. */
  onMissing: (name: string, of: string) => Promise<void>;
}

/** What an archive is made with. */
interface Pack extends Packing {
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
    | 'comments',
    number
  >;
  packed: Set<string>;
  essayIds: string[];
}

async function* pages<Row>(
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

async function* file(pack: Pack, name: string, path: string, of: string): AsyncGenerator<ZipFile> {
  if (pack.packed.has(name)) return;
  pack.packed.add(name);
  const { files } = pack.ctx.services;
  try {
    yield { name, modified: pack.ctx.now, content: await files.readWhole(path), isPacked: true };
    pack.counts[name.startsWith('files/') ? 'pictures' : 'attachments'] += 1;
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    await pack.onMissing(name, of);
  }
}

/** Those of the site that these texts refer to. */
async function* pictures(pack: Pack, of: string, ...texts: string[]): AsyncGenerator<ZipFile> {
  for (const name of texts.flatMap((text) => listRelative(toRelative(text))))
    yield* file(pack, name, `/${name}`, of);
}

const document = (name: string, modified: Date, head: object, content: string): ZipFile => ({
  name,
  modified,
  content: Buffer.from(toDocument(head, toRelative(content))),
});

const json = ({ ctx }: Pack, name: string, records: AsyncIterable<object>): ZipFile => ({
  name,
  modified: ctx.now,
  content: toLines(records),
});

type Fields = queries.EssayPart['base']['fields'];
type Attached = Map<string, { path: string; name: string }>;

async function listAttached({ ctx }: Pack, ...fields: Fields[]): Promise<Attached> {
  const ids = [...new Set(fields.flatMap(({ attachments }) => attachments))];
  const files = ids.length === 0 ? [] : await queries.listFiles(ctx.db, ids);
  return new Map(
    files.map(({ id, path, name }) => [id, { path, name: `attachments/${id}/${toFileName(name)}` }]),
  );
}

/** What an author set, by names that mean something elsewhere. */
async function toSettings({ ctx }: Pack, fields: Fields, slugs: Map<string, string>, attached: Attached) {
  const column = fields.columnId === null ? null : await queries.findColumnName(ctx.db, fields.columnId);
  return {
    title: fields.title,
    summary: fields.summary,
    category: slugs.get(fields.categoryId ?? '') ?? null,
    tags: fields.tags,
    cover: toRelative(fields.cover),
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

async function* packEssay(
  pack: Pack,
  { essay, base, newest, account, reason }: queries.EssayPart,
  slugs: Map<string, string>,
): AsyncGenerator<ZipFile> {
  const attached = await listAttached(pack, base.fields, newest.fields);
  const head = {
    id: essay.id,
    author: account,
    status: stateOf(essay.status),
    ...(reason ? { reason } : {}),
    ...(essay.offByStaff ? { offByStaff: true } : {}),
    ...(await toSettings(pack, base.fields, slugs, attached)),
    columnSort: essay.columnSort,
    region: essay.region,
    createdAt: essay.createdAt.toISOString(),
    publishedAt: essay.publishedAt?.toISOString() ?? null,
    updatedAt: essay.updatedAt.toISOString(),
  };
  yield document(`essays/${essay.id}.md`, essay.updatedAt, head, base.content);
  if (newest.version > base.version) {
    const draft = { id: essay.id, status: stateOf(essay.revisionStatus ?? ESSAY_STATUS.draft) };
    const settings = await toSettings(pack, newest.fields, slugs, attached);
    yield document(`drafts/${essay.id}.md`, newest.updatedAt, { ...draft, ...settings }, newest.content);
    pack.counts.drafts += 1;
  }
  yield* pictures(pack, essay.title, base.content, base.fields.cover, newest.content, newest.fields.cover);
  for (const { name, path } of attached.values()) yield* file(pack, name, path, essay.title);
}

async function* packEssays(pack: Pack): AsyncGenerator<ZipFile> {
  const { db } = pack.ctx;
  const slugs = new Map((await queries.listCategories(db)).map(({ id, slug }) => [id, slug]));
  const list = (after: string | null) => queries.listEssays(db, pack.authorId, after, ESSAYS);
  for await (const row of pages(list, ({ essay }) => essay.id)) {
    yield* packEssay(pack, row, slugs);
    pack.counts.essays += 1;
    pack.essayIds.push(row.essay.id);
    pack.onEssay();
  }
}

async function* packColumns(pack: Pack): AsyncGenerator<ZipFile> {
  const covers: string[] = [];
  const list = (after: string | null) => queries.listColumns(pack.ctx.db, pack.authorId, after, ROWS);
  const records = async function* () {
    for await (const { column, account } of pages(list, (row) => row.column.id)) {
      const { id, name, summary, cover, price, createdAt } = column;
      covers.push(cover);
      pack.counts.columns += 1;
      yield { id, author: account, name, summary, cover: toRelative(cover), price, createdAt };
    }
  };
  yield json(pack, 'columns.json', records());
  yield* pictures(pack, '专栏的封面', ...covers);
}

async function* packAuthors(pack: Pack): AsyncGenerator<ZipFile> {
  const faces: string[] = [];
  const list = (after: string | null) => queries.listAuthors(pack.ctx.db, after, ROWS);
  const records = async function* () {
    for await (const { user, account } of pages(list, (row) => row.user.id)) {
      const { displayName, curIdentity, title, bio, city, company, position, homepage, github } = user;
      faces.push(user.headImg);
      pack.counts.authors += 1;
      const profile = { title, bio, city, company, position, homepage, github, createdAt: user.createdAt };
      yield { account, displayName, identity: curIdentity, headImg: toRelative(user.headImg), ...profile };
    }
  };
  yield json(pack, 'authors.json', records());
  yield* pictures(pack, '头像', ...faces);
}

/** What a site has beside the essays of its authors. */
async function* packSite(pack: Pack): AsyncGenerator<ZipFile> {
  const { ctx, counts } = pack;
  const categories = async function* () {
    for (const { slug, name, icon, sort, enabled } of await queries.listCategories(ctx.db)) {
      counts.categories += 1;
      yield { slug, name, icon, sort, enabled };
    }
  };
  yield json(pack, 'categories.json', categories());
  yield* packAuthors(pack);
  for (const { name, title, content, updatedAt } of await queries.listPages(ctx.db)) {
    yield document(`pages/${name}.md`, updatedAt, { page: name, title }, content);
    yield* pictures(pack, title, content);
    counts.pages += 1;
  }
  const comments = async function* () {
    for (const essayId of pack.essayIds) {
      for await (const thread of listThreads(ctx, essayId)) {
        counts.comments += thread.length;
        yield* thread;
      }
    }
  };
  yield json(pack, 'comments.json', comments());
}

/** Everything of an archive, one file after the other, as it is read from the database. */
export async function* packFiles(ctx: Ctx, packing: Packing): AsyncGenerator<ZipFile> {
  const counts: Pack['counts'] = {
    essays: 0,
    drafts: 0,
    pictures: 0,
    attachments: 0,
    authors: 0,
    columns: 0,
    categories: 0,
    pages: 0,
    comments: 0,
  };
  const pack: Pack = { ...packing, ctx, counts, packed: new Set(), essayIds: [] };
  yield* packEssays(pack);
  yield* packColumns(pack);
  if (packing.authorId === null) yield* packSite(pack);
  const { title } = await getSiteSettings(ctx);
  const facts = {
    format: FORMAT,
    version: VERSION,
    scope: packing.authorId === null ? 'site' : 'author',
    site: title,
    siteUrl: ctx.services.config.siteUrl ?? '',
    madeAt: ctx.now.toISOString(),
    counts,
  };
  yield {
    name: 'manifest.json',
    modified: ctx.now,
    content: Buffer.from(`${JSON.stringify(facts, null, 2)}\n`),
  };
}
