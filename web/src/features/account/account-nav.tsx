import { useEffect, useRef } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { Link } from '#web/router/router.tsx';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import { UnreadCount } from '#web/ui/unread-count.tsx';
import styles from './account-nav.module.css';

export interface NavItem<Key extends string> {
  key: Key;
  label: string;
  icon: IconName;
  /** Number of entries, shown on wide screens. */
  count?: number;
  unread?: number;
}

export interface NavGroup<Key extends string> {
  /** Heading, shown on wide screens. */
  title?: string;
  items: readonly NavItem<Key>[];
}

interface AccountNavProps<Key extends string> {
  label: string;
  to: '/account/center.html' | '/account/settings.html';
  groups: readonly NavGroup<Key>[];
  /** Undefined while it is not known. */
  selected: Key | undefined;
  /** Selected when the URL names none; links to it have no tab. */
  defaultKey?: Key;
  /** Narrow screens have another navigation. */
  wideOnly?: boolean;
}

/** Navigation of the account pages: a column on wide screens, a scrolling row on narrow ones. */
export function AccountNav<Key extends string>({
  label,
  to,
  groups,
  selected,
  defaultKey,
  wideOnly = false,
}: AccountNavProps<Key>) {
  const row = useRef<HTMLElement>(null);
  const shape = groups.flatMap(({ items }) => items.map(({ key, unread }) => `${key} ${unread}`)).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the selection or the width of an item changes
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (current === null || current === undefined || row.current === null) return;
    row.current.scrollLeft = current.offsetLeft - (row.current.clientWidth - current.offsetWidth) / 2;
  }, [selected, shape]);

  return (
    <nav
      ref={row}
      className={wideOnly ? `${styles.places} ${styles.wide}` : styles.places}
      aria-label={label}
    >
      {groups.map(({ title, items }) => (
        <div key={items[0]?.key} className={styles.group}>
          {title ? <h2 className={`ink-3 text-xs regular ${styles.title}`}>{title}</h2> : null}
          {items.map(({ key, label, icon, count = 0, unread = 0 }) => (
            <Link
              key={key}
              className={`row gap-2-5 ink-2 ${styles.place}`}
              to={to}
              search={{ tab: key === defaultKey ? undefined : key }}
              aria-current={key === selected ? 'page' : undefined}
            >
              <Icon name={icon} />
              {label}
              {count === 0 ? null : <small>{formatCount(count)}</small>}
              {unread === 0 ? null : <UnreadCount count={unread} unit="条未读" />}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

export function findTab<Key extends string>(
  groups: readonly NavGroup<Key>[],
  tab: string | null,
  defaultKey: Key,
): Key {
  const all = groups.flatMap(({ items }) => items);
  return all.find(({ key }) => key === tab)?.key ?? defaultKey;
}
