import { ESSAY_STATUS, FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import type { EssayStatus } from '@mozhan/contract/essays.ts';
import { keepPreviousData, type UseInfiniteQueryResult, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { EssayEntrySkeleton } from '#web/features/essays/essay-entry.tsx';
import type { EssayPages } from '#web/features/essays/essay-list.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { useCall } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { Link, pathTo, useRouter } from '#web/router/router.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { toast } from '#web/ui/toast.tsx';
import { type EssayPlot, OwnEssayRow, statusLabels } from './own-essay-row.tsx';
import styles from './own-essays.module.css';
import { SelectionBar } from './selection-bar.tsx';

const SEARCH_DELAY_MS = 300;
/** As many as one call changes. */
const MAX_SELECTED = 50;

const writeLink = (
  <Link
    to="/essay/create.html"
    target="_blank"
    rel="noopener"
    className={buttonClass({ variant: 'primary' })}
  >
    <Icon name="pen" small />
    写文章
  </Link>
);

const parseStatus = (text: string | null): EssayStatus | undefined =>
  Object.values(ESSAY_STATUS).find((status) => String(status) === text);

const ownEssaysPath = (status?: number) =>
  pathTo({
    to: '/account/center.html',
    search: { tab: 'essay', status: status === undefined ? undefined : String(status) },
  });

/** One request for each page of the list, since essays that are listed already have their numbers. */
function usePlots(pages: EssayPages | undefined): Map<string, EssayPlot> {
  const api = useApi();
  const idsPerPage = (pages?.pages ?? []).map(({ list }) =>
    list.filter(({ publishedAt }) => publishedAt !== null).map(({ id }) => id),
  );
  const results = useQueries({
    queries: idsPerPage.map((ids) => ({
      queryKey: ['essay-plots', ids],
      queryFn: () => api('POST core/user/stat/plot', { ids }),
      enabled: ids.length > 0,
    })),
  });
  return new Map(results.flatMap(({ data }) => (data?.list ?? []).map((plot) => [plot.id, plot] as const)));
}

function OwnEssayList({ search }: { search: URLSearchParams }) {
  const { href } = useRouter();
  const status = parseStatus(search.get('status'));
  const [typed, setTyped] = useState('');
  const keyword = useDebounced(typed.trim(), SEARCH_DELAY_MS);
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null);
  const { data: own } = useCall('GET core/essay/own', {}, { placeholderData: keepPreviousData });
  const query = useCallPages('GET core/essay/', {
    mine: FLAG.on,
    ...(status !== undefined && { status }),
    ...(keyword !== '' && { keyword }),
  }) as UseInfiniteQueryResult<EssayPages>;
  const plots = usePlots(query.data);

  function select(id: string, isSelected: boolean): void {
    const next = new Set(selected);
    if (!isSelected) next.delete(id);
    else if (next.size < MAX_SELECTED) next.add(id);
    else toast(`一次最多选 ${MAX_SELECTED} 篇`, 'warn');
    setSelected(next);
  }

  return (
    <section aria-labelledby="own-essays">
      <header className={styles.head}>
        <h2 id="own-essays">文章</h2>
        {writeLink}
      </header>
      <LinkTabs
        label="按状态看"
        selected={String(status ?? '')}
        tabs={[
          { key: '', label: '全部', href: href(ownEssaysPath()), count: own?.total },
          ...Object.entries(statusLabels).map(([key, { name }]) => ({
            key,
            label: name,
            href: href(ownEssaysPath(Number(key))),
            count: own?.counts[Number(key)],
          })),
        ]}
      />
      <div className={styles.tools}>
        <SearchField label="搜索我的文章" placeholder="搜索我的文章" value={typed} onChange={setTyped} />
        <Button
          variant="ghost"
          size="small"
          aria-pressed={selected !== null}
          onClick={() => setSelected(selected === null ? new Set() : null)}
        >
          {selected === null ? '批量操作' : '退出批量操作'}
        </Button>
      </div>
      <InfiniteList
        label="我的文章"
        query={query}
        renderItem={(essay) => (
          <OwnEssayRow
            essay={essay}
            plot={plots.get(essay.id)}
            selected={selected === null ? null : selected.has(essay.id)}
            onSelect={(isSelected) => select(essay.id, isSelected)}
          />
        )}
        skeleton={<EssayEntrySkeleton />}
        empty={
          keyword === '' ? (
            <EmptyList
              level="h3"
              title={status === undefined ? '还没有文章' : `没有${statusLabels[status].name}的文章`}
              text="写下的第一篇，会从草稿开始放在这里，想好了再发布。"
            />
          ) : (
            <EmptyList
              level="h3"
              title={`没有找到「${keyword}」`}
              text="在标题、摘要和标签里找；上架的文章也在正文里找。"
            />
          )
        }
      />
      {selected === null ? null : <SelectionBar ids={[...selected]} onDone={() => setSelected(null)} />}
    </section>
  );
}

/** The user's essays by status, with their actions; readers see how to become a writer. */
export function OwnEssays({ search }: { search: URLSearchParams }) {
  if (useCurrentUser()?.curIdentity === IDENTITY.writer) return <OwnEssayList search={search} />;
  return (
    <EmptyList
      title="你还不是作者"
      actions={
        <Link to="/apply.html" className={buttonClass()}>
          如何成为作者
        </Link>
      }
      text="写文章的资格通过专家申请获得。通过以后，你的草稿和文章都会放在这里。"
    />
  );
}
