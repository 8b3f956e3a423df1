import type { Output } from '@mozhan/contract/client.ts';
import { useState } from 'react';
import { EssayEntrySkeleton } from '#web/features/essays/essay-entry.tsx';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { useHrefs } from '#web/router/router.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import styles from './own-essays.module.css';

type ReadHistoryEntry = Output<'GET core/essay/read'>['list'][number];

/** From here on an essay counts as read to the end. */
const FINISHED_PERCENT = 95;

function HistoryRow({ essay }: { essay: ReadHistoryEntry }) {
  const { title, author, progress, readAt } = essay;
  const { essayHref } = useHrefs();
  return (
    <article className={styles.item}>
      <h3>
        <a href={essayHref(essay)}>{title}</a>
      </h3>
      <div className={styles.facts}>
        <span>{author.displayName}</span>
        <RelativeTime at={readAt} />
        {progress >= FINISHED_PERCENT ? (
          <span>已读完</span>
        ) : (
          <>
            <span>{progress === 0 ? '刚打开' : `读到 ${progress}%`}</span>
            <a className="link" href={essayHref(essay)} aria-label={`继续阅读《${title}》`}>
              继续阅读
            </a>
          </>
        )}
      </div>
    </article>
  );
}

const SEARCH_DELAY_MS = 300;

const emptyHistory = (
  <EmptyList
    level="h3"
    title="还没有足迹"
    withHomeLink
    text="读过的文章会按时间排在这里，没读完的可以继续阅读。"
  />
);

export function ReadingHistory() {
  const [typed, setTyped] = useState('');
  const keyword = useDebounced(typed.trim(), SEARCH_DELAY_MS);
  const query = useCallPages('GET core/essay/read', keyword === '' ? {} : { keyword });
  const isEmpty = typed === '' && keyword === '' && query.data?.pages[0]?.list.length === 0;
  return (
    <section aria-labelledby="history">
      <header className={styles.head}>
        <h2 id="history">足迹</h2>
      </header>
      {isEmpty ? null : (
        <SearchField label="搜索足迹" placeholder="搜索足迹" value={typed} onChange={setTyped} />
      )}
      <InfiniteList
        label="足迹"
        query={query}
        renderItem={(essay) => <HistoryRow essay={essay} />}
        skeleton={<EssayEntrySkeleton />}
        empty={
          keyword === '' ? (
            emptyHistory
          ) : (
            <EmptyList
              level="h3"
              title={`没有找到「${keyword}」`}
              text="读过的文章里没有，换个词试试，或者在全站搜索。"
            />
          )
        }
      />
    </section>
  );
}
