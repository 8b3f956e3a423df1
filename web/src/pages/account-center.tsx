import type { ConversationCounts } from '@mozhan/contract/chats.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { Site } from '@mozhan/contract/site.ts';
import type { PublicUser } from '@mozhan/contract/users.ts';
import { type ReactNode, Suspense } from 'react';
import { AccountNav, findTab, type NavGroup } from '#web/features/account/account-nav.tsx';
import { InvitePanel } from '#web/features/account/invite-panel.tsx';
import { WithMe } from '#web/features/account/with-me.tsx';
import { NoticeList } from '#web/features/notices/notice-list.tsx';
import { OwnEssays } from '#web/features/own-essays/own-essays.tsx';
import { OwnLikes } from '#web/features/own-essays/own-likes.tsx';
import { OwnShares } from '#web/features/own-essays/own-shares.tsx';
import { ReadingHistory } from '#web/features/own-essays/reading-history.tsx';
import { OwnFollows } from '#web/features/people/own-follows.tsx';
import { EditLink } from '#web/features/profile/edit-link.tsx';
import { OwnTrends } from '#web/features/profile/own-trends.tsx';
import { ProfileHead, ProfileHeadSkeleton } from '#web/features/profile/profile-head.tsx';
import { Head } from '#web/features/site/head.tsx';
import { lazyComponent } from '#web/lib/lazy-component.ts';
import { useCall, useSite } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import type { PageProps } from '#web/router/navigation.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { LoadingSkeleton, SkeletonLines } from '#web/ui/loading-skeleton.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './account.module.css';

const OwnCollections = lazyComponent(
  () => import('#web/features/collections/own-collections.tsx'),
  'OwnCollections',
);
const FollowedColumns = lazyComponent(
  () => import('#web/features/columns/followed-columns.tsx'),
  'FollowedColumns',
);
const OwnHighlights = lazyComponent(
  () => import('#web/features/highlights/own-highlights.tsx'),
  'OwnHighlights',
);
const OwnFarmerCard = lazyComponent(
  () => import('#web/features/code-farmers/card-editor.tsx'),
  'OwnFarmerCard',
);
const FollowedTags = lazyComponent(() => import('#web/features/essays/followed-tags.tsx'), 'FollowedTags');
const MembersPanel = lazyComponent(() => import('#web/features/members/members-panel.tsx'), 'MembersPanel');
const OwnOrders = lazyComponent(() => import('#web/features/orders/own-orders.tsx'), 'OwnOrders');
const OwnLetters = lazyComponent(() => import('#web/features/letters/own-letters.tsx'), 'OwnLetters');
const ChatsPanel = lazyComponent(() => import('#web/features/chats/chats-panel.tsx'), 'ChatsPanel');
const StatsPanel = lazyComponent(() => import('#web/features/stats/stats-panel.tsx'), 'StatsPanel');
const WalletPanel = lazyComponent(() => import('#web/features/wallet/wallet-panel.tsx'), 'WalletPanel');

export const title = '我的主页';

type Tab =
  | 'essay'
  | 'trend'
  | 'stats'
  | 'collect'
  | 'column'
  | 'highlight'
  | 'like'
  | 'history'
  | 'share'
  | 'tag'
  | 'following'
  | 'follower'
  | 'chat'
  | 'letter'
  | 'notice'
  | 'order'
  | 'wallet'
  | 'member'
  | 'invite'
  | 'farmer';

const DEFAULT_TAB: Tab = 'essay';

interface TabData {
  isWriter: boolean;
  counters: PublicUser['counters'] | undefined;
  unread: number;
  unreadMessages: ConversationCounts | undefined;
  switches: Site['switches'];
}

