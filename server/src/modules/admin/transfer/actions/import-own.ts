import { attachmentLink } from '@mozhan/contract/attachment-link.ts';
import { createCategory as categoryCall } from '@mozhan/contract/categories.ts';
import { createColumn as columnCall } from '@mozhan/contract/columns.ts';
import { toFlag } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { essaySlug } from '@mozhan/contract/essays.ts';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { parseInput } from '../../../../input.ts';
import { createCategory } from '../../../content/categories/index.ts';
import { createColumn } from '../../../content/essays/index.ts';
import { listNames, type OpenArchive } from '../archive.ts';
import * as documents from '../documents.ts';
import { MAX_ESSAY_LENGTH } from '../formats/types.ts';
import { findColumn, findColumnByName, listCategories } from '../queries/targets.ts';
import { findAuthor, importAuthor, toAccount } from './authors.ts';
import { createRedirectImport } from './foreign-redirects.ts';
import { importComments } from './import-comments.ts';
import { type ImportDraft, type IncomingEssay, importEssay } from './import-essay.ts';
import { importPicture } from './import-files.ts';
import { importFrame } from './import-frame.ts';
import { clampToPast, type ImportState, importItem, isTemporaryError, withRetries } from './import-state.ts';

/** Returns the folder of the manifest, or null if the archive is not an export of this program. */
export async function findRoot(archive: OpenArchive): Promise<string | null> {
  const isManifest = (each: string): boolean =>
    each.endsWith('manifest.json') && /^([^/]+\/)?manifest\.json$/.test(each);
  const [name] = (await listNames(archive, isManifest))
    .filter((each) => archive.sizeOf(each) < 1024 * 1024)
    .sort((a, b) => a.length - b.length);
  if (name === undefined) return null;
  try {
    const { format } = JSON.parse(await archive.readText(name)) as { format?: unknown };
    return format === documents.FORMAT ? name.slice(0, -'manifest.json'.length) : null;
  } catch {
    return null;
  }
}

const bindFolder = (archive: OpenArchive, root: string, names: string[]): OpenArchive => ({
  refused: archive.refused,
  names: () => names,
  has: (name) => archive.has(root + name),
  modifiedAt: (name) => archive.modifiedAt(root + name),
  sizeOf: (name) => archive.sizeOf(root + name),
  readContent: (name, maxBytes) => archive.readContent(root + name, maxBytes),
  readText: (name, maxBytes) => archive.readText(root + name, maxBytes),
  readStart: (name) => archive.readStart(root + name),
  readBytes: (name) => archive.readBytes(root + name),
  openStream: (name) => archive.openStream(root + name),
  readLines: (name) => archive.readLines(root + name),
});

/** Also for an archive with very many files. */
export async function openFolder(archive: OpenArchive, root: string): Promise<OpenArchive> {
  if (root === '') return archive;
  const names = await listNames(archive, (name) => name.startsWith(root));
  return bindFolder(
    archive,
    root,
    names.map((name) => name.slice(root.length)),
  );
}

const unreadableError = () => new CallError('INVALID', { message: '内容无法识别' });

async function importCategories(state: ImportState): Promise<void> {
  const { run, archive } = state;
  if (!archive.has('categories.json')) return;
  for await (const line of documents.parseJsonLines(
    documents.categoryRecord,
    archive.readLines('categories.json'),
  )) {
    if (line === null) continue;
    const item = { key: `category:${line.slug}`, kind: 'category' as const, title: line.name };
    await importItem(state, item, async (ctx) => {
      const existing = await listCategories(ctx.db);
      if (existing.some(({ slug, name }) => slug === line.slug || name === line.name)) {
        await run.recordItem(ctx, { ...item, outcome: 'skipped', note: '已存在' });
        return;
      }
      const input = parseInput(categoryCall.input, { ...line, enabled: toFlag(line.enabled) });
      await inTransaction(ctx, async (ctx) => {
        const { id } = await createCategory(ctx, input);
        await run.recordItem(ctx, { ...item, outcome: 'created', targetId: id });
      });
    });
  }
}

async function importAuthors(state: ImportState): Promise<void> {
  const { archive } = state;
  if (!archive.has('authors.json')) return;
  for await (const line of documents.parseJsonLines(
    documents.authorRecord,
    archive.readLines('authors.json'),
  ))
    if (line !== null) await importAuthor(state, { ...line, account: toAccount(line.account) });
}

async function importColumn(state: ImportState, ctx: Ctx, line: documents.ColumnRecord): Promise<void> {
  const { run } = state;
  const item = { key: `column:${line.id}`, kind: 'column' as const, title: line.name };
  const author = (await findAuthor(state, toAccount(line.author))) ?? state.fallback;
  if (author === null) throw new CallError('INVALID', { message: '没有找到作者' });
  const same = await findColumn(ctx.db, line.id);
  const existing = same?.authorId === author.id ? same : await findColumnByName(ctx.db, author.id, line.name);
  if (existing !== null) {
    state.columns.set(line.id, existing.id);
    await run.recordItem(ctx, { ...item, outcome: 'skipped', note: '已存在', targetId: existing.id });
    return;
  }
  const cover = line.cover.startsWith('../') ? await importPicture(state, author, line.cover.slice(3)) : null;
  const { name, summary, price } = line;
  const input = parseInput(columnCall.input, { name, summary, price, cover: cover?.path ?? '' });
  const id = same === null ? line.id : newId();
  await inTransaction({ ...ctx, now: clampToPast(line.createdAt, ctx.now) }, async (ctx) => {
    await createColumn(ctx, author, input, id);
    await run.recordItem(ctx, { ...item, outcome: 'created', targetId: id });
  });
  state.columns.set(line.id, id);
}

