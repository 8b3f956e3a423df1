import { errorMessageOf } from '@mozhan/client/errors.ts';
import { useState } from 'react';
import { ReportButton } from '#web/features/reports/report-button.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { formatCount } from '#web/lib/format.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useOptimisticToggle } from '#web/lib/use-optimistic-toggle.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { MenuItem } from '#web/ui/menu-item.tsx';
import { runWithErrorToast } from '#web/ui/run-with-error-toast.ts';
import { toast } from '#web/ui/toast.tsx';
import { useCommentCache } from './comment-query.ts';
import styles from './comments.module.css';
import { type CommentOrReply, useThread } from './thread.ts';

function useLike({ id, likeCount, mine }: CommentOrReply) {
  const api = useApi();
  const { patch } = useCommentCache();
  const applyResponse = ({ liked, likeCount }: { liked: boolean; likeCount: number }) =>
    patch(id, { likeCount, mine: { ...mine, liked } });
  return useOptimisticToggle({
    routes: ['GET core/essay/cmt', 'GET core/essay/cmt/reply'],
    send: (on) => api(on ? 'POST core/essay/cmt/like' : 'DELETE core/essay/cmt/like', { id }),
    applyOptimistic: (on) => {
      applyResponse({ liked: on, likeCount: Math.max(0, likeCount + (on ? 1 : -1)) });
      return () => applyResponse({ liked: mine.liked, likeCount });
    },
    applyResponse,
    onError: (error) => toast(errorMessageOf(error), 'warn'),
  });
}

interface CommentActionsProps {
  comment: CommentOrReply;
  onReply: () => void;
  onEdit: () => void;
  onRemoved: () => void;
}

function MoreMenu({ comment, onEdit, onRemoved }: Omit<CommentActionsProps, 'onReply'>) {
  const api = useApi();
  const me = useCurrentUser();
  const { changeCount, reload } = useCommentCache();
  const { id, mine, user, held } = comment;
  const isComment = 'pinned' in comment;

  async function remove(): Promise<void> {
    const isSure = await confirm({
      title: '删除这条评论？',
      text: '删除以后不能恢复。',
      action: '删除',
      danger: true,
    });
    if (!isSure) return;
    await runWithErrorToast(async () => {
      await api(isComment ? 'DELETE core/essay/cmt' : 'DELETE core/essay/cmt/reply', { id });
      onRemoved();
      if (!held) changeCount(-1);
      toast('已删除');
    });
  }

  const pin = (pinned: boolean) =>
    runWithErrorToast(async () => {
      await api('PUT core/essay/cmt', { id, pinned });
      toast(pinned ? '已置顶' : '已取消置顶');
      await reload();
    });

  const canReport = me !== null && user !== null && user.id !== me.id;
  if (!mine.canEdit && !mine.canRemove && !mine.canPin && !canReport) return null;
  return (
    <div className={styles.more}>
      <Menu label="更多" button={<Icon name="more" small />}>
        {mine.canEdit ? (
          <MenuItem icon="pen" onClick={onEdit}>
            修改
          </MenuItem>
        ) : null}
        {mine.canPin && isComment ? (
          <MenuItem icon="pin" onClick={() => pin(!comment.pinned)}>
            {comment.pinned ? '取消置顶' : '置顶'}
          </MenuItem>
        ) : null}
        {canReport ? (
          <li>
            <ReportButton kind="comment" targetId={id}>
              <Icon name="flag" small />
              举报
            </ReportButton>
          </li>
        ) : null}
        {mine.canRemove ? (
          <MenuItem icon="trash" onClick={remove}>
            删除
          </MenuItem>
        ) : null}
      </Menu>
    </div>
  );
}

/** Actions of a comment or reply. Visitors are asked to sign in when they click. */
export function CommentActions({ comment, onReply, ...more }: CommentActionsProps) {
  const isSignedIn = useCurrentUser() !== null;
  const { allowComment } = useThread();
  const like = useLike(comment);
  const [requestedAction, setRequestedAction] = useState('');
  const { likeCount, mine, held, user } = comment;
  const name = user?.displayName ?? '';
  return (
    <div className={`row wraps ink-3 text-s numbers ${styles.acts}`}>
      <button
        type="button"
        aria-pressed={mine.liked}
        aria-label={likeCount === 0 ? '赞' : `赞，${formatCount(likeCount)}`}
        onClick={() => (isSignedIn ? void like(!mine.liked) : setRequestedAction('点赞'))}
      >
        <Icon name="heart" small />
        {likeCount === 0 ? '赞' : formatCount(likeCount)}
      </button>
      {allowComment && !held ? (
        <button
          type="button"
          aria-label={`回复${name}`}
          onClick={() => (isSignedIn ? onReply() : setRequestedAction('回复'))}
        >
          <Icon name="reply" small />
          回复
        </button>
      ) : null}
      <MoreMenu comment={comment} {...more} />
      {requestedAction === '' ? null : (
        <span role="alert">
          <SignInLink className="link" hash={`cmt-${comment.id}`}>
            登录
          </SignInLink>
          后可以{requestedAction}
        </span>
      )}
    </div>
  );
}
