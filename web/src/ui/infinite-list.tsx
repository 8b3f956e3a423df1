import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useHydrated } from '../lib/use-hydrated.ts';
import { Button, buttonClass } from './button.tsx';
import { Empty } from './empty.tsx';
import { EmptyIllustration } from './empty-illustration.tsx';
import { Icon } from './icon.tsx';
import styles from './infinite-list.module.css';

/** Distance from the end of a list in its own scroll container at which the next page is loaded. */
const THRESHOLD = '100px';
/** Larger in the window, so that a reader seldom waits for the next page. */
const WINDOW_THRESHOLD = '600px';

interface InfiniteListProps<T> {
  query: UseInfiniteQueryResult<InfiniteData<Page<T>>>;
  renderItem: (row: T) => ReactNode;
  empty: ReactNode;
  skeleton: ReactNode;
  /** URL of a page, base path included, for readers without JavaScript. */
  pageHref?: (page: number) => string;
  label: string;
}

/** Rows without an `id` need `keyOf`. */
type Keyed<T> = T extends { id: string } ? { keyOf?: (row: T) => string } : { keyOf: (row: T) => string };

const idOf = (row: unknown) => (row as { id: string }).id;

/** The scroll container of the element; null for the window. */
function scrollerOf(element: Element): Element | null {
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    if (parent !== document.body && /auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent;
  }
  return null;
}

/** Observes again after each load, because the end of the list may still be visible. */
function useNearViewport(sentinel: RefObject<Element | null>, active: boolean, onNear: () => unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function must not restart the observer
  useEffect(() => {
    if (!active || sentinel.current === null) return;
    const root = scrollerOf(sentinel.current);
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onNear();
      },
      { root, rootMargin: `${root === null ? WINDOW_THRESHOLD : THRESHOLD} 0px` },
    );
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [sentinel, active]);
}

const LoadingRows = ({ skeleton }: { skeleton: ReactNode }) => (
  <>
    <div aria-hidden="true">{skeleton}</div>
    <p className="sr" role="status">
      正在载入…
    </p>
  </>
);

export function InfiniteList<T>(props: InfiniteListProps<T> & Keyed<T>) {
  const { query, keyOf = idOf, renderItem, empty, skeleton, pageHref, label } = props;
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  const hydrated = useHydrated();
  const end = useRef<HTMLDivElement>(null);
  const autoLoads = hasNextPage && !query.isFetching && !isFetchNextPageError;
  useNearViewport(end, autoLoads, query.fetchNextPage);

  if (data === undefined) {
    if (error === null) return <LoadingRows skeleton={skeleton} />;
    return (
      <Empty
        small
        picture={<EmptyIllustration failed />}
        title="没能载入"
        actions={
          <Button busy={query.isFetching} onClick={() => query.refetch()}>
            <Icon name="refresh" small />
            再试一次
          </Button>
        }
      >
        {errorMessageOf(error)}
      </Empty>
    );
  }
  const rows = data.pages.flatMap((page) => page.list);
  // A page may be empty although there are more, if all its rows were left out.
  if (rows.length === 0 && !hasNextPage) return empty;
  const last = data.pages.at(-1);
  return (
    <div className={isFetchingNextPage ? styles.growing : undefined}>
      <ul aria-label={label} aria-busy={isFetchingNextPage}>
        {rows.map((row) => (
          <li key={keyOf(row)}>{renderItem(row)}</li>
        ))}
      </ul>
      {isFetchingNextPage ? <LoadingRows skeleton={skeleton} /> : null}
      {isFetchNextPageError && !isFetchingNextPage ? (
        <div className={styles.end} role="alert">
          {errorMessageOf(error)}
          <Button onClick={() => query.fetchNextPage()}>显示更多</Button>
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
