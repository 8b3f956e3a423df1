import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, use } from 'react';
import { farmersPath, readFarmerAddress } from '#web/features/code-farmers/address.ts';
import { FarmersInvite } from '#web/features/code-farmers/farmers-invite.tsx';
import { readRange, starsPath, topStarsQuery } from '#web/features/code-stars/stars-query.ts';
import { TopStars } from '#web/features/code-stars/top-stars.tsx';
import { essayPages } from '#web/features/essays/essay-list.tsx';
import { type Feed, readListAddress, toFilter } from '#web/features/home/address.ts';
import { Banner, bannerQuery } from '#web/features/home/banner.tsx';
import { Beginning } from '#web/features/home/beginning.tsx';
import { EssayIndex, indexPath, loadIndex } from '#web/features/home/essay-index.tsx';
import { PromiseCard } from '#web/features/home/promise-card.tsx';
import { Announcements, loadAnnouncements } from '#web/features/site/announcements.tsx';
import { Head } from '#web/features/site/head.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { useSite } from '#web/lib/queries.ts';
import { fetchedCode } from '#web/router/fetched-code.ts';
import type { PageModule, PageProps } from '#web/router/navigation.ts';
import { Columns } from '#web/ui/columns.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import styles from './home.module.css';

const USUAL = 'hot';
const feeds = [USUAL, 'latest', 'following'] as const satisfies readonly Feed[];

const farmersView = fetchedCode(() => import('#web/features/code-farmers/directory.tsx'));
const starsView = fetchedCode(() => import('#web/features/code-stars/ranking.tsx'));

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
  await loadRanking(context, readRange(search));
};

const loadEssays: Load = (context, { search }) =>
  Promise.all([
    loadIndex(context, readListAddress(search, USUAL)),
    loadAnnouncements(context),
    context.queryClient.ensureQueryData(bannerQuery(context.api)),
    context.queryClient.ensureQueryData(topStarsQuery(context.api)),
  ]);

function WithSide({ children, side }: { children: ReactNode; side: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className={`wrap ${styles.page}`}>
      <Columns side={side}>{children}</Columns>
    </main>
  );
}

function Farmers({ search }: Props) {
  const { Directory } = use(farmersView());
  const { title } = useSite().settings;
  const address = readFarmerAddress(search);
  const { page, keyword } = address;
  return (
    <WithSide
      side={
        <>
          <FarmersInvite isThere />
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
      <Directory address={address} />
    </WithSide>
  );
}

function Stars({ search }: Props) {
  const { Ranking } = use(starsView());
  const { title } = useSite().settings;
  const range = readRange(search);
  return (
    <WithSide
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
      <Ranking range={range} />
    </WithSide>
  );
}

const nothing = <NothingYet title="这里还没有文章" text="换个标签看看，或者回到全部文章。" />;

/** What the title of the browser's tab says before the site's name. */
function titleOf(keyword: string, tag: string, page: number): string | undefined {
  const subject = keyword ? `搜索「${keyword}」` : tag ? `标签「${tag}」` : undefined;
  if (page === 1) return subject;
  return `${subject ?? '文章'}（第 ${page} 页）`;
}

function Essays({ search }: Props) {
  const { title, tagline } = useSite().settings;
  const address = readListAddress(search, USUAL);
  const { keyword, tag, feed, page } = address;
  const isPlain = keyword === '' && tag === '';
  const first = useInfiniteQuery({
    ...essayPages(useApi(), toFilter(address), page),
    enabled: false,
  }).data?.pages[0];
  const isBlank = isPlain && feed !== 'following' && page === 1 && first?.list.length === 0;
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
        kind={keyword ? 'SearchResultsPage' : isPlain && page === 1 ? 'WebSite' : 'CollectionPage'}
        title={titleOf(keyword, tag, page)}
        path={indexPath(address, USUAL)}
        description={
          tag ? `${title}里关于「${tag}」的文章。` : `${title}，${tagline}。写给程序员的中文文章。`
        }
        hidden={keyword !== '' || feed === 'following'}
      />
      {isPlain ? <h1 className="sr">{title}</h1> : null}
      <Announcements />
      {isPlain && page === 1 ? <Banner /> : null}
      {isBlank ? <Beginning /> : <EssayIndex address={address} feeds={feeds} empty={nothing} side={side} />}
    </main>
  );
}

/** Essays are usual; the others are named by `view`. */
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
