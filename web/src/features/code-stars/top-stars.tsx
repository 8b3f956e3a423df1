import { useApi } from '#web/lib/app-context.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { formatCount } from '#web/lib/format.ts';
import { useQueryData } from '#web/lib/queries.ts';
import { Link, useRouter } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { starsPath, topStarsQuery } from './stars-query.ts';
import styles from './top-stars.module.css';

export function TopStars() {
  const { href } = useRouter();
  const stars = useQueryData(topStarsQuery(useApi()))?.list ?? [];
  if (stars.length === 0) return null;
  return (
    <CachedFragment name="stars" input={stars}>
      <section aria-labelledby="stars">
        <div className={`row apart ${styles.head}`}>
          <h2 id="stars" className="row gap-2 text-l">
            <Icon name="star" />
            码星
          </h2>
          <a className="brand-hover row ink-3 text-s" href={href(starsPath())}>
            全部<span className="sr">码星</span>
          </a>
        </div>
        <ol className={styles.stars}>
          {stars.map(({ rank, user, score }) => (
            <li key={user.id}>
              <span className={`ink-3 bold numbers ${styles.rank}`}>{rank}</span>
              <Avatar name={user.displayName} image={user.headImg} />
              <Link
                className="stretched brand-hover ellipsis grow"
                to="/user/home/:id.html"
                params={{ id: user.id }}
              >
                {user.displayName}
              </Link>
              <small>
                {formatCount(score)}
                <span className="sr"> 分</span>
              </small>
            </li>
          ))}
        </ol>
      </section>
    </CachedFragment>
  );
}
