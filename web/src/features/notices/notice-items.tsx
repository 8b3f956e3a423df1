import type { Notice } from '@mozhan/contract/notices.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useEffect, useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callPages, useCall } from '#web/lib/queries.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Time } from '#web/ui/time.tsx';
import { kinds } from './kinds.ts';
import styles from './notice-items.module.css';
import { useMarkSeen } from './use-mark-read.ts';

/** As long as it takes to read one. */
const SEEN_MS = 1500;

/** More than these are only counted. */
const NAMED = 2;

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

interface NoticeItemProps {
  notice: Notice;
  onSeen: (id: string) => void;
  /** Something in it was followed. */
  onOpen?: () => void;
}

/** Who did it, by name where they are few. */
function Actors({ notice: { actors, count }, onClick }: { notice: Notice; onClick: () => void }) {
  const { href } = useRouter();
  const named = actors.slice(0, NAMED);
  return (
    <>
      {named.map(({ id, displayName }, index) => (
        <Fragment key={id}>
          {index === 0 ? null : '、'}
          <a
            className={styles.name}
            href={href(pathTo({ to: '/user/home/:id.html', params: { id } }))}
            onClick={onClick}
          >
            {displayName}
          </a>
        </Fragment>
      ))}
      {count > named.length ? ` 等 ${count} 人` : ' '}
    </>
  );
}

function Sentence({ notice, onClick }: { notice: Notice; onClick: () => void }) {
  const { href } = useRouter();
  const { actors, text, verb, target, kind } = notice;
  const link = (words: string) =>
    target === null ? null : (
      <a className={styles.target} href={href(target.url)} onClick={onClick}>
        {words}
      </a>
    );
  if (actors.length === 0)
    return (
      <>
        {text} {link('去看看')}
      </>
    );
  if (target === null)
    return (
      <>
        <Actors notice={notice} onClick={onClick} />
        {verb}
      </>
    );
  const [before, after] = verb.split('《》');
  // A letter has a subject, everything else a title.
  const title = kind === 'message' && after === undefined ? `「${target.title}」` : `《${target.title}》`;
  return (
    <>
      <Actors notice={notice} onClick={onClick} />
      {before}
      {target.title === '' ? <> {link('去看看')}</> : link(title)}
      {after}
    </>
  );
}

/** Whoever did it last, marked with what they did; the system has no face. */
function Sign({ kind, actors: [first] }: Notice) {
  if (first === undefined)
    return (
      <span className={`centred ink-3 ${styles.icon}`}>
        <Icon name={kinds[kind].icon} />
      </span>
    );
  return (
    <span className={styles.face}>
      <Avatar name={first.displayName} image={first.headImg} size="face" />
      <span className={`centred ink-2 ${styles.kind}`}>
        <Icon name={kinds[kind].icon} small />
      </span>
    </span>
  );
}

function NoticeItem({ notice, onSeen, onOpen }: NoticeItemProps) {
  const { id, kind, excerpt, read, createdAt } = notice;
  const item = useSeen(!read, () => onSeen(id));

  function follow(): void {
    if (!read) onSeen(id);
    onOpen?.();
  }

  return (
    <article ref={item} className={`flex gap-3 divided ${styles.item}`} data-unread={!read || undefined}>
      <Sign {...notice} />
      <div className="grow">
        <p className={styles.text}>
          {read ? null : <span className="sr">未读：</span>}
          <Sentence notice={notice} onClick={follow} />
        </p>
        {excerpt === '' ? null : <p className={styles.excerpt}>{excerpt}</p>}
        <p className={`flex gap-3 ink-3 text-s ${styles.when}`}>
          {kinds[kind].label}
          <Time at={createdAt} />
        </p>
      </div>
    </article>
  );
}

const blanks = ['82', '70', '100', '50'] as const;

const blankItems = blanks.map((width) => (
  <div key={width} className={`flex gap-3 divided ${styles.item}`}>
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
  const total = useCall('GET core/user/notice/unread').data?.total;
  const before = useRef(total);
  useEffect(() => {
    const hasMore = before.current !== undefined && total !== undefined && total > before.current;
    before.current = total;
    const [list] = callPages(api, 'GET core/user/notice').queryKey;
    if (hasMore) void queryClient.invalidateQueries({ queryKey: [list] });
  }, [total, api, queryClient]);
}

interface NoticeItemsProps {
  kind?: Notice['kind'];
  onOpen?: () => void;
}

/** Newest first; each is read once it has been seen, or followed. */
export function NoticeItems({ kind, onOpen }: NoticeItemsProps) {
  const query = useInfiniteQuery({
    ...callPages(useApi(), 'GET core/user/notice', kind === undefined ? {} : { kind }),
    // Whoever opens it wants to see what has just arrived.
    staleTime: 0,
  });
  const onSeen = useMarkSeen();
  useFresh();
  const empty =
    kind === undefined ? (
      <NothingYet level="h3" title="还没有通知">
        有人评论、点赞或关注你，或者本站有事要说，都会在这里告诉你。
      </NothingYet>
    ) : (
      <NothingYet level="h3" title={`没有「${kinds[kind].label}」通知`}>
        收到之后会出现在这里。
      </NothingYet>
    );
  return (
    <InfiniteList
      label="通知"
      query={query}
      item={(notice) => <NoticeItem notice={notice} onSeen={onSeen} onOpen={onOpen} />}
      empty={empty}
      skeleton={blankItems}
    />
  );
}