async function importColumns(state: ImportState): Promise<void> {
  const { archive } = state;
  if (!archive.has('columns.json')) return;
  for await (const line of documents.parseJsonLines(
    documents.columnRecord,
    archive.readLines('columns.json'),
  )) {
    if (line === null) continue;
    const item = { key: `column:${line.id}`, kind: 'column' as const, title: line.name };
    await importItem(state, item, (ctx) => importColumn(state, ctx, line));
  }
}

function toDraft(
  state: ImportState,
  slugs: ReadonlyMap<string, string>,
  head: documents.SettingsHead,
  content: string,
): ImportDraft {
  const { category, columnId, cover, shareCover, attachments, scheduledAt, column: _, ...fields } = head;
  return {
    fields: {
      title: fields.title,
      content,
      summary: fields.summary,
      tags: fields.tags,
      price: fields.price,
      memberFree: fields.memberFree,
      previewPercent: fields.previewPercent,
      allowComment: fields.allowComment,
      declaration: fields.declaration,
      source: fields.source,
      scheduledAt: scheduledAt?.toISOString() ?? null,
    },
    categoryId: (category === null ? undefined : slugs.get(category)) ?? null,
    columnId: (columnId === null ? undefined : state.columns.get(columnId)) ?? null,
    cover: cover.replace(/^\.\.\//, ''),
    shareCover: shareCover.replace(/^\.\.\//, ''),
    attachments: attachments.map((path) => {
      const name = path.replace(/^\.\.\//, '');
      return { name, links: [attachmentLink(name.split('/')[1] ?? '')] };
    }),
    pictures: new Map(documents.listRelativePaths(content).map((name) => [name, name])),
    replace: documents.replaceRelativePaths,
  };
}

async function readEssay(
  state: ImportState,
  slugs: ReadonlyMap<string, string>,
  name: string,
): Promise<IncomingEssay> {
  const { archive, run } = state;
  const read = documents.parseDocument(documents.essayHead, await archive.readText(name, MAX_ESSAY_LENGTH));
  if (read === null) throw unreadableError();
  const { head, content } = read;
  const draftName = `drafts/${head.id}.md`;
  const draft = archive.has(draftName)
    ? documents.parseDocument(documents.draftHead, await archive.readText(draftName, MAX_ESSAY_LENGTH))
    : null;
  const notes: string[] = [];
  const first = toDraft(state, slugs, head, content);
  const categoryId = first.categoryId ?? run.row.options.categoryId ?? null;
  if (head.category !== null && first.categoryId === null) notes.push(`本站没有分类「${head.category}」`);
  if (head.columnId !== null && first.columnId === null) notes.push(`专栏「${head.column ?? ''}」没有导入`);
  return {
    key: head.id,
    id: head.id,
    slug: essaySlug.safeParse(head.slug).data ?? null,
    author: { account: head.author, displayName: head.author },
    draft: { ...first, categoryId },
    revision:
      draft === null
        ? null
        : {
            draft: toDraft(state, slugs, draft.head, draft.content),
            status: documents.toRevisionStatus(draft.head.status),
          },
    status: documents.toStatus(head.status),
    offByStaff: head.offByStaff,
    reason: head.reason,
    region: head.region,
    columnSort: head.columnSort,
    pins: { author: head.authorPin, site: head.sitePin },
    createdAt: head.createdAt,
    publishedAt: head.publishedAt,
    updatedAt: head.updatedAt,
    notes,
  };
}

async function importEssays(state: ImportState, names: string[]): Promise<void> {
  const categories = await listCategories(state.run.ctx().db);
  const slugs = new Map(categories.map(({ slug, id }) => [slug, id]));
  for (const name of names) {
    let incoming: IncomingEssay;
    try {
      incoming = await withRetries(state.run, () => readEssay(state, slugs, name));
    } catch (error) {
      if (isTemporaryError(error)) throw error;
      const item = { key: `essay:${name}`, kind: 'essay' as const, title: name };
      await importItem(state, item, () => Promise.reject(error));
      continue;
    }
    await importEssay(state, incoming);
  }
}

async function importRedirects(state: ImportState): Promise<void> {
  const { archive, essays } = state;
  if (!archive.has('redirects.json')) return;
  const redirects = createRedirectImport(state);
  const lines = archive.readLines('redirects.json');
  for await (const line of documents.parseJsonLines(documents.redirectRecord, lines)) {
    if (line === null) continue;
    const { path } = line;
    if ('essay' in line) await redirects.addRow({ path, essayId: essays.get(line.essay) ?? line.essay });
    else await redirects.addRow({ path, target: line.target });
  }
  await redirects.finish();
}

/** Imports an export of this program; content that exists already is skipped. */
export async function importOwn(outerState: ImportState, root: string): Promise<void> {
  const state = { ...outerState, archive: await openFolder(outerState.archive, root) };
  const { archive, run } = state;
  const parsed = documents.manifest.safeParse(JSON.parse(await archive.readText('manifest.json')));
  if (!parsed.success) throw new CallError('INVALID', { message: 'manifest.json 的内容不对' });
  if (parsed.data.version > documents.VERSION)
    throw new CallError('INVALID', { message: '这个文件来自更新的版本，请先升级本站' });
  const essays = await listNames(archive, (name) => /^essays\/[^/]+\.md$/.test(name));
  run.setTotal(essays.length + parsed.data.counts.comments);
  await importCategories(state);
  await importAuthors(state);
  await importColumns(state);
  await importFrame(state);
  await importEssays(state, essays);
  await importComments(state);
  await importRedirects(state);
}
