import { useApp } from '#web/lib/app-context.ts';
import { fileUrl } from '#web/lib/files.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './message.module.css';
import { MessageQuote } from './message.tsx';
import type { OutboxMessage } from './outbox.ts';
import type { OpenConversation } from './use-conversation.ts';

function Body({ kind, content, replyTo }: OutboxMessage) {
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
      {replyTo === undefined ? null : <MessageQuote {...replyTo} />}
      <p className={styles.plain}>{content}</p>
    </div>
  );
}

/** An unsent message: sending, waiting for a network, or refused. */
export function OutgoingMessage({
  message,
  conversation,
}: {
  message: OutboxMessage;
  conversation: OpenConversation;
}) {
  const { clientId, refused, seq } = message;
  return (
    <>
      <Body {...message} />
      {refused === undefined ? (
        seq === undefined && (
          <span className={conversation.isOffline ? styles.state : `${styles.state} ${styles.late}`}>
            {conversation.isOffline ? '待发送' : '发送中…'}
          </span>
        )
      ) : (
        <span className={`row wraps end text-xs ${styles.failed}`} role="alert">
          <span>
            <Icon name="warn" small />
            没有发出去：{refused}
          </span>
          <button type="button" onClick={() => conversation.resend(clientId)}>
            重试
          </button>
          <button type="button" onClick={() => conversation.discard(clientId)}>
            删除
          </button>
        </span>
      )}
    </>
  );
}
