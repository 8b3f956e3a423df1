import { type ComponentProps, type ReactNode, use } from 'react';
import { EssayList, essayPages } from '#web/features/essays/essay-list.tsx';
import { HotRanking, sidebarQueries, TagCloud } from '#web/features/essays/sidebar.tsx';
import type { SearchResults as Results } from '#web/features/search/search-results.tsx';
import { cachedImport } from '#web/router/cached-import.ts';
import { type LoadContext, NotFoundError } from '#web/router/navigation.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { Columns } from '#web/ui/columns.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import styles from './essay-index.module.css';
import { FollowingFeed } from './following.tsx';
import { type Feed, type ListParams, toEssayFilter, toSearchParams } from './list-params.ts';

const fetchSearchResults = cachedImport(() => import('#web/features/search/search-results.tsx'));

function SearchResults(props: ComponentProps<typeof Results>) {
  const { SearchResults } = use(fetchSearchResults());
  return <SearchResults {...props} />;
}

/** Fills the query cache for a list and its sidebar; rejects for a page number that the list does not have. */
export async function loadEssayIndex(
  { api, queryClient }: LoadContext,
  listParams: ListParams,
  category?: string,
) {
  const { keyword, feed, tag, page } = listParams;
  const isPersonal = feed === 'following' && keyword === '' && tag === '';
  const filter = toEssayFilter(listParams, category);
  const [pages] = await Promise.all([
    isPersonal ? undefined : queryClient.ensureInfiniteQueryData(essayPages(api, filter, page)),
    keyword === ''
      ? undefined
      : fetchSearchResults().then(({ relatedMatchesQuery }) =>
          queryClient.ensureQueryData(relatedMatchesQuery(api, keyword)),
        ),
    ...sidebarQueries(api, category).map((query) => queryClient.ensureQueryData(query as never)),
  ]);
  if (page > 1 && (pages?.pages[0]?.list.length ?? 0) === 0) throw new NotFoundError();
}

/** The canonical path of a page of the list, without the base path. */
export function essayIndexPath(listParams: Partial<ListParams>, defaultFeed: Feed, slug?: string): string {
  const search = toSearchParams(listParams, defaultFeed);
  return slug === undefined
    ? pathTo({ to: '/home', search })
    : pathTo({ to: '/essay/:slug.html', params: { slug }, search });
}

const feedLabels: Record<Feed, string> = { hot: '推荐', latest: '最新', following: '关注' };
const categoryFeedLabels: Partial<Record<Feed, string>> = { hot: '热门' };

interface EssayIndexProps {
  listParams: ListParams;
  /** In the order of their tabs; the first is the default. */
  feeds: readonly [Feed, ...Feed[]];
  category?: { slug: string; name: string };
  /** Displayed when the list has no essays. */
  empty: ReactNode;
  /** Added below the content of every sidebar. */
  side?: ReactNode;
}

/** A list of essays (feed, tag or search results) with its sidebar. */
export function EssayIndex({ listParams, feeds, category, empty, side }: EssayIndexProps) {
  const { href } = useRouter();
  const { keyword, tag, feed, page } = listParams;
  const [defaultFeed] = feeds;
  const filter = toEssayFilter(listParams, category?.slug);
  const linkTo = (next: Partial<ListParams>) => href(essayIndexPath(next, defaultFeed, category?.slug));
  const pageHref = (page: number) => linkTo({ ...listParams, page });

  return (
    <Columns
      tabbed
      side={
        <>
          <HotRanking category={category?.slug} />
          <TagCloud />
          {side}
        </>
      }
    >
      {keyword === '' ? (
        <>
          {tag === '' ? (
            <div className={styles.tabs}>
              <LinkTabs
                label="文章排序"
                selected={feed}
                tabs={feeds.map((key) => ({
                  key,
                  label: (category && categoryFeedLabels[key]) ?? feedLabels[key],
                  href: linkTo({ feed: key }),
                }))}
              />
            </div>
          ) : (
            <header className={`row wraps apart divided ${styles.narrowed}`}>
              <h1 className="row gap-2 text-h3">
                <Icon name="tag" />
                {tag}
              </h1>
              <a className="link" href={linkTo({})}>
                看全部{category?.name ?? ''}文章
              </a>
            </header>
          )}
          {feed === 'following' && tag === '' ? (
            <FollowingFeed />
          ) : (
            <EssayList label="文章" filter={filter} firstPage={page} pageHref={pageHref} empty={empty} />
          )}
        </>
      ) : (
        <SearchResults
          keyword={keyword}
          filter={filter}
          page={page}
          categoryName={category?.name}
          pageHref={pageHref}
        />
      )}
    </Columns>
  );
}
