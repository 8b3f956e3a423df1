import type { Client } from '@mozhan/contract/client.ts';
import type { Column } from '@mozhan/contract/columns.ts';
import type { PublicUser } from '@mozhan/contract/users.ts';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FollowList, followPages } from '#web/features/people/follow-list.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { call } from '#web/lib/queries.ts';
import { useAskedAgain } from '#web/lib/use-asked-again.ts';
import { NotFound } from '#web/router/navigation.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Layers } from '#web/ui/layers.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import { PersonActs, type PersonParts } from './person-acts.tsx';
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

interface LoadContext {
  api: Client;
  queryClient: QueryClient;
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
  const [, list] = await Promise.all([
    queryClient.ensureQueryData(call(api, 'GET core/user/public', { id })),
    loadList(context, address),
  ]);
  if (page > 1 && list?.pages[0]?.list.length === 0) throw new NotFound();
}

/** With what is between them and the reader, once it is known who reads. */
export function useUser(id: string): PublicUser | undefined {
  const { data, refetch } = useQuery(call(useApi(), 'GET core/user/public', { id }));
  useAskedAgain(refetch);
  return data;
}

const paths = { site: '/user/home/:id.html', bare: '/user/mhome/:id.html' } as const;
type HomeVariant = keyof typeof paths;

/** Nothing there, or nothing that others may see: it looks the same. */
const nothing: Record<'trend' | FollowTab, { title: string; rest: string }> = {
  trend: { title: '没有公开的动态', rest: '还没有留下动态，或者选择了不公开。' },
  following: { title: '没有公开关注的人', rest: '还没有关注别人，或者选择了不公开。' },
  follower: { title: '没有公开粉丝', rest: '还没有粉丝，或者选择了不公开。' },
};

type FollowTab = 'following' | 'follower';

interface UserHomeProps extends HomeAddress, PersonParts {
  user: PublicUser;
  /** `bare`: the page without header and footer. */
  variant: HomeVariant;
  /** The address of one of their lists, with the base path. */
  linkTo: (tab: HomeTab, page?: number) => string;
  /** What they say of their work; another feature's. */
  card: ReactNode;
  /** What they have written, liked, shared or collected; other features'. */
  children: ReactNode;
}

/** The address of a list on somebody's page, base path included; a page after the first is of the same list. */
export function useHomeLink({ id, folder, column }: HomeAddress, variant: HomeVariant) {
  const { href } = useRouter();
  return (tab: HomeTab, page = 1) => {
    const within = page > 1 ? { folder, column } : { folder: '', column: '' };
    return href(pathTo({ to: paths[variant], params: { id }, search: toSearch({ tab, page, ...within }) }));
  };
}

function OwnList({ id, tab, user, page, variant, linkTo, Follow }: Omit<UserHomeProps, 'card' | 'children'>) {
  if (tab !== 'trend' && tab !== 'follower' && tab !== 'following') return null;
  const { title, rest } = nothing[tab];
  const list = {
    userId: id,
    firstPage: page,
    variant,
    pageHref: (next: number) => linkTo(tab, next),
    empty: (
      <Empty small picture={<Layers />} title={title}>
        <p>
          {user.displayName}
          {rest}
        </p>
      </Empty>
    ),
  };
  return tab === 'trend' ? (
    <TrendList {...list} />
  ) : (
    <FollowList {...list} type={tab} label={tabNames[tab]} Follow={Follow} />
  );
}

/** Somebody's page: who it is and what they did. Everyone gets the same; what is between them and the reader follows. */
export function UserHome({ card, children, ...props }: UserHomeProps) {
  const { user, tab, linkTo, Follow, Letter, Report } = props;
  return (
    <>
      <ProfileHead
        user={user}
        links={{ followers: linkTo('follower'), following: linkTo('following') }}
        action={<PersonActs user={user} Follow={Follow} Letter={Letter} Report={Report} />}
      />
      <div className={styles.card}>{card}</div>
      <LinkTabs
        label={`${user.displayName}的内容`}
        selected={tab}
        tabs={tabs.map((key) => ({
          key,
          label: tabNames[key],
          href: linkTo(key),
          ...(key === 'essay' && { count: user.counters.essays }),
        }))}
      />
      <div className={styles.list}>
        {children}
        <OwnList key={tab} {...props} />
      </div>
    </>
  );
}
