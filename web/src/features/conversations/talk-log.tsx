import { messageOf } from '@mozhan/client/errors.ts';
import type { ChatMessage } from '@mozhan/contract/chats.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { formatDateTime } from '#web/lib/format.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link } from '#web/router/router.tsx';
import { attempt } from '#web/ui/attempt.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast.tsx';
import { excerptOf } from './excerpt.ts';
import { hasNewer, hasOlder, type Log, lastSeq } from './log.ts';
import styles from './message.module.css';
import { MessageBody } from './message.tsx';
import { MessageActs, type MessageParts } from './message-acts.tsx';
import { OutgoingMessage } from './outgoing-message.tsx';
import { type Row, rowsOf } from './rows.ts';
import { saidAt } from './times.ts';
import { useScroll } from './use-scroll.ts';
import type { Talk } from './use-talk.ts';

const GONE_NAME = '已注销的用户';

export interface TalkLogProps extends MessageParts {
  talk: Talk;
  label: string;
  /** Of the essay that a room is about. */
  authorId?: string;
  /** Instead of a conversation without words. */
  empty: ReactNode;
  /** A message that is looked for. */
  target?: number;
}

function Face({ user }: { user: UserCard | null }) {
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

function goneWords(messages: readonly ChatMessage[], { me, key }: Talk): string {
  const what = messages.length === 1 ? '一条消息' : ` ${messages.length} 条消息`;
  if (key.userId === undefined) return `${what}已移除`.trim();
  return `${messages[0]?.from?.id === me ? '你' : '对方'}撤回了${what}`;
}

interface GroupProps extends MessageParts {
  talk: Talk;
  messages: readonly ChatMessage[];
  authorId?: string;
  target?: number;
}

function Group({ talk, messages, authorId, target, ...parts }: GroupProps) {
  const from = messages[0]?.from ?? null;
  const isMine = from?.id === talk.me;
  const isRoom = talk.key.userId === undefined;
  const name = from?.displayName ?? GONE_NAME;
  const last = messages.at(-1);
  const isRead = isMine && !isRoom && (last?.seq ?? 0) <= (talk.log?.otherReadSeq ?? 0);
  return (
    <div className={isMine ? `${styles.msg} ${styles.mine}` : styles.msg}>
      <Face user={from} />
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
            <MessageActs message={message} talk={talk} {...parts} />
          </div>
        ))}
        {isRead ? <span className={styles.state}>已读</span> : null}
      </div>
    </div>
  );
}

function Outgoings({ talk }: { talk: Talk }) {
  const me = useCurrentUser();
  if (talk.outgoing.length === 0 || me === null) return null;
  return (
    <div className={`${styles.msg} ${styles.mine}`}>
      <Avatar name={me.displayName} image={me.headImg} />
      <div className={`column grow gap-1 ${styles.words}`}>
        <p className="sr">我</p>
        {talk.outgoing.map((message) => (
          <OutgoingMessage key={message.clientId} message={message} talk={talk} />
        ))}
      </div>
    </div>
  );
}

