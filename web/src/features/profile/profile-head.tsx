import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { PublicUser } from '@mozhan/contract/users.ts';
import type { ReactNode } from 'react';
import { formatCount, formatDate } from '#web/lib/format.ts';
import { Avatar, AvatarBlank } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Skeletons } from '#web/ui/waiting.tsx';
import styles from './profile-head.module.css';

const withoutScheme = (url: string) => url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');

/** Other people's addresses: search engines do not follow them, and the page they open knows nothing of ours. */
function OutLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      className={`row gap-1 ${styles.out}`}
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
    >
      <Icon name="link" small />
      <span>{children}</span>
    </a>
  );
}

function Work({ title, position, company }: PublicUser) {
  const parts = [title, [company, position].filter(Boolean).join(' ')].filter(Boolean);
  return parts.length === 0 ? null : <p className="ink-3 text-m">{parts.join(' · ')}</p>;
}

/** Where the lists behind the numbers are, as they stand in the attribute. */
interface NumberLinks {
  followers: string;
  following: string;
}

function Numbers({ user: { counters }, links }: { user: PublicUser; links: NumberLinks }) {
  const numbers = [
    ['文章', counters.essays, undefined],
    ['粉丝', counters.followers, links.followers],
    ['关注', counters.following, links.following],
    ['阅读', counters.reads, undefined],
    ['获赞', counters.likes, undefined],
  ] as const;
  return (
    <ul className={`flex wraps ink-3 text-m ${styles.numbers}`} aria-label="数字">
      {numbers.map(([name, count, href]) => {
        const words = (
          <>
            <b>{formatCount(count)}</b> {name}
          </>
        );
        return <li key={name}>{href === undefined ? words : <a href={href}>{words}</a>}</li>;
      })}
    </ul>
  );
}

function Facts({ region, city, createdAt, homepage, github }: PublicUser) {
  return (
    <ul className={`flex wraps ink-3 text-s ${styles.facts}`} aria-label="资料">
      {region === '' ? null : <li>IP 属地：{region}</li>}
      {city === '' ? null : <li>{city}</li>}
      <li>
        <time dateTime={createdAt}>{formatDate(createdAt)}</time> 加入
      </li>
      {homepage === '' ? null : (
        <li>
          <OutLink href={homepage}>{withoutScheme(homepage)}</OutLink>
        </li>
      )}
      {github === '' ? null : (
        <li>
          <OutLink href={`https://github.com/${github}`}>GitHub @{github}</OutLink>
        </li>
      )}
    </ul>
  );
}

interface ProfileHeadProps {
  user: PublicUser;
  links: NumberLinks;
  action?: ReactNode;
}

/** Who it is, on one's own page and on everybody else's. */
export function ProfileHead({ user, links, action }: ProfileHeadProps) {
  return (
    <section className={styles.profile} aria-label="个人资料">
      <div className={styles.face}>
        <Avatar name={user.displayName} image={user.headImg} size="profile" />
      </div>
      <div className={styles.words}>
        <h1 className={`row wraps ${styles.name}`}>
          <span>{user.displayName}</span>
          {user.curIdentity === IDENTITY.writer ? <Badge>作者</Badge> : null}
          {user.isMember ? (
            <Badge tone="member">
              <Icon name="gem" small />
              会员
            </Badge>
          ) : null}
        </h1>
        <Work {...user} />
      </div>
      {action ? <div className={styles.action}>{action}</div> : null}
      <div className={styles.more}>
        {user.bio === '' ? null : <p className={styles.bio}>{user.bio}</p>}
        <Numbers user={user} links={links} />
        <Facts {...user} />
      </div>
    </section>
  );
}

/** The same shape, before anything is known. */
export function ProfileHeadSkeleton() {
  return (
    <div className={styles.profile}>
      <div className={styles.face}>
        <AvatarBlank size="profile" />
      </div>
      <div className={styles.words}>
        <Skeleton width="30" height="l" />
      </div>
      <div className={styles.more}>
        <Skeletons lines={['70 m', '50 m', '30']} />
      </div>
    </div>
  );
}
