import { useQuery } from '@tanstack/react-query';
import { ColumnEssays } from '#web/features/columns/column-essays.tsx';
import { ColumnHead } from '#web/features/columns/column-head.tsx';
import { ColumnOffer } from '#web/features/columns/column-offer.tsx';
import { columnQuery, loadColumn, readColumnPage } from '#web/features/columns/column-query.ts';
import { Head } from '#web/features/site/head.tsx';
import { Main } from '#web/features/site/main.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { useRefetchWhenSignedIn } from '#web/lib/use-refetch-when-signed-in.ts';
import type { PageModule, PageProps } from '#web/router/navigation.ts';
import { columnPath, userPath } from '#web/router/router.tsx';
import styles from './column.module.css';

type Path = '/column/:id.html';

export const load: PageModule<Path>['load'] = (context, { params, search }) =>
  loadColumn(context, params.id, readColumnPage(search));

export function Page({ params: { id }, search }: PageProps<Path>) {
  const { data: column, refetch } = useQuery(columnQuery(useApi(), id));
  useRefetchWhenSignedIn(refetch);
  if (column === undefined) return null;
  const page = readColumnPage(search);
  const { name, summary, author, cover, coverSize } = column;
  return (
    <Main>
      <Head
        kind="CollectionPage"
        title={`${name} · ${author.displayName}的专栏`}
        description={summary || `${author.displayName}的专栏《${name}》。`}
        path={columnPath(id, page > 1 ? { page: String(page) } : undefined)}
        {...(cover === '' ? { image: `/og/${id}.png` } : { image: cover, imageSize: coverSize })}
        feed={`/column/${id}`}
        breadcrumbs={[
          { name: '首页', path: '/home' },
          { name: author.displayName, path: userPath(author.id) },
        ]}
      />
      <ColumnHead column={column} />
      <ColumnOffer column={column} onPaid={() => void refetch()} />
      <div className={styles.list}>
        <ColumnEssays column={column} page={page} />
      </div>
    </Main>
  );
}
