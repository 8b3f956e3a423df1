import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTextLinks } from '#web/features/essays/text-links.ts';
import { useApi } from '#web/lib/app-context.ts';
import { usePlaces } from '#web/router/router.tsx';
import { Avatar, AvatarBlank } from '#web/ui/avatar.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Said } from '#web/ui/said.tsx';
import { Time } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useCommentCache } from './comment-query.ts';
import styles from './comments.module.css';
import { Composer, type NewWords } from './composer.tsx';
import { mentionsOf } from './mentions.ts';
import { SaidActs } from './said-acts.tsx';
import { type SaidBySomebody, useThread } from './thread.ts';

function Head({ said }: { said: SaidBySomebody }) {
  const { personHref } = usePlaces();
  const { user, isAuthor, region, createdAt, edited, deleted } = said;
  return (
    <div className={`row wraps ink-3 text-s ${styles.meta}`}>
      {user === null ? (
        <span className={styles.who}>{deleted ? '' : '已注销的用户'}</span>
      ) : (
        <a className={styles.who} href={personHref(user.id)}>
          {user.displayName}
        </a>
      )}
      {isAuthor && !deleted ? <span className={styles.badge}>作者</span> : null}
      {'pinned' in said && said.pinned ? (
        <span className={styles.badge}>
          <Icon name="pin" small />
          置顶
        </span>
      ) : null}
      <Time at={createdAt} />
      {region === '' ? null : <span>{region}</span>}
      {edited ? <span>已编辑</span> : null}
    </div>
  );
}

interface EditProps {
  said: SaidBySomebody;
  onDone: () => void;
}

function Edit({ said, onDone }: EditProps) {
  const api = useApi();
  const { patch } = useCommentCache();

  async function send(words: NewWords): Promise<void> {
    const input = { id: said.id, ...words };
    const { content, html, edited, held, mine } = await api('PUT core/essay/cmt', input);
    patch(said.id, { content, html, edited, held, mine });
    toast(held ? '已保存，审核通过后公开' : '已保存');
    onDone();
  }

  return (
    <div className={styles.answer}>
      <Composer
        label="修改"
        placeholder="写下你的想法"
        action="保存"
        initial={{ text: said.content, picked: mentionsOf(said.html) }}
        autoFocus
        send={send}
        onCancel={onDone}
      />
    </div>
  );
}

function Words({ said }: { said: SaidBySomebody }) {
  const { personHref } = usePlaces();
  const toLinks = useTextLinks();
  if (said.deleted) return <p className={`ink-3 ${styles.gone}`}>这条评论已删除。</p>;
  const to = 'replyTo' in said ? said.replyTo : null;
  return (
    <div className={styles.words}>
      {to === null ? null : (
        <p className="ink-3 text-m">
          回复{' '}
          <a className="link" href={personHref(to.id)}>
            @{to.displayName}
          </a>
        </p>
      )}
      <Said html={toLinks(said.html)} />
      {said.held ? (
        <p className={styles.held}>
          <Icon name="clock" small />
          审核中，只有你能看到
        </p>
      ) : null}
    </div>
  );
}

interface SaidItemProps {
  said: SaidBySomebody;
  onReply: (to: SaidBySomebody) => void;
  onRemoved: () => void;
  children?: ReactNode;
}

export function SaidItem({ said, onReply, onRemoved, children }: SaidItemProps) {
  const { target } = useThread();
  const box = useRef<HTMLDivElement>(null);
  const [isEdited, setEdited] = useState(false);
  const isTarget = target === said.id;

  // The browser looks for it before it is there.
  useEffect(() => {
    if (!isTarget) return;
    box.current?.scrollIntoView({ block: 'center', behavior: 'instant' });
    box.current?.focus({ preventScroll: true });
  }, [isTarget]);

  const { user } = said;
  return (
    <li className={styles.item}>
      <span className={styles.face}>
        {said.deleted ? (
          <AvatarBlank />
        ) : (
          <Avatar name={user?.displayName ?? ''} image={user?.headImg ?? ''} />
        )}
      </span>
      <div className={styles.body}>
        <div
          ref={box}
          id={`cmt-${said.id}`}
          className={isTarget ? `${styles.own} ${styles.target}` : styles.own}
          tabIndex={-1}
        >
          <Head said={said} />
          {isEdited ? <Edit said={said} onDone={() => setEdited(false)} /> : <Words said={said} />}
          {said.deleted || isEdited ? null : (
            <SaidActs
              said={said}
              onReply={() => onReply(said)}
              onEdit={() => setEdited(true)}
              onRemoved={onRemoved}
            />
          )}
        </div>
        {children}
      </div>
    </li>
  );
}
