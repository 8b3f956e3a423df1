import { AuthorEssays, loadAuthorEssays } from '#web/features/essays/author-essays.tsx';
import { BareBar } from '#web/features/site/bare-bar.tsx';
import { Head } from '#web/features/site/head.tsx';
import { loadUserHome, readAddress, UserHome, useUser } from '#web/features/users/user-home.tsx';
import type { PageModule, PageProps } from '#web/lib/navigation.ts';

type Path = '/user/mhome/:id.html';

export const load: PageModule<Path>['load'] = (context, { params, search }) => {
  const address = readAddress(params.id, search);
  return Promise.all([loadUserHome(context, address), loadAuthorEssays(context, address)]);
};

/** Somebody's page without the site's frame, for browsers inside other apps. */
export function Page({ params, search }: PageProps<Path>) {
  const address = readAddress(params.id, search);
  const user = useUser(address.id);
  if (user === undefined) return null;
  return (
    <BareBar>
      <Head
        kind="ProfilePage"
        person={user.displayName}
        feed={`/user/${address.id}`}
        title={`${user.displayName}的主页`}
        description={user.bio || `${user.displayName}的文章和动态。`}
        path={`/user/home/${address.id}.html`}
      />
      <main id="main" tabIndex={-1} className="wrap">
        <UserHome
          {...address}
          user={user}
          variant="bare"
          essays={<AuthorEssays {...address} name={user.displayName} variant="bare" />}
        />
      </main>
    </BareBar>
  );
}
