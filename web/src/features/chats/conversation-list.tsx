import type { Conversation, MessageSearchResult } from '@mozhan/contract/chats.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useBlockedIds } from '#web/features/conversations/blocked-ids.ts';
import type { ConversationKind } from '#web/features/conversations/conversation-query.ts';
import { conversationsQuery } from '#web/features/conversations/conversation-query.ts';
import { excerptOf } from '#web/features/conversations/excerpt.ts';
import { formatListTime } from '#web/features/conversations/times.ts';
import { useApi } from '#web/lib/app-context.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { watchRooms } from '#web/lib/live.ts';
import { useCall } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { Link } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs, tabPanel } from '#web/ui/tabs.tsx';
import { UnreadCount } from '#web/ui/unread-count.tsx';
import styles from './chats.module.css';

const ID = 'talks';
/** Rooms beyond this number are refetched from time to time instead. */
const MAX_WATCHED_ROOMS = 50;
const ROOMS_POLL_MS = 120_000;

type Participants = Pick<Conversation, 'user' | 'essay'>;

const nameOf = ({ user, essay }: Participants) => essay?.title ?? user?.displayName ?? '已注销的用户';

const Picture = ({ user, essay }: Participants) =>
  essay === null ? (
    <Avatar name={user?.displayName ?? ''} image={user?.headImg ?? ''} size="face" />
  ) : (
    <span className={styles.cover}>
      <Cover title={essay.title} image="" />
    </span>
  );

interface RowProps extends Participants {
  at: string;
  text: string;
  unread?: number;
  current?: boolean;
  seq?: number;
}

function Row({ user, essay, at, text, unread = 0, current = false, seq }: RowProps) {
  const content = (
    <>
      <Picture user={user} essay={essay} />
      <strong className="ellipsis text-m">{nameOf({ user, essay })}</strong>
      <time className="ink-3 text-xs numbers" dateTime={at} title={formatDateTime(at)}>
        {formatListTime(at, Date.now())}
      </time>
      <span className="ellipsis ink-3 text-s">{text}</span>
      {unread === 0 ? <span /> : <UnreadCount count={unread} unit="条未读" />}
    </>
  );
  if (user === null && essay === null) return <div className={styles.row}>{content}</div>;
  return (
    <Link
      className={styles.row}
      to="/account/center.html"
      search={{
        tab: 'chat',
        user: user?.id,
        essay: essay?.id,
        seq: seq === undefined ? undefined : String(seq),
      }}
      aria-current={current ? 'true' : undefined}
    >
      {content}
    </Link>
  );
}

function lastMessageText({ last, essay }: Conversation, me: string): string {
  if (last === null) return '还没有消息';
  if (essay !== null && last.removed) return '消息已移除';
  const excerpt = excerptOf(last);
  if (essay === null || last.from === null) return excerpt;
  return `${last.from.id === me ? '我' : last.from.displayName}：${excerpt}`;
}

const skeleton = (
  <div className={styles.waiting}>
    {['82', '50', '70', '82'].map((width, at) => (
      <div key={width + String(at)} className={`row gap-3 ${styles.blank}`}>
        <Skeleton round height="l" />
        <div>
          <Skeleton width="50" />
          <Skeleton width={width as '50'} />
        </div>
      </div>
    ))}
  </div>
);

const emptyLists: Record<ConversationKind, ReactNode> = {
  chats: (
    <EmptyList level="h2" title="还没有私聊">
      在别人的主页点「私聊」，就可以说第一句话。
    </EmptyList>
  ),
  rooms: (
    <EmptyList level="h2" title="还没有参与群聊">
      打开一篇能读全文的文章，工具栏里的「群聊」就是大家说话的地方。
    </EmptyList>
  ),
};

const notFound = (what: string) => <p className={styles.none}>没有找到{what}。</p>;

interface ListProps {
  kind: ConversationKind;
  /** Id of the open conversation's user or essay. */
  selected: string;
}

