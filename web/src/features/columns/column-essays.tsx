import type { ColumnDetail } from '@mozhan/contract/columns.ts';
import type { EssayCard } from '@mozhan/contract/essays.ts';
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { EssayEntry, EssayEntrySkeleton } from '#web/features/essays/essay-entry.tsx';
import type { EssayPages } from '#web/features/essays/essay-list.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { useHrefs } from '#web/router/router.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import styles from './column-essays.module.css';
import { columnEssayPages } from './column-query.ts';

/** From this progress on an essay counts as finished, as on the server. */
const FINISHED = 95;

function ReadingState({ progress, isBought }: { progress: number; isBought: boolean }) {
  return (
    <>
      {isBought ? <Badge tone="ok">已购</Badge> : null}
      {progress === 0 ? null : (
        <span className="ink-3 text-s numbers">{progress >= FINISHED ? '读完' : `读到 ${progress}%`}</span>
      )}
    </>
  );
}

/** Order numbers by essay; the list may begin with a later page. */
const numbersOf = (pages: EssayPages['pages']) =>
  new Map(
    pages.flatMap(({ list, page, pageSize }) =>
      list.map(({ id }, index) => [id, (page - 1) * pageSize + index + 1] as const),
    ),
  );

/** The essays of a column in its order. */
export function ColumnEssays({ column, page }: { column: ColumnDetail; page: number }) {
  const { columnHref } = useHrefs();
  const query = useInfiniteQuery(columnEssayPages(useApi(), column.id, page));
  const numbers = numbersOf((query.data as EssayPages | undefined)?.pages ?? []);
  const own = new Map(column.mine.essays.map((each) => [each.id, each]));
  const stateOf = ({ id, price }: EssayCard) => ({
    progress: own.get(id)?.progress ?? 0,
    isBought: price > 0 && (column.mine.bought || own.get(id)?.bought === true),
  });
  return (
    <InfiniteList
      label={`专栏《${column.name}》的文章`}
      query={query as UseInfiniteQueryResult<EssayPages>}
      renderItem={(essay) => (
        <div className={styles.item}>
          <span className={`ink-3 numbers ${styles.number}`}>{numbers.get(essay.id)}</span>
          <EssayEntry essay={essay} showsAuthor={false} footer={<ReadingState {...stateOf(essay)} />} />
        </div>
      )}
      skeleton={<EssayEntrySkeleton />}
      pageHref={(next) => columnHref(column.id, { page: String(next) })}
      empty={
        <EmptyList
          title="还没有文章"
          text={`${column.author.displayName}把文章放进这个专栏以后，会出现在这里。关注专栏，有了新文章会通知你。`}
        />
      }
    />
  );
}
