import type { StoredUser } from '@mozhan/client/session.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { PublicUser } from '@mozhan/contract/users.ts';
import type { MouseEvent } from 'react';
import type { CentreTab } from '#web/lib/centre-tabs.ts';
import { formatCount } from '#web/lib/format.ts';
import { Link } from '#web/router/router.tsx';
import { Avatar, AvatarPlaceholder } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { UnreadCount } from '#web/ui/unread-count.tsx';
import styles from './account-hub.module.css';
import type { NavGroup, NavItem } from './account-nav.tsx';
import { splitForHub } from './centre-tabs.ts';

const CENTRE = '/account/center.html';

function Numbers({ counters }: { counters: PublicUser['counters'] | undefined }) {
  const rows = [
    ['粉丝', counters?.followers, 'follower'],
    ['关注', counters?.following, 'following'],
    ['获赞', counters?.likes, undefined],
  ] as const;
  return (
    <ul className={`flex ink-3 text-s ${styles.numbers}`} aria-label="数字">
      {rows.map(([name, count, tab]) => {
        const label = (
          <>
            <b>{count === undefined ? '–' : formatCount(count)}</b> {name}
          </>
        );
        return (
          <li key={name}>
            {tab === undefined ? (
              label
            ) : (
              <Link to={CENTRE} search={{ tab }}>
                {label}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface HubHeadProps {
  user: StoredUser;
  /** Undefined while loading: name and picture are known from the session. */
  profile: PublicUser | undefined;
}

function HubHead({ user, profile }: HubHeadProps) {
  const { id, displayName, headImg, curIdentity } = profile ?? user;
  return (
    <section className={styles.head} aria-label="个人资料">
      <Avatar name={displayName} image={headImg} size="author" />
      <div className={styles.words}>
        <h1 className={`row ${styles.name}`}>
          <Link className="ellipsis" to="/user/home/:id.html" params={{ id }}>
            {displayName}
          </Link>
          {curIdentity === IDENTITY.writer ? <Badge>作者</Badge> : null}
          {profile?.isMember ? (
            <Badge tone="member">
              <Icon name="gem" small />
              会员
            </Badge>
          ) : null}
        </h1>
        <Numbers counters={profile?.counters} />
      </div>
      <Link
        to="/account/settings.html"
        className={buttonClass({ variant: 'ghost', square: true })}
        aria-label="编辑主页"
      >
        <Icon name="pen" />
      </Link>
    </section>
  );
}

const MessageRow = ({ item }: { item: NavItem<CentreTab> }) => (
  <li>
    <Link className={`row gap-3 ${styles.row}`} to={CENTRE} search={{ tab: item.key }}>
      <Icon name={item.icon} />
      <span className="grow">{item.label}</span>
      {item.unread ? <UnreadCount count={item.unread} unit="条未读" /> : null}
      <Icon name="right" small />
    </Link>
  </li>
);

const Tile = ({ item }: { item: NavItem<CentreTab> }) => (
  <li>
    <Link className={styles.tile} to={CENTRE} search={{ tab: item.key }}>
      <Icon name={item.icon} />
      <span>{item.label}</span>
      {item.count ? <small>{formatCount(item.count)}</small> : null}
    </Link>
  </li>
);

interface AccountHubProps extends HubHeadProps {
  groups: readonly NavGroup<CentreTab>[];
}

/** The account centre on narrow screens: every entry opens a screen of its own. */
export function AccountHub({ user, profile, groups }: AccountHubProps) {
  const hub = splitForHub(groups);
  return (
    <div className={styles.hub}>
      <HubHead user={user} profile={profile} />
      <nav className={styles.groups} aria-label="个人中心">
        <ul className={`card ${styles.rows}`} aria-label="消息">
          {hub.messages.map((item) => (
            <MessageRow key={item.key} item={item} />
          ))}
        </ul>
        {hub.groups.map(({ title, items }) => (
          <section key={title} className={`card ${styles.group}`} aria-label={title}>
            <h2 className="ink-3 text-s regular">{title}</h2>
            <ul className={styles.tiles}>
              {items.map((item) => (
                <Tile key={item.key} item={item} />
              ))}
            </ul>
          </section>
        ))}
        <ul className={`card ${styles.rows}`} aria-label="设置">
          <li>
            <Link className={`row gap-3 ${styles.row}`} to="/account/settings.html">
              <Icon name="settings" />
              <span className="grow">设置</span>
              <Icon name="right" small />
            </Link>
          </li>
        </ul>
      </nav>
    </div>
  );
}

/** The same shape as the hub, for the server and while the application is loading. */
export const AccountHubSkeleton = () => (
  <div className={styles.hub} aria-hidden="true">
    <div className={styles.head}>
      <AvatarPlaceholder size="author" />
      <div className={styles.words}>
        <Skeleton width="50" height="l" />
        <Skeleton width="70" />
      </div>
    </div>
    <div className={styles.groups}>
      {['messages', 'writing', 'reading'].map((key) => (
        <div key={key} className={`card ${styles.blank}`} />
      ))}
    </div>
  </div>
);

interface HubBarProps {
  /** Name of the user, the heading of the page. */
  name: string;
  onBack?: (event: MouseEvent) => void;
  /** Leaves only the heading. */
  isHidden?: boolean;
}

/** The way back from a screen to the hub. */
export const HubBar = ({ name, onBack, isHidden = false }: HubBarProps) => (
  <div className={styles.bar}>
    <h1 className="sr">{name}</h1>
    {isHidden ? null : (
      <Link className={`row gap-1 ink-2 text-m ${styles.back}`} to={CENTRE} onClick={onBack}>
        <Icon name="left" small />
        个人中心
      </Link>
    )}
  </div>
);
