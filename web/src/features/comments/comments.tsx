import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Comment } from '@mozhan/contract/comments.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { EmptyIllustration } from '#web/ui/empty-illustration.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { CommentItem } from './comment-item.tsx';
import {
  type CommentSort,
  commentQuery,
  commentsQuery,
  useAfterSend,
  useCommentCache,
} from './comment-query.ts';
import styles from './comments.module.css';
import { CommentsSkeleton } from './comments-skeleton.tsx';
import { CommentsTitle } from './comments-title.tsx';
import { CommentComposer, type CommentInput } from './composer.tsx';
import { type PendingQuote, setPendingQuote, usePendingQuote } from './pending-quote.ts';
import { Quote } from './quote.tsx';
import { SegmentedControl } from './segment.tsx';
import { type CommentThread, ThreadContext, useThread } from './thread.ts';

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

/** Id of the comment or reply in the URL fragment, or ''. */
const useTarget = (): string =>
  useSyncExternalStore(
    subscribe,
    () => /^#cmt-([0-9a-f]{32})$/.exec(location.hash)?.[1] ?? '',
    () => '',
  );

const toHighlight = ({ essayId, quote: { exact, prefix, suffix, start } }: PendingQuote) => ({
  essayId,
  exact,
  prefix,
  suffix,
  start,
});

const sorts = [
  { key: 'new', label: '最新' },
  { key: 'hot', label: '最热' },
] as const;

function NewComment() {
  const api = useApi();
  const user = useCurrentUser();
  const { essayId, allowComment, isOffEverywhere } = useThread();
  const onSent = useAfterSend();
  const { addComment } = useCommentCache();
  const pending = usePendingQuote(essayId);
  useEffect(() => {
    if (pending === null) return;
    const say = document.getElementById('say');
    say?.scrollIntoView({ block: 'center' });
    say?.focus({ preventScroll: true });
  }, [pending]);
  if (!allowComment)
    return (
      <p id="say" className={styles.closed}>
        {isOffEverywhere ? '本站暂停了评论。' : '作者没有开放评论。'}
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

  async function send(comment: CommentInput): Promise<void> {
    const highlight = pending && (await api('POST core/essay/highlight', toHighlight(pending)));
    const quoted = highlight === null ? {} : { highlightId: highlight.id };
    const added = await api('POST core/essay/cmt', { essayId, ...comment, ...quoted });
    setPendingQuote(null);
    addComment(added);
    onSent(added);
  }

  return (
    <div className={styles.write}>
      <span className={styles.face}>
        <Avatar name={user.displayName} image={user.headImg} />
      </span>
      <div>
        {pending === null ? null : (
          <div className={styles.quoting}>
            <Quote text={pending.words} />
            <IconButton label="不引用" onClick={() => setPendingQuote(null)}>
              <Icon name="close" small />
            </IconButton>
          </div>
        )}
        <CommentComposer
          id="say"
          label="写评论"
          placeholder="写下你的想法"
          action="发布"
          draftKey={`${user.id}:${essayId}`}
          autoFocus={location.hash === '#say'}
          send={send}
        />
      </div>
    </div>
  );
}

/** Loads the comments; the one named by the URL comes first. */
function useComments(essayId: string, sort: CommentSort, target: string) {
  const api = useApi();
  const query = useInfiniteQuery(commentsQuery(api, essayId, sort));
  const targetQuery = useQuery({ ...commentQuery(api, essayId, target), enabled: target !== '' });
  const { pages } = query.data ?? {};
  const [first] = (target === '' ? undefined : targetQuery.data?.list) ?? [];
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
    isTargetMissing: target !== '' && (targetQuery.isError || targetQuery.data?.list.length === 0),
  };
}

interface ListProps {
  query: ReturnType<typeof useComments>['query'];
  comments: readonly Comment[];
  /** How many there are to load. */
  count: number;
}

function List({ query, comments, count }: ListProps): ReactNode {
  const { allowComment } = useThread();
  if (comments.length === 0 && query.error !== null)
    return (
      <Empty
        small
        level="h3"
        picture={<EmptyIllustration failed />}
        title="评论没能载入"
        actions={
          <Button busy={query.isFetching} onClick={() => query.refetch()}>
            再试一次
          </Button>
        }
      >
        {errorMessageOf(query.error)}
      </Empty>
    );
  if (query.data === undefined && comments.length === 0)
    return (
      <>
        <CommentsSkeleton count={count} />
        <p className="sr" role="status">
          正在载入评论…
        </p>
      </>
    );
  if (comments.length === 0)
    return allowComment ? (
      <EmptyList level="h3" title="还没有评论">
        读完有什么想法？第一个说说看。
      </EmptyList>
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
          {errorMessageOf(query.error)}
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

/** Authors of the loaded comments and replies, without the reader; guests cannot be mentioned. */
function findParticipants(comments: readonly Comment[], me: string | undefined): UserCard[] {
  const all = comments.flatMap((each) => [each, ...each.replies]);
  const users = new Map(
    all.flatMap(({ user }) => (user === null || user.id === null ? [] : [[user.id, user] as const])),
  );
  if (me !== undefined) users.delete(me);
  return [...users.values()];
}

interface CommentsProps extends CommentThread {
  count: number;
}

export function Comments({ count, ...thread }: CommentsProps) {
  const [sort, setSort] = useState<CommentSort>('new');
  const target = useTarget();
  const me = useCurrentUser()?.id;
  const { query, comments, isTargetMissing } = useComments(thread.essayId, sort, target);
  const participants = useMemo(() => findParticipants(comments, me), [comments, me]);
  return (
    <ThreadContext value={{ ...thread, target, participants }}>
      <header className={styles.head}>
        <CommentsTitle count={count} />
        {comments.length > 1 ? (
          <SegmentedControl label="评论的次序" options={sorts} selected={sort} onSelect={setSort} />
        ) : null}
      </header>
      <NewComment />
      {isTargetMissing ? (
        <p role="status" className={styles.closed}>
          这条评论已经不在了。
        </p>
      ) : null}
      <List query={query} comments={comments} count={count} />
    </ThreadContext>
  );
}
