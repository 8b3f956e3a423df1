import { loadFarmer } from '#web/features/code-farmers/farmer-query.ts';
import { PersonFarmer } from '#web/features/code-farmers/person-farmer.tsx';
import { loadFolders, useFolder } from '#web/features/collections/folder-query.ts';
import { PublicFolders } from '#web/features/collections/public-folders.tsx';
import { LetterButton } from '#web/features/letters/letter-button.tsx';
import { FollowButton } from '#web/features/people/follow-button.tsx';
import { AuthorEssays, loadAuthorEssays, useColumn } from '#web/features/profile/author-essays.tsx';
import { loadPersonKept, PersonKept } from '#web/features/profile/person-kept.tsx';
import {
  homeHead,
  loadUserHome,
  readAddress,
  toSearch,
  UserHome,
  useHomeLink,
  useUser,
} from '#web/features/profile/user-home.tsx';
import { ReportButton } from '#web/features/reports/report-button.tsx';
import { Head } from '#web/features/site/head.tsx';
import type { PageModule, PageProps } from '#web/router/navigation.ts';
import { authorPath } from '#web/router/places.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';

type Path = '/user/home/:id.html';

export const load: PageModule<Path>['load'] = (context, { params, search }) => {
  const address = readAddress(params.id, search);
  const parts = [loadUserHome, loadAuthorEssays, loadPersonKept, loadFolders, loadFarmer];
  return Promise.all(parts.map((load) => load(context, address)));
};

/** Somebody's page, for everyone. */
export function Page({ params, search }: PageProps<Path>) {
  const { href } = useRouter();
  const address = readAddress(params.id, search);
  const user = useUser(address.id);
  const linkTo = useHomeLink(address, 'site');
  const folder = useFolder(address.id, address.folder);
  const column = useColumn(address.id, address.column);
  if (user === undefined) return null;
  const { id, tab } = address;
  const { displayName } = user;
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <Head
        {...homeHead(user, { column, folder })}
        feed={`/user/${id}`}
        path={pathTo({ to: '/user/home/:id.html', params: { id }, search: toSearch(address) })}
      />
      <UserHome
        {...address}
        user={user}
        variant="site"
        linkTo={linkTo}
        Follow={FollowButton}
        Letter={LetterButton}
        Report={ReportButton}
        card={<PersonFarmer userId={id} />}
      >
        <AuthorEssays {...address} name={displayName} variant="site" />
        <PersonKept
          {...address}
          name={displayName}
          variant="site"
          pageHref={(page) => linkTo(tab, page)}
          folders={
            <PublicFolders
              userId={id}
              selected={address.folder}
              hrefOf={(folder) => href(authorPath(id, 'site', { tab, ...(folder !== '' && { folder }) }))}
            />
          }
        />
      </UserHome>
    </main>
  );
}
