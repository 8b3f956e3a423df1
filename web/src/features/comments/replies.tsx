import { messageOf } from '@mozhan/client/errors.ts';
import type { Comment, Reply } from '@mozhan/contract/comments.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { repliesQuery, useCommentCache } from './comment-query.ts';
import styles from './comments.module.css';
import { SaidItem } from './said-item.tsx';
import type { SaidBySomebody } from './thread.ts';

/** The first few come with the comment; the others when asked for. */
function useReplies({ id, replies, replyCount }: Comment) {
  const [isWanted, setWanted] = useState(false);
  const query = useInfiniteQuery({ ...repliesQuery(useApi(), id), enabled: isWanted });
  const fetched = query.data?.pages.flatMap(({ list }) => list) ?? [];
  const known = new Set(fetched.map((each) => each.id));
  const shown = [...fetched, ...replies.filter((each) => !known.has(each.id))];
  return {
    shown,
    error: query.error,
    isBusy: query.isFetching,
    // Held ones are not counted.
    more: Math.max(0, replyCount - shown.filter(({ held }) => !held).length),
    load: () => (isWanted ? void query.fetchNextPage() : setWanted(true)),
  };
}

interface RepliesProps {
  comment: Comment;
  onReply: (to: SaidBySomebody) => void;
}

export function Replies({ comment, onReply }: RepliesProps) {
  const { shown, error, isBusy, more, load } = useReplies(comment);
  const { removeReply } = useCommentCache();

  if (shown.length === 0 && more === 0) return null;
  return (
    <div className={styles.replies}>
      <ul aria-label={`对${comment.user?.displayName ?? '这条评论'}的回复`}>
        {shown.map((reply: Reply) => (
          <SaidItem key={reply.id} said={reply} onReply={onReply} onRemoved={() => removeReply(reply)} />
        ))}
      </ul>
      {error === null ? null : <p role="alert">{messageOf(error)}</p>}
      {more === 0 ? null : (
        <Button size="small" look="ghost" busy={isBusy} onClick={load}>
          还有 {more} 条回复
        </Button>
      )}
    </div>
  );
}
