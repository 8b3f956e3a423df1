import { toFlag } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { createFriendLink as friendLinkCall } from '@mozhan/contract/friend-links.ts';
import { updateNavigation as navigationCall } from '@mozhan/contract/navigation.ts';
import { infoPageNames, isInfoPageName } from '@mozhan/contract/page-address.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { parseInput } from '../../../../input.ts';
import {
  createFriendLink,
  getNavigation,
  importPage,
  updateNavigation,
  updatePage,
} from '../../../content/site/index.ts';
import { listNames } from '../archive.ts';
import * as documents from '../documents.ts';
import { MAX_ESSAY_LENGTH } from '../formats/types.ts';
import { findFriendLink, findPage, listCategories, listPageIds } from '../queries/targets.ts';
import { importPicture } from './import-files.ts';
import { clampToPast, getRequester, type ImportState, importItem } from './import-state.ts';

const unreadableError = () => new CallError('INVALID', { message: '内容无法识别' });

async function importPictures(state: ImportState, requester: Viewer, content: string): Promise<string> {
  const paths = new Map<string, string>();
  for (const each of documents.listRelativePaths(content)) {
    const imported = await importPicture(state, requester, each);
    if (imported !== null) paths.set(each, imported.path);
  }
  return documents.replaceRelativePaths(content, paths);
}

/** Replaces only default texts; pages that an operator has edited stay. */
async function importInfoPages(state: ImportState, requester: Viewer): Promise<void> {
  const { run, archive } = state;
  for (const name of infoPageNames.map((each) => `pages/${each}.md`).filter((each) => archive.has(each))) {
    const item = { key: `page:${name}`, kind: 'page' as const, title: name };
    await importItem(state, item, async (ctx) => {
      const read = documents.parseDocument(
        documents.pageHead,
        await archive.readText(name, MAX_ESSAY_LENGTH),
      );
      if (read === null) throw unreadableError();
      const { page, title } = read.head;
      const before = await findPage(ctx.db, page);
      const isSame = before?.title === title && before.content === read.content;
      if (before === null || before.version > 1 || isSame) {
        const note = isSame ? '内容相同' : '本站改过这个页面，保留现有的';
        await run.recordItem(ctx, { ...item, title, outcome: 'skipped', note });
        return;
      }
      const content = await importPictures(state, requester, read.content);
      const detail = { before: { title: before.title, content: before.content }, version: 2 };
      await inTransaction(ctx, async (ctx) => {
        await updatePage(ctx, requester, { page, title, content, version: before.version });
        await run.recordItem(ctx, { ...item, title, outcome: 'created', detail });
      });
    });
  }
}

async function importOwnPage(state: ImportState, ctx: Ctx, requester: Viewer, name: string): Promise<void> {
  const { run, archive } = state;
  const read = documents.parseDocument(documents.ownPageHead, await archive.readText(name, MAX_ESSAY_LENGTH));
  if (read === null) throw unreadableError();
  const { slug, title, published, publishedAt, updatedAt } = read.head;
  const item = { key: `page:${name}`, kind: 'page' as const, title };
  if ((await findPage(ctx.db, slug)) !== null) {
    await run.recordItem(ctx, { ...item, outcome: 'skipped', note: '已存在' });
    return;
  }
  const content = await importPictures(state, requester, read.content);
  await inTransaction({ ...ctx, viewer: requester }, async (ctx) => {
    const { id } = await importPage(ctx, {
      slug,
      title,
      content,
      publishedAt: publishedAt && clampToPast(publishedAt, ctx.now),
      updatedAt: clampToPast(updatedAt, ctx.now),
      isPublished: published,
      transferId: run.row.id,
    });
    await run.recordItem(ctx, { ...item, outcome: 'created', targetId: id });
  });
}

