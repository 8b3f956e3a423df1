import { useEffect, useRef } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { Link } from '#web/router/router.tsx';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import { UnreadCount } from '#web/ui/unread-count.tsx';
import styles from './account-places.module.css';

interface Place<Key extends string> {
  key: Key;
  label: string;
  icon: IconName;
  /** How much is in it; said where there is room. */
  count?: number;
  /** Something new in it. */
  unread?: number;
}

export interface PlaceGroup<Key extends string> {
  /** Said above its places where there is room. */
  title?: string;
  places: readonly Place<Key>[];
}

interface AccountPlacesProps<Key extends string> {
  label: string;
  to: '/account/center.html' | '/account/settings.html';
  groups: readonly PlaceGroup<Key>[];
  selected: Key;
  /** Shown where the address names none. */
  usual: Key;
}

/** The parts of one's own pages: a column beside them on a wide screen, a row above them on others. */
export function AccountPlaces<Key extends string>({
  label,
  to,
  groups,
  selected,
  usual,
}: AccountPlacesProps<Key>) {
  const row = useRef<HTMLElement>(null);
  const shape = groups.flatMap(({ places }) => places.map(({ key, unread }) => `${key} ${unread}`)).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another place was chosen, or one before it grew
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (current === null || current === undefined || row.current === null) return;
    row.current.scrollLeft = current.offsetLeft - (row.current.clientWidth - current.offsetWidth) / 2;
  }, [selected, shape]);

  return (
    <nav ref={row} className={styles.places} aria-label={label}>
      {groups.map(({ title, places }) => (
        <div key={places[0]?.key} className={styles.group}>
          {title ? <h2 className={styles.title}>{title}</h2> : null}
          {places.map(({ key, label, icon, count = 0, unread = 0 }) => (
            <Link
              key={key}
              className={styles.place}
              to={to}
              search={{ tab: key === usual ? undefined : key }}
              aria-current={key === selected ? 'page' : undefined}
            >
              <Icon name={icon} />
              {label}
              {count === 0 ? null : <small>{formatCount(count)}</small>}
              <UnreadCount className={styles.count} count={unread} />
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** The place that an address names, or else the usual one. */
export function placeOf<Key extends string>(
  groups: readonly PlaceGroup<Key>[],
  tab: string | null,
  usual: Key,
): Key {
  const all = groups.flatMap(({ places }) => places);
  return all.find(({ key }) => key === tab)?.key ?? usual;
}
