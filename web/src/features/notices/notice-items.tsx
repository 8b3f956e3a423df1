import type { Notice } from '@mozhan/contract/notices.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useEffect, useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callPagesQuery, useCall } from '#web/lib/queries.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import styles from './notice-items.module.css';
import { noticeKinds } from './notice-kinds.ts';
import { useMarkSeen } from './use-mark-read.ts';

/** The time needed to read a notice. */
const SEEN_AFTER_MS = 1500;

/** Further actors are only counted. */
const MAX_NAMED_ACTORS = 2;

/** Calls `onSeen` when the element has been visible for a while in a visible tab. */
function useSeen(active: boolean, onSeen: () => void) {
  const element = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new callback must not restart the timer
  useEffect(() => {
    if (!active || element.current === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const startTimer = () => {
      timer = setTimeout(() => (document.hidden ? startTimer() : onSeen()), SEEN_AFTER_MS);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer);
        if (entries.at(-1)?.isIntersecting) startTimer();
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
  /** Called when a link in the notice is clicked. */
  onOpen?: () => void;
}

function Actors({ notice: { actors, count }, onClick }: { notice: Notice; onClick: () => void }) {
  const { href } = useRouter();
  const named = actors.slice(0, MAX_NAMED_ACTORS);
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

function NoticeText({ notice, onClick }: { notice: Notice; onClick: () => void }) {
  const { href } = useRouter();
  const { actors, text, verb, target, kind } = notice;
  const link = (label: string) =>
    target === null ? null : (
      <a className={styles.target} href={href(target.url)} onClick={onClick}>
        {label}
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

/** The avatar of the last actor with an icon of the kind; a system notice has only the icon. */
function NoticeIcon({ kind, actors: [first] }: Notice) {
  if (first === undefined)
    return (
      <span className={`centred ink-3 ${styles.icon}`}>
        <Icon name={noticeKinds[kind].icon} />
      </span>
    );
  return (
    <span className={styles.face}>
      <Avatar name={first.displayName} image={first.headImg} size="face" />
      <span className={`centred ink-2 ${styles.kind}`}>
        <Icon name={noticeKinds[kind].icon} small />
      </span>
    </span>
  );
}

/** The newest entries of a group, each with its own link; a single one is quoted without its writer. */
function Excerpts({ notice: { items, excerpt }, onClick }: { notice: Notice; onClick: () => void }) {
  const { href } = useRouter();
  const quoted = items.filter((item) => item.excerpt !== '');
  if (quoted.length < 2) return excerpt === '' ? null : <p className={styles.excerpt}>{excerpt}</p>;
  return (
    <ul className={styles.entries}>
      {quoted.map(({ name, excerpt, url }) => (
        <li key={url}>
          <a className={`brand-hover ${styles.excerpt}`} href={href(url)} onClick={onClick}>
            <b>{name}</b>：{excerpt}
          </a>
        </li>
      ))}
    </ul>
  );
}

function NoticeItem({ notice, onSeen, onOpen }: NoticeItemProps) {
  const { id, kind, read, createdAt } = notice;
  const item = useSeen(!read, () => onSeen(id));

  function onLinkClick(): void {
    if (!read) onSeen(id);
    onOpen?.();
  }

  return (
    <article ref={item} className={`flex gap-3 divided ${styles.item}`} data-unread={!read || undefined}>
      <NoticeIcon {...notice} />
      <div className="grow">
        <p className={styles.text}>
          {read ? null : <span className="sr">未读：</span>}
          <NoticeText notice={notice} onClick={onLinkClick} />
        </p>
        <Excerpts notice={notice} onClick={onLinkClick} />
        <p className={`flex gap-3 ink-3 text-s ${styles.when}`}>
          {noticeKinds[kind].label}
          <RelativeTime at={createdAt} />
        </p>
      </div>
    </article>
  );
}

const skeletonWidths = ['82', '70', '100', '50'] as const;

const skeletonItems = skeletonWidths.map((width) => (
  <div key={width} className={`flex gap-3 divided ${styles.item}`}>
    <Skeleton round height="l" />
    <div className={styles.blank}>
      <Skeleton width={width} />
      <Skeleton width="30" />
    </div>
  </div>
));

/** Reloads the list when a new notice arrives while it is open. */
function useNewNotices(listLoadedAt: number): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const { data: counts, dataUpdatedAt: countedAt } = useCall('GET core/user/notice/unread');
  const latest = counts?.latest;
  const before = useRef(latest);
  useEffect(() => {
    if (latest === undefined) return;
    // The first counts may already contain a notice that arrived after the list was loaded.
    const hasMore =
      before.current === undefined ? 0 < listLoadedAt && listLoadedAt < countedAt : latest > before.current;
    before.current = latest;
    const [list] = callPagesQuery(api, 'GET core/user/notice').queryKey;
    if (hasMore) void queryClient.invalidateQueries({ queryKey: [list] });
  }, [latest, listLoadedAt, countedAt, api, queryClient]);
}

interface NoticeItemsProps {
  kind?: Notice['kind'];
  onOpen?: () => void;
}

/** Newest first; a notice counts as read once it has been seen or clicked. */
export function NoticeItems({ kind, onOpen }: NoticeItemsProps) {
  const query = useInfiniteQuery({
    ...callPagesQuery(useApi(), 'GET core/user/notice', kind === undefined ? {} : { kind }),
    // The list must show what has just arrived.
    staleTime: 0,
  });
  const onSeen = useMarkSeen();
  useNewNotices(query.dataUpdatedAt);
  const empty =
    kind === undefined ? (
      <EmptyList level="h3" title="还没有通知">
        有人评论、点赞或关注你，或者本站有事要说，都会在这里告诉你。
      </EmptyList>
    ) : (
      <EmptyList level="h3" title={`没有「${noticeKinds[kind].label}」通知`}>
        收到之后会出现在这里。
      </EmptyList>
    );
  return (
    <InfiniteList
      label="通知"
      query={query}
      renderItem={(notice) => <NoticeItem notice={notice} onSeen={onSeen} onOpen={onOpen} />}
      empty={empty}
      skeleton={skeletonItems}
    />
  );
}
