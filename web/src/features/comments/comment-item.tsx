import type { Comment } from '@mozhan/contract/comments.ts';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useCommentCache, useSent } from './comment-query.ts';
import styles from './comments.module.css';
import { Composer, type NewWords } from './composer.tsx';
import { Replies } from './replies.tsx';
import { SaidItem } from './said-item.tsx';
import type { SaidBySomebody } from './thread.ts';

interface AnswerProps {
  cmtId: string;
  to: SaidBySomebody;
  onDone: () => void;
}

function Answer({ cmtId, to, onDone }: AnswerProps) {
  const api = useApi();
  const me = useCurrentUser()?.id ?? '';
  const onSent = useSent();
  const { addReply } = useCommentCache();
  const name = to.user?.displayName ?? '已注销的用户';

  async function send(words: NewWords): Promise<void> {
    const input = { cmtId, ...(to.id !== cmtId && { replyToId: to.id }), ...words };
    const added = await api('POST core/essay/cmt/reply', input);
    addReply(added);
    onSent(added);
    onDone();
  }

  return (
    <div className={styles.answer}>
      <Composer
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

/** A comment with what was answered to it; an answer is written below both. */
export function CommentItem({ comment }: { comment: Comment }) {
  const [answered, setAnswered] = useState<SaidBySomebody>();
  const { removeComment } = useCommentCache();
  return (
    <SaidItem said={comment} onReply={setAnswered} onRemoved={() => removeComment(comment)}>
      <Replies comment={comment} onReply={setAnswered} />
      {answered === undefined ? null : (
        <Answer cmtId={comment.id} to={answered} onDone={() => setAnswered(undefined)} />
      )}
    </SaidItem>
  );
}
