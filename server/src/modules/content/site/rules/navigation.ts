import { FLAG } from '@mozhan/contract/enums.ts';
import {
  MAX_HEADER_ENTRIES,
  type NavEntry,
  type NavGroup,
  type PageReference,
} from '@mozhan/contract/navigation.ts';
import { infoPageNames, isInfoPageName } from '@mozhan/contract/page-address.ts';
import type { Category } from '../../categories/tables.ts';
import type { Frame, LinkedPage } from '../tables.ts';

/** What the site shows until operators edit it; no more than they can save. */
export const defaultHeader = (categories: readonly Category[]): NavEntry[] => [
  { kind: 'route', route: 'home', label: '', enabled: FLAG.on },
  ...categories
    .slice(0, MAX_HEADER_ENTRIES - 1)
    .map(({ id }): NavEntry => ({ kind: 'category', categoryId: id, label: '', enabled: FLAG.on })),
];

export const defaultFooter = (): NavGroup[] => [
  {
    title: '',
    entries: infoPageNames.map((page) => ({ kind: 'page', page, label: '', enabled: FLAG.on })),
  },
];

/** The name of a page that comes with the program, the id of another. */
export const toPageReference = ({ id, slug }: Pick<LinkedPage, 'id' | 'slug'>): PageReference =>
  isInfoPageName(slug) ? slug : id;

type Stored = Pick<Frame, 'header' | 'footer'>;

const listEntries = ({ header, footer }: Stored): NavEntry[] => [
  ...(header ?? []),
  ...(footer ?? []).flatMap(({ entries }) => entries),
];

/** References to the pages in it, enabled or not. */
export const listPagesInNavigation = (stored: Stored): Set<string> =>
  new Set(listEntries(stored).flatMap((entry) => (entry.kind === 'page' ? [entry.page] : [])));

/** References to the pages that the site shows in its header or footer. */
export const listLinkedPages = ({ header, footer }: Stored): Set<string> =>
  new Set(
    listEntries({ header, footer: footer ?? defaultFooter() }).flatMap((entry) =>
      entry.kind === 'page' && entry.enabled === FLAG.on ? [entry.page] : [],
    ),
  );

interface Existing {
  categoryIds: ReadonlySet<string>;
  pages: ReadonlySet<string>;
}

const exists = (entry: NavEntry, { categoryIds, pages }: Existing): boolean =>
  (entry.kind !== 'category' || categoryIds.has(entry.categoryId)) &&
  (entry.kind !== 'page' || pages.has(entry.page));

export const hasUnknownTarget = (entries: readonly NavEntry[], existing: Existing): boolean =>
  entries.some((entry) => !exists(entry, existing));

export const withoutUnknownTargets = (entries: readonly NavEntry[], existing: Existing): NavEntry[] =>
  entries.filter((entry) => exists(entry, existing));
