import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Comment, Reply } from '@mozhan/contract/comments.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { CommentEntry } from './comment-entry.tsx';
import { repliesQuery, useCommentCache } from './comment-query.ts';
import styles from './comments.module.css';
import type { CommentOrReply } from './thread.ts';

/** The first replies come with the comment; the others are loaded on request. */
function useReplies({ id, replies, replyCount }: Comment) {
  const [isRequested, setRequested] = useState(false);
  const query = useInfiniteQuery({ ...repliesQuery(useApi(), id), enabled: isRequested });
  const fetched = query.data?.pages.flatMap(({ list }) => list) ?? [];
  const known = new Set(fetched.map((each) => each.id));
  const visible = [...fetched, ...replies.filter((each) => !known.has(each.id))];
  return {
    visible,
    error: query.error,
    isBusy: query.isFetching,
    // Held replies are not included in replyCount.
    remaining: Math.max(0, replyCount - visible.filter(({ held }) => !held).length),
    load: () => (isRequested ? void query.fetchNextPage() : setRequested(true)),
  };
}

interface RepliesProps {
  comment: Comment;
  onReply: (to: CommentOrReply) => void;
}

export function Replies({ comment, onReply }: RepliesProps) {
  const { visible, error, isBusy, remaining, load } = useReplies(comment);
  const { removeReply } = useCommentCache();

  if (visible.length === 0 && remaining === 0) return null;
  return (
    <div className={styles.replies}>
      <ul aria-label={`对${comment.user?.displayName ?? '这条评论'}的回复`}>
        {visible.map((reply: Reply) => (
          <CommentEntry
            key={reply.id}
            comment={reply}
            onReply={onReply}
            onRemoved={() => removeReply(reply)}
          />
        ))}
      </ul>
      {error === null ? null : <p role="alert">{errorMessageOf(error)}</p>}
      {remaining === 0 ? null : (
        <Button size="small" variant="ghost" busy={isBusy} onClick={load}>
          还有 {remaining} 条回复
        </Button>
      )}
    </div>
  );
}
