import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Notice } from '#contract/notices.ts';
import { useApi } from '#web/lib/app-context.ts';
import { call, callPages } from '#web/lib/queries.ts';
import { Empty } from '#web/ui/empty.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { Layers } from '#web/ui/layers.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Time } from '#web/ui/time.tsx';
import { kinds } from './kinds.ts';
import styles from './notice-items.module.css';
import { useMarkSeen } from './use-mark-read.ts';

/** As long as it takes to read one. */
const SEEN_MS = 1500;

/** Tells when the element has been in sight for a while, in a window that somebody looks at. */
function useSeen(active: boolean, onSeen: () => void) {
  const element = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function is no reason to start counting again
  useEffect(() => {
    if (!active || element.current === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = () => {
      timer = setTimeout(() => (document.hidden ? count() : onSeen()), SEEN_MS);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer);
        if (entries.at(-1)?.isIntersecting) count();
      },
      { threshold: 0.6 },
    );
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [active]);
  return element;
}

function NoticeItem({ notice, onSeen }: { notice: Notice; onSeen: (id: string) => void }) {
  const { id, kind, text, read, createdAt } = notice;
  const item = useSeen(!read, () => onSeen(id));
  return (
    <article ref={item} className={styles.item} data-unread={!read || undefined}>
      <span className={styles.icon}>
        <Icon name={kinds[kind].icon} />
      </span>
      <div className={styles.words}>
        <p className={styles.text}>
          {read ? null : <span className="sr">未读：</span>}
          {text}
        </p>
        <p className={styles.when}>
          {kinds[kind].label}
          <Time at={createdAt} />
        </p>
      </div>
    </article>
  );
}

const blanks = ['82', '70', '100', '50'] as const;

const blankItems = blanks.map((width) => (
  <div key={width} className={styles.item}>
    <Skeleton round height="l" />
    <div className={styles.blank}>
      <Skeleton width={width} />
      <Skeleton width="30" />
    </div>
  </div>
));

/** A notice that arrives while the list is open joins it. */
function useFresh(): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const total = useQuery(call(api, 'GET core/user/notice/unread')).data?.total;
  const before = useRef(total);
  useEffect(() => {
    const hasMore = before.current !== undefined && total !== undefined && total > before.current;
    before.current = total;
    const [list] = callPages(api, 'GET core/user/notice').queryKey;
    if (hasMore) void queryClient.invalidateQueries({ queryKey: [list] });
  }, [total, api, queryClient]);
}

/** Newest first; each is read once it has been seen. */
export function NoticeItems({ kind }: { kind?: Notice['kind'] }) {
  const query = useInfiniteQuery({
    ...callPages(useApi(), 'GET core/user/notice', kind === undefined ? {} : { kind }),
    // Whoever opens it wants to see what has just arrived.
    staleTime: 0,
  });
  const onSeen = useMarkSeen();
  useFresh();
  const empty =
    kind === undefined ? (
      <Empty small level="h3" picture={<Layers />} title="还没有通知">
        有人评论、点赞或关注你，或者本站有事要说，都会在这里告诉你。
      </Empty>
    ) : (
      <Empty small level="h3" picture={<Layers />} title={`没有「${kinds[kind].label}」通知`}>
        收到之后会出现在这里。
      </Empty>
    );
  return (
    <InfiniteList
      label="通知"
      query={query}
      keyOf={(notice) => notice.id}
      item={(notice) => <NoticeItem notice={notice} onSeen={onSeen} />}
      empty={empty}
      skeleton={blankItems}
    />
  );
}
