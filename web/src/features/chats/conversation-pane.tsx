import { asCallError, errorMessageOf } from '@mozhan/client/errors.ts';
import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import type { ConversationKey } from '@mozhan/contract/live.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { MessageComposer } from '#web/features/conversations/composer.tsx';
import { ConversationLog, type ConversationLogProps } from '#web/features/conversations/conversation-log.tsx';
import { conversationId } from '#web/features/conversations/outbox.ts';
import { type OpenConversation, useConversation } from '#web/features/conversations/use-conversation.ts';
import { PersonMenuItems } from '#web/features/people/person-menu-items.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { useCall } from '#web/lib/queries.ts';
import { Link, pathTo, useRouter } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { MenuItem } from '#web/ui/menu-item.tsx';
import { runWithErrorToast } from '#web/ui/run-with-error-toast.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './chats.module.css';

interface PaneProps {
  target?: number;
}

interface FrameProps {
  label: string;
  conversation: OpenConversation;
  /** Participant or essay, once it is loaded. */
  head: ReactNode;
  menu: ReactNode;
  children: ReactNode;
}

/** Shown once per conversation while the network is unavailable. */
const Offline = ({ conversation }: { conversation: OpenConversation }) =>
  conversation.isOffline ? (
    <p className={`row gap-2 text-s ${styles.offline}`} role="status">
      <Icon name="offline" small />
      没有网络，消息会在恢复连接后发出
    </p>
  ) : null;

const headSkeleton = (
  <>
    <Skeleton round height="m" />
    <Skeleton width="30" />
  </>
);

const isDenied = (error: Error | null): error is Error =>
  error !== null && (asCallError(error)?.status ?? 500) < 500;

function Frame({ label, conversation, head, menu, children }: FrameProps) {
  const isRoom = conversation.key.userId === undefined;
  return (
    <section className={styles.talk} aria-label={label}>
      <header className={`row gap-3 divided ${styles.head}`}>
        <Link
          className={`${buttonClass({ variant: 'ghost', square: true })} ${styles.back}`}
          to="/account/center.html"
          search={{ tab: 'chat', kind: isRoom ? 'room' : undefined }}
          aria-label="返回会话列表"
        >
          <Icon name="left" />
        </Link>
        {head ?? (isDenied(conversation.error) ? <h2>{isRoom ? '群聊' : '私聊'}</h2> : headSkeleton)}
        <div className={styles.more}>
          <Menu label="更多" button={<Icon name="more" />}>
            {menu}
          </Menu>
        </div>
      </header>
      <Offline conversation={conversation} />
      {children}
    </section>
  );
}

const AccessDenied = ({ error }: { error: Error }) => (
  <div className={styles.shut}>
    <EmptyList level="h3" title="这里暂时看不到">
      {errorMessageOf(error)}
    </EmptyList>
  </div>
);

interface BodyProps extends ConversationLogProps {
  composerLabel: string;
}

function Body({ composerLabel, ...log }: BodyProps) {
  const { conversation } = log;
  if (isDenied(conversation.error)) return <AccessDenied error={conversation.error} />;
  return (
    <>
      <ConversationLog {...log} />
      {conversation.log === undefined ? null : (
        <MessageComposer conversation={conversation} label={composerLabel} autoFocus />
      )}
    </>
  );
}

function PrivatePane({ userId, target }: PaneProps & { userId: string }) {
  const conversation = useConversation({ userId });
  const { data: user } = useCall('GET core/user/public', { id: userId });
  const { retry } = conversation;
  const isBlocked = user?.relation.blocked;

  // Blocking changes whether the reader may write.
  const wasBlocked = useRef(isBlocked);
  useEffect(() => {
    if (wasBlocked.current !== undefined && wasBlocked.current !== isBlocked) retry();
    wasBlocked.current = isBlocked;
  });

  const name = user?.displayName ?? '';
  const head = user && (
    <>
      <Avatar name={name} image={user.headImg} size="face" />
      <div className={styles.name}>
        <h2>{name}</h2>
        {user.title === '' ? null : <small>{user.title}</small>}
      </div>
    </>
  );
  const menu = (
    <>
      <li>
        <Link to="/user/home/:id.html" params={{ id: userId }}>
          <Icon name="user" small />
          TA 的主页
        </Link>
      </li>
      <PersonMenuItems id={userId} />
    </>
  );
  return (
    <Frame label={`与${name}的私聊`} conversation={conversation} head={head} menu={menu}>
      <Body
        conversation={conversation}
        label="消息"
        composerLabel={`给${name}的消息`}
        target={target}
        empty={
          <p className={`ink-3 text-s text-center ${styles.first}`}>
            还没有说过话。对方没有关注你，在 TA 回复之前最多发 3 条。
          </p>
        }
      />
    </Frame>
  );
}

function RoomPane({ essayId, target }: PaneProps & { essayId: string }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { navigate } = useRouter();
  const conversation = useConversation({ essayId });
  const { data: essay } = useCall('GET core/essay/{id}', { id: essayId });
  const { online } = conversation;

  async function leave(): Promise<void> {
    await runWithErrorToast(async () => {
      await api('PUT core/essay/group/chat', { essayId, left: true });
      await queryClient.invalidateQueries(queryFilterOf('GET core/essay/group/chat'));
      await navigate(pathTo({ to: '/account/center.html', search: { tab: 'chat', kind: 'room' } }));
      toast('已退出群聊，再次发言会重新加入');
    });
  }

  const head = essay && (
    <>
      <span className={styles.cover}>
        <Cover title={essay.title} image={essay.cover} />
      </span>
      <div className={styles.name}>
        <h2>{essay.title}</h2>
        <small>{online === undefined ? '群聊' : `群聊，${online} 人在线`}</small>
      </div>
    </>
  );
  const menu = (
    <>
      <li>
        <Link to="/essay/detail/:id.html" params={{ id: essayId }}>
          <Icon name="book" small />
          看文章
        </Link>
      </li>
      <MenuItem icon="logout" onClick={leave}>
        退出群聊
      </MenuItem>
    </>
  );
  return (
    <Frame label={`群聊：${essay?.title ?? ''}`} conversation={conversation} head={head} menu={menu}>
      <Body
        conversation={conversation}
        label="群聊消息"
        composerLabel="给大家的消息"
        target={target}
        authorId={essay?.author.id}
        canModerate={essay?.author.id === conversation.me}
        empty={<p className={`ink-3 text-s text-center ${styles.first}`}>还没有人说话，来说第一句。</p>}
      />
    </Frame>
  );
}

export const ConversationPane = ({
  conversationKey,
  ...rest
}: PaneProps & { conversationKey: ConversationKey }) =>
  conversationKey.userId === undefined ? (
    <RoomPane key={conversationId(conversationKey)} essayId={conversationKey.essayId} {...rest} />
  ) : (
    <PrivatePane key={conversationId(conversationKey)} userId={conversationKey.userId} {...rest} />
  );
