import type { Comment } from '@mozhan/contract/comments.ts';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { CommentEntry } from './comment-entry.tsx';
import { useAfterSend, useCommentCache } from './comment-query.ts';
import styles from './comments.module.css';
import { CommentComposer, type CommentInput } from './composer.tsx';
import { Replies } from './replies.tsx';
import type { CommentOrReply } from './thread.ts';

interface ReplyFormProps {
  cmtId: string;
  to: CommentOrReply;
  onDone: () => void;
}

function ReplyForm({ cmtId, to, onDone }: ReplyFormProps) {
  const api = useApi();
  const me = useCurrentUser()?.id ?? '';
  const onSent = useAfterSend();
  const { addReply } = useCommentCache();
  const name = to.user?.displayName ?? '已注销的用户';

  async function send(reply: CommentInput): Promise<void> {
    const input = { cmtId, ...(to.id !== cmtId && { replyToId: to.id }), ...reply };
    const added = await api('POST core/essay/cmt/reply', input);
    addReply(added);
    onSent(added);
    onDone();
  }

  return (
    <div className={styles.answer}>
      <CommentComposer
        key={to.id}
        label={`回复${name}`}
        placeholder={`回复 @${name}`}
        action="回复"
        draftKey={`${me}:${to.id}`}
        autoFocus
        send={send}
        onCancel={onDone}
      />
    </div>
  );
}

export function CommentItem({ comment }: { comment: Comment }) {
  const [replyTarget, setReplyTarget] = useState<CommentOrReply>();
  const { removeComment } = useCommentCache();
  return (
    <CommentEntry comment={comment} onReply={setReplyTarget} onRemoved={() => removeComment(comment)}>
      <Replies comment={comment} onReply={setReplyTarget} />
      {replyTarget === undefined ? null : (
        <ReplyForm cmtId={comment.id} to={replyTarget} onDone={() => setReplyTarget(undefined)} />
      )}
    </CommentEntry>
  );
}
