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
import { BareBar } from '#web/features/site/bare-bar.tsx';
import { Head } from '#web/features/site/head.tsx';
import type { PageModule, PageProps } from '#web/router/navigation.ts';
import { authorPath } from '#web/router/places.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';

type Path = '/user/mhome/:id.html';

export const load: PageModule<Path>['load'] = (context, { params, search }) => {
  const address = readAddress(params.id, search);
  const parts = [loadUserHome, loadAuthorEssays, loadPersonKept, loadFolders, loadFarmer];
  return Promise.all(parts.map((load) => load(context, address)));
};

/** Somebody's page without the site's frame, for browsers inside other apps. */
export function Page({ params, search }: PageProps<Path>) {
  const { href } = useRouter();
  const address = readAddress(params.id, search);
  const user = useUser(address.id);
  const linkTo = useHomeLink(address, 'bare');
  const folder = useFolder(address.id, address.folder);
  const column = useColumn(address.id, address.column);
  if (user === undefined) return null;
  const { id, tab } = address;
  const { displayName } = user;
  return (
    <BareBar>
      <Head
        {...homeHead(user, { column, folder })}
        feed={`/user/${id}`}
        path={pathTo({ to: '/user/home/:id.html', params: { id }, search: toSearch(address) })}
      />
      <main id="main" tabIndex={-1} className="wrap">
        <UserHome
          {...address}
          user={user}
          variant="bare"
          linkTo={linkTo}
          Follow={FollowButton}
          Letter={LetterButton}
          Report={ReportButton}
          card={<PersonFarmer userId={id} />}
        >
          <AuthorEssays {...address} name={displayName} variant="bare" />
          <PersonKept
            {...address}
            name={displayName}
            variant="bare"
            pageHref={(page) => linkTo(tab, page)}
            folders={
              <PublicFolders
                userId={id}
                selected={address.folder}
                hrefOf={(folder) => href(authorPath(id, 'bare', { tab, ...(folder !== '' && { folder }) }))}
              />
            }
          />
        </UserHome>
      </main>
    </BareBar>
  );
}
