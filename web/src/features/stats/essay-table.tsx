import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Input } from '@mozhan/contract/client.ts';
import { toYuan } from '@mozhan/contract/money.ts';
import type { EssayFigures } from '@mozhan/contract/stats.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { callPagesQuery } from '#web/lib/queries.ts';
import { Link } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { ExportButton } from '#web/ui/export-button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';
import { figures } from './figures.ts';
import styles from './table.module.css';

type Sort = NonNullable<Input<'GET core/user/stat/essay'>['sort']>;

const columns: readonly { key: Sort; label: string }[] = [{ key: 'publishedAt', label: '发布' }, ...figures];

function SortHeader({
  sort,
  selected,
  onSort,
}: {
  sort: (typeof columns)[number];
  selected: Sort;
  onSort: (sort: Sort) => void;
}) {
  const isSelected = sort.key === selected;
  return (
    <th scope="col" aria-sort={isSelected ? 'descending' : undefined}>
      <button type="button" className={styles.sort} onClick={() => onSort(sort.key)}>
        {sort.label}
        <Icon name="down" small />
      </button>
    </th>
  );
}

const toCells = (essay: EssayFigures): string[] => [
  essay.title,
  formatDateTime(essay.publishedAt),
  ...figures.map(({ key }) => (key === 'income' ? toYuan(essay[key]) : String(essay[key]))),
];

function EssayStatsExport() {
  const api = useApi();
  return (
    <ExportButton
      fileName={`文章数据-${formatDate(new Date())}.csv`}
      head={[
        '标题',
        '发布时间',
        ...figures.map(({ key, label }) => (key === 'income' ? `${label}（元）` : label)),
      ]}
      toCells={toCells}
      readPage={(position) => api('GET core/user/stat/essay', position)}
    />
  );
}

const waiting = <LoadingSkeleton className={styles.blank} lines={['70 m', '82 m', '50 m']} />;

export function EssayTable() {
  const [sort, setSort] = useState<Sort>('publishedAt');
  const query = useInfiniteQuery({
    ...callPagesQuery(useApi(), 'GET core/user/stat/essay', { sort }),
    placeholderData: (last) => last,
  });
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;

  function renderBody() {
    if (data === undefined)
      return error === null ? waiting : <LoadFailed level="h3" error={error} onRetry={query.refetch} />;
    const essays = data.pages.flatMap(({ list }) => list);
    if (essays.length === 0)
      return <EmptyList level="h3" title="还没有发布过文章" text="第一篇发布以后，这里会有它的数字。" />;
    return (
      <>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
        <section className={`card ${styles.scroll}`} aria-label="每篇文章的数字" tabIndex={0}>
          <table className={styles.table} aria-busy={query.isPlaceholderData}>
            <thead>
              <tr>
                <th scope="col">文章</th>
                {columns.map((column) => (
                  <SortHeader key={column.key} sort={column} selected={sort} onSort={setSort} />
                ))}
              </tr>
            </thead>
            <tbody>
              {essays.map((essay) => (
                <tr key={essay.id}>
                  <th scope="row">
                    <Link to="/essay/detail/:id.html" params={{ id: essay.id }}>
                      {essay.title}
                    </Link>
                  </th>
                  <td>{formatDate(essay.publishedAt)}</td>
                  {figures.map(({ key, format }) => (
                    <td key={key}>{format(essay[key])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        {isFetchNextPageError ? (
          <p className={styles.problem} role="alert">
            {errorMessageOf(error)}
          </p>
        ) : null}
        {hasNextPage ? (
          <div className={styles.more}>
            <Button busy={isFetchingNextPage} onClick={() => query.fetchNextPage()}>
              {isFetchingNextPage ? '正在载入…' : '显示更多'}
            </Button>
          </div>
        ) : null}
      </>
    );
  }

  return (
    <section aria-labelledby="essay-stats">
      <header className={`row wraps apart ${styles.head}`}>
        <h3 id="essay-stats">每篇文章</h3>
        {data === undefined || data.pages[0]?.total === 0 ? null : <EssayStatsExport />}
      </header>
      {renderBody()}
    </section>
  );
}
