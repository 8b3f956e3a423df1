import { AuthorEssays, loadAuthorEssays } from '#web/features/essays/author-essays.tsx';
import { Head } from '#web/features/site/head.tsx';
import { loadUserHome, readAddress, UserHome, useUser } from '#web/features/users/user-home.tsx';
import type { PageModule, PageProps } from '#web/lib/navigation.ts';
import { pathTo } from '#web/router.tsx';

type Path = '/user/home/:id.html';

export const load: PageModule<Path>['load'] = (context, { params, search }) => {
  const address = readAddress(params.id, search);
  return Promise.all([loadUserHome(context, address), loadAuthorEssays(context, address)]);
};

/** Somebody's page, for everyone. */
export function Page({ params, search }: PageProps<Path>) {
  const address = readAddress(params.id, search);
  const user = useUser(address.id);
  if (user === undefined) return null;
  const { id, tab, column, page } = address;
  const path = pathTo({
    to: '/user/home/:id.html',
    params: { id },
    search: {
      tab: tab === 'essay' ? undefined : tab,
      column: column || undefined,
      page: page > 1 ? String(page) : undefined,
    },
  });
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <Head
        kind="ProfilePage"
        person={user.displayName}
        feed={`/user/${address.id}`}
        title={`${user.displayName}的主页`}
        description={user.bio || `${user.displayName}的文章和动态。`}
        path={path}
      />
      <UserHome
        {...address}
        user={user}
        variant="site"
        essays={<AuthorEssays {...address} name={user.displayName} variant="site" />}
      />
    </main>
  );
}
