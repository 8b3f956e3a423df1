import { useQuery } from '@tanstack/react-query';
import { History } from '#web/features/essays/history.tsx';
import { OwnEssays } from '#web/features/essays/own-essays.tsx';
import { NoticeList } from '#web/features/notices/notice-list.tsx';
import { Head } from '#web/features/site/head.tsx';
import { AccountPlaces, type PlaceGroup, placeOf } from '#web/features/users/account-places.tsx';
import { EditLink } from '#web/features/users/edit-link.tsx';
import { InvitePanel } from '#web/features/users/invite-panel.tsx';
import { LoadFailed } from '#web/features/users/load-failed.tsx';
import { ProfileHead, ProfileHeadSkeleton } from '#web/features/users/profile-head.tsx';
import { TrendList } from '#web/features/users/trend-list.tsx';
import { WithMe } from '#web/features/users/with-me.tsx';
import { useApi } from '#web/lib/app-context.ts';
import type { PageProps } from '#web/lib/navigation.ts';
import { call } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Empty } from '#web/ui/empty.tsx';
import { Layers } from '#web/ui/layers.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './account.module.css';

export const title = '我的主页';

type Tab = 'essay' | 'trend' | 'history' | 'notice' | 'invite';

const USUAL: Tab = 'essay';

const groupsWith = (unread: number): PlaceGroup<Tab>[] => [
  {
    title: '创作',
    places: [
      { key: 'essay', label: '文章', icon: 'book' },
      { key: 'trend', label: '动态', icon: 'trend' },
    ],
  },
  { title: '阅读', places: [{ key: 'history', label: '足迹', icon: 'clock' }] },
  { title: '往来', places: [{ key: 'notice', label: '通知', icon: 'bell', unread }] },
  { title: '账户', places: [{ key: 'invite', label: '邀请', icon: 'gift' }] },
];

function OwnHead({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(call(useApi(), 'GET core/user/public', { id }));
  if (data !== undefined) return <ProfileHead user={data} action={<EditLink />} />;
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

const noTrends = (
  <Empty small picture={<Layers />} title="还没有动态">
    <p>点赞、评论、收藏、关注之后，会在这里留下一行。</p>
  </Empty>
);

function Panel({ tab, search }: { tab: Tab; search: URLSearchParams }) {
  if (tab === 'trend')
    return (
      <section aria-labelledby="trends">
        <h2 id="trends" className={styles.heading}>
          动态
        </h2>
        <TrendList empty={noTrends} />
      </section>
    );
  if (tab === 'notice') return <NoticeList />;
  if (tab === 'history') return <History />;
  if (tab === 'essay') return <OwnEssays search={search} />;
  return <WithMe skeleton={<Skeleton width="70" height="m" />}>{(me) => <InvitePanel me={me} />}</WithMe>;
}

/** One's own page, with what only its owner sees. */
export function Page({ search }: PageProps<'/account/center.html'>) {
  const user = useCurrentUser();
  const unread = useQuery(call(useApi(), 'GET core/user/notice/unread')).data?.total ?? 0;
  if (user === null) return null;
  const groups = groupsWith(unread);
  const tab = placeOf(groups, search.get('tab'), USUAL);
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <Head title={title} path="/account/center.html" hidden />
      <OwnHead id={user.id} />
      <div className={styles.columns}>
        <AccountPlaces
          label="个人中心"
          to="/account/center.html"
          groups={groups}
          selected={tab}
          usual={USUAL}
        />
        <div className={styles.panel}>
          <Panel tab={tab} search={search} />
        </div>
      </div>
    </main>
  );
}
