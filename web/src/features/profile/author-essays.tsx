import type { Client } from '@mozhan/contract/client.ts';
import type { Column } from '@mozhan/contract/columns.ts';
import { useQuery } from '@tanstack/react-query';
import { EssayList, essayPages } from '#web/features/essays/essay-list.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { call } from '#web/lib/queries.ts';
import { type LoadContext, NotFound } from '#web/router/navigation.ts';
import { usePlaces } from '#web/router/router.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import styles from './author-essays.module.css';

interface Address {
  /** The author's. */
  id: string;
  tab: string;
  /** The id of a column of theirs, or ''. */
  column: string;
  page: number;
}

const MOST_COLUMNS = 50;

/** The call also answers with one column; asked for an author's it never does. */
const columnsQuery = (api: Client, authorId: string) =>
  call(api, 'GET core/essay/column', { authorId, pageSize: MOST_COLUMNS });

const filterOf = ({ id, column }: Address) =>
  column === '' ? { authorId: id, feed: 'latest' as const } : { authorId: id, columnId: column };

const isWritten = (tab: string) => tab === 'essay' || tab === 'column';

/** Rejects with 404 for a page, or a column, that is not there. */
export async function loadAuthorEssays({ api, queryClient }: LoadContext, address: Address): Promise<void> {
  const { id, tab, column, page } = address;
  if (!isWritten(tab)) return;
  const isList = tab === 'essay' || column !== '';
  const [columns, pages] = await Promise.all([
    tab === 'column' ? queryClient.ensureQueryData(columnsQuery(api, id)) : undefined,
    isList ? queryClient.ensureInfiniteQueryData(essayPages(api, filterOf(address), page)) : undefined,
  ]);
  const isThere =
    column === '' || (columns && 'list' in columns && columns.list.some((each) => each.id === column));
  if (!isThere || (page > 1 && (pages?.pages[0]?.list.length ?? 0) === 0)) throw new NotFound();
}

interface AuthorEssaysProps extends Address {
  name: string;
}

function useColumns(authorId: string, enabled = true): Column[] {
  const { data } = useQuery({ ...columnsQuery(useApi(), authorId), enabled });
  return data !== undefined && 'list' in data ? data.list : [];
}

function Columns({ id, name }: AuthorEssaysProps) {
  const { personHref } = usePlaces();
  const columns = useColumns(id);
  if (columns.length === 0)
    return <NothingYet title="还没有专栏" text={`${name}把成系列的文章收成专栏以后，会出现在这里。`} />;
  return (
    <ul className={styles.columns} aria-label="专栏">
      {columns.map((column) => (
        <li key={column.id}>
          <div className={styles.cover}>
            <Cover title={column.name} image={column.cover} />
          </div>
          <div className="grow">
            <h2>
              <a className="stretched" href={personHref(id, { tab: 'column', column: column.id })}>
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
  const { personHref } = usePlaces();
  return (
    <header className={`stack gap-1 divided ${styles.head}`}>
      <h2 className="text-h3">{column.name}</h2>
      {column.summary === '' ? null : <p className="ink-2">{column.summary}</p>}
      <small>共 {column.essayCount} 篇</small>
      <a className="link" href={personHref(id, { tab: 'column' })}>
        全部专栏
      </a>
    </header>
  );
}

/** What somebody has written: all of it, their columns, or the essays of one of them; nothing in their other tabs. */
export function AuthorEssays(props: AuthorEssaysProps) {
  const { personHref } = usePlaces();
  const { id, tab, column, page, name } = props;
  const open = useColumn(id, column);
  if (!isWritten(tab)) return null;
  if (tab === 'column' && column === '') return <Columns {...props} />;
  const search = { ...(column !== '' && { tab: 'column', column }) };
  return (
    <>
      {open === undefined ? null : <ColumnHead id={id} column={open} />}
      <EssayList
        label={open === undefined ? `${name}的文章` : `专栏《${open.name}》的文章`}
        filter={filterOf(props)}
        firstPage={page}
        showsAuthor={false}
        pageHref={(next) => personHref(id, { ...search, page: String(next) })}
        empty={
          <NothingYet
            title="还没有文章"
            text={
              open === undefined
                ? `${name}写成第一篇以后，会出现在这里。`
                : `${name}把文章放进这个专栏以后，会出现在这里。`
            }
          />
        }
      />
    </>
  );
}
