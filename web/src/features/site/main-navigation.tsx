import type { NavLink } from '@mozhan/contract/navigation.ts';
import type { Site } from '@mozhan/contract/site.ts';
import { useEffect, useRef } from 'react';
import { useLoadedEssay } from '#web/features/essays/essay-query.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { useSite } from '#web/lib/queries.ts';
import { pathTo, useView } from '#web/router/router.tsx';
import { CategoryIcon } from '#web/ui/icon.tsx';
import styles from './main-navigation.module.css';
import { NavAnchor } from './nav-anchor.tsx';

/** As many as operators can have in the navigation beside the home page. */
const MAX_CATEGORIES = 39;

/** Home and the categories, unless operators have chosen other links. */
const listLinks = ({ navigation, categories }: Site): NavLink[] =>
  navigation?.header ?? [
    { label: '首页', to: '/home', icon: 'home' },
    ...categories.slice(0, MAX_CATEGORIES).map(({ slug, name, icon }) => ({
      label: name,
      to: pathTo({ to: '/essay/:slug.html', params: { slug } }),
      icon,
    })),
  ];

/** The link to the current page; the directory and the ranking are views of the home page. */
function findCurrent(links: readonly NavLink[], url: string): string | null {
  const { pathname, searchParams } = new URL(`http://app${url}`);
  const view = searchParams.get('view');
  const candidates = [view === null ? pathname : `${pathname}?view=${view}`, pathname];
  return candidates.find((path) => links.some(({ to }) => to === path)) ?? null;
}

/** On the page of an essay, the list of its category. */
function useCategoryPath(): string | null {
  const { path, params } = useView();
  const slug = useLoadedEssay(path === '/essay/detail/:id.html' ? (params.id ?? '') : '')?.category?.slug;
  return slug === undefined ? null : pathTo({ to: '/essay/:slug.html', params: { slug } });
}

/** The main links of the site, as a row or, in a sidebar, as a column. */
export function MainNavigation() {
  const site = useSite();
  const { url } = useView();
  const list = useRef<HTMLElement>(null);
  const links = listLinks(site);
  const category = useCategoryPath();
  const page = findCurrent(links, url);
  const current = page ?? category;
  const hasSidebar = site.settings.layout !== 'top';

  // A row that is wider than the screen is scrolled to the current page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per page
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (here)
      list.current?.scrollTo({ left: here.offsetLeft - list.current.clientWidth / 2 + here.offsetWidth / 2 });
  }, [current]);

  return (
    <nav ref={list} className={styles.places} aria-label="主导航">
      <CachedFragment name="places" input={[page, category]}>
        {links.map(({ label, to, icon }, at) => (
          <NavAnchor
            // biome-ignore lint/suspicious/noArrayIndexKey: operators may list a link twice
            key={at}
            to={to}
            className={styles.place}
            aria-current={to === current ? (page === null ? 'true' : 'page') : undefined}
          >
            {hasSidebar ? <CategoryIcon name={icon} /> : null}
            {label}
          </NavAnchor>
        ))}
      </CachedFragment>
    </nav>
  );
}
