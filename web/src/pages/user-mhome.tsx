import type { MouseEvent } from 'react';
import { Head } from '#web/features/site/head.tsx';
import { SkipLink } from '#web/features/site/skip-link.tsx';
import { loadUserHome, readAddress, UserHome, useUser } from '#web/features/users/user-home.tsx';
import type { PageModule, PageProps } from '#web/lib/navigation.ts';
import { useSite } from '#web/lib/queries.ts';
import { Link } from '#web/router.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './user-mhome.module.css';

type Path = '/user/mhome/:id.html';

export const load: PageModule<Path>['load'] = (context, { params, search }) =>
  loadUserHome(context, readAddress(params.id, search));

/** Where one came from; home for whoever came from elsewhere. */
function goBack(event: MouseEvent): void {
  if (history.length <= 1) return;
  event.preventDefault();
  history.back();
}

/** Somebody's page without the site's frame, for browsers inside other apps. */
export function Page({ params, search }: PageProps<Path>) {
  const { title } = useSite().settings;
  const address = readAddress(params.id, search);
  const user = useUser(address.id);
  if (user === undefined) return null;
  return (
    <div className={styles.page}>
      <Head
        kind="ProfilePage"
        person={user.displayName}
        title={`${user.displayName}的主页`}
        description={user.bio || `${user.displayName}的文章和动态。`}
        path={`/user/home/${address.id}.html`}
      />
      <SkipLink>跳到正文</SkipLink>
      <header className={styles.bar}>
        <Link to="/mhome.html" className={styles.back} aria-label="返回" onClick={goBack}>
          <Icon name="back" />
        </Link>
        <Link to="/mhome.html" className={styles.site}>
          {title}
        </Link>
      </header>
      <main id="main" tabIndex={-1} className="wrap">
        <UserHome {...address} user={user} variant="bare" />
      </main>
    </div>
  );
}
