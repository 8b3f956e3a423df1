import { createCategory as categoryCall } from '@mozhan/contract/categories.ts';
import { createColumn as columnCall } from '@mozhan/contract/columns.ts';
import { toFlag } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTx } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { parseInput } from '../../../../input.ts';
import { createCategory } from '../../../content/categories/index.ts';
import { createColumn } from '../../../content/essays/index.ts';
import { updateInfoPage } from '../../../content/site/index.ts';
import type { OpenArchive } from '../archive.ts';
import * as documents from '../documents.ts';
import { LONGEST_ESSAY } from '../formats/types.ts';
import { findColumn, findColumnByName, findPage, listCategories } from '../queries/targets.ts';
import { type Arriving, bringEssay, type Draft } from './arrive.ts';
import { importComments } from './import-comments.ts';
import { bringAuthor, findAuthor, toAccount } from './people.ts';
import { bringPicture } from './pictures.ts';
import { attempt, isBusy, notLater, ordererOf, patiently, type World } from './world.ts';

/** Where in an archive our own export begins: at the top, or in a folder; null: it is none. */
export async function findRoot(archive: OpenArchive): Promise<string | null> {
  const [name] = archive
    .names()
    .filter((each) => /^([^/]+\/)?manifest\.json$/.test(each) && archive.bytesOf(each) < 1024 * 1024)
    .sort((a, b) => a.length - b.length);
  if (name === undefined) return null;
  try {
    const { format } = JSON.parse(await archive.text(name)) as { format?: unknown };
    return format === documents.FORMAT ? name.slice(0, -'manifest.json'.length) : null;
  } catch {
    return null;
  }
}

/** As if the folder were all there is. */
const below = (archive: OpenArchive, root: string): OpenArchive => ({
  refused: archive.refused,
  names: () => archive.names().flatMap((name) => (name.startsWith(root) ? [name.slice(root.length)] : [])),
  has: (name) => archive.has(root + name),
  bytesOf: (name) => archive.bytesOf(root + name),
  content: (name, most) => archive.content(root + name, most),
  text: (name, most) => archive.text(root + name, most),
  beginning: (name) => archive.beginning(root + name),
  bytes: (name) => archive.bytes(root + name),
  stream: (name) => archive.stream(root + name),
  lines: (name) => archive.lines(root + name),
});

const broken = () => new CallError('INVALID', { message: '内容无法识别' });

async function importCategories(world: World): Promise<void> {
  const { run, archive } = world;
  if (!archive.has('categories.json')) return;
  for await (const line of documents.readLines(documents.categoryLine, archive.lines('categories.json'))) {
    if (line === null) continue;
    const item = { key: `category:${line.slug}`, kind: 'category' as const, title: line.name };
    await attempt(world, item, async (ctx) => {
      const there = await listCategories(ctx.db);
      if (there.some(({ slug, name }) => slug === line.slug || name === line.name)) {
        await run.note(ctx, { ...item, outcome: 'skipped', note: '已存在' });
        return;
      }
      const input = parseInput(categoryCall.input, { ...line, enabled: toFlag(line.enabled) });
      await inTx(ctx, async (ctx) => {
        const { id } = await createCategory(ctx, input);
        await run.note(ctx, { ...item, outcome: 'created', targetId: id });
      });
    });
  }
}

async function importAuthors(world: World): Promise<void> {
  const { archive } = world;
  if (!archive.has('authors.json')) return;
  for await (const line of documents.readLines(documents.authorLine, archive.lines('authors.json')))
    if (line !== null) await bringAuthor(world, { ...line, account: toAccount(line.account) });
}

async function importColumn(world: World, ctx: Ctx, line: documents.ColumnLine): Promise<void> {
  const { run } = world;
  const item = { key: `column:${line.id}`, kind: 'column' as const, title: line.name };
  const author = (await findAuthor(world, toAccount(line.author))) ?? world.fallback;
  if (author === null) throw new CallError('INVALID', { message: '没有找到作者' });
  const same = await findColumn(ctx.db, line.id);
  const there = same?.authorId === author.id ? same : await findColumnByName(ctx.db, author.id, line.name);
  if (there !== null) {
    world.columns.set(line.id, there.id);
    await run.note(ctx, { ...item, outcome: 'skipped', note: '已存在', targetId: there.id });
    return;
  }
  const cover = line.cover.startsWith('../') ? await bringPicture(world, author, line.cover.slice(3)) : null;
  const { name, summary, price } = line;
  const input = parseInput(columnCall.input, { name, summary, price, cover: cover?.path ?? '' });
  const id = same === null ? line.id : newId();
  await inTx({ ...ctx, now: notLater(line.createdAt, ctx.now) }, async (ctx) => {
    await createColumn(ctx, author, input, id);
    await run.note(ctx, { ...item, outcome: 'created', targetId: id });
  });
  world.columns.set(line.id, id);
}

async function importColumns(world: World): Promise<void> {
  const { archive } = world;
  if (!archive.has('columns.json')) return;
  for await (const line of documents.readLines(documents.columnLine, archive.lines('columns.json'))) {
    if (line === null) continue;
    const item = { key: `column:${line.id}`, kind: 'column' as const, title: line.name };
    await attempt(world, item, (ctx) => importColumn(world, ctx, line));
  }
}

