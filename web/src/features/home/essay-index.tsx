import { readUser } from '@mozhan/client/session.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, use } from 'react';
import { EssayList, essayPages } from '#web/features/essays/essay-list.tsx';
import { FeedLink } from '#web/features/essays/feed-link.tsx';
import { HotRanking, sidebarQueries, TagCloud } from '#web/features/essays/sidebar.tsx';
import { TagFollowButton } from '#web/features/essays/tag-follow-button.tsx';
import type { SearchResults as Results } from '#web/features/search/search-results.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { cachedImport } from '#web/router/cached-import.ts';
import { type LoadContext, NotFoundError } from '#web/router/navigation.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { Columns } from '#web/ui/columns.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import styles from './essay-index.module.css';
import { FollowingFeed } from './following.tsx';
import { type Feed, type ListParams, toEssayFilter, toSearchParams } from './list-params.ts';
import { formatNewCount, personalPages, readerHomeQuery } from './personal-pages.ts';
import { Recommended } from './recommended.tsx';

const fetchSearchResults = cachedImport(() => import('#web/features/search/search-results.tsx'));

function SearchResults(props: ComponentProps<typeof Results>) {
  const { SearchResults } = use(fetchSearchResults());
  return <SearchResults {...props} />;
}

/** Whether the list depends on the reader; pages with a number are those of visitors. */
const isRecommended = ({ keyword, tag, feed, page }: ListParams, category?: string): boolean =>
  feed === 'hot' && keyword === '' && tag === '' && page === 1 && category === undefined;

/** The essays that the list shows so far, and above it the unfinished ones; null until the own list is loaded. */
function useShownIds(listParams: ListParams, category?: string): ReadonlySet<string> | null {
  const api = useApi();
  const isOwn = useCurrentUser() !== null && isRecommended(listParams, category);
  const filter = toEssayFilter(listParams, category);
  const shared = useInfiniteQuery({ ...essayPages(api, filter, listParams.page), enabled: false });
  const own = useInfiniteQuery({ ...personalPages(api), enabled: false });
  const home = useQuery({ ...readerHomeQuery(api), enabled: false });
  if (isOwn && (own.isPending || home.isPending)) return null;
  const pages = (isOwn ? own.data : shared.data)?.pages ?? [];
  const essays = [...pages.flatMap(({ list }) => list), ...((isOwn && home.data?.unfinished) || [])];
  return new Set(essays.map(({ id }) => id));
}

/** For example 4 篇新文章; undefined for visitors and without new essays. */
function useFollowingNote(): string | undefined {
  const isSignedIn = useCurrentUser() !== null;
  const { data } = useQuery({ ...readerHomeQuery(useApi()), enabled: isSignedIn });
  const count = isSignedIn ? (data?.newCount ?? 0) : 0;
  return count === 0 ? undefined : `${formatNewCount(count)}新文章`;
}

/** Fills the query cache for a list and its sidebar; rejects for a page number that the list does not have. */
export async function loadEssayIndex(
  { api, queryClient }: LoadContext,
  listParams: ListParams,
  category?: string,
) {
  const { keyword, feed, tag, page } = listParams;
  const isFollowing = feed === 'following' && keyword === '' && tag === '';
  const filter = toEssayFilter(listParams, category);
  const isOwn = isRecommended(listParams, category) && !import.meta.env.SSR && readUser() !== null;
  const [pages] = await Promise.all([
    isFollowing || isOwn ? undefined : queryClient.ensureInfiniteQueryData(essayPages(api, filter, page)),
    // Without a connection the page shows the list of visitors.
    isOwn ? queryClient.prefetchInfiniteQuery(personalPages(api)) : undefined,
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
  const shownIds = useShownIds(listParams, category?.slug);
  const followingNote = useFollowingNote();
  const isPersonal = isRecommended(listParams, category?.slug);
  // Beside the own list, which is loaded later, the ranking comes last, so that nothing moves when it appears.
  const isOwn = useCurrentUser() !== null && isPersonal;
  const ranking =
    shownIds === null ? null : (
      <HotRanking category={category?.slug} excluded={shownIds} guestsOnly={isPersonal && !isOwn} />
    );

  return (
    <Columns
      tabbed
      side={
        <>
          {isOwn ? null : ranking}
          <TagCloud />
          {side}
          {isOwn ? ranking : null}
        </>
      }
    >
      {keyword === '' ? (
        <>
          {tag === '' ? (
            <CachedFragment name="feeds" input={[feed, feeds, category]}>
              <div className={`flex ${styles.tabs}`}>
                <LinkTabs
                  label="文章排序"
                  selected={feed}
                  tabs={feeds.map((key) => ({
                    key,
                    label: (category && categoryFeedLabels[key]) ?? feedLabels[key],
                    href: linkTo({ feed: key }),
                    note: key === 'following' && feed !== 'following' ? followingNote : undefined,
                  }))}
                />
                <FeedLink
                  folder={category === undefined ? '' : `/essay/${category.slug}`}
                  of={category === undefined ? '全站文章' : `${category.name}文章`}
                />
              </div>
            </CachedFragment>
          ) : (
            <header className={`row wraps divided ${styles.narrowed}`}>
              <h1 className="row gap-2 text-h3">
                <Icon name="tag" />
                {tag}
              </h1>
              <TagFollowButton tag={tag} />
              <FeedLink folder={`/tag/${encodeURIComponent(tag)}`} of={`「${tag}」的文章`} />
              <a className={`link ${styles.all}`} href={linkTo({})}>
                看全部{category?.name ?? ''}文章
              </a>
            </header>
          )}
          {feed === 'following' && tag === '' ? (
            <FollowingFeed />
          ) : isRecommended(listParams, category?.slug) ? (
            <Recommended empty={empty} pageHref={pageHref} />
          ) : (
            <EssayList label="文章" filter={filter} firstPage={page} pageHref={pageHref} empty={empty} />
          )}
        </>
      ) : (
        <SearchResults
          keyword={keyword}
          filter={filter}
          choices={listParams}
          page={page}
          category={category}
          pageHref={pageHref}
          hrefOf={({ category: slug = category?.slug ?? null, ...change }) =>
            href(essayIndexPath({ ...listParams, ...change, page: 1 }, feed, slug ?? undefined))
          }
        />
      )}
    </Columns>
  );
}
