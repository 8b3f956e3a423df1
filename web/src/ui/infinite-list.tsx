import { messageOf } from '@mozhan/client/errors.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useHydrated } from '../lib/use-hydrated.ts';
import { Button, buttonClass } from './button.tsx';
import { Empty } from './empty.tsx';
import { Icon } from './icon.tsx';
import styles from './infinite-list.module.css';
import { Layers } from './layers.tsx';

/** How close the end has to be before the next page is asked for. */
const THRESHOLD = '100px';

interface InfiniteListProps<T> {
  query: UseInfiniteQueryResult<InfiniteData<Page<T>>>;
  item: (row: T) => ReactNode;
  /** Instead of a list without rows. */
  empty: ReactNode;
  /** The shape of some rows. */
  skeleton: ReactNode;
  /** The address of a page, base path included: for those who come without scripts. */
  pageHref?: (page: number) => string;
  label: string;
}

/** Rows are told apart by their id, or else by `keyOf`. */
type Keyed<T> = T extends { id: string } ? { keyOf?: (row: T) => string } : { keyOf: (row: T) => string };

const idOf = (row: unknown) => (row as { id: string }).id;

/** What scrolls the element; null when the window does. */
function scrollerOf(element: Element): Element | null {
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    if (parent !== document.body && /auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent;
  }
  return null;
}

/** Runs when the element comes close; again after each load, since the end may be in sight at once. */
function useNear(mark: RefObject<Element | null>, active: boolean, onNear: () => unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the latest function would only observe anew
  useEffect(() => {
    if (!active || mark.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onNear();
      },
      { root: scrollerOf(mark.current), rootMargin: `${THRESHOLD} 0px` },
    );
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [mark, active]);
}

const Waiting = ({ skeleton }: { skeleton: ReactNode }) => (
  <>
    <div aria-hidden="true">{skeleton}</div>
    <p className="sr" role="status">
      正在载入…
    </p>
  </>
);

/** A list that loads on by itself when its end comes near. */
export function InfiniteList<T>(props: InfiniteListProps<T> & Keyed<T>) {
  const { query, keyOf = idOf, item, empty, skeleton, pageHref, label } = props;
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  const hydrated = useHydrated();
  const end = useRef<HTMLDivElement>(null);
  const loadsByItself = hasNextPage && !query.isFetching && !isFetchNextPageError;
  useNear(end, loadsByItself, query.fetchNextPage);

  if (data === undefined) {
    if (error === null) return <Waiting skeleton={skeleton} />;
    return (
      <Empty
        small
        picture={<Layers failed />}
        title="没有载入成功"
        actions={
          <Button busy={query.isFetching} onClick={() => query.refetch()}>
            <Icon name="refresh" small />
            再试一次
          </Button>
        }
      >
        {messageOf(error)}
      </Empty>
    );
  }
  const rows = data.pages.flatMap((page) => page.list);
  if (rows.length === 0) return empty;
  const last = data.pages.at(-1);
  return (
    <div>
      <ul aria-label={label} aria-busy={isFetchingNextPage}>
        {rows.map((row) => (
          <li key={keyOf(row)}>{item(row)}</li>
        ))}
      </ul>
      {isFetchingNextPage ? <Waiting skeleton={skeleton} /> : null}
      {isFetchNextPageError && !isFetchingNextPage ? (
        <div className={styles.end} role="alert">
          {messageOf(error)}
          <Button onClick={() => query.fetchNextPage()}>加载更多</Button>
        </div>
      ) : null}
      {hasNextPage && !hydrated && pageHref !== undefined && last !== undefined ? (
        <p className={styles.end}>
          <a className={buttonClass()} href={pageHref(last.page + 1)} rel="next">
            下一页
          </a>
        </p>
      ) : null}
      {!hasNextPage && data.pages.length > 1 ? <p className={styles.end}>没有更多了</p> : null}
      <div ref={end} />
    </div>
  );
}
