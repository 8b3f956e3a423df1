import { hasErrorCode } from '@mozhan/client/errors.ts';
import type { Letter, Thread } from '@mozhan/contract/letters.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { PersonMenuItems } from '#web/features/people/person-menu-items.tsx';
import { ReportButton } from '#web/features/reports/report-button.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link, useRouter } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Avatar, AvatarPlaceholder } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { MenuItem } from '#web/ui/menu-item.tsx';
import { MessageText } from '#web/ui/message-text.tsx';
import { runWithErrorToast } from '#web/ui/run-with-error-toast.ts';
import { RelativeTime } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import { LetterForm } from './letter-form.tsx';
import { invalidateLetters, letterPages, lettersPath } from './letter-query.ts';
import styles from './letters.module.css';

const UserName = ({ user }: { user: UserCard | null }) =>
  user === null ? (
    <span className={styles.name}>已注销</span>
  ) : (
    <Link className={styles.name} to="/user/home/:id.html" params={{ id: user.id }}>
      {user.displayName}
    </Link>
  );

function LetterItem({ letter, isMine }: { letter: Letter; isMine: boolean }) {
  const { id, from, html, read, createdAt } = letter;
  return (
    <article className={`flex gap-3 divided ${styles.letter}`} data-fresh={!(isMine || read)}>
      {from === null ? (
        <AvatarPlaceholder size="face" />
      ) : (
        <Avatar name={from.displayName} image={from.headImg} size="face" />
      )}
      <div className={styles.words}>
        <p className={`flex wraps ink-3 text-s ${styles.meta}`}>
          <UserName user={from} />
          <RelativeTime at={createdAt} />
          {isMine ? <span>{read ? '对方已读' : '未读'}</span> : null}
        </p>
        <MessageText html={html} />
      </div>
      {isMine || from === null ? null : (
        <div className={styles.letterMenu}>
          <Menu label="这封信的更多操作" button={<Icon name="more" small />}>
            <li>
              <ReportButton kind="letter" targetId={id}>
                <Icon name="flag" small />
                举报
              </ReportButton>
            </li>
          </Menu>
        </div>
      )}
    </article>
  );
}

/** Deletes the thread for this user only; the other participant keeps it. */
function useRemoveThread({ id, other }: Thread): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  const { navigate } = useRouter();
  return async () => {
    const isConfirmed = await confirm({
      title: `删除与${other?.displayName ?? '对方'}的这份往来？`,
      text: '只从你这里删去，对方那里还在。对方再写信来，你会看到新的信。',
      action: '删除',
      danger: true,
    });
    if (!isConfirmed) return;
    await runWithErrorToast(async () => {
      await api('DELETE core/essay/pri/msg', { threadId: id });
      toast('已删除');
      await navigate(lettersPath(), { replace: true });
      queryClient.removeQueries({ queryKey: letterPages(api, id).queryKey });
      await invalidateLetters(queryClient, api);
    });
  };
}

function ThreadHeader({ thread }: { thread: Thread }) {
  const remove = useRemoveThread(thread);
  const { other, subject, essay } = thread;
  return (
    <div className={`flex apart gap-3 divided ${styles.title}`}>
      <div>
        <h2>{subject || `与${other?.displayName ?? '已注销的用户'}的私信`}</h2>
        {subject === '' && essay === null ? null : (
          <p>
            {subject === '' ? null : (
              <span>
                与 <UserName user={other} />
              </span>
            )}
            {essay === null ? null : (
              <span>
                关于
                <Link className="link" to="/essay/detail/:id.html" params={{ id: essay.id }}>
                  《{essay.title}》
                </Link>
              </span>
            )}
          </p>
        )}
      </div>
      <Menu label="更多" button={<Icon name="more" />}>
        {other === null ? null : (
          <>
            <li>
              <Link to="/user/home/:id.html" params={{ id: other.id }}>
                <Icon name="user" small />
                TA 的主页
              </Link>
            </li>
            <PersonMenuItems id={other.id} />
          </>
        )}
        <MenuItem icon="trash" onClick={remove}>
          删除往来
        </MenuItem>
      </Menu>
    </div>
  );
}

