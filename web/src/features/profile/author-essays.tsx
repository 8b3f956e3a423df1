import type { Client } from '@mozhan/contract/client.ts';
import { useQuery } from '@tanstack/react-query';
import { EssayList, essayPages } from '#web/features/essays/essay-list.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { callQuery } from '#web/lib/queries.ts';
import { type LoadContext, NotFoundError } from '#web/router/navigation.ts';
import { useHrefs } from '#web/router/router.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import styles from './author-essays.module.css';

interface AuthorListParams {
  /** The author's id. */
  id: string;
  tab: string;
  page: number;
}

const MAX_COLUMNS = 50;

/** The same route also returns one column, but not when it gets an author. */
const columnsQuery = (api: Client, authorId: string) =>
  callQuery(api, 'GET core/essay/column', { authorId, pageSize: MAX_COLUMNS });

const essayFilterOf = (id: string) => ({ authorId: id, feed: 'latest' as const });

/** Rejects with 404 for a page that does not exist. */
export async function loadAuthorEssays(
  { api, queryClient }: LoadContext,
  homeParams: AuthorListParams,
): Promise<void> {
  const { id, tab, page } = homeParams;
  if (tab === 'column') await queryClient.ensureQueryData(columnsQuery(api, id));
  if (tab !== 'essay') return;
  const { pages } = await queryClient.ensureInfiniteQueryData(essayPages(api, essayFilterOf(id), page));
  if (page > 1 && pages[0]?.list.length === 0) throw new NotFoundError();
}

interface AuthorEssaysProps extends AuthorListParams {
  name: string;
}

function ColumnList({ id, name }: AuthorEssaysProps) {
  const { columnHref } = useHrefs();
  const { data } = useQuery(columnsQuery(useApi(), id));
  const columns = data !== undefined && 'list' in data ? data.list : [];
  if (columns.length === 0)
    return <EmptyList title="还没有专栏" text={`${name}把成系列的文章收成专栏以后，会出现在这里。`} />;
  return (
    <ul className={styles.columns} aria-label="专栏">
      {columns.map((column) => (
        <li key={column.id}>
          <div className={styles.cover}>
            <Cover title={column.name} image={column.cover} />
          </div>
          <div className="grow">
            <h2>
              <a className="stretched" href={columnHref(column.id)}>
                {column.name}
              </a>
            </h2>
            {column.summary === '' ? null : <p className="ink-2 text-m">{column.summary}</p>}
            <small>{column.essayCount} 篇</small>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The essays of an author, or the list of columns; nothing in the other tabs. */
export function AuthorEssays(props: AuthorEssaysProps) {
  const { userHref } = useHrefs();
  const { id, tab, page, name } = props;
  if (tab === 'column') return <ColumnList {...props} />;
  if (tab !== 'essay') return null;
  return (
    <EssayList
      label={`${name}的文章`}
      filter={essayFilterOf(id)}
      firstPage={page}
      showsAuthor={false}
      pageHref={(next) => userHref(id, { page: String(next) })}
      empty={<EmptyList title="还没有文章" text={`${name}写成第一篇以后，会出现在这里。`} />}
    />
  );
}
