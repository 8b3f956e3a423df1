import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { ChatMessage } from '@mozhan/contract/chats.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { formatDateTime } from '#web/lib/format.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { runWithErrorToast } from '#web/ui/run-with-error-toast.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast.tsx';
import { excerptOf } from './excerpt.ts';
import { type LogRow, toRows } from './log-rows.ts';
import styles from './message.module.css';
import { MessageBody } from './message.tsx';
import { hasNewer, hasOlder, lastSeq, type MessageLog } from './message-log.ts';
import { MessageMenu, type MessageMenuOptions } from './message-menu.tsx';
import { OutgoingMessage } from './outgoing-message.tsx';
import { formatMessageTime } from './times.ts';
import type { OpenConversation } from './use-conversation.ts';
import { useLogScroll } from './use-log-scroll.ts';

const DELETED_USER_NAME = '已注销的用户';

export interface ConversationLogProps extends MessageMenuOptions {
  conversation: OpenConversation;
  label: string;
  authorId?: string;
  empty: ReactNode;
  /** Seq of a message to scroll to. */
  target?: number;
}

function AvatarLink({ user }: { user: UserCard | null }) {
  const picture = <Avatar name={user?.displayName ?? ''} image={user?.headImg ?? ''} />;
  if (user === null) return picture;
  return (
    <Link
      className={styles.face}
      to="/user/home/:id.html"
      params={{ id: user.id }}
      aria-label={`${user.displayName}的主页`}
    >
      {picture}
    </Link>
  );
}

function removedText(messages: readonly ChatMessage[], { me, key }: OpenConversation): string {
  const what = messages.length === 1 ? '一条消息' : ` ${messages.length} 条消息`;
  if (key.userId === undefined) return `${what}已移除`.trim();
  return `${messages[0]?.from?.id === me ? '你' : '对方'}撤回了${what}`;
}

interface GroupProps extends MessageMenuOptions {
  conversation: OpenConversation;
  messages: readonly ChatMessage[];
  authorId?: string;
  target?: number;
}

function Group({ conversation, messages, authorId, target, ...parts }: GroupProps) {
  const from = messages[0]?.from ?? null;
  const isMine = from?.id === conversation.me;
  const isRoom = conversation.key.userId === undefined;
  const name = from?.displayName ?? DELETED_USER_NAME;
  const last = messages.at(-1);
  const isRead = isMine && !isRoom && (last?.seq ?? 0) <= (conversation.log?.otherReadSeq ?? 0);
  return (
    <div className={isMine ? `${styles.msg} ${styles.mine}` : styles.msg}>
      <AvatarLink user={from} />
      <div className={`column grow gap-1 ${styles.words}`}>
        {isRoom && !isMine ? (
          <p className="row gap-1-5 ink-3 text-s">
            {name}
            {from?.id === authorId ? <Badge>作者</Badge> : null}
          </p>
        ) : (
          <p className="sr">{isMine ? '我' : name}</p>
        )}
        {messages.map((message) => (
          <div
            key={message.seq}
            data-seq={message.seq}
            className={message.seq === target ? `${styles.line} ${styles.target}` : styles.line}
            title={formatDateTime(message.createdAt)}
          >
            <MessageBody message={message} />
            <MessageMenu message={message} conversation={conversation} {...parts} />
          </div>
        ))}
        {isRead ? <span className={styles.state}>已读</span> : null}
      </div>
    </div>
  );
}

function OutgoingMessages({ conversation }: { conversation: OpenConversation }) {
  const me = useCurrentUser();
  if (conversation.outgoing.length === 0 || me === null) return null;
  return (
    <div className={`${styles.msg} ${styles.mine}`}>
      <Avatar name={me.displayName} image={me.headImg} />
      <div className={`column grow gap-1 ${styles.words}`}>
        <p className="sr">我</p>
        {conversation.outgoing.map((message) => (
          <OutgoingMessage key={message.clientId} message={message} conversation={conversation} />
        ))}
      </div>
    </div>
  );
}

const LogSkeleton = () => (
  <div className={styles.log}>
    <p className="sr" role="status">
      正在载入消息…
    </p>
    <div aria-hidden="true" className="column gap-4">
      {['50', '30', '70', '50'].map((width, at) => (
        <div key={width + String(at)} className={at % 2 === 0 ? styles.msg : `${styles.msg} ${styles.mine}`}>
          <Skeleton round height="m" />
          <Skeleton width={width as '50'} height="m" />
        </div>
      ))}
    </div>
  </div>
);

const keyOf = (row: LogRow): string => {
  if (row.type === 'time') return `time ${row.at}`;
  return row.type === 'unread' ? row.type : `${row.type} ${row.messages[0]?.seq}`;
};

/** The last received message, announced to screen readers. */
function useAnnouncement(log: MessageLog, me: string): string {
  const start = useRef(lastSeq(log));
  const last = log.messages.at(-1);
  if (last === undefined || last.seq <= start.current || last.from?.id === me) return '';
  return `${last.from?.displayName ?? DELETED_USER_NAME}：${excerptOf(last)}`;
}

/** Marks the conversation as read while its end is visible. */
function useMarkRead({ markAllRead, log, isLive }: OpenConversation, atEnd: boolean): void {
  const lastLoaded = log === undefined ? 0 : lastSeq(log);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for every message and connection
  useEffect(() => {
    if (!atEnd) return;
    const markIfVisible = () => {
      if (document.visibilityState === 'visible') markAllRead();
    };
    markIfVisible();
    document.addEventListener('visibilitychange', markIfVisible);
    return () => document.removeEventListener('visibilitychange', markIfVisible);
  }, [atEnd, markAllRead, lastLoaded, isLive]);
}