const Waiting = () => (
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

const keyOf = (row: Row): string => {
  if (row.type === 'time') return `time ${row.at}`;
  return row.type === 'unread' ? row.type : `${row.type} ${row.messages[0]?.seq}`;
};

/** What came in last, for those who hear the page. */
function useHeard(log: Log, me: string): string {
  const start = useRef(lastSeq(log));
  const last = log.messages.at(-1);
  if (last === undefined || last.seq <= start.current || last.from?.id === me) return '';
  return `${last.from?.displayName ?? GONE_NAME}：${excerptOf(last)}`;
}

/** Everything in it has been seen by who is at its end with the page in front. */
function useRead({ read, log, isLive }: Talk, atEnd: boolean): void {
  const reached = log === undefined ? 0 : lastSeq(log);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more for every message and connection
  useEffect(() => {
    if (!atEnd) return;
    const look = () => {
      if (document.visibilityState === 'visible') read();
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [atEnd, read, reached, isLive]);
}

function Shown({ talk, log, label, authorId, empty, target, ...parts }: TalkLogProps & { log: Log }) {
  const box = useRef<HTMLDivElement>(null);
  /** As it was when the conversation was opened. */
  const [unread] = useState(log.lastSeq - log.readSeq);
  const [unreadFrom] = useState(unread > 0 ? log.readSeq + 1 : 0);
  const [isPillShown, setPillShown] = useState(unreadFrom > 0);
  const [sought, setSought] = useState(target);
  const heard = useHeard(log, talk.me);
  const first = log.messages[0]?.seq ?? 0;
  const isEnd = !hasNewer(log);
  const { atEnd, note, toEnd } = useScroll(box, {
    first,
    isEnd,
    count: log.messages.length + talk.outgoing.length,
    onStart: () => {
      if (hasOlder(log) && talk.loadError === null) talk.loadOlder();
    },
    onEnd: () => {
      if (!isEnd && !log.follows) talk.loadNewer();
    },
  });
  useRead(talk, atEnd && isEnd);
  const rows = useMemo(() => rowsOf(log.messages, unreadFrom), [log.messages, unreadFrom]);

  async function goTo(seq: number): Promise<void> {
    await attempt(async () => {
      await talk.show(seq);
      setSought(seq);
    });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another one is looked for
  useEffect(() => {
    if (target !== undefined) void goTo(target);
  }, [target]);

  const isThere = sought !== undefined && log.messages.some(({ seq }) => seq === sought);
  useEffect(() => {
    if (!isThere) return;
    const line = box.current?.querySelector(`[data-seq="${sought}"]`);
    line?.scrollIntoView({ block: 'center', behavior: 'instant' });
  }, [isThere, sought]);

  // What one writes oneself is at the end.
  const written = talk.outgoing.at(-1)?.clientId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each
  useEffect(() => {
    if (written === undefined) return;
    void talk.showEnd().then(toEnd, () => {});
  }, [written]);

  const isEmpty = log.messages.length === 0 && talk.outgoing.length === 0;
  const hasUnreadAbove = isPillShown && unreadFrom > 0 && unreadFrom < first;
  const now = Date.now();
  return (
    <div className={styles.frame}>
      <div
        ref={box}
        className={styles.log}
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by those who scroll with keys
        tabIndex={0}
        onScroll={note}
      >
        <div className="column gap-4">
          {talk.loadError === null ? null : (
            <p className="ink-3 text-xs text-center" role="alert">
              {messageOf(talk.loadError)}
              <Button size="small" look="ghost" onClick={talk.loadOlder}>
                再试一次
              </Button>
            </p>
          )}
          {talk.isLoading && hasOlder(log) ? (
            <p className="ink-3 text-xs text-center">正在载入更早的消息…</p>
          ) : null}
          {isEmpty ? empty : null}
          {rows.map((row) => {
            if (row.type === 'time')
              return (
                <p key={keyOf(row)} className="ink-3 text-xs text-center">
                  <time dateTime={row.at}>{saidAt(row.at, now)}</time>
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
                  {goneWords(row.messages, talk)}
                </p>
              );
            return (
              <Group
                key={keyOf(row)}
                talk={talk}
                messages={row.messages}
                authorId={authorId}
                target={target}
                {...parts}
              />
            );
          })}
          <Outgoings talk={talk} />
        </div>
      </div>
      {hasUnreadAbove ? (
        <button
          type="button"
          className={`row gap-1 text-s ${styles.pill} ${styles.above}`}
          onClick={() => {
            setPillShown(false);
            void goTo(unreadFrom);
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
          onClick={() => void talk.showEnd().then(toEnd, (error) => toast(messageOf(error), 'warn'))}
        >
          <Icon name="down" small />
          {log.lastSeq > log.readSeq ? `${log.lastSeq - log.readSeq} 条新消息` : '回到最新'}
        </button>
      )}
      <p className="sr" role="status">
        {heard}
      </p>
    </div>
  );
}

/** What was said in a conversation, and what is about to be. Key it by the conversation. */
export function TalkLog(props: TalkLogProps) {
  const { log, error, retry } = props.talk;
  if (log !== undefined) return <Shown {...props} log={log} />;
  if (error !== null)
    return (
      <div className={styles.log}>
        <LoadFailed level="h3" error={error} onRetry={retry} />
      </div>
    );
  return <Waiting />;
}
