import { isOn } from '@mozhan/contract/enums.ts';
import type { NavEntry } from '@mozhan/contract/navigation.ts';
import type { Ctx } from '../../../../ctx.ts';
import { getNavigation, listInfoPages, listOwnPages } from '../../../content/site/index.ts';
import { formatDocument, type NavEntryRecord, toJsonLines, toRelativePaths } from '../documents.ts';
import * as queries from '../queries/contents.ts';
import type { ZipFile } from '../zip/write.ts';

interface FramePart {
  file: ZipFile;
  /** Who uses the pictures in `texts`. */
  title: string;
  texts: string[];
  pages?: number;
}

type Edited = Awaited<ReturnType<typeof getNavigation>>;

/** Ids become slugs, which are valid on other sites. */
function toEntryRecord({ categories, pages }: Edited, entry: NavEntry): NavEntryRecord[] {
  const common = { label: entry.label, enabled: isOn(entry.enabled, true) };
  switch (entry.kind) {
    case 'link':
      return [{ kind: 'link', target: entry.url, ...common }];
    case 'route':
      return [{ kind: 'route', target: entry.route, ...common }];
    case 'category': {
      const category = categories.find(({ id }) => id === entry.categoryId);
      return category === undefined ? [] : [{ kind: 'category', target: category.slug, ...common }];
    }
    case 'page': {
      const page = pages.find(({ id, slug }) => id === entry.page || slug === entry.page);
      return page === undefined ? [] : [{ kind: 'page', target: page.slug, ...common }];
    }
  }
}

async function* exportPages({ db }: Ctx): AsyncGenerator<FramePart> {
  for (const { slug, title, content, updatedAt } of await listInfoPages(db))
    yield toPagePart(slug, updatedAt, { page: slug, title }, content);
  for (const { slug, title, content, published, publishedAt, updatedAt } of await listOwnPages(db))
    yield toPagePart(slug, updatedAt, { slug, title, published, publishedAt, updatedAt }, content);
}

const toPagePart = (
  slug: string,
  modified: Date,
  head: { title: string; [field: string]: unknown },
  content: string,
): FramePart => ({
  file: {
    name: `pages/${slug}.md`,
    modified,
    content: Buffer.from(formatDocument(head, toRelativePaths(content))),
  },
  title: head.title,
  texts: [content],
  pages: 1,
});

/** Only parts that operators have edited. */
async function* exportNavigation(ctx: Ctx): AsyncGenerator<FramePart> {
  const edited = await getNavigation(ctx);
  const toRecords = (entries: readonly NavEntry[]) =>
    entries.flatMap((entry) => toEntryRecord(edited, entry));
  if (!edited.isHeaderEdited && !edited.isFooterEdited) return;
  const record = {
    header: edited.isHeaderEdited ? toRecords(edited.header) : null,
    footer: edited.isFooterEdited
      ? edited.footer.map(({ title, entries }) => ({ title, entries: toRecords(entries) }))
      : null,
  };
  yield {
    file: {
      name: 'navigation.json',
      modified: ctx.now,
      content: Buffer.from(`${JSON.stringify(record, null, 2)}\n`),
    },
    title: '导航',
    texts: [],
  };
}

async function* exportFriendLinks(ctx: Ctx): AsyncGenerator<FramePart> {
  const links = await queries.listFriendLinks(ctx.db);
  if (links.length === 0) return;
  const records = async function* () {
    for (const { name, url, description, logo, sort, enabled } of links)
      yield { name, url, description, logo: toRelativePaths(logo), sort, enabled };
  };
  yield {
    file: { name: 'friend-links.json', modified: ctx.now, content: toJsonLines(records()) },
    title: '友情链接',
    texts: links.map(({ logo }) => logo),
  };
}

/** Exports pages, navigation and friend links. */
export async function* exportFrame(ctx: Ctx): AsyncGenerator<FramePart> {
  yield* exportPages(ctx);
  yield* exportNavigation(ctx);
  yield* exportFriendLinks(ctx);
}