function LogView({
  conversation,
  log,
  label,
  authorId,
  empty,
  target,
  ...parts
}: ConversationLogProps & { log: MessageLog }) {
  const box = useRef<HTMLDivElement>(null);
  /** Unread count when the conversation was opened. */
  const [unread] = useState(log.lastSeq - log.readSeq);
  const [unreadFrom] = useState(unread > 0 ? log.readSeq + 1 : 0);
  const [isPillVisible, setPillVisible] = useState(unreadFrom > 0);
  const [targetSeq, setTargetSeq] = useState(target);
  const announcement = useAnnouncement(log, conversation.me);
  const first = log.messages[0]?.seq ?? 0;
  const isEnd = !hasNewer(log);
  const { atEnd, onScroll, scrollToEnd } = useLogScroll(box, {
    first,
    isEnd,
    count: log.messages.length + conversation.outgoing.length,
    onStart: () => {
      if (hasOlder(log) && conversation.loadError === null) conversation.loadOlder();
    },
    onEnd: () => {
      if (!isEnd && !log.followsEnd) conversation.loadNewer();
    },
  });
  useMarkRead(conversation, atEnd && isEnd);
  const rows = useMemo(() => toRows(log.messages, unreadFrom), [log.messages, unreadFrom]);

  async function scrollToMessage(seq: number): Promise<void> {
    await runWithErrorToast(async () => {
      await conversation.loadMessage(seq);
      setTargetSeq(seq);
    });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the target changes
  useEffect(() => {
    if (target !== undefined) void scrollToMessage(target);
  }, [target]);

  const isTargetLoaded = targetSeq !== undefined && log.messages.some(({ seq }) => seq === targetSeq);
  useEffect(() => {
    if (!isTargetLoaded) return;
    const line = box.current?.querySelector(`[data-seq="${targetSeq}"]`);
    line?.scrollIntoView({ block: 'center', behavior: 'instant' });
  }, [isTargetLoaded, targetSeq]);

  // Scroll to the end for every message that the reader sends.
  const lastOutgoingId = conversation.outgoing.at(-1)?.clientId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per message
  useEffect(() => {
    if (lastOutgoingId === undefined) return;
    void conversation.loadEnd().then(scrollToEnd, () => {});
  }, [lastOutgoingId]);

  const isEmpty = log.messages.length === 0 && conversation.outgoing.length === 0;
  const hasUnreadAbove = isPillVisible && unreadFrom > 0 && unreadFrom < first;
  const now = Date.now();
  return (
    <div className={styles.frame}>
      <div
        ref={box}
        className={styles.log}
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it
        tabIndex={0}
        onScroll={onScroll}
      >
        <div className="column gap-4">
          {conversation.loadError === null ? null : (
            <p className="ink-3 text-xs text-center" role="alert">
              {errorMessageOf(conversation.loadError)}
              <Button size="small" variant="ghost" onClick={conversation.loadOlder}>
                再试一次
              </Button>
            </p>
          )}
          {conversation.isLoading && hasOlder(log) ? (
            <p className="ink-3 text-xs text-center">正在载入更早的消息…</p>
          ) : null}
          {isEmpty ? empty : null}
          {rows.map((row) => {
            if (row.type === 'time')
              return (
                <p key={keyOf(row)} className="ink-3 text-xs text-center">
                  <time dateTime={row.at}>{formatMessageTime(row.at, now)}</time>
                </p>
              );
            if (row.type === 'unread')
              return (
                <p key={keyOf(row)} className={`row gap-3 text-xs ${styles.unread}`}>
                  <span>以下是新消息</span>
                </p>
              );
            if (row.type === 'gone')
              return (
                <p key={keyOf(row)} className="ink-3 text-xs text-center" data-seq={row.messages[0]?.seq}>
                  {removedText(row.messages, conversation)}
                </p>
              );
            return (
              <Group
                key={keyOf(row)}
                conversation={conversation}
                messages={row.messages}
                authorId={authorId}
                target={target}
                {...parts}
              />
            );
          })}
          <OutgoingMessages conversation={conversation} />
        </div>
      </div>
      {hasUnreadAbove ? (
        <button
          type="button"
          className={`row gap-1 text-s ${styles.pill} ${styles.above}`}
          onClick={() => {
            setPillVisible(false);
            void scrollToMessage(unreadFrom);
          }}
        >
          <Icon name="down" small />
          {unread} 条未读，从第一条看起
        </button>
      ) : null}
      {atEnd && isEnd ? null : (
        <button
          type="button"
          className={`row gap-1 text-s ${styles.pill}`}
          onClick={() =>
            void conversation.loadEnd().then(scrollToEnd, (error) => toast(errorMessageOf(error), 'warn'))
          }
        >
          <Icon name="down" small />
          {log.lastSeq > log.readSeq ? `${log.lastSeq - log.readSeq} 条新消息` : '回到最新'}
        </button>
      )}
      <p className="sr" role="status">
        {announcement}
      </p>
    </div>
  );
}

/** Messages of a conversation, including unsent ones. Use the conversation as `key`. */
export function ConversationLog(props: ConversationLogProps) {
  const { log, error, retry } = props.conversation;
  if (log !== undefined) return <LogView {...props} log={log} />;
  if (error !== null)
    return (
      <div className={styles.log}>
        <LoadFailed level="h3" error={error} onRetry={retry} />
      </div>
    );
  return <LogSkeleton />;
}