interface ReplyFormProps {
  thread: Thread;
  /** The letter to which the reply belongs. */
  last: Letter | undefined;
  denialReason: string;
}

function ReplyForm({ thread: { id, other }, last, denialReason }: ReplyFormProps) {
  const me = useCurrentUser();
  const [sent, setSent] = useState(0);
  if (other === null || last === undefined) return <Alert>对方已注销，不能再写信。</Alert>;
  if (denialReason !== '') return <Alert>{denialReason}</Alert>;
  return (
    <LetterForm
      key={sent}
      target={{ toUserId: other.id, parentId: last.id }}
      draftKey={`${me?.id}:${id}`}
      label="回信"
      placeholder={`写给${other.displayName}`}
      onSent={() => setSent(sent + 1)}
    />
  );
}

/** Marks new letters as read once they are displayed in a visible tab. */
function useMarkRead(thread: Thread | undefined): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const { id = '', unread = 0 } = thread ?? {};
  useEffect(() => {
    if (unread === 0) return;
    const stop = new AbortController();
    async function markRead(): Promise<void> {
      if (document.visibilityState !== 'visible') return;
      stop.abort();
      await api('PUT core/essay/pri/msg', { threadId: id });
      await invalidateLetters(queryClient, api);
    }
    // After a failure they stay unread and are marked the next time.
    const mark = () => void markRead().catch(() => {});
    document.addEventListener('visibilitychange', mark, { signal: stop.signal });
    mark();
    return () => stop.abort();
  }, [api, queryClient, id, unread]);
}

const waiting = <LoadingSkeleton className={styles.blank} lines={['50 l', '82 m', '70 m', '82 m']} />;

function ThreadUnavailable({ error, onRetry }: { error: Error | null; onRetry: () => unknown }) {
  if (error === null) return waiting;
  if (!hasErrorCode(error, 'NOT_FOUND')) return <LoadFailed error={error} onRetry={onRetry} />;
  return <EmptyList title="没有这份往来" text="可能已经删除，也可能是地址不对。" />;
}

export function ThreadView({ id }: { id: string }) {
  const { href } = useRouter();
  const me = useCurrentUser();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    letterPages(useApi(), id),
  );
  const list = useRef<HTMLDivElement>(null);
  const latest = data?.pages.at(-1);
  const letters = data?.pages.flatMap((page) => page.list) ?? [];
  useMarkRead(latest?.thread);

  const isLoaded = data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once, to the first unread letter or the latest
  useEffect(() => {
    const items = [...(list.current?.children ?? [])];
    const firstUnread = items.find((item) => item instanceof HTMLElement && item.dataset.fresh === 'true');
    if (items.length > 1)
      (firstUnread ?? items.at(-1))?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }, [isLoaded]);

  return (
    <section className={styles.thread} aria-label="往来">
      <a className={`gap-1 ink-3 text-m ${styles.back}`} href={href(lettersPath())}>
        <Icon name="left" small />
        全部私信
      </a>
      {latest === undefined ? (
        <ThreadUnavailable error={error} onRetry={refetch} />
      ) : (
        <>
          <ThreadHeader thread={latest.thread} />
          <div ref={list} className={styles.letters}>
            {letters.map((letter) => (
              <LetterItem key={letter.id} letter={letter} isMine={letter.from?.id === me?.id} />
            ))}
          </div>
          {hasNextPage ? (
            <p className="text-center">
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                后面的信
              </Button>
            </p>
          ) : (
            <ReplyForm thread={latest.thread} last={letters.at(-1)} denialReason={latest.why} />
          )}
        </>
      )}
    </section>
  );
}
