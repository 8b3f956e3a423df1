import type { Client } from '@mozhan/contract/client.ts';
import type { Column } from '@mozhan/contract/columns.ts';
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
  /** The id of a column of the author, or ''. */
  column: string;
  page: number;
}

const MAX_COLUMNS = 50;

/** The same route also returns one column, but not when it gets an author. */
const columnsQuery = (api: Client, authorId: string) =>
  callQuery(api, 'GET core/essay/column', { authorId, pageSize: MAX_COLUMNS });

const essayFilterOf = ({ id, column }: AuthorListParams) =>
  column === '' ? { authorId: id, feed: 'latest' as const } : { authorId: id, columnId: column };

const isEssayTab = (tab: string) => tab === 'essay' || tab === 'column';

/** Rejects with 404 for a page or a column that does not exist. */
export async function loadAuthorEssays(
  { api, queryClient }: LoadContext,
  homeParams: AuthorListParams,
): Promise<void> {
  const { id, tab, column, page } = homeParams;
  if (!isEssayTab(tab)) return;
  const isList = tab === 'essay' || column !== '';
  const [columns, pages] = await Promise.all([
    tab === 'column' ? queryClient.ensureQueryData(columnsQuery(api, id)) : undefined,
    isList
      ? queryClient.ensureInfiniteQueryData(essayPages(api, essayFilterOf(homeParams), page))
      : undefined,
  ]);
  const isFound =
    column === '' || (columns && 'list' in columns && columns.list.some((each) => each.id === column));
  if (!isFound || (page > 1 && (pages?.pages[0]?.list.length ?? 0) === 0)) throw new NotFoundError();
}

interface AuthorEssaysProps extends AuthorListParams {
  name: string;
}

function useColumns(authorId: string, enabled = true): Column[] {
  const { data } = useQuery({ ...columnsQuery(useApi(), authorId), enabled });
  return data !== undefined && 'list' in data ? data.list : [];
}

function ColumnList({ id, name }: AuthorEssaysProps) {
  const { userHref } = useHrefs();
  const columns = useColumns(id);
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
              <a className="stretched" href={userHref(id, { tab: 'column', column: column.id })}>
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

/** One of an author's columns; undefined for the id ''. */
export const useColumn = (authorId: string, columnId: string): Column | undefined =>
  useColumns(authorId, columnId !== '').find(({ id }) => id === columnId);

function ColumnHead({ id, column }: { id: string; column: Column }) {
  const { userHref } = useHrefs();
  return (
    <header className={`stack gap-1 divided ${styles.head}`}>
      <h2 className="text-h3">{column.name}</h2>
      {column.summary === '' ? null : <p className="ink-2">{column.summary}</p>}
      <small>共 {column.essayCount} 篇</small>
      <a className="link" href={userHref(id, { tab: 'column' })}>
        全部专栏
      </a>
    </header>
  );
}

/** The essays of an author, the list of columns, or the essays of one column; nothing in the other tabs. */
export function AuthorEssays(props: AuthorEssaysProps) {
  const { userHref } = useHrefs();
  const { id, tab, column, page, name } = props;
  const openColumn = useColumn(id, column);
  if (!isEssayTab(tab)) return null;
  if (tab === 'column' && column === '') return <ColumnList {...props} />;
  const search = { ...(column !== '' && { tab: 'column', column }) };
  return (
    <>
      {openColumn === undefined ? null : <ColumnHead id={id} column={openColumn} />}
      <EssayList
        label={openColumn === undefined ? `${name}的文章` : `专栏《${openColumn.name}》的文章`}
        filter={essayFilterOf(props)}
        firstPage={page}
        showsAuthor={false}
        pageHref={(next) => userHref(id, { ...search, page: String(next) })}
        empty={
          <EmptyList
            title="还没有文章"
            text={
              openColumn === undefined
                ? `${name}写成第一篇以后，会出现在这里。`
                : `${name}把文章放进这个专栏以后，会出现在这里。`
            }
          />
        }
      />
    </>
  );
}
