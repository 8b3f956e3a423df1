import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Client } from '#contract/client.ts';
import type { PublicUser } from '#contract/users.ts';
import { useApi } from '#web/lib/app-context.ts';
import { NotFound } from '#web/lib/navigation.ts';
import { call } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { pathTo, useRouter } from '#web/router.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Layers } from '#web/ui/layers.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import { EditLink } from './edit-link.tsx';
import { ProfileHead } from './profile-head.tsx';
import { TrendList, trendPages } from './trend-list.tsx';
import styles from './user-home.module.css';

const tabs = ['essay', 'column', 'trend'] as const;
type Tab = (typeof tabs)[number];

interface Address {
  id: string;
  tab: Tab;
  /** The id of a column, or ''. */
  column: string;
  page: number;
}

const ID = /^[0-9a-f]{32}$/;

/** What the address of somebody's page asks for. */
export function readAddress(id: string, search: URLSearchParams): Address {
  const page = Number(/^[1-9]\d{0,3}$/.exec(search.get('page') ?? '')?.[0] ?? 1);
  const tab = tabs.find((each) => each === search.get('tab')) ?? 'essay';
  const column = tab === 'column' ? (ID.exec(search.get('column') ?? '')?.[0] ?? '') : '';
  return { id, tab, column, page };
}

/** Rejects with 404 for a person, or a page of the list, that is not there. */
export async function loadUserHome(
  { api, queryClient }: { api: Client; queryClient: QueryClient },
  address: Address,
): Promise<void> {
  const { id, tab, page } = address;
  if (!ID.test(id)) throw new NotFound();
  const [, trends] = await Promise.all([
    queryClient.ensureQueryData(call(api, 'GET core/user/public', { id })),
    tab === 'trend' ? queryClient.ensureInfiniteQueryData(trendPages(api, id, page)) : undefined,
  ]);
  if (tab === 'trend' && page > 1 && (trends?.pages[0]?.list.length ?? 0) === 0) throw new NotFound();
}

export const useUser = (id: string) => useQuery(call(useApi(), 'GET core/user/public', { id })).data;

const paths = { site: '/user/home/:id.html', bare: '/user/mhome/:id.html' } as const;

interface UserHomeProps extends Address {
  user: PublicUser;
  /** `bare`: the page without header and footer. */
  variant: 'site' | 'bare';
  /** What they have written; another feature's. */
  essays: ReactNode;
}

/** Somebody's page: who it is and what they did. Everyone gets the same; one's own link to change it comes afterwards. */
export function UserHome({ id, user, tab, page, variant, essays }: UserHomeProps) {
  const { href } = useRouter();
  const isOwn = useCurrentUser()?.id === id;
  const linkTo = (tab: Tab, page = 1) =>
    href(
      pathTo({
        to: paths[variant],
        params: { id },
        search: { tab: tab === 'essay' ? undefined : tab, page: page > 1 ? String(page) : undefined },
      }),
    );

  return (
    <>
      <ProfileHead user={user} action={isOwn ? <EditLink /> : undefined} />
      <LinkTabs
        label={`${user.displayName}的内容`}
        selected={tab}
        tabs={[
          { key: 'essay', label: '文章', href: linkTo('essay'), count: user.counters.essays },
          { key: 'column', label: '专栏', href: linkTo('column') },
          { key: 'trend', label: '动态', href: linkTo('trend') },
        ]}
      />
      <div className={styles.list}>
        {tab === 'trend' ? (
          <TrendList
            userId={id}
            firstPage={page}
            variant={variant}
            pageHref={(next) => linkTo('trend', next)}
            empty={
              <Empty small picture={<Layers />} title="没有公开的动态">
                <p>{user.displayName}还没有留下动态，或者选择了不公开。</p>
              </Empty>
            }
          />
        ) : (
          essays
        )}
      </div>
    </>
  );
}
