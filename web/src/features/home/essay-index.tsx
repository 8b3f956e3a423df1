import { type ComponentProps, type ReactNode, use } from 'react';
import { EssayList, essayPages } from '#web/features/essays/essay-list.tsx';
import { HotRanking, sideQueries, TagCloud } from '#web/features/essays/side.tsx';
import type { SearchResults as Results } from '#web/features/search/search-results.tsx';
import { fetchedCode } from '#web/router/fetched-code.ts';
import { type LoadContext, NotFound } from '#web/router/navigation.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { Columns } from '#web/ui/columns.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import { type Feed, type ListAddress, toFilter, toSearch } from './address.ts';
import styles from './essay-index.module.css';
import { Following } from './following.tsx';

const searchView = fetchedCode(() => import('#web/features/search/search-results.tsx'));

function SearchResults(props: ComponentProps<typeof Results>) {
  const { SearchResults } = use(searchView());
  return <SearchResults {...props} />;
}

/** Fills the cache with what a list and its side show; rejects for a page that the list does not have. */
export async function loadIndex({ api, queryClient }: LoadContext, address: ListAddress, category?: string) {
  const { keyword, feed, tag, page } = address;
  const isPersonal = feed === 'following' && keyword === '' && tag === '';
  const filter = toFilter(address, category);
  const [pages] = await Promise.all([
    isPersonal ? undefined : queryClient.ensureInfiniteQueryData(essayPages(api, filter, page)),
    keyword === ''
      ? undefined
      : searchView().then(({ aroundQuery }) => queryClient.ensureQueryData(aroundQuery(api, keyword))),
    ...sideQueries(api, category).map((query) => queryClient.ensureQueryData(query as never)),
  ]);
  if (page > 1 && (pages?.pages[0]?.list.length ?? 0) === 0) throw new NotFound();
}

/** The one address of a list's page, base path removed. */
export function indexPath(address: Partial<ListAddress>, usual: Feed, slug?: string): string {
  const search = toSearch(address, usual);
  return slug === undefined
    ? pathTo({ to: '/home', search })
    : pathTo({ to: '/essay/:slug.html', params: { slug }, search });
}

const feedNames: Record<Feed, string> = { hot: '推荐', latest: '最新', following: '关注' };
const inCategory: Partial<Record<Feed, string>> = { hot: '热门' };

interface EssayIndexProps {
  address: ListAddress;
  /** In the order of their tabs; the first is usual. */
  feeds: readonly [Feed, ...Feed[]];
  category?: { slug: string; name: string };
  /** Instead of a list without essays. */
  empty: ReactNode;
  /** After what is beside every list. */
  side?: ReactNode;
}

/** Lists of essays with what stands beside them: a feed, a tag's essays, or what a search found. */
export function EssayIndex({ address, feeds, category, empty, side }: EssayIndexProps) {
  const { href } = useRouter();
  const { keyword, tag, feed, page } = address;
  const [usual] = feeds;
  const filter = toFilter(address, category?.slug);
  const linkTo = (next: Partial<ListAddress>) => href(indexPath(next, usual, category?.slug));
  const pageHref = (page: number) => linkTo({ ...address, page });

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
                  label: (category && inCategory[key]) ?? feedNames[key],
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
            <Following />
          ) : (
            <EssayList label="文章" filter={filter} firstPage={page} pageHref={pageHref} empty={empty} />
          )}
        </>
      ) : (
        <SearchResults
          keyword={keyword}
          filter={filter}
          page={page}
          place={category?.name}
          pageHref={pageHref}
        />
      )}
    </Columns>
  );
}
