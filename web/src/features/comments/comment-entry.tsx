import type { UserOrGuestCard } from '@mozhan/contract/users.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useEssayLinkAdapter } from '#web/features/essays/essay-links.ts';
import { useApi } from '#web/lib/app-context.ts';
import { useHrefs } from '#web/router/router.tsx';
import { Avatar, AvatarPlaceholder, GuestAvatar } from '#web/ui/avatar.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { MessageText } from '#web/ui/message-text.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import { CommentActions } from './comment-actions.tsx';
import { useCommentCache } from './comment-query.ts';
import styles from './comments.module.css';
import { CommentComposer, type CommentInput } from './composer.tsx';
import { parseMentions } from './mentions.ts';
import { CommentQuote } from './quote.tsx';
import { type CommentOrReply, useThread } from './thread.ts';

/** A guest has no home page here; their own site is linked without recommending it. */
function WriterName({ user }: { user: UserOrGuestCard }) {
  const { userHref } = useHrefs();
  if (user.id !== null)
    return (
      <a className={styles.who} href={userHref(user.id)}>
        {user.displayName}
      </a>
    );
  if (user.site === '') return <span className={styles.who}>{user.displayName}</span>;
  return (
    <a className={styles.who} href={user.site} rel="nofollow ugc noopener" target="_blank">
      {user.displayName}
    </a>
  );
}

function Head({ comment }: { comment: CommentOrReply }) {
  const { user, isAuthor, region, createdAt, edited, deleted } = comment;
  return (
    <div className={`row wraps ink-3 text-s ${styles.meta}`}>
      {user === null ? (
        <span className={styles.who}>{deleted ? '' : '已注销的用户'}</span>
      ) : (
        <WriterName user={user} />
      )}
      {user !== null && user.id === null ? <span className={styles.guest}>访客</span> : null}
      {isAuthor && !deleted ? <span className={styles.badge}>作者</span> : null}
      {'pinned' in comment && comment.pinned ? (
        <span className={styles.badge}>
          <Icon name="pin" small />
          置顶
        </span>
      ) : null}
      <RelativeTime at={createdAt} />
      {region === '' ? null : <span>{region}</span>}
      {edited ? <span>已编辑</span> : null}
    </div>
  );
}

interface EditFormProps {
  comment: CommentOrReply;
  onDone: () => void;
}

function EditForm({ comment, onDone }: EditFormProps) {
  const api = useApi();
  const { patch } = useCommentCache();

  async function send(edit: CommentInput): Promise<void> {
    const input = { id: comment.id, ...edit };
    const { content, html, edited, held, mine } = await api('PUT core/essay/cmt', input);
    patch(comment.id, { content, html, edited, held, mine });
    toast(held ? '已保存，审核通过后公开' : '已保存');
    onDone();
  }

  return (
    <div className={styles.answer}>
      <CommentComposer
        label="修改"
        placeholder="写下你的想法"
        action="保存"
        initial={{ text: comment.content, picked: parseMentions(comment.html) }}
        autoFocus
        send={send}
        onCancel={onDone}
      />
    </div>
  );
}

function CommentBody({ comment }: { comment: CommentOrReply }) {
  const { userHref } = useHrefs();
  const toLinks = useEssayLinkAdapter();
  if (comment.deleted) return <p className={`ink-3 ${styles.gone}`}>这条评论已删除。</p>;
  const to = 'replyTo' in comment ? comment.replyTo : null;
  return (
    <div className={styles.words}>
      {to === null ? null : (
        <p className="ink-3 text-m">
          回复{' '}
          {to.id === null ? (
            <span className={styles.named}>@{to.displayName}</span>
          ) : (
            <a className="link" href={userHref(to.id)}>
              @{to.displayName}
            </a>
          )}
        </p>
      )}
      {'quote' in comment && comment.quote !== null ? <CommentQuote quote={comment.quote} /> : null}
      <MessageText html={toLinks(comment.html)} />
      {comment.held ? (
        <p className={styles.held}>
          <Icon name="clock" small />
          审核中，只有你能看到
        </p>
      ) : null}
    </div>
  );
}

function Face({ user, deleted }: Pick<CommentOrReply, 'user' | 'deleted'>) {
  if (deleted) return <AvatarPlaceholder />;
  if (user !== null && user.id === null) return <GuestAvatar name={user.displayName} />;
  return <Avatar name={user?.displayName ?? ''} image={user?.headImg ?? ''} />;
}

interface CommentEntryProps {
  comment: CommentOrReply;
  onReply: (to: CommentOrReply) => void;
  onRemoved: () => void;
  children?: ReactNode;
}

export function CommentEntry({ comment, onReply, onRemoved, children }: CommentEntryProps) {
  const { target } = useThread();
  const box = useRef<HTMLDivElement>(null);
  const [isEditing, setEditing] = useState(false);
  const isTarget = target === comment.id;

  // The browser scrolls to the fragment before the comments are loaded, so this repeats it.
  useEffect(() => {
    if (!isTarget) return;
    box.current?.scrollIntoView({ block: 'center', behavior: 'instant' });
    box.current?.focus({ preventScroll: true });
  }, [isTarget]);

  const { user } = comment;
  return (
    <li className={styles.item}>
      <span className={styles.face}>
        <Face user={user} deleted={comment.deleted} />
      </span>
      <div className={styles.body}>
        <div
          ref={box}
          id={`cmt-${comment.id}`}
          className={isTarget ? `${styles.own} ${styles.target}` : styles.own}
          tabIndex={-1}
        >
          <Head comment={comment} />
          {isEditing ? (
            <EditForm comment={comment} onDone={() => setEditing(false)} />
          ) : (
            <CommentBody comment={comment} />
          )}
          {comment.deleted || isEditing ? null : (
            <CommentActions
              comment={comment}
              onReply={() => onReply(comment)}
              onEdit={() => setEditing(true)}
              onRemoved={onRemoved}
            />
          )}
        </div>
        {children}
      </div>
    </li>
  );
}