const buildGroups = ({ isWriter, counters, unread, unreadMessages, switches }: TabData): NavGroup<Tab>[] => [
  {
    title: '创作',
    items: [
      { key: 'essay', label: '文章', icon: 'book', count: counters?.essays },
      { key: 'trend', label: '动态', icon: 'trend' },
      ...(isWriter ? [{ key: 'stats', label: '数据', icon: 'chart' } as const] : []),
    ],
  },
  {
    title: '阅读',
    items: [
      { key: 'collect', label: '收藏', icon: 'star' },
      { key: 'column', label: '专栏', icon: 'book' },
      { key: 'highlight', label: '划线', icon: 'pen' },
      { key: 'like', label: '点赞', icon: 'heart' },
      { key: 'history', label: '足迹', icon: 'clock' },
      { key: 'share', label: '分享', icon: 'share' },
      { key: 'tag', label: '标签', icon: 'tag' },
    ],
  },
  {
    title: '往来',
    items: [
      { key: 'following', label: '关注', icon: 'userPlus', count: counters?.following },
      { key: 'follower', label: '粉丝', icon: 'users', count: counters?.followers },
      ...(switches.letters
        ? [{ key: 'letter', label: '私信', icon: 'comment', unread: unreadMessages?.letters } as const]
        : []),
      ...(switches.chats
        ? [
            {
              key: 'chat',
              label: '聊天',
              icon: 'chat',
              unread: unreadMessages && unreadMessages.chats + unreadMessages.rooms,
            } as const,
          ]
        : []),
      { key: 'notice', label: '通知', icon: 'bell', unread },
    ],
  },
  {
    title: '账户',
    items: [
      { key: 'order', label: '订单', icon: 'toc' },
      { key: 'wallet', label: '钱包', icon: 'wallet' },
      { key: 'member', label: '会员', icon: 'gem' },
      { key: 'invite', label: '邀请', icon: 'gift' },
      { key: 'farmer', label: '码农名片', icon: 'code' },
    ],
  },
];

function OwnHead({ id }: { id: string }) {
  const { href } = useRouter();
  const query = useCall('GET core/user/public', { id });
  const linkTo = (tab: Tab) => href(pathTo({ to: '/account/center.html', search: { tab } }));
  const skeleton = (
    <LoadingSkeleton>
      <ProfileHeadSkeleton />
    </LoadingSkeleton>
  );
  return (
    <QueryContent query={query} loading={skeleton}>
      {(user) => (
        <ProfileHead
          user={user}
          links={{ followers: linkTo('follower'), following: linkTo('following') }}
          action={<EditLink />}
        />
      )}
    </QueryContent>
  );
}

const panelSkeleton = (
  <div aria-hidden="true" className="stack gap-4">
    <SkeletonLines lines={['30 m', '100 l', '82 m', '70 m']} />
  </div>
);

interface PanelProps {
  search: URLSearchParams;
  isWriter: boolean;
}

const panels: Record<Tab, (props: PanelProps) => ReactNode> = {
  essay: ({ search }) => <OwnEssays search={search} />,
  trend: ({ search }) => <OwnTrends search={search} />,
  stats: () => <StatsPanel />,
  collect: ({ search }) => <OwnCollections search={search} />,
  column: () => <FollowedColumns />,
  highlight: ({ search }) => <OwnHighlights search={search} />,
  like: () => <OwnLikes />,
  history: () => <ReadingHistory />,
  share: () => <OwnShares />,
  tag: () => <FollowedTags />,
  following: () => <OwnFollows key="following" type="following" />,
  follower: () => <OwnFollows key="follower" type="follower" />,
  chat: ({ search }) => <ChatsPanel search={search} />,
  letter: ({ search }) => <OwnLetters search={search} />,
  notice: () => <NoticeList />,
  order: ({ search }) => <OwnOrders search={search} />,
  wallet: ({ isWriter }) => <WalletPanel isWriter={isWriter} />,
  member: () => <MembersPanel />,
  invite: () => (
    <WithMe skeleton={<Skeleton width="70" height="m" />}>{(me) => <InvitePanel me={me} />}</WithMe>
  ),
  farmer: () => <OwnFarmerCard />,
};

export function Page({ search }: PageProps<'/account/center.html'>) {
  const user = useCurrentUser();
  const { switches } = useSite();
  const unread = useCall('GET core/user/notice/unread').data?.total ?? 0;
  const unreadMessages = useCall('GET core/essay/chat/unread').data;
  const { data } = useCall('GET core/user/public', { id: user?.id ?? '' }, { enabled: user !== null });
  if (user === null) return null;
  const isWriter = (data ?? user).curIdentity === IDENTITY.writer;
  const groups = buildGroups({ isWriter, counters: data?.counters, unread, unreadMessages, switches });
  const tab = findTab(groups, search.get('tab'), DEFAULT_TAB);
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <Head title={title} path="/account/center.html" hidden />
      {tab === 'chat' ? null : <OwnHead id={user.id} />}
      <div className={tab === 'chat' ? `${styles.columns} ${styles.work}` : styles.columns}>
        <AccountNav
          label="个人中心"
          to="/account/center.html"
          groups={groups}
          selected={tab}
          defaultKey={DEFAULT_TAB}
        />
        <div className={styles.panel}>
          <ErrorBoundary
            resetKey={tab}
            fallback={<LoadFailed error={null} onRetry={() => location.reload()} />}
          >
            <Suspense fallback={panelSkeleton}>{panels[tab]({ search, isWriter })}</Suspense>
          </ErrorBoundary>
        </div>
      </div>
    </main>
  );
}
