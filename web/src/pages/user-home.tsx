import { useFolder } from '#web/features/collections/folder-query.ts';
import {
  loadUserHome,
  readUserHomeParams,
  toUserHomeSearch,
  UserHome,
  usePublicUser,
  userHomeMeta,
} from '#web/features/profile/user-home.tsx';
import { Head } from '#web/features/site/head.tsx';
import { Main } from '#web/features/site/main.tsx';
import type { PageModule, PageProps } from '#web/router/navigation.ts';
import { userPath } from '#web/router/router.tsx';

type Path = '/user/home/:id.html';

export const load: PageModule<Path>['load'] = (context, { path, params, search }) =>
  loadUserHome(
    context,
    readUserHomeParams(params.id, search),
    path === '/user/home/:id.html' ? 'site' : 'bare',
  );

export function Page({ params, search }: PageProps<Path>) {
  const homeParams = readUserHomeParams(params.id, search);
  const { id } = homeParams;
  const user = usePublicUser(id);
  const folder = useFolder(id, homeParams.folder);
  if (user === undefined) return null;
  return (
    <Main>
      <Head
        {...userHomeMeta(user, folder)}
        feed={`/user/${id}`}
        path={userPath(id, toUserHomeSearch(homeParams))}
      />
      <UserHome homeParams={homeParams} user={user} />
    </Main>
  );
}
