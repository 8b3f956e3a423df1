import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { PublicUser } from '@mozhan/contract/users.ts';
import type { ReactNode } from 'react';
import { FeedLink } from '#web/features/essays/feed-link.tsx';
import { formatCount, formatDate } from '#web/lib/format.ts';
import { Avatar, AvatarPlaceholder } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { SkeletonLines } from '#web/ui/loading-skeleton.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './profile-head.module.css';

const withoutScheme = (url: string) => url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');

/** Links that users entered: search engines do not follow them, and the opened page gets no referrer. */
function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
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

function JobTitle({ title, position, company }: PublicUser) {
  const parts = [title, [company, position].filter(Boolean).join(' ')].filter(Boolean);
  return parts.length === 0 ? null : <p className="ink-3 text-m">{parts.join(' · ')}</p>;
}

/** The hrefs of the lists behind the counters. */
interface CounterLinks {
  followers: string;
  following: string;
}

function Counters({ user: { counters }, links }: { user: PublicUser; links: CounterLinks }) {
  const rows = [
    ['文章', counters.essays, undefined],
    ['粉丝', counters.followers, links.followers],
    ['关注', counters.following, links.following],
    ['阅读', counters.reads, undefined],
    ['获赞', counters.likes, undefined],
  ] as const;
  return (
    <ul className={`flex wraps ink-3 text-m ${styles.numbers}`} aria-label="数字">
      {rows.map(([name, count, href]) => {
        const label = (
          <>
            <b>{formatCount(count)}</b> {name}
          </>
        );
        return <li key={name}>{href === undefined ? label : <a href={href}>{label}</a>}</li>;
      })}
    </ul>
  );
}

function ProfileDetails({
  id,
  displayName,
  counters,
  region,
  city,
  createdAt,
  homepage,
  github,
}: PublicUser) {
  return (
    <ul className={`flex wraps ink-3 text-s ${styles.facts}`} aria-label="资料">
      {region === '' ? null : <li>IP 属地：{region}</li>}
      {city === '' ? null : <li>{city}</li>}
      <li>
        <time dateTime={createdAt}>{formatDate(createdAt)}</time> 加入
      </li>
      {homepage === '' ? null : (
        <li>
          <ExternalLink href={homepage}>{withoutScheme(homepage)}</ExternalLink>
        </li>
      )}
      {github === '' ? null : (
        <li>
          <ExternalLink href={`https://github.com/${github}`}>GitHub @{github}</ExternalLink>
        </li>
      )}
      {counters.essays === 0 ? null : (
        <li>
          <FeedLink folder={`/user/${id}`} of={`${displayName}的文章`} worded />
        </li>
      )}
    </ul>
  );
}

interface ProfileHeadProps {
  user: PublicUser;
  links: CounterLinks;
  action?: ReactNode;
}

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
        <JobTitle {...user} />
      </div>
      {action ? <div className={styles.action}>{action}</div> : null}
      <div className={styles.more}>
        {user.bio === '' ? null : <p className={styles.bio}>{user.bio}</p>}
        <Counters user={user} links={links} />
        <ProfileDetails {...user} />
      </div>
    </section>
  );
}

export function ProfileHeadSkeleton() {
  return (
    <div className={styles.profile}>
      <div className={styles.face}>
        <AvatarPlaceholder size="profile" />
      </div>
      <div className={styles.words}>
        <Skeleton width="30" height="l" />
      </div>
      {/* The button, which has a row of its own on phones */}
      <div className={`${styles.action} ${styles.blank}`} />
      <div className={styles.more}>
        <SkeletonLines lines={['70 m', '50 m', '30']} />
      </div>
    </div>
  );
}
