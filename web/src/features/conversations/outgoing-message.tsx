import { useApp } from '#web/lib/app-context.ts';
import { fileUrl } from '#web/lib/files.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './message.module.css';
import { Quote } from './message.tsx';
import type { Outgoing } from './outbox.ts';
import type { Talk } from './use-talk.ts';

function Body({ kind, content, replyTo }: Outgoing) {
  const { filesUrl } = useApp();
  if (kind === 'image')
    return (
      <span className={styles.picture}>
        <img src={fileUrl(filesUrl, content)} alt="图片" />
      </span>
    );
  if (kind === 'essay')
    return (
      <p className={styles.bubble}>
        <span className="ink-3">文章卡片</span>
      </p>
    );
  return (
    <div className={styles.bubble}>
      {replyTo === undefined ? null : <Quote {...replyTo} />}
      <p className={styles.plain}>{content}</p>
    </div>
  );
}

/** What is written and not yet said: on its way, waiting for a network, or refused. */
export function OutgoingMessage({ message, talk }: { message: Outgoing; talk: Talk }) {
  const { clientId, refused, seq } = message;
  return (
    <>
      <Body {...message} />
      {refused === undefined ? (
        seq === undefined && (
          <span className={talk.isStuck ? styles.state : `${styles.state} ${styles.late}`}>
            {talk.isStuck ? '待发送' : '发送中…'}
          </span>
        )
      ) : (
        <span className={`row wraps end text-xs ${styles.failed}`} role="alert">
          <span>
            <Icon name="warn" small />
            没有发出去：{refused}
          </span>
          <button type="button" onClick={() => talk.resend(clientId)}>
            重试
          </button>
          <button type="button" onClick={() => talk.discard(clientId)}>
            删除
          </button>
        </span>
      )}
    </>
  );
}