/** Those that nobody has touched since they came with the program; an operator's words stay. */
async function importPages(world: World): Promise<void> {
  const { run, archive } = world;
  const orderer = await ordererOf(run);
  for (const name of archive.names().filter((each) => /^pages\/\w+\.md$/.test(each))) {
    const item = { key: `page:${name}`, kind: 'page' as const, title: name };
    await attempt(world, item, async (ctx) => {
      const read = documents.readDocument(documents.pageHead, await archive.text(name, LONGEST_ESSAY));
      if (read === null) throw broken();
      const { page, title } = read.head;
      const before = await findPage(ctx.db, page);
      const isSame = before?.title === title && before.content === read.content;
      if (before === null || before.version > 1 || isSame) {
        const note = isSame ? '内容相同' : '本站改过这个页面，保留现有的';
        await run.note(ctx, { ...item, title, outcome: 'skipped', note });
        return;
      }
      const paths = new Map<string, string>();
      for (const each of documents.listRelative(read.content)) {
        const kept = await bringPicture(world, orderer, each);
        if (kept !== null) paths.set(each, kept.path);
      }
      const content = documents.fromRelative(read.content, paths);
      const detail = { before: { title: before.title, content: before.content }, version: 2 };
      await inTx(ctx, async (ctx) => {
        await updateInfoPage(ctx, orderer, { page, title, content, version: before.version });
        await run.note(ctx, { ...item, title, outcome: 'created', detail });
      });
    });
  }
}

function toDraft(
  world: World,
  slugs: ReadonlyMap<string, string>,
  head: documents.SettingsHead,
  content: string,
): Draft {
  const { category, columnId, cover, attachments, scheduledAt, column: _, ...fields } = head;
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
    columnId: (columnId === null ? undefined : world.columns.get(columnId)) ?? null,
    cover: cover.replace(/^\.\.\//, ''),
    attachments: attachments.map((name) => name.replace(/^\.\.\//, '')),
    pictures: new Map(documents.listRelative(content).map((name) => [name, name])),
    replace: documents.fromRelative,
  };
}

async function readEssay(world: World, slugs: ReadonlyMap<string, string>, name: string): Promise<Arriving> {
  const { archive, run } = world;
  const read = documents.readDocument(documents.essayHead, await archive.text(name, LONGEST_ESSAY));
  if (read === null) throw broken();
  const { head, content } = read;
  const draftName = `drafts/${head.id}.md`;
  const draft = archive.has(draftName)
    ? documents.readDocument(documents.draftHead, await archive.text(draftName, LONGEST_ESSAY))
    : null;
  const notes: string[] = [];
  const first = toDraft(world, slugs, head, content);
  const categoryId = first.categoryId ?? run.row.options.categoryId ?? null;
  if (head.category !== null && first.categoryId === null) notes.push(`本站没有分类「${head.category}」`);
  if (head.columnId !== null && first.columnId === null) notes.push(`专栏「${head.column ?? ''}」没有导入`);
  return {
    key: head.id,
    id: head.id,
    author: { account: head.author, displayName: head.author },
    draft: { ...first, categoryId },
    revision:
      draft === null
        ? null
        : {
            draft: toDraft(world, slugs, draft.head, draft.content),
            status: documents.revisionStatusOf(draft.head.status),
          },
    status: documents.statusOf(head.status),
    offByStaff: head.offByStaff,
    reason: head.reason,
    region: head.region,
    columnSort: head.columnSort,
    createdAt: head.createdAt,
    publishedAt: head.publishedAt,
    updatedAt: head.updatedAt,
    notes,
  };
}

async function importEssays(world: World, names: string[]): Promise<void> {
  const categories = await listCategories(world.run.ctx().db);
  const slugs = new Map(categories.map(({ slug, id }) => [slug, id]));
  for (const name of names) {
    let arriving: Arriving;
    try {
      arriving = await patiently(world.run, () => readEssay(world, slugs, name));
    } catch (error) {
      if (isBusy(error)) throw error;
      const item = { key: `essay:${name}`, kind: 'essay' as const, title: name };
      await attempt(world, item, () => Promise.reject(error));
      continue;
    }
    await bringEssay(world, arriving);
  }
}

/** An archive of this program: everything as it was, as far as it is not here already. */
export async function importOwn(given: World, root: string): Promise<void> {
  const world = { ...given, archive: below(given.archive, root) };
  const { archive, run } = world;
  const parsed = documents.manifest.safeParse(JSON.parse(await archive.text('manifest.json')));
  if (!parsed.success) throw new CallError('INVALID', { message: 'manifest.json 的内容不对' });
  if (parsed.data.version > documents.VERSION)
    throw new CallError('INVALID', { message: '这个文件来自更新的版本，请先升级本站' });
  const essays = archive
    .names()
    .filter((name) => /^essays\/[^/]+\.md$/.test(name))
    .sort();
  run.setTotal(essays.length + parsed.data.counts.comments);
  await importCategories(world);
  await importAuthors(world);
  await importColumns(world);
  await importPages(world);
  await importEssays(world, essays);
  await importComments(world);
}
