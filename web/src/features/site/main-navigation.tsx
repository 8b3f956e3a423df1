import { useEffect, useRef } from 'react';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { useSite } from '#web/lib/queries.ts';
import { Link, useView } from '#web/router/router.tsx';
import { CategoryIcon, Icon } from '#web/ui/icon.tsx';
import styles from './main-navigation.module.css';

/** Links to home and the categories, as a row or, in a sidebar, as a column. */
export function MainNavigation() {
  const { settings, categories } = useSite();
  const path = useView().url.replace(/\?.*/, '');
  const list = useRef<HTMLElement>(null);
  const paths = ['/home', ...categories.map(({ slug }) => `/essay/${slug}.html`)];
  const currentPath = paths.includes(path) ? path : null;
  const current = (to: string) => (path === to ? 'page' : undefined);
  const hasSidebar = settings.layout !== 'top';

  // A row that is wider than the screen is scrolled to the current page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per page
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (here)
      list.current?.scrollTo({ left: here.offsetLeft - list.current.clientWidth / 2 + here.offsetWidth / 2 });
  }, [path]);

  return (
    <nav ref={list} className={styles.places} aria-label="主导航">
      <CachedFragment name="places" input={currentPath}>
        <Link to="/home" className={styles.place} aria-current={current('/home')}>
          {hasSidebar ? <Icon name="home" /> : null}
          首页
        </Link>
        {categories.map(({ id, slug, name, icon }) => (
          <Link
            key={id}
            to="/essay/:slug.html"
            params={{ slug }}
            className={styles.place}
            aria-current={current(`/essay/${slug}.html`)}
          >
            {hasSidebar ? <CategoryIcon name={icon} /> : null}
            {name}
          </Link>
        ))}
      </CachedFragment>
    </nav>
  );
}
