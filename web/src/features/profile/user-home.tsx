import type { Column } from '@mozhan/contract/columns.ts';
import type { PublicUser } from '@mozhan/contract/users.ts';
import { loadFarmer } from '#web/features/code-farmers/farmer-query.ts';
import { PersonFarmer } from '#web/features/code-farmers/person-farmer.tsx';
import { loadFolders } from '#web/features/collections/folder-query.ts';
import { FollowList, followPages } from '#web/features/people/follow-list.tsx';
import { call, useCall } from '#web/lib/queries.ts';
import { useAskedAgain } from '#web/lib/use-asked-again.ts';
import { type LoadContext, NotFound } from '#web/router/navigation.ts';
import { usePlaces } from '#web/router/router.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import { AuthorEssays, loadAuthorEssays } from './author-essays.tsx';
import { PersonActs } from './person-acts.tsx';
import { loadPersonKept, PersonKept } from './person-kept.tsx';
import { ProfileHead } from './profile-head.tsx';
import { TrendList, trendPages } from './trend-list.tsx';
import styles from './user-home.module.css';

const tabNames = {
  essay: '文章',
  column: '专栏',
  trend: '动态',
  collect: '收藏',
  like: '点赞',
  share: '分享',
  following: '关注',
  follower: '粉丝',
} as const;

type HomeTab = keyof typeof tabNames;
const tabs = Object.keys(tabNames) as HomeTab[];

interface HomeAddress {
  id: string;
  tab: HomeTab;
  /** The id of a column, or ''. */
  column: string;
  /** The id of a folder of what they collected, or ''. */
  folder: string;
  page: number;
}

const ID = /^[0-9a-f]{32}$/;
const idIn = (text: string | null) => ID.exec(text ?? '')?.[0] ?? '';

/** What the address of somebody's page asks for. */
export function readAddress(id: string, search: URLSearchParams): HomeAddress {
  const page = Number(/^[1-9]\d{0,3}$/.exec(search.get('page') ?? '')?.[0] ?? 1);
  const tab = tabs.find((each) => each === search.get('tab')) ?? 'essay';
  const column = tab === 'column' ? idIn(search.get('column')) : '';
  const folder = tab === 'collect' ? idIn(search.get('folder')) : '';
  return { id, tab, column, folder, page };
}

/** The same, as the parameters of a link. */
export const toSearch = ({ tab, column, folder, page }: Omit<HomeAddress, 'id'>) => ({
  tab: tab === 'essay' ? undefined : tab,
  column: column || undefined,
  folder: folder || undefined,
  page: page > 1 ? String(page) : undefined,
});

/** What the head of somebody's page says; an open column or folder has a title of its own. */
export function homeHead(
  { displayName, bio }: PublicUser,
  open: { column: Pick<Column, 'name' | 'summary'> | undefined; folder: { name: string } | undefined },
) {
  const { column, folder } = open;
  if (column !== undefined)
    return {
      kind: 'CollectionPage',
      title: `${column.name} · ${displayName}的专栏`,
      description: column.summary || `${displayName}的专栏《${column.name}》。`,
    } as const;
  return {
    kind: 'ProfilePage',
    person: displayName,
    title: folder === undefined ? `${displayName}的主页` : `${folder.name} · ${displayName}的收藏`,
    description: bio || `${displayName}的文章和动态。`,
  } as const;
}

function loadList({ api, queryClient }: LoadContext, { id, tab, page }: HomeAddress) {
  if (tab === 'trend') return queryClient.ensureInfiniteQueryData(trendPages(api, { userId: id }, page));
  if (tab === 'follower' || tab === 'following')
    return queryClient.ensureInfiniteQueryData(followPages(api, tab, id, page));
  return undefined;
}

/** Rejects with 404 for a person, or a page of the list, that is not there. */
export async function loadUserHome(context: LoadContext, address: HomeAddress): Promise<void> {
  const { id, page } = address;
  if (!ID.test(id)) throw new NotFound();
  const { api, queryClient } = context;
  const [list] = await Promise.all([
    loadList(context, address),
    queryClient.ensureQueryData(call(api, 'GET core/user/public', { id })),
    loadAuthorEssays(context, address),
    loadPersonKept(context, address),
    loadFolders(context, address),
    loadFarmer(context, address),
  ]);
  if (page > 1 && list?.pages[0]?.list.length === 0) throw new NotFound();
}

/** With what is between them and the reader, once it is known who reads. */
export function useUser(id: string): PublicUser | undefined {
  const { data, refetch } = useCall('GET core/user/public', { id });
  useAskedAgain(refetch);
  return data;
}

/** Nothing there, or nothing that others may see: it looks the same. */
const nothing: Record<'trend' | FollowTab, { title: string; rest: string }> = {
  trend: { title: '没有公开的动态', rest: '还没有留下动态，或者选择了不公开。' },
  following: { title: '没有公开关注的人', rest: '还没有关注别人，或者选择了不公开。' },
  follower: { title: '没有公开粉丝', rest: '还没有粉丝，或者选择了不公开。' },
};

type FollowTab = 'following' | 'follower';

interface UserHomeProps {
  address: HomeAddress;
  user: PublicUser;
}

/** The address of a list on somebody's page, base path included; a page after the first is of the same list. */
function useHomeLink({ id, folder, column }: HomeAddress) {
  const { personHref } = usePlaces();
  return (tab: HomeTab, page = 1) => {
    const within = page > 1 ? { folder, column } : { folder: '', column: '' };
    return personHref(id, toSearch({ tab, page, ...within }));
  };
}

function OwnList({ address, user }: UserHomeProps) {
  const linkTo = useHomeLink(address);
  const { id, tab, page } = address;
  if (tab !== 'trend' && tab !== 'follower' && tab !== 'following') return null;
  const { title, rest } = nothing[tab];
  const list = {
    userId: id,
    firstPage: page,
    pageHref: (next: number) => linkTo(tab, next),
    empty: <NothingYet title={title} text={`${user.displayName}${rest}`} />,
  };
  return tab === 'trend' ? (
    <TrendList {...list} />
  ) : (
    <FollowList {...list} type={tab} label={tabNames[tab]} />
  );
}

/** Somebody's page: who it is and what they did. Everyone gets the same; what is between them and the reader follows. */
export function UserHome({ address, user }: UserHomeProps) {
  const linkTo = useHomeLink(address);
  const { id, tab } = address;
  const name = user.displayName;
  return (
    <>
      <ProfileHead
        user={user}
        links={{ followers: linkTo('follower'), following: linkTo('following') }}
        action={<PersonActs user={user} />}
      />
      <div className={styles.card}>
        <PersonFarmer userId={id} />
      </div>
      <LinkTabs
        label={`${name}的内容`}
        selected={tab}
        tabs={tabs.map((key) => ({
          key,
          label: tabNames[key],
          href: linkTo(key),
          ...(key === 'essay' && { count: user.counters.essays }),
        }))}
      />
      <div className={styles.list}>
        <AuthorEssays {...address} name={name} />
        <PersonKept {...address} name={name} pageHref={(page) => linkTo(tab, page)} />
        <OwnList key={tab} address={address} user={user} />
      </div>
    </>
  );
}
