import { EssayIndex, essayIndexPath, loadEssayIndex } from '#web/features/home/essay-index.tsx';
import { type Feed, readListParams } from '#web/features/home/list-params.ts';
import { Announcements, loadAnnouncements } from '#web/features/site/announcements.tsx';
import { Head } from '#web/features/site/head.tsx';
import { siteQuery, useSite } from '#web/lib/queries.ts';
import { NotFoundError, type PageModule, type PageProps } from '#web/router/navigation.ts';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { CategoryIcon } from '#web/ui/icon.tsx';
import { Landscape } from '#web/ui/landscape.tsx';
import styles from './essay-list.module.css';

const DEFAULT_FEED = 'latest';
const feeds = [DEFAULT_FEED, 'hot'] as const satisfies readonly Feed[];

export const load: PageModule<'/essay/:slug.html'>['load'] = async (context, { params, search }) => {
  const { categories } = await context.queryClient.ensureQueryData(siteQuery(context.api));
  if (!categories.some(({ slug }) => slug === params.slug)) throw new NotFoundError();
  await Promise.all([
    loadEssayIndex(context, readListParams(search, DEFAULT_FEED), params.slug),
    loadAnnouncements(context),
  ]);
};

export function Page({ params, search }: PageProps<'/essay/:slug.html'>) {
  const { settings, categories } = useSite();
  const category = categories.find(({ slug }) => slug === params.slug);
  if (category === undefined) return null;
  const { slug, name, icon } = category;
  const listParams = readListParams(search, DEFAULT_FEED);
  const { keyword, tag, page } = listParams;
  const parts = [keyword && `搜索「${keyword}」`, tag && `标签「${tag}」`, name, page > 1 && `第 ${page} 页`];
  return (
    <main id="main" tabIndex={-1} className={`wrap ${styles.page}`}>
      <Head
        title={parts.filter(Boolean).join(' · ')}
        path={essayIndexPath(listParams, DEFAULT_FEED, slug)}
        description={`${settings.title}的${name}文章，新的在前。`}
        hidden={keyword !== ''}
        kind={keyword === '' ? 'CollectionPage' : 'SearchResultsPage'}
        image={`/og/${slug}.png`}
        feed={`/essay/${slug}`}
      />
      <Announcements />
      {keyword === '' && tag === '' ? (
        <h1 className={`row gap-2 ${styles.title}`}>
          <CategoryIcon name={icon} />
          {name}
        </h1>
      ) : null}
      <EssayIndex
        listParams={listParams}
        feeds={feeds}
        category={category}
        empty={
          <Empty
            title={`「${name}」里还没有文章`}
            picture={<Landscape seed={name} />}
            actions={
              <Link to="/home" className={buttonClass()}>
                回首页
              </Link>
            }
          >
            <p>第一篇发布之后，它会出现在这里，谁都可以读，不用登录。</p>
          </Empty>
        }
      />
    </main>
  );
}
