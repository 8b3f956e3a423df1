import { EssayList, essayPages } from '#web/features/essays/essay-list.tsx';
import { type Feed, readListParams, toEssayFilter, toSearchParams } from '#web/features/home/list-params.ts';
import { Announcements, loadAnnouncements } from '#web/features/site/announcements.tsx';
import { Head } from '#web/features/site/head.tsx';
import { useSite } from '#web/lib/queries.ts';
import { NotFoundError, type PageModule, type PageProps } from '#web/router/navigation.ts';
import { Link, pathTo, useRouter } from '#web/router/router.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { CategoryIcon } from '#web/ui/icon.tsx';
import { Landscape } from '#web/ui/landscape.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import styles from './mhome.module.css';

const DEFAULT_FEED: Feed = 'hot';

export const load: PageModule<'/mhome.html'>['load'] = async (context, { search }) => {
  const { api, queryClient } = context;
  const listParams = readListParams(search, DEFAULT_FEED);
  const [pages] = await Promise.all([
    queryClient.ensureInfiniteQueryData(essayPages(api, toEssayFilter(listParams), listParams.page)),
    loadAnnouncements(context),
  ]);
  if (listParams.page > 1 && pages.pages[0]?.list.length === 0) throw new NotFoundError();
};

const pathOf = (feed: Feed, page = 1) =>
  pathTo({ to: '/mhome.html', search: toSearchParams({ feed, page }, DEFAULT_FEED) });

/** Home page without the site layout, for browsers inside other apps. */
export function Page({ search }: PageProps<'/mhome.html'>) {
  const { href } = useRouter();
  const { settings, categories } = useSite();
  const { title, tagline } = settings;
  const listParams = readListParams(search, DEFAULT_FEED);
  const { feed, page } = listParams;
  return (
    <main id="main" tabIndex={-1} className={`wrap ${styles.page}`}>
      <Head
        kind="WebSite"
        title={tagline}
        path="/home"
        description={`${title}，${tagline}。写给程序员的中文文章。`}
      />
      <h1>{title}</h1>
      <Announcements />
      <nav className={styles.shelves} aria-label="栏目">
        {categories.map(({ id, slug, name, icon }) => (
          <Link key={id} to="/essay/:slug.html" params={{ slug }}>
            <CategoryIcon name={icon} />
            {name}
          </Link>
        ))}
      </nav>
      <div className={styles.tabs}>
        <LinkTabs
          label="文章排序"
          selected={feed}
          tabs={[
            { key: 'hot', label: '推荐', href: href(pathOf('hot')) },
            { key: 'latest', label: '最新', href: href(pathOf('latest')) },
          ]}
        />
      </div>
      <EssayList
        label="文章"
        filter={toEssayFilter(listParams)}
        firstPage={page}
        pageHref={(next) => href(pathOf(feed, next))}
        empty={
          <Empty title="纸已铺好，等第一笔" picture={<Landscape seed="纸已铺好，等第一笔" hue={28} />}>
            <p>这里还没有文章。第一篇写成之后，它会出现在这一页的最上面，谁都可以读，不用登录。</p>
          </Empty>
        }
      />
    </main>
  );
}
