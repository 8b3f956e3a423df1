import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import type { NavEntry, Navigation, NavRoute } from '@mozhan/contract/navigation.ts';

/** The limits of the contract, which the browser does not load. */
export const MAX_HEADER = 40;
export const MAX_FOOTER = 40;
export const MAX_GROUPS = 4;

export const kindNames: Record<NavEntry['kind'], string> = {
  category: '分类',
  route: '栏目',
  page: '页面',
  link: '外部链接',
};

export const routeNames: Record<NavRoute, string> = {
  home: '首页',
  latest: '最新',
  farmers: '码农',
  stars: '码星',
  links: '友情链接',
  feed: '订阅 RSS',
};

/** An entry in the editor, with a key that stays when it is moved. */
export interface EditedEntry {
  key: number;
  entry: NavEntry;
}

export interface EditedGroup {
  key: number;
  title: string;
  entries: EditedEntry[];
}

let lastKey = 0;
export const newKey = (): number => {
  lastKey += 1;
  return lastKey;
};

export const toEdited = (entry: NavEntry): EditedEntry => ({ key: newKey(), entry });

export const toEntries = (entries: readonly EditedEntry[]): NavEntry[] => entries.map(({ entry }) => entry);

/** Swaps an item with its neighbour. */
export function move<T>(list: readonly T[], at: number, by: -1 | 1): T[] {
  const [one, other] = [list[at], list[at + by]];
  if (one === undefined || other === undefined) return [...list];
  const next = [...list];
  next[at] = other;
  next[at + by] = one;
  return next;
}

/** The name of what an entry leads to. */
export function targetName(entry: NavEntry, { categories, pages }: Navigation): string {
  switch (entry.kind) {
    case 'category':
      return categories.find(({ id }) => id === entry.categoryId)?.name ?? '';
    case 'route':
      return routeNames[entry.route];
    case 'page':
      return pages.find(({ page }) => page === entry.page)?.title ?? '';
    case 'link':
      return entry.url;
  }
}

/** Why readers do not see an entry that is enabled; undefined if they do. */
export function hiddenReason(entry: NavEntry, { categories, pages }: Navigation): string | undefined {
  if (
    entry.kind === 'category' &&
    categories.some(({ id, enabled }) => id === entry.categoryId && enabled === FLAG.off)
  )
    return '分类已停用';
  if (
    entry.kind === 'page' &&
    pages.some(({ page, published }) => page === entry.page && published === FLAG.off)
  )
    return '页面还是草稿';
  return undefined;
}

/** The fields of the form, one for each kind of target. */
export interface EntryValues {
  kind: NavEntry['kind'];
  categoryId?: string | undefined;
  route?: NavRoute | undefined;
  page?: string | undefined;
  url: string;
  label: string;
  enabled: Flag;
}

export const toValues = (entry: NavEntry | undefined): EntryValues => ({
  kind: entry?.kind ?? 'page',
  categoryId: entry?.kind === 'category' ? entry.categoryId : undefined,
  route: entry?.kind === 'route' ? entry.route : undefined,
  page: entry?.kind === 'page' ? entry.page : undefined,
  url: entry?.kind === 'link' ? entry.url : '',
  label: entry?.label ?? '',
  enabled: entry?.enabled ?? FLAG.on,
});

/** The form requires the target of the chosen kind. */
export function toEntry({
  kind,
  categoryId = '',
  route = 'home',
  page = '',
  url,
  label,
  enabled,
}: EntryValues): NavEntry {
  const common = { label: label.trim(), enabled };
  switch (kind) {
    case 'category':
      return { kind, categoryId, ...common };
    case 'route':
      return { kind, route, ...common };
    case 'page':
      return { kind, page, ...common };
    case 'link':
      return { kind, url, ...common };
  }
}
