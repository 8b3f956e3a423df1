import { isPageSlug } from '@mozhan/contract/page-address.ts';
import { Head } from '#web/features/site/head.tsx';
import { PageArticle } from '#web/features/site/page-article.tsx';
import { callQuery, useCall } from '#web/lib/queries.ts';
import { NotFoundError, type PageModule, type PageProps, Redirect } from '#web/router/navigation.ts';
import { pathTo } from '#web/router/router.tsx';
import styles from './page.module.css';

type Path = '/page/:slug.html';

export const load: PageModule<Path>['load'] = async ({ api, queryClient }, { params: { slug } }) => {
  if (!isPageSlug(slug)) throw new NotFoundError();
  const page = await queryClient.ensureQueryData(callQuery(api, 'GET core/site/page', { slug }));
  // The former address of a page, or a page that comes with the program and has another address.
  if (page.path !== pathTo({ to: '/page/:slug.html', params: { slug } })) throw new Redirect(page.path, 301);
};

/** A page that operators wrote. */
export function Page({ params: { slug } }: PageProps<Path>) {
  const { data } = useCall('GET core/site/page', { slug });
  if (data === undefined) return null;
  return (
    <main id="main" tabIndex={-1} className={`wrap ${styles.page}`}>
      <Head title={data.title} path={data.path} description={data.summary} />
      <PageArticle {...data} />
    </main>
  );
}
