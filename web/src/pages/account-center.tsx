import type { TalkCounts } from '@mozhan/contract/chats.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { PublicUser } from '@mozhan/contract/users.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { copyText } from '#web/features/essays/copy-text.ts';
import { FollowButton } from '#web/features/essays/follow-button.tsx';
import { History } from '#web/features/essays/history.tsx';
import { OwnEssays } from '#web/features/essays/own-essays.tsx';
import { OwnLikes } from '#web/features/essays/own-likes.tsx';
import { OwnShares } from '#web/features/essays/own-shares.tsx';
import { usePay } from '#web/features/money/use-pay.ts';
import { NoticeList } from '#web/features/notices/notice-list.tsx';
import { ReportButton } from '#web/features/reports/report-button.tsx';
import { Head } from '#web/features/site/head.tsx';
import { AccountPlaces, type PlaceGroup, placeOf } from '#web/features/users/account-places.tsx';
import { EditLink } from '#web/features/users/edit-link.tsx';
import { InvitePanel } from '#web/features/users/invite-panel.tsx';
import { useMe } from '#web/features/users/me.ts';
import { OwnFollows } from '#web/features/users/own-follows.tsx';
import { OwnTrends } from '#web/features/users/own-trends.tsx';
import { BlockItem } from '#web/features/users/person-acts.tsx';
import { ProfileHead, ProfileHeadSkeleton } from '#web/features/users/profile-head.tsx';
import { useReauth } from '#web/features/users/use-reauth.ts';
import { WithMe } from '#web/features/users/with-me.tsx';
import { useApi } from '#web/lib/app-context.ts';
import type { PageProps } from '#web/lib/navigation.ts';
import type { Pay } from '#web/lib/orders.ts';
import { call } from '#web/lib/queries.ts';
import type { WithReauth } from '#web/lib/reauth.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { pathTo, useRouter } from '#web/router.tsx';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './account.module.css';

const OwnCollections = lazy(() =>
  import('#web/features/collections/own-collections.tsx').then(({ OwnCollections }) => ({
    default: OwnCollections,
  })),
);
const FarmerCard = lazy(() =>
  import('#web/features/code-farmers/card-editor.tsx').then(({ FarmerCard }) => ({ default: FarmerCard })),
);
const MembersPanel = lazy(() =>
  import('#web/features/members/members-panel.tsx').then(({ MembersPanel }) => ({ default: MembersPanel })),
);
const OwnOrders = lazy(() =>
  import('#web/features/orders/own-orders.tsx').then(({ OwnOrders }) => ({ default: OwnOrders })),
);
const OwnLetters = lazy(() =>
  import('#web/features/letters/own-letters.tsx').then(({ OwnLetters }) => ({ default: OwnLetters })),
);
const Talks = lazy(() => import('#web/features/chats/talks.tsx').then(({ Talks }) => ({ default: Talks })));
const StatsPanel = lazy(() =>
  import('#web/features/stats/stats-panel.tsx').then(({ StatsPanel }) => ({ default: StatsPanel })),
);
const WalletPanel = lazy(() =>
  import('#web/features/wallet/wallet-panel.tsx').then(({ WalletPanel }) => ({ default: WalletPanel })),
);

export const title = '我的主页';

type Tab =
  | 'essay'
  | 'trend'
  | 'stats'
  | 'collect'
  | 'like'
  | 'history'
  | 'share'
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

const USUAL: Tab = 'essay';

interface Known {
  isWriter: boolean;
  counters: PublicUser['counters'] | undefined;
  unread: number;
  talks: TalkCounts | undefined;
}

