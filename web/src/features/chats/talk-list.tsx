import type { FoundMessage, Talk as TalkRow } from '@mozhan/contract/chats.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { excerptOf } from '#web/features/conversations/excerpt.ts';
import type { TalkKind } from '#web/features/conversations/talk-query.ts';
import { talksQuery } from '#web/features/conversations/talk-query.ts';
import { listedAt } from '#web/features/conversations/times.ts';
import { useApi } from '#web/lib/app-context.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { useCall } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { useSettled } from '#web/lib/use-settled.ts';
import { Link } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs, tabPanel } from '#web/ui/tabs.tsx';
import { UnreadCount } from '#web/ui/unread-count.tsx';
import styles from './talks.module.css';

const ID = 'talks';
/** Rooms that are not open tell nothing. */
const LOOK_AGAIN_MS = 30_000;

type Where = Pick<TalkRow, 'user' | 'essay'>;

const nameOf = ({ user, essay }: Where) => essay?.title ?? user?.displayName ?? '已注销的用户';

const Picture = ({ user, essay }: Where) =>
  essay === null ? (
    <Avatar name={user?.displayName ?? ''} image={user?.headImg ?? ''} size="face" />
  ) : (
    <span className={styles.cover}>
      <Cover title={essay.title} image="" />
    </span>
  );

interface RowProps extends Where {
  at: string;
  text: string;
  unread?: number;
  current?: boolean;
  seq?: number;
}

function Row({ user, essay, at, text, unread = 0, current = false, seq }: RowProps) {
  const words = (
    <>
      <Picture user={user} essay={essay} />
      <strong className="ellipsis text-m">{nameOf({ user, essay })}</strong>
      <time className="ink-3 text-xs numbers" dateTime={at} title={formatDateTime(at)}>
        {listedAt(at, Date.now())}
      </time>
      <span className="ellipsis ink-3 text-s">{text}</span>
      {unread === 0 ? <span /> : <UnreadCount count={unread} unit="条未读" />}
    </>
  );
  if (user === null && essay === null) return <div className={styles.row}>{words}</div>;
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
      {words}
    </Link>
  );
}

function lastWords({ last, essay }: TalkRow, me: string): string {
  if (last === null) return '还没有消息';
  if (essay !== null && last.removed) return '消息已移除';
  const words = excerptOf(last);
  if (essay === null || last.from === null) return words;
  return `${last.from.id === me ? '我' : last.from.displayName}：${words}`;
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

const nothing: Record<TalkKind, ReactNode> = {
  chats: (
    <NothingYet level="h2" title="还没有私聊">
      在别人的主页点「私聊」，就可以说第一句话。
    </NothingYet>
  ),
  rooms: (
    <NothingYet level="h2" title="还没有参与群聊">
      打开一篇能读全文的文章，工具栏里的「群聊」就是大家说话的地方。
    </NothingYet>
  ),
};

const none = (what: string) => <p className={styles.none}>没有找到{what}。</p>;

interface ListProps {
  kind: TalkKind;
  /** The name of the open one: `user` or `essay` of the address. */
  selected: string;
}

function List({ kind, selected, keyword }: ListProps & { keyword: string }) {
  const me = useCurrentUser()?.id ?? '';
  const query = useInfiniteQuery({
    ...talksQuery(useApi(), kind, keyword),
    refetchInterval: kind === 'rooms' ? LOOK_AGAIN_MS : false,
  });
  return (
    <InfiniteList
      query={query}
      label={kind === 'chats' ? '私聊' : '群聊'}
      keyOf={(talk) => talk.essay?.id ?? talk.user?.id ?? talk.updatedAt}
      item={(talk) => (
        <Row
          user={talk.user}
          essay={talk.essay}
          at={talk.updatedAt}
          text={lastWords(talk, me)}
          unread={talk.unread}
          current={selected !== '' && selected === (talk.essay?.id ?? talk.user?.id)}
        />
      )}
      empty={keyword === '' ? nothing[kind] : none('名字里有它的会话')}
      skeleton={skeleton}
    />
  );
}

function Found({ keyword }: { keyword: string }) {
  const query = useCallPages('GET core/essay/chat/search', { keyword });
  return (
    <>
      <h2 className={`ink-3 text-s regular ${styles.part}`}>消息</h2>
      <InfiniteList
        query={query}
        label="找到的消息"
        keyOf={({ message }: FoundMessage) => message.id}
        item={({ user, essay, message }) => (
          <Row user={user} essay={essay} at={message.createdAt} text={excerptOf(message)} seq={message.seq} />
        )}
        empty={none('说到它的消息')}
        skeleton={skeleton}
      />
    </>
  );
}

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** Finds people, essays and words. */
const SearchField = ({ value, onChange }: SearchFieldProps) => (
  // biome-ignore lint/a11y/useSemanticElements: older browsers do not know the element
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

interface TalkListProps extends ListProps {
  onKind: (kind: TalkKind) => void;
  wanted: string;
  onWanted: (wanted: string) => void;
}

/** One's conversations, the latest first, with a search through them and through what was said. */
export function TalkList({ kind, onKind, selected, wanted, onWanted }: TalkListProps) {
  const counts = useCall('GET core/essay/chat/unread').data;
  const keyword = useSettled(wanted.trim());
  return (
    <section className={styles.list} aria-label="会话">
      <header className={styles.listHead}>
        <h1>聊天</h1>
        <SearchField value={wanted} onChange={onWanted} />
        <Tabs
          id={ID}
          label="会话的种类"
          selected={kind}
          onSelect={onKind}
          tabs={[
            { key: 'chats', label: '私聊', count: counts?.chats || undefined },
            { key: 'rooms', label: '群聊', count: counts?.rooms || undefined },
          ]}
        />
      </header>
      <div className={styles.rows} {...tabPanel(ID, kind)}>
        <List key={kind} kind={kind} selected={selected} keyword={keyword} />
        {keyword === '' ? null : <Found keyword={keyword} />}
      </div>
    </section>
  );
}