/** Listens to the rooms at the top of the list; a list whose order changes listens to the same ones. */
function useWatchedRooms(essayIds: readonly string[]): void {
  const ids = essayIds.slice(0, MAX_WATCHED_ROOMS).toSorted().join();
  useEffect(() => (ids === '' ? undefined : watchRooms(ids.split(','))), [ids]);
}

function List({ kind, selected, keyword }: ListProps & { keyword: string }) {
  const me = useCurrentUser()?.id ?? '';
  const query = useInfiniteQuery({
    ...conversationsQuery(useApi(), kind, keyword),
    refetchInterval: kind === 'rooms' ? ROOMS_POLL_MS : false,
  });
  useWatchedRooms(
    query.data?.pages.flatMap(({ list }) => list.flatMap(({ essay }) => essay?.id ?? [])) ?? [],
  );
  useBlockedIds(kind === 'rooms');
  return (
    <InfiniteList
      query={query}
      label={kind === 'chats' ? '私聊' : '群聊'}
      keyOf={(conversation) => conversation.essay?.id ?? conversation.user?.id ?? conversation.updatedAt}
      renderItem={(conversation) => (
        <Row
          user={conversation.user}
          essay={conversation.essay}
          at={conversation.updatedAt}
          text={lastMessageText(conversation, me)}
          unread={conversation.unread}
          current={selected !== '' && selected === (conversation.essay?.id ?? conversation.user?.id)}
        />
      )}
      empty={keyword === '' ? emptyLists[kind] : notFound('相关的会话')}
      skeleton={skeleton}
    />
  );
}

function FoundMessages({ keyword }: { keyword: string }) {
  const query = useCallPages('GET core/essay/chat/search', { keyword });
  return (
    <>
      <h2 className={`ink-3 text-s regular ${styles.part}`}>消息</h2>
      <InfiniteList
        query={query}
        label="找到的消息"
        keyOf={({ message }: MessageSearchResult) => message.id}
        renderItem={({ user, essay, message }) => (
          <Row user={user} essay={essay} at={message.createdAt} text={excerptOf(message)} seq={message.seq} />
        )}
        empty={notFound('相关的消息')}
        skeleton={skeleton}
      />
    </>
  );
}

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
}

const SearchField = ({ value, onChange }: SearchFieldProps) => (
  // biome-ignore lint/a11y/useSemanticElements: older browsers do not support the search element
  <form
    role="search"
    className={`row gap-2 ink-3 ${styles.search}`}
    onSubmit={(event) => event.preventDefault()}
  >
    <Icon name="search" small />
    <input
      type="search"
      aria-label="搜索会话和消息"
      placeholder="搜索会话和消息"
      maxLength={50}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  </form>
);

interface ConversationListProps extends ListProps {
  onKindChange: (kind: ConversationKind) => void;
  searchText: string;
  onSearchTextChange: (searchText: string) => void;
}

/** Conversations of the reader, latest first, with a search in names and messages. */
export function ConversationList({
  kind,
  onKindChange,
  selected,
  searchText,
  onSearchTextChange,
}: ConversationListProps) {
  const counts = useCall('GET core/essay/chat/unread').data;
  const keyword = useDebounced(searchText.trim());
  return (
    <section className={styles.list} aria-label="会话">
      <header className={styles.listHead}>
        <h1>聊天</h1>
        <SearchField value={searchText} onChange={onSearchTextChange} />
        <Tabs
          id={ID}
          label="会话的类型"
          selected={kind}
          onSelect={onKindChange}
          tabs={[
            { key: 'chats', label: '私聊', count: counts?.chats || undefined },
            { key: 'rooms', label: '群聊', count: counts?.rooms || undefined },
          ]}
        />
      </header>
      <div className={styles.rows} {...tabPanel(ID, kind)}>
        <List key={kind} kind={kind} selected={selected} keyword={keyword} />
        {keyword === '' ? null : <FoundMessages keyword={keyword} />}
      </div>
    </section>
  );
}