async function importOwnPages(state: ImportState, requester: Viewer): Promise<void> {
  const names = await listNames(
    state.archive,
    (name) => /^pages\/[^/]+\.md$/.test(name) && !isInfoPageName(name.slice('pages/'.length, -3)),
  );
  for (const name of names) {
    const item = { key: `page:${name}`, kind: 'page' as const, title: name };
    await importItem(state, item, (ctx) => importOwnPage(state, ctx, requester, name));
  }
}

/** Slugs of the archive become ids of this site; entries without a target are left out. */
async function readNavigation(ctx: Ctx, text: string, version: number) {
  const parsed = documents.navigationRecord.safeParse(JSON.parse(text));
  if (!parsed.success) throw unreadableError();
  const categories = new Map((await listCategories(ctx.db)).map(({ slug, id }) => [slug, id]));
  const pages = new Map((await listPageIds(ctx.db)).map(({ slug, id }) => [slug, id]));
  const toEntry = ({ kind, target, label, enabled }: documents.NavEntryRecord): object[] => {
    const common = { label, enabled: toFlag(enabled) };
    if (kind === 'link') return [{ kind, url: target, ...common }];
    if (kind === 'route') return [{ kind, route: target, ...common }];
    if (kind === 'category') {
      const categoryId = categories.get(target);
      return categoryId === undefined ? [] : [{ kind, categoryId, ...common }];
    }
    const page = isInfoPageName(target) ? target : pages.get(target);
    return page === undefined ? [] : [{ kind, page, ...common }];
  };
  const { header, footer } = parsed.data;
  return parseInput(navigationCall.input, {
    version,
    ...(header === null ? {} : { header: header.flatMap(toEntry) }),
    ...(footer === null
      ? {}
      : { footer: footer.map(({ title, entries }) => ({ title, entries: entries.flatMap(toEntry) })) }),
  });
}

/** A navigation that operators of this site have edited stays. */
async function importNavigation(state: ImportState): Promise<void> {
  const { run, archive } = state;
  if (!archive.has('navigation.json')) return;
  const item = { key: 'navigation', kind: 'navigation' as const, title: '导航' };
  await importItem(state, item, async (ctx) => {
    const before = await getNavigation(ctx);
    if (before.isHeaderEdited || before.isFooterEdited) {
      await run.recordItem(ctx, { ...item, outcome: 'skipped', note: '本站改过导航，保留现有的' });
      return;
    }
    const input = await readNavigation(ctx, await archive.readText('navigation.json'), before.version);
    await inTransaction(ctx, async (ctx) => {
      const { version } = await updateNavigation(ctx, input);
      await run.recordItem(ctx, { ...item, outcome: 'created', detail: { version } });
    });
  });
}

async function importFriendLinks(state: ImportState, requester: Viewer): Promise<void> {
  const { run, archive } = state;
  if (!archive.has('friend-links.json')) return;
  for await (const line of documents.parseJsonLines(
    documents.friendLinkRecord,
    archive.readLines('friend-links.json'),
  )) {
    if (line === null) continue;
    const item = { key: `link:${line.url}`, kind: 'link' as const, title: line.name };
    await importItem(state, item, async (ctx) => {
      if ((await findFriendLink(ctx.db, { url: line.url })) !== null) {
        await run.recordItem(ctx, { ...item, outcome: 'skipped', note: '已存在' });
        return;
      }
      const logo = line.logo.startsWith('../')
        ? await importPicture(state, requester, line.logo.slice(3))
        : null;
      const input = parseInput(friendLinkCall.input, {
        ...line,
        logo: logo?.path ?? '',
        enabled: toFlag(line.enabled),
      });
      await inTransaction(ctx, async (ctx) => {
        const { id } = await createFriendLink(ctx, requester, input);
        await run.recordItem(ctx, { ...item, outcome: 'created', targetId: id });
      });
    });
  }
}

/** Imports pages, navigation and friend links, after the categories that the navigation refers to. */
export async function importFrame(state: ImportState): Promise<void> {
  const requester = await getRequester(state.run);
  await importInfoPages(state, requester);
  await importOwnPages(state, requester);
  await importNavigation(state);
  await importFriendLinks(state, requester);
}
