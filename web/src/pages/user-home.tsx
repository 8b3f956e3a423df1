import { useFolder } from '#web/features/collections/folder-query.ts';
import { useColumn } from '#web/features/profile/author-essays.tsx';
import {
  homeHead,
  loadUserHome,
  readAddress,
  toSearch,
  UserHome,
  useUser,
} from '#web/features/profile/user-home.tsx';
import { Head } from '#web/features/site/head.tsx';
import { Main } from '#web/features/site/main.tsx';
import type { PageModule, PageProps } from '#web/router/navigation.ts';
import { personPath } from '#web/router/router.tsx';

type Path = '/user/home/:id.html';

export const load: PageModule<Path>['load'] = (context, { params, search }) =>
  loadUserHome(context, readAddress(params.id, search));

/** Somebody's page, for everyone. */
export function Page({ params, search }: PageProps<Path>) {
  const address = readAddress(params.id, search);
  const { id } = address;
  const user = useUser(id);
  const folder = useFolder(id, address.folder);
  const column = useColumn(id, address.column);
  if (user === undefined) return null;
  return (
    <Main>
      <Head
        {...homeHead(user, { column, folder })}
        feed={`/user/${id}`}
        path={personPath(id, toSearch(address))}
      />
      <UserHome address={address} user={user} />
    </Main>
  );
}
