import { FLAG } from '@mozhan/contract/enums.ts';
import type { NavEntry, NavLink, NavRoute, VisibleNavigation } from '@mozhan/contract/navigation.ts';
import {
  FRIEND_LINKS_PATH,
  infoPageLabels,
  isInfoPageName,
  pagePath,
} from '@mozhan/contract/page-address.ts';
import type { Category } from '../../categories/tables.ts';
import { toPageReference } from '../rules/navigation.ts';
import type { Frame } from '../tables.ts';
import { fillText, type Variables } from '../variables.ts';

const routes: Record<NavRoute, NavLink> = {
  home: { label: '首页', to: '/home', icon: 'home' },
  latest: { label: '最新', to: '/home?feed=latest', icon: 'pen' },
  farmers: { label: '码农', to: '/home?view=farmers', icon: 'users' },
  stars: { label: '码星', to: '/home?view=stars', icon: 'star' },
  links: { label: '友情链接', to: FRIEND_LINKS_PATH, icon: 'link' },
  feed: { label: '订阅 RSS', to: '/feed.xml', icon: 'bell' },
};

interface Targets {
  /** Enabled ones. */
  categories: readonly Category[];
  variables: Variables;
}

export function toVisibleNavigation(
  { header, footer, pages, hasFriendLinks }: Frame,
  { categories, variables }: Targets,
): VisibleNavigation {
  const pageByReference = new Map(pages.map((page) => [toPageReference(page), page]));
  const categoryById = new Map(categories.map((category) => [category.id, category]));

  function toTarget(entry: NavEntry): NavLink | null {
    switch (entry.kind) {
      case 'link':
        return { label: entry.label, to: entry.url, icon: 'link' };
      case 'route':
        return entry.route === 'links' && !hasFriendLinks ? null : routes[entry.route];
      case 'category': {
        const category = categoryById.get(entry.categoryId);
        return category === undefined
          ? null
          : { label: category.name, to: `/essay/${category.slug}.html`, icon: category.icon };
      }
      case 'page': {
        const page = pageByReference.get(entry.page);
        if (page === undefined) return null;
        const label = isInfoPageName(page.slug) ? infoPageLabels[page.slug] : fillText(page.title, variables);
        return { label, to: pagePath(page.slug), icon: 'page' };
      }
    }
  }

  const toLinks = (entries: readonly NavEntry[]): NavLink[] =>
    entries.flatMap((entry) => {
      const target = entry.enabled === FLAG.on ? toTarget(entry) : null;
      return target === null ? [] : [{ ...target, label: entry.label || target.label }];
    });

  return {
    ...(header === null ? {} : { header: toLinks(header) }),
    ...(footer === null
      ? {}
      : {
          footer: footer
            .map(({ title, entries }) => ({ title, links: toLinks(entries) }))
            .filter(({ links }) => links.length > 0),
        }),
  };
}
