import type { PublicUser } from '@mozhan/contract/users.ts';
import { loadFarmer } from '#web/features/code-farmers/farmer-query.ts';
import { UserFarmerCard } from '#web/features/code-farmers/user-farmer-card.tsx';
import { loadFolders } from '#web/features/collections/folder-query.ts';
import { FollowList, followPages } from '#web/features/people/follow-list.tsx';
import { callQuery, useCall } from '#web/lib/queries.ts';
import { useRefetchWhenSignedIn } from '#web/lib/use-refetch-when-signed-in.ts';
import { type Layout, type LoadContext, NotFoundError, Redirect } from '#web/router/navigation.ts';
import { columnPath, useHrefs } from '#web/router/router.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import { AuthorEssays, loadAuthorEssays } from './author-essays.tsx';
import { PersonActions } from './person-actions.tsx';
import { loadPersonActivity, PersonActivity } from './person-activity.tsx';
import { ProfileHead } from './profile-head.tsx';
import { TrendList, trendPages } from './trend-list.tsx';
import styles from './user-home.module.css';

const tabLabels = {
  essay: '文章',
  column: '专栏',
  trend: '动态',
  collect: '收藏',
  like: '点赞',
  share: '分享',
  following: '关注',
  follower: '粉丝',
} as const;

type HomeTab = keyof typeof tabLabels;
const tabs = Object.keys(tabLabels) as HomeTab[];

interface UserHomeParams {
  id: string;
  tab: HomeTab;
  /** The id of a column, whose page was here formerly, or ''. */
  column: string;
  /** The id of a folder, or ''. */
  folder: string;
  page: number;
}

const ID = /^[0-9a-f]{32}$/;
const parseId = (text: string | null) => ID.exec(text ?? '')?.[0] ?? '';

export function readUserHomeParams(id: string, search: URLSearchParams): UserHomeParams {
  const page = Number(/^[1-9]\d{0,3}$/.exec(search.get('page') ?? '')?.[0] ?? 1);
  const tab = tabs.find((each) => each === search.get('tab')) ?? 'essay';
  const column = tab === 'column' ? parseId(search.get('column')) : '';
  const folder = tab === 'collect' ? parseId(search.get('folder')) : '';
  return { id, tab, column, folder, page };
}

export const toUserHomeSearch = ({ tab, folder, page }: Omit<UserHomeParams, 'id' | 'column'>) => ({
  tab: tab === 'essay' ? undefined : tab,
  folder: folder || undefined,
  page: page > 1 ? String(page) : undefined,
});

/** The metadata of a user's page; an open folder has a title of its own. */
export function userHomeMeta({ displayName, bio }: PublicUser, folder: { name: string } | undefined) {
  return {
    kind: 'ProfilePage',
    person: displayName,
    title: folder === undefined ? `${displayName}的主页` : `${folder.name} · ${displayName}的收藏`,
    description: bio || `${displayName}的文章和动态。`,
  } as const;
}

function loadList({ api, queryClient }: LoadContext, { id, tab, page }: UserHomeParams) {
  if (tab === 'trend') return queryClient.ensureInfiniteQueryData(trendPages(api, { userId: id }, page));
  if (tab === 'follower' || tab === 'following')
    return queryClient.ensureInfiniteQueryData(followPages(api, tab, id, page));
  return undefined;
}

/** Rejects with 404 for a user or a page of the list that does not exist. */
export async function loadUserHome(
  context: LoadContext,
  homeParams: UserHomeParams,
  layout: Layout,
): Promise<void> {
  const { id, page, column } = homeParams;
  if (!ID.test(id)) throw new NotFoundError();
  if (column !== '') throw new Redirect(columnPath(column, undefined, layout), 301);
  const { api, queryClient } = context;
  const [list] = await Promise.all([
    loadList(context, homeParams),
    queryClient.ensureQueryData(callQuery(api, 'GET core/user/public', { id })),
    loadAuthorEssays(context, homeParams),
    loadPersonActivity(context, homeParams),
    loadFolders(context, homeParams),
    loadFarmer(context, homeParams),
  ]);
  if (page > 1 && list?.pages[0]?.list.length === 0) throw new NotFoundError();
}

/** Includes the relation to the current user, which is loaded after sign-in is known. */
export function usePublicUser(id: string): PublicUser | undefined {
  const { data, refetch } = useCall('GET core/user/public', { id });
  useRefetchWhenSignedIn(refetch);
  return data;
}

/** An empty list and a private one look the same. */
const emptyTexts: Record<'trend' | FollowTab, { title: string; rest: string }> = {
  trend: { title: '没有公开的动态', rest: '还没有留下动态，或者选择了不公开。' },
  following: { title: '没有公开的关注', rest: '还没有关注别人，或者选择了不公开。' },
  follower: { title: '没有公开的粉丝', rest: '还没有粉丝，或者选择了不公开。' },
};

type FollowTab = 'following' | 'follower';

interface UserHomeProps {
  homeParams: UserHomeParams;
  user: PublicUser;
}

/** The href of a list on a user's page; only later pages keep the open folder. */
function useUserHomeLink({ id, folder }: UserHomeParams) {
  const { userHref } = useHrefs();
  return (tab: HomeTab, page = 1) => {
    return userHref(id, toUserHomeSearch({ tab, page, folder: page > 1 ? folder : '' }));
  };
}

function TrendOrFollowList({ homeParams, user }: UserHomeProps) {
  const linkTo = useUserHomeLink(homeParams);
  const { id, tab, page } = homeParams;
  if (tab !== 'trend' && tab !== 'follower' && tab !== 'following') return null;
  const { title, rest } = emptyTexts[tab];
  const list = {
    userId: id,
    firstPage: page,
    pageHref: (next: number) => linkTo(tab, next),
    empty: <EmptyList title={title} text={`${user.displayName}${rest}`} />,
  };
  return tab === 'trend' ? (
    <TrendList {...list} />
  ) : (
    <FollowList {...list} type={tab} label={tabLabels[tab]} />
  );
}

/** A user's page. The server renders the same for everyone; the relation to the reader is loaded afterwards. */
export function UserHome({ homeParams, user }: UserHomeProps) {
  const linkTo = useUserHomeLink(homeParams);
  const { id, tab } = homeParams;
  const name = user.displayName;
  return (
    <>
      <ProfileHead
        user={user}
        links={{ followers: linkTo('follower'), following: linkTo('following') }}
        action={<PersonActions user={user} />}
      />
      <div className={styles.card}>
        <UserFarmerCard userId={id} />
      </div>
      <LinkTabs
        label={`${name}的内容`}
        selected={tab}
        tabs={tabs.map((key) => ({
          key,
          label: tabLabels[key],
          href: linkTo(key),
          ...(key === 'essay' && { count: user.counters.essays }),
        }))}
      />
      <div className={styles.list}>
        <AuthorEssays {...homeParams} name={name} />
        <PersonActivity {...homeParams} name={name} pageHref={(page) => linkTo(tab, page)} />
        <TrendOrFollowList key={tab} homeParams={homeParams} user={user} />
      </div>
    </>
  );
}
