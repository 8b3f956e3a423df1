import { FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import { type ReactNode, Suspense } from 'react';
import { AccountHub, AccountHubSkeleton, HubBar } from '#web/features/account/account-hub.tsx';
import { AccountNav } from '#web/features/account/account-nav.tsx';
import { buildGroups, landingTab, readTab } from '#web/features/account/centre-tabs.ts';
import { InvitePanel } from '#web/features/account/invite-panel.tsx';
import { useBackToHub } from '#web/features/account/use-back-to-hub.ts';
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
import type { CentreTab } from '#web/lib/centre-tabs.ts';
import { lazyComponent } from '#web/lib/lazy-component.ts';
import { useCall, useSite } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useMedia } from '#web/lib/use-media.ts';
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
const ColumnsPanel = lazyComponent(() => import('#web/features/columns/columns-panel.tsx'), 'ColumnsPanel');
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

function OwnHead({ id }: { id: string }) {
  const { href } = useRouter();
  const query = useCall('GET core/user/public', { id });
  const linkTo = (tab: CentreTab) => href(pathTo({ to: '/account/center.html', search: { tab } }));
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

const panels: Record<CentreTab, (props: PanelProps) => ReactNode> = {
  essay: ({ search }) => <OwnEssays search={search} />,
  trend: ({ search }) => <OwnTrends search={search} />,
  stats: () => <StatsPanel />,
  collect: ({ search }) => <OwnCollections search={search} />,
  column: ({ isWriter }) => <ColumnsPanel isWriter={isWriter} />,
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

/** The panel without a tab in the URL; undefined while it is not known. */
function useLandingTab({
  enabled,
  isWriter,
  essays,
}: {
  enabled: boolean;
  isWriter: boolean;
  essays?: number;
}) {
  const own = useCall(
    'GET core/essay/',
    { mine: FLAG.on, page: 1, pageSize: 1 },
    { enabled: enabled && isWriter && essays === 0 },
  );
  return landingTab({ isWriter, publishedEssays: essays, ownEssays: own.data?.total });
}

/** Rendered by the server, which knows neither the user nor the width of the screen. */
export const Shell = ({ search }: { search: URLSearchParams }) => (
  <main id="main" tabIndex={-1} className="wrap">
    <p className="sr" role="status">
      正在载入
    </p>
    <div className={styles.onNarrow}>
      {search.has('tab') ? (
        <>
          <HubBar name={title} />
          <div className={styles.columns}>{panelSkeleton}</div>
        </>
      ) : (
        <AccountHubSkeleton />
      )}
    </div>
    <div className={styles.onWide} aria-hidden="true">
      <ProfileHeadSkeleton />
      <div className={styles.columns}>
        <div />
        {panelSkeleton}
      </div>
    </div>
  </main>
);

export function Page({ search }: PageProps<'/account/center.html'>) {
  const user = useCurrentUser();
  const { switches } = useSite();
  const isNarrow = useMedia('(width < 1024px)');
  const unreadNotices = useCall('GET core/user/notice/unread').data?.total ?? 0;
  const unreadMessages = useCall('GET core/essay/chat/unread').data;
  const { data: profile } = useCall(
    'GET core/user/public',
    { id: user?.id ?? '' },
    { enabled: user !== null },
  );
  const isWriter = (profile ?? user)?.curIdentity === IDENTITY.writer;
  const groups = buildGroups({
    isWriter,
    counters: profile?.counters,
    unreadNotices,
    unreadMessages,
    switches,
  });
  const named = readTab(groups, search);
  const isHub = isNarrow && named === null;
  const landing = useLandingTab({
    enabled: named === null && !isHub,
    isWriter,
    essays: profile?.counters.essays,
  });
  const tab = named ?? landing;
  const onBack = useBackToHub(isHub);
  if (user === null) return null;
  // An open letter has a link back to the list of letters.
  const hasOwnBackLink = tab === 'letter' && search.has('thread');
  const head = <Head title={title} path="/account/center.html" hidden />;
  if (isHub)
    return (
      <main id="main" tabIndex={-1} className="wrap">
        {head}
        <AccountHub user={user} profile={profile} groups={groups} />
      </main>
    );
  return (
    <main id="main" tabIndex={-1} className="wrap">
      {head}
      {isNarrow ? <HubBar name={user.displayName} onBack={onBack} isHidden={hasOwnBackLink} /> : null}
      {isNarrow || tab === 'chat' ? null : <OwnHead id={user.id} />}
      <div className={tab === 'chat' ? `${styles.columns} ${styles.work}` : styles.columns}>
        <AccountNav label="个人中心" to="/account/center.html" groups={groups} selected={tab} wideOnly />
        <div className={styles.panel}>
          <ErrorBoundary
            resetKey={tab ?? null}
            fallback={<LoadFailed error={null} onRetry={() => location.reload()} />}
          >
            <Suspense fallback={panelSkeleton}>
              {tab === undefined ? panelSkeleton : panels[tab]({ search, isWriter })}
            </Suspense>
          </ErrorBoundary>
        </div>
      </div>
    </main>
  );
}
