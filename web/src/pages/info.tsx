import type { Client } from '@mozhan/contract/client.ts';
import type { InfoPageName } from '@mozhan/contract/page-address.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApplySection } from '#web/features/experts/apply-section.tsx';
import { Head } from '#web/features/site/head.tsx';
import { PageArticle } from '#web/features/site/page-article.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { infoPages } from '#web/lib/info-pages.ts';
import { callQuery } from '#web/lib/queries.ts';
import type { PageModule, PageProps } from '#web/router/navigation.ts';
import { Link } from '#web/router/router.tsx';
import styles from './info.module.css';

/** Info pages rarely change, so responses are cached for a minute while the reader browses them. */
const infoQuery = (api: Client, page: InfoPageName) =>
  queryOptions({
    queryKey: callQuery(api, 'GET core/site/', { page }).queryKey,
    queryFn: ({ signal }) => api('GET core/site/', { page }, { signal, useCache: true }),
  });

const nameOf = (path: string) => infoPages.find((page) => page.path === path)?.name ?? 'about';

const kindOf = (path: string) =>
  path === '/about.html' ? 'AboutPage' : path === '/contact.html' ? 'ContactPage' : 'WebPage';

export const load: PageModule['load'] = ({ api, queryClient }, { path }) =>
  queryClient.ensureQueryData(infoQuery(api, nameOf(path)));

export function Page({ path }: PageProps) {
  const { data } = useQuery(infoQuery(useApi(), nameOf(path)));
  if (data?.page === undefined) return null;
  const { title, summary } = data.page;
  const isApply = path === '/apply.html';
  return (
    <main id="main" tabIndex={-1} className={`wrap ${styles.page}`}>
      <Head kind={kindOf(path)} title={title} path={path} description={summary} />
      <nav className={styles.pages} aria-label="说明页面">
        {infoPages.map((page) => (
          <Link key={page.path} to={page.path} aria-current={page.path === path ? 'page' : undefined}>
            {page.label}
          </Link>
        ))}
      </nav>
      <PageArticle
        {...data.page}
        note={
          isApply ? (
            <a className="link" href="#apply">
              直接申请
            </a>
          ) : null
        }
      >
        {isApply ? <ApplySection /> : null}
      </PageArticle>
    </main>
  );
}