const groupsWith = ({ isWriter, counters, unread, talks }: Known): PlaceGroup<Tab>[] => [
  {
    title: '创作',
    places: [
      { key: 'essay', label: '文章', icon: 'book', count: counters?.essays },
      { key: 'trend', label: '动态', icon: 'trend' },
      ...(isWriter ? [{ key: 'stats', label: '数据', icon: 'chart' } as const] : []),
    ],
  },
  {
    title: '阅读',
    places: [
      { key: 'collect', label: '收藏', icon: 'star' },
      { key: 'like', label: '点赞', icon: 'heart' },
      { key: 'history', label: '足迹', icon: 'clock' },
      { key: 'share', label: '分享', icon: 'share' },
    ],
  },
  {
    title: '往来',
    places: [
      { key: 'following', label: '关注', icon: 'userPlus', count: counters?.following },
      { key: 'follower', label: '粉丝', icon: 'users', count: counters?.followers },
      { key: 'letter', label: '私信', icon: 'comment', unread: talks?.letters },
      { key: 'chat', label: '聊天', icon: 'chat', unread: talks && talks.chats + talks.rooms },
      { key: 'notice', label: '通知', icon: 'bell', unread },
    ],
  },
  {
    title: '账户',
    places: [
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
  const { data, error, refetch } = useQuery(call(useApi(), 'GET core/user/public', { id }));
  const linkTo = (tab: Tab) => href(pathTo({ to: '/account/center.html', search: { tab } }));
  if (data !== undefined)
    return (
      <ProfileHead
        user={data}
        links={{ followers: linkTo('follower'), following: linkTo('following') }}
        action={<EditLink />}
      />
    );
  if (error !== null) return <LoadFailed error={error} onRetry={refetch} />;
  return (
    <>
      <p className="sr" role="status">
        正在载入…
      </p>
      <div aria-hidden="true">
        <ProfileHeadSkeleton />
      </div>
    </>
  );
}

const waiting = (
  <div aria-hidden="true" className="stack gap-4">
    <Skeleton width="30" height="m" />
    <Skeleton height="l" />
    <Skeleton width="82" height="m" />
    <Skeleton width="70" height="m" />
  </div>
);

function Collections({ search }: { search: URLSearchParams }) {
  const isOpen = useMe().data?.privacy.collect ?? true;
  return <OwnCollections search={search} isOpen={isOpen} copy={copyText} />;
}

interface PanelProps {
  search: URLSearchParams;
  isWriter: boolean;
  pay: Pay;
  withReauth: WithReauth;
}

const panels: Record<Tab, (props: PanelProps) => ReactNode> = {
  essay: ({ search }) => <OwnEssays search={search} />,
  trend: ({ search }) => <OwnTrends search={search} />,
  stats: () => <StatsPanel />,
  collect: ({ search }) => <Collections search={search} />,
  like: () => <OwnLikes />,
  history: () => <History />,
  share: () => <OwnShares />,
  following: () => <OwnFollows key="following" type="following" Follow={FollowButton} />,
  follower: () => <OwnFollows key="follower" type="follower" Follow={FollowButton} />,
  chat: ({ search }) => <Talks search={search} Report={ReportButton} Block={BlockItem} />,
  letter: ({ search }) => <OwnLetters search={search} Report={ReportButton} Block={BlockItem} />,
  notice: () => <NoticeList />,
  order: ({ search, pay }) => <OwnOrders search={search} pay={pay} />,
  wallet: ({ isWriter, pay, withReauth }) => (
    <WalletPanel isWriter={isWriter} pay={pay} withReauth={withReauth} />
  ),
  member: ({ pay }) => <MembersPanel pay={pay} />,
  invite: () => (
    <WithMe skeleton={<Skeleton width="70" height="m" />}>{(me) => <InvitePanel me={me} />}</WithMe>
  ),
  farmer: () => <FarmerCard />,
};

/** One's own page, with what only its owner sees. */
export function Page({ search }: PageProps<'/account/center.html'>) {
  const user = useCurrentUser();
  const api = useApi();
  const pay = usePay();
  const withReauth = useReauth();
  const unread = useQuery(call(api, 'GET core/user/notice/unread')).data?.total ?? 0;
  const talks = useQuery(call(api, 'GET core/essay/chat/unread')).data;
  const { data } = useQuery({
    ...call(api, 'GET core/user/public', { id: user?.id ?? '' }),
    enabled: user !== null,
  });
  if (user === null) return null;
  const isWriter = (data ?? user).curIdentity === IDENTITY.writer;
  const groups = groupsWith({ isWriter, counters: data?.counters, unread, talks });
  const tab = placeOf(groups, search.get('tab'), USUAL);
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <Head title={title} path="/account/center.html" hidden />
      {tab === 'chat' ? null : <OwnHead id={user.id} />}
      <div className={tab === 'chat' ? `${styles.columns} ${styles.work}` : styles.columns}>
        <AccountPlaces
          label="个人中心"
          to="/account/center.html"
          groups={groups}
          selected={tab}
          usual={USUAL}
        />
        <div className={styles.panel}>
          <ErrorBoundary
            resetBy={tab}
            fallback={<LoadFailed error={null} onRetry={() => location.reload()} />}
          >
            <Suspense fallback={waiting}>{panels[tab]({ search, isWriter, pay, withReauth })}</Suspense>
          </ErrorBoundary>
        </div>
      </div>
    </main>
  );
}
