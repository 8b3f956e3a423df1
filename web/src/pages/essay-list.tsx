import { type Feed, readListAddress } from '#web/features/home/address.ts';
import { EssayIndex, indexPath, loadIndex } from '#web/features/home/essay-index.tsx';
import { Announcements, loadAnnouncements } from '#web/features/site/announcements.tsx';
import { Head } from '#web/features/site/head.tsx';
import { siteQuery, useSite } from '#web/lib/queries.ts';
import { NotFound, type PageModule, type PageProps } from '#web/router/navigation.ts';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { CategoryIcon } from '#web/ui/icon.tsx';
import { Landscape } from '#web/ui/picture.tsx';
import styles from './essay-list.module.css';

const USUAL = 'latest';
const feeds = [USUAL, 'hot'] as const satisfies readonly Feed[];

export const load: PageModule<'/essay/:slug.html'>['load'] = async (context, { params, search }) => {
  const { categories } = await context.queryClient.ensureQueryData(siteQuery(context.api));
  if (!categories.some(({ slug }) => slug === params.slug)) throw new NotFound();
  await Promise.all([
    loadIndex(context, readListAddress(search, USUAL), params.slug),
    loadAnnouncements(context),
  ]);
};

/** A category's essays, the latest first. */
export function Page({ params, search }: PageProps<'/essay/:slug.html'>) {
  const { settings, categories } = useSite();
  const category = categories.find(({ slug }) => slug === params.slug);
  if (category === undefined) return null;
  const { slug, name, icon } = category;
  const address = readListAddress(search, USUAL);
  const { keyword, tag, page } = address;
  const parts = [keyword && `搜索「${keyword}」`, tag && `标签「${tag}」`, name, page > 1 && `第 ${page} 页`];
  return (
    <main id="main" tabIndex={-1} className={`wrap ${styles.page}`}>
      <Head
        title={parts.filter(Boolean).join(' · ')}
        path={indexPath(address, USUAL, slug)}
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
        address={address}
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
