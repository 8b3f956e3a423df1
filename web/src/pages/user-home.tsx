import { useFolder } from '#web/features/collections/folder-query.ts';
import { useColumn } from '#web/features/profile/author-essays.tsx';
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

export const load: PageModule<Path>['load'] = (context, { params, search }) =>
  loadUserHome(context, readUserHomeParams(params.id, search));

export function Page({ params, search }: PageProps<Path>) {
  const homeParams = readUserHomeParams(params.id, search);
  const { id } = homeParams;
  const user = usePublicUser(id);
  const folder = useFolder(id, homeParams.folder);
  const column = useColumn(id, homeParams.column);
  if (user === undefined) return null;
  return (
    <Main>
      <Head
        {...userHomeMeta(user, { column, folder })}
        feed={`/user/${id}`}
        path={userPath(id, toUserHomeSearch(homeParams))}
      />
      <UserHome homeParams={homeParams} user={user} />
    </Main>
  );
}
