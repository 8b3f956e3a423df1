import { useInfiniteQuery } from '@tanstack/react-query';
import { type Feed, readListAddress, toFilter } from '#web/features/essays/address.ts';
import { Banner, bannerQuery } from '#web/features/essays/banner.tsx';
import { Beginning } from '#web/features/essays/beginning.tsx';
import { EssayIndex, indexPath, loadIndex } from '#web/features/essays/essay-index.tsx';
import { essayPages } from '#web/features/essays/essay-list.tsx';
import { Head } from '#web/features/site/head.tsx';
import { PromiseCard } from '#web/features/site/promise-card.tsx';
import { useApi } from '#web/lib/app-context.ts';
import type { PageModule, PageProps } from '#web/lib/navigation.ts';
import { useSite } from '#web/lib/queries.ts';
import { Empty } from '#web/ui/empty.tsx';
import { Layers } from '#web/ui/layers.tsx';
import styles from './home.module.css';

const USUAL = 'hot';
const feeds = [USUAL, 'latest', 'following'] as const satisfies readonly Feed[];

export const load: PageModule<'/home'>['load'] = (context, { search }) =>
  Promise.all([
    loadIndex(context, readListAddress(search, USUAL)),
    context.queryClient.ensureQueryData(bannerQuery(context.api)),
  ]);

const nothing = (
  <Empty small picture={<Layers />} title="这里还没有文章">
    <p>换个标签看看，或者回到全部文章。</p>
  </Empty>
);

/** What the title of the browser's tab says before the site's name. */
function titleOf(keyword: string, tag: string, page: number): string | undefined {
  const subject = keyword ? `搜索「${keyword}」` : tag ? `标签「${tag}」` : undefined;
  if (page === 1) return subject;
  return `${subject ?? '文章'}（第 ${page} 页）`;
}

export function Page({ search }: PageProps<'/home'>) {
  const { title, tagline } = useSite().settings;
  const address = readListAddress(search, USUAL);
  const { keyword, tag, feed, page } = address;
  const isPlain = keyword === '' && tag === '';
  const first = useInfiniteQuery({
    ...essayPages(useApi(), toFilter(address), page),
    enabled: false,
  }).data?.pages[0];
  const isBlank = isPlain && feed !== 'following' && page === 1 && first?.list.length === 0;
  return (
    <main id="main" tabIndex={-1} className={`wrap ${styles.page}`}>
      <Head
        kind="WebSite"
        title={titleOf(keyword, tag, page)}
        path={indexPath(address, USUAL)}
        description={
          tag ? `${title}里关于「${tag}」的文章。` : `${title}，${tagline}。写给程序员的中文文章。`
        }
        hidden={keyword !== '' || feed === 'following'}
      />
      {isPlain ? <h1 className="sr">{title}</h1> : null}
      {isPlain && page === 1 ? <Banner /> : null}
      {isBlank ? (
        <Beginning />
      ) : (
        <EssayIndex address={address} feeds={feeds} empty={nothing} side={<PromiseCard />} />
      )}
    </main>
  );
}
