import { messageOf } from '@mozhan/client/errors.ts';
import type { Comment } from '@mozhan/contract/comments.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState, useSyncExternalStore } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Layers } from '#web/ui/layers.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import { Skeletons } from '#web/ui/waiting.tsx';
import { CommentItem } from './comment-item.tsx';
import { commentQuery, commentsQuery, type Sort, useCommentCache, useSent } from './comment-query.ts';
import styles from './comments.module.css';
import { CommentsTitle } from './comments-title.tsx';
import { Composer, type NewWords } from './composer.tsx';
import { Segment } from './segment.tsx';
import { type Thread, ThreadContext, useThread } from './thread.ts';

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

/** The comment or reply that the address names; '' for none. */
const useTarget = (): string =>
  useSyncExternalStore(
    subscribe,
    () => /^#cmt-([0-9a-f]{32})$/.exec(location.hash)?.[1] ?? '',
    () => '',
  );

const sorts = [
  { key: 'new', label: '最新' },
  { key: 'hot', label: '最热' },
] as const;

function Write() {
  const api = useApi();
  const user = useCurrentUser();
  const { essayId, allowComment } = useThread();
  const onSent = useSent();
  const { addComment } = useCommentCache();
  if (!allowComment)
    return (
      <p id="say" className={styles.closed}>
        作者没有开放评论。
      </p>
    );
  if (user === null)
    return (
      <p id="say" className={styles.closed}>
        <SignInLink className="link" hash="say">
          登录
        </SignInLink>
        后可以评论、回复和点赞。
      </p>
    );

  async function send(words: NewWords): Promise<void> {
    const input = { essayId, ...words };
    const added = await api('POST core/essay/cmt', input);
    addComment(added);
    onSent(added);
  }

  return (
    <div className={styles.write}>
      <span className={styles.face}>
        <Avatar name={user.displayName} image={user.headImg} />
      </span>
      <Composer
        id="say"
        label="写评论"
        placeholder="写下你的想法"
        action="发布"
        draftKey={`${user.id}:${essayId}`}
        autoFocus={location.hash === '#say'}
        send={send}
      />
    </div>
  );
}

const Waiting = () => (
  <>
    <div className={`stack gap-3 ${styles.waiting}`} aria-hidden="true">
      <Skeletons lines={['30', '82', '50']} />
    </div>
    <p className="sr" role="status">
      正在载入评论…
    </p>
  </>
);

/** The comment that the address names stands first, wherever it would be otherwise. */
function useComments(essayId: string, sort: Sort, target: string) {
  const api = useApi();
  const query = useInfiniteQuery(commentsQuery(api, essayId, sort));
  const named = useQuery({ ...commentQuery(api, essayId, target), enabled: target !== '' });
  const { pages } = query.data ?? {};
  const [first] = (target === '' ? undefined : named.data?.list) ?? [];
  const comments = useMemo(() => {
    const all = new Map<string, Comment>();
    if (first !== undefined) all.set(first.id, first);
    for (const each of pages?.flatMap(({ list }) => list) ?? [])
      if (!all.has(each.id)) all.set(each.id, each);
    return [...all.values()];
  }, [first, pages]);
  return {
    query,
    comments,
    isLost: target !== '' && (named.isError || named.data?.list.length === 0),
  };
}

interface ListProps {
  query: ReturnType<typeof useComments>['query'];
  comments: readonly Comment[];
}

function List({ query, comments }: ListProps): ReactNode {
  const { allowComment } = useThread();
  if (comments.length === 0 && query.error !== null)
    return (
      <Empty
        small
        level="h3"
        picture={<Layers failed />}
        title="评论没有载入成功"
        actions={
          <Button busy={query.isFetching} onClick={() => query.refetch()}>
            再试一次
          </Button>
        }
      >
        {messageOf(query.error)}
      </Empty>
    );
  if (query.data === undefined && comments.length === 0) return <Waiting />;
  if (comments.length === 0)
    return allowComment ? (
      <NothingYet level="h3" title="还没有评论">
        读完有什么想法？第一个说说看。
      </NothingYet>
    ) : null;
  return (
    <>
      <ul aria-label="评论" className={styles.list}>
        {comments.map((comment) => (
          <CommentItem key={comment.id} comment={comment} />
        ))}
      </ul>
      {query.isFetchNextPageError ? (
        <p role="alert" className={styles.closed}>
          {messageOf(query.error)}
        </p>
      ) : null}
      {query.hasNextPage ? (
        <Button block busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          更多评论
        </Button>
      ) : null}
    </>
  );
}

/** Everybody who has said something, each once. */
function speakers(comments: readonly Comment[], me: string | undefined): UserCard[] {
  const said = comments.flatMap((each) => [each, ...each.replies]);
  const people = new Map(said.flatMap(({ user }) => (user === null ? [] : [[user.id, user] as const])));
  if (me !== undefined) people.delete(me);
  return [...people.values()];
}

interface CommentsProps extends Thread {
  count: number;
}

export function Comments({ count, ...thread }: CommentsProps) {
  const [sort, setSort] = useState<Sort>('new');
  const target = useTarget();
  const me = useCurrentUser()?.id;
  const { query, comments, isLost } = useComments(thread.essayId, sort, target);
  const people = useMemo(() => speakers(comments, me), [comments, me]);
  return (
    <ThreadContext value={{ ...thread, target, people }}>
      <header className={styles.head}>
        <CommentsTitle count={count} />
        {comments.length > 1 ? (
          <Segment label="评论的次序" options={sorts} selected={sort} onSelect={setSort} />
        ) : null}
      </header>
      <Write />
      {isLost ? (
        <p role="status" className={styles.closed}>
          要找的那条评论已经不在了。
        </p>
      ) : null}
      <List query={query} comments={comments} />
    </ThreadContext>
  );
}
