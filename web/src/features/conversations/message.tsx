import type { ChatMessage } from '@mozhan/contract/chats.ts';
import type { ReactNode } from 'react';
import { useApp } from '#web/lib/app-context.ts';
import { fileUrl } from '#web/lib/files.ts';
import { Link } from '#web/router/router.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { MessageText } from '#web/ui/message-text.tsx';
import styles from './message.module.css';

const MAX_WIDTH = 260;
const MAX_HEIGHT = 280;

function Picture({ image }: { image: NonNullable<ChatMessage['image']> }) {
  const { filesUrl } = useApp();
  // Reserve the size before the image is loaded, to avoid layout shifts.
  const scale = Math.min(1, MAX_WIDTH / image.width, MAX_HEIGHT / image.height);
  return (
    <a className={styles.picture} href={fileUrl(filesUrl, image.url)} target="_blank" rel="noopener">
      <img
        src={fileUrl(filesUrl, image.thumbUrl)}
        width={Math.round(image.width * scale)}
        height={Math.round(image.height * scale)}
        alt="图片，点开看原图"
        decoding="async"
      />
    </a>
  );
}

const EssayCard = ({ essay }: { essay: NonNullable<ChatMessage['essay']> }) => (
  <Link
    className={`stack gap-3 text-m ${styles.essay}`}
    to="/essay/detail/:id.html"
    params={{ id: essay.id }}
  >
    <span>
      <strong>{essay.title}</strong>
      <small>
        {essay.author}，约 {essay.readMinutes} 分钟
      </small>
    </span>
    <span className={styles.cover}>
      <Cover title={essay.title} image={essay.cover?.thumbUrl ?? ''} />
    </span>
  </Link>
);

export const MessageQuote = ({ name, excerpt }: { name: string; excerpt: string }) => (
  <span className={`row gap-1 ink-2 text-s ${styles.quote}`}>
    <Icon name="reply" small />
    <span>
      {name}：{excerpt}
    </span>
  </span>
);

export function MessageBody({ message }: { message: ChatMessage }): ReactNode {
  const { kind, html, image, essay, replyTo } = message;
  if (kind === 'image' && image !== null) return <Picture image={image} />;
  if (kind === 'essay')
    return essay === null ? (
      <p className={styles.bubble}>
        <span className="ink-3">文章已不在架上</span>
      </p>
    ) : (
      <EssayCard essay={essay} />
    );
  return (
    <div className={styles.bubble}>
      {replyTo === null ? null : <MessageQuote name={replyTo.name} excerpt={replyTo.excerpt} />}
      <MessageText html={html} />
    </div>
  );
}
