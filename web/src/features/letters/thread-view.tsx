import { hasCode } from '@mozhan/client/errors.ts';
import type { Letter, Thread } from '@mozhan/contract/letters.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { PersonItems } from '#web/features/people/person-items.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link, useRouter } from '#web/router/router.tsx';
import { attempt } from '#web/ui/attempt.ts';
import { Avatar, AvatarBlank } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { MenuItem } from '#web/ui/menu-item.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Said } from '#web/ui/said.tsx';
import { Time } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import { Waiting } from '#web/ui/waiting.tsx';
import { LetterForm } from './letter-form.tsx';
import { letterPages, lettersChanged, lettersPath } from './letter-query.ts';
import styles from './letters.module.css';

const Name = ({ user }: { user: UserCard | null }) =>
  user === null ? (
    <span className={styles.name}>已注销</span>
  ) : (
    <Link className={styles.name} to="/user/home/:id.html" params={{ id: user.id }}>
      {user.displayName}
    </Link>
  );

function Item({ letter, isMine }: { letter: Letter; isMine: boolean }) {
  const { from, html, read, createdAt } = letter;
  return (
    <article className={`flex gap-3 divided ${styles.letter}`} data-fresh={!(isMine || read)}>
      {from === null ? (
        <AvatarBlank size="face" />
      ) : (
        <Avatar name={from.displayName} image={from.headImg} size="face" />
      )}
      <div className={styles.words}>
        <p className={`flex wraps ink-3 text-s ${styles.meta}`}>
          <Name user={from} />
          <Time at={createdAt} />
          {isMine ? <span>{read ? '对方已读' : '未读'}</span> : null}
        </p>
        <Said html={html} />
      </div>
    </article>
  );
}

/** Only for oneself: the other one keeps what they have. */
function useRemove({ id, other }: Thread): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  const { navigate } = useRouter();
  return async () => {
    const isSure = await confirm({
      title: `删除与${other?.displayName ?? '对方'}的这份往来？`,
      text: '只从你这里删去，对方那里还在。对方再写信来，你会看到新的信。',
      action: '删除',
      danger: true,
    });
    if (!isSure) return;
    await attempt(async () => {
      await api('DELETE core/essay/pri/msg', { threadId: id });
      toast('已删除');
      await navigate(lettersPath(), { replace: true });
      queryClient.removeQueries({ queryKey: letterPages(api, id).queryKey });
      await lettersChanged(queryClient, api);
    });
  };
}

function Head({ thread }: { thread: Thread }) {
  const remove = useRemove(thread);
  const { other, subject, essay } = thread;
  return (
    <div className={`flex apart gap-3 divided ${styles.title}`}>
      <div>
        <h2>{subject || `与${other?.displayName ?? '已注销的用户'}的私信`}</h2>
        {subject === '' && essay === null ? null : (
          <p>
            {subject === '' ? null : (
              <span>
                与 <Name user={other} />
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
            <PersonItems id={other.id} />
          </>
        )}
        <MenuItem icon="trash" onClick={remove}>
          删除往来
        </MenuItem>
      </Menu>
    </div>
  );
}

interface AnswerProps {
  thread: Thread;
  /** The letter that is answered. */
  last: Letter | undefined;
  why: string;
}

function Answer({ thread: { id, other }, last, why }: AnswerProps) {
  const me = useCurrentUser();
  const [sent, setSent] = useState(0);
  if (other === null || last === undefined) return <Notice>对方已注销，不能再写信。</Notice>;
  if (why !== '') return <Notice>{why}</Notice>;
  return (
    <LetterForm
      key={sent}
      given={{ toUserId: other.id, parentId: last.id }}
      draftKey={`${me?.id}:${id}`}
      label="回信"
      placeholder={`写给${other.displayName}`}
      onSent={() => setSent(sent + 1)}
    />
  );
}

/** What is new in it counts as read once it is shown, on a page that is in front. */
function useMarkRead(thread: Thread | undefined): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const { id = '', unread = 0 } = thread ?? {};
  useEffect(() => {
    if (unread === 0) return;
    const stop = new AbortController();
    async function look(): Promise<void> {
      if (document.visibilityState !== 'visible') return;
      stop.abort();
      await api('PUT core/essay/pri/msg', { threadId: id });
      await lettersChanged(queryClient, api);
    }
    // What fails is shown as unread again, and marked with the next look at it.
    const mark = () => void look().catch(() => {});
    document.addEventListener('visibilitychange', mark, { signal: stop.signal });
    mark();
    return () => stop.abort();
  }, [api, queryClient, id, unread]);
}

const waiting = <Waiting className={styles.blank} lines={['50 l', '82 m', '70 m', '82 m']} />;

/** Not yet, not at all, or not this time. */
function NotThere({ error, onRetry }: { error: Error | null; onRetry: () => unknown }) {
  if (error === null) return waiting;
  if (!hasCode(error, 'NOT_FOUND')) return <LoadFailed error={error} onRetry={onRetry} />;
  return <NothingYet title="没有这份往来" text="可能已经删除，也可能是地址不对。" />;
}

/** One thread, first letter first, and what one answers. */
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

  const isThere = data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, to what is new or else to the latest
  useEffect(() => {
    const items = [...(list.current?.children ?? [])];
    const fresh = items.find((item) => item instanceof HTMLElement && item.dataset.fresh === 'true');
    if (items.length > 1) (fresh ?? items.at(-1))?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }, [isThere]);

  return (
    <section className={styles.thread} aria-label="往来">
      <a className={`gap-1 ink-3 text-m ${styles.back}`} href={href(lettersPath())}>
        <Icon name="left" small />
        全部私信
      </a>
      {latest === undefined ? (
        <NotThere error={error} onRetry={refetch} />
      ) : (
        <>
          <Head thread={latest.thread} />
          <div ref={list} className={styles.letters}>
            {letters.map((letter) => (
              <Item key={letter.id} letter={letter} isMine={letter.from?.id === me?.id} />
            ))}
          </div>
          {hasNextPage ? (
            <p className="text-center">
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                后面的信
              </Button>
            </p>
          ) : (
            <Answer thread={latest.thread} last={letters.at(-1)} why={latest.why} />
          )}
        </>
      )}
    </section>
  );
}
