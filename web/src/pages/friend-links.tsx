import type { VisibleFriendLink } from '@mozhan/contract/friend-links.ts';
import { FRIEND_LINKS_PATH } from '@mozhan/contract/page-address.ts';
import { Head } from '#web/features/site/head.tsx';
import { useApp } from '#web/lib/app-context.ts';
import { fileUrl } from '#web/lib/files.ts';
import { callQuery, useCall, useSite } from '#web/lib/queries.ts';
import { NotFoundError, type PageModule } from '#web/router/navigation.ts';
import styles from './friend-links.module.css';

export const load: PageModule['load'] = async ({ api, queryClient }) => {
  const links = await queryClient.ensureQueryData(callQuery(api, 'GET core/site/link'));
  if (links.length === 0) throw new NotFoundError();
};

function FriendLinkCard({ link: { name, url, description, logo } }: { link: VisibleFriendLink }) {
  const { filesUrl } = useApp();
  return (
    <li>
      <a className={styles.link} href={url} target="_blank" rel="noopener">
        {logo === '' ? (
          <span className={styles.logo} aria-hidden="true">
            {[...name][0]}
          </span>
        ) : (
          <img className={styles.logo} src={fileUrl(filesUrl, logo)} alt="" loading="lazy" />
        )}
        <span className={styles.text}>
          <strong>{name}</strong>
          <small>{description || new URL(url).host}</small>
        </span>
      </a>
    </li>
  );
}

/** The links to other sites; exists while one of them is enabled. */
export function Page() {
  const { data = [] } = useCall('GET core/site/link');
  const { title } = useSite().settings;
  return (
    <main id="main" tabIndex={-1} className={`wrap ${styles.page}`}>
      <Head
        kind="CollectionPage"
        title="友情链接"
        path={FRIEND_LINKS_PATH}
        description={`${title}的友情链接，共 ${data.length} 个网站。`}
      />
      <h1>友情链接</h1>
      <ul className={styles.links}>
        {data.map((link) => (
          <FriendLinkCard key={link.id} link={link} />
        ))}
      </ul>
    </main>
  );
}
