import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, use } from 'react';
import { farmersPath, readFarmerAddress } from '#web/features/code-farmers/address.ts';
import { FarmersInvite } from '#web/features/code-farmers/farmers-invite.tsx';
import { readStarRange, starsPath, topStarsQuery } from '#web/features/code-stars/stars-query.ts';
import { TopStars } from '#web/features/code-stars/top-stars.tsx';
import { essayPages } from '#web/features/essays/essay-list.tsx';
import { Banner, bannerQuery } from '#web/features/home/banner.tsx';
import { EmptyHome } from '#web/features/home/empty-home.tsx';
import { EssayIndex, essayIndexPath, loadEssayIndex } from '#web/features/home/essay-index.tsx';
import { type Feed, readListParams, toEssayFilter } from '#web/features/home/list-params.ts';
import { PromiseCard } from '#web/features/home/promise-card.tsx';
import { Announcements, loadAnnouncements } from '#web/features/site/announcements.tsx';
import { Head } from '#web/features/site/head.tsx';
import { Verification } from '#web/features/site/verification.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { useSite } from '#web/lib/queries.ts';
import { cachedImport } from '#web/router/cached-import.ts';
import type { PageModule, PageProps } from '#web/router/navigation.ts';
import { Columns } from '#web/ui/columns.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import styles from './home.module.css';

const DEFAULT_FEED = 'hot';
const feeds = [DEFAULT_FEED, 'latest', 'following'] as const satisfies readonly Feed[];

const farmersView = cachedImport(() => import('#web/features/code-farmers/directory.tsx'));
const starsView = cachedImport(() => import('#web/features/code-stars/ranking.tsx'));

type Load = NonNullable<PageModule<'/home'>['load']>;
type Props = PageProps<'/home'>;

const loadFarmers: Load = async (context, { search }) => {
  const { loadDirectory } = await farmersView();
  await Promise.all([
    loadDirectory(context, readFarmerAddress(search)),
    context.queryClient.ensureQueryData(topStarsQuery(context.api)),
  ]);
};

const loadStars: Load = async (context, { search }) => {
  const { loadRanking } = await starsView();
  await loadRanking(context, readStarRange(search));
};

const loadEssays: Load = (context, { search }) =>
  Promise.all([
    loadEssayIndex(context, readListParams(search, DEFAULT_FEED)),
    loadAnnouncements(context),
    context.queryClient.ensureQueryData(bannerQuery(context.api)),
    context.queryClient.ensureQueryData(topStarsQuery(context.api)),
  ]);

function TwoColumnPage({ children, side }: { children: ReactNode; side: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className={`wrap ${styles.page}`}>
      <Columns side={side}>{children}</Columns>
    </main>
  );
}

function Farmers({ search }: Props) {
  const { FarmerDirectory } = use(farmersView());
  const { title } = useSite().settings;
  const address = readFarmerAddress(search);
  const { page, keyword } = address;
  return (
    <TwoColumnPage
      side={
        <>
          <FarmersInvite isOnDirectory />
          <TopStars />
        </>
      }
    >
      <Head
        title={page > 1 ? `码农（第 ${page} 页）` : '码农'}
        kind="CollectionPage"
        path={farmersPath(address)}
        description={`${title}的码农名录：愿意被找到的程序员，按技能和城市查。`}
        hidden={keyword !== ''}
      />
      <FarmerDirectory address={address} />
    </TwoColumnPage>
  );
}

function Stars({ search }: Props) {
  const { StarRanking } = use(starsView());
  const { title } = useSite().settings;
  const range = readStarRange(search);
  return (
    <TwoColumnPage
      side={
        <>
          <FarmersInvite />
          <PromiseCard />
        </>
      }
    >
      <Head
        title="码星"
        kind="CollectionPage"
        path={starsPath(range)}
        description={`${title}的码星：文章最受欢迎的作者，和编辑推荐的作者。`}
      />
      <StarRanking range={range} />
    </TwoColumnPage>
  );
}

const emptyList = <EmptyList title="这里还没有文章" text="换个标签看看，或者回到全部文章。" />;

function titleOf(keyword: string, tag: string, page: number): string | undefined {
  const subject = keyword ? `搜索「${keyword}」` : tag ? `标签「${tag}」` : undefined;
  if (page === 1) return subject;
  return `${subject ?? '文章'}（第 ${page} 页）`;
}

function Essays({ search }: Props) {
  const { title, tagline } = useSite().settings;
  const listParams = readListParams(search, DEFAULT_FEED);
  const { keyword, tag, feed, page } = listParams;
  const isUnfiltered = keyword === '' && tag === '';
  const first = useInfiniteQuery({
    ...essayPages(useApi(), toEssayFilter(listParams), page),
    enabled: false,
  }).data?.pages[0];
  const isSiteEmpty = isUnfiltered && feed !== 'following' && page === 1 && first?.list.length === 0;
  const side = (
    <>
      <TopStars />
      <FarmersInvite />
      <PromiseCard />
    </>
  );
  return (
    <main id="main" tabIndex={-1} className={`wrap ${styles.page}`}>
      <Head
        kind={keyword ? 'SearchResultsPage' : isUnfiltered && page === 1 ? 'WebSite' : 'CollectionPage'}
        title={titleOf(keyword, tag, page)}
        path={essayIndexPath(listParams, DEFAULT_FEED)}
        description={
          tag ? `${title}里关于「${tag}」的文章。` : `${title}，${tagline}。写给程序员的中文文章。`
        }
        feed={tag === '' ? '' : `/tag/${encodeURIComponent(tag)}`}
        hidden={keyword !== '' || feed === 'following'}
      />
      {isUnfiltered && page === 1 ? <Verification /> : null}
      {isUnfiltered ? <h1 className="sr">{title}</h1> : null}
      <Announcements />
      {isUnfiltered && page === 1 ? <Banner /> : null}
      {isSiteEmpty ? (
        <EmptyHome />
      ) : (
        <EssayIndex listParams={listParams} feeds={feeds} empty={emptyList} side={side} />
      )}
    </main>
  );
}

/** Views of the home page by the search parameter `view`; essays are the default. */
const views = {
  farmers: { load: loadFarmers, View: Farmers },
  stars: { load: loadStars, View: Stars },
  essays: { load: loadEssays, View: Essays },
};

function viewOf(search: URLSearchParams) {
  const view = search.get('view');
  return view === 'farmers' || view === 'stars' ? views[view] : views.essays;
}

export const load: Load = (context, props) => viewOf(props.search).load(context, props);

export function Page(props: Props) {
  const { View } = viewOf(props.search);
  return <View {...props} />;
}
