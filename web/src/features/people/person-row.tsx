import type { UserCard } from '@mozhan/contract/users.ts';
import type { ReactNode } from 'react';
import { usePlaces } from '#web/router/router.tsx';
import { Avatar, AvatarBlank } from '#web/ui/avatar.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './person-row.module.css';

interface PersonRowProps {
  person: UserCard;
  /** Who that is, or since when. */
  words: ReactNode;
  action?: ReactNode;
}

/** Somebody in a list of people. */
export function PersonRow({ person, words, action }: PersonRowProps) {
  const { personHref } = usePlaces();
  const { id, displayName, headImg } = person;
  return (
    <div className={`row gap-3 divided ${styles.row}`}>
      <Avatar name={displayName} image={headImg} size="face" />
      <div className="grow">
        <a className={`stretched ellipsis bold ${styles.name}`} href={personHref(id)}>
          {displayName}
        </a>
        <p className="ellipsis ink-3 text-s">{words}</p>
      </div>
      {action}
    </div>
  );
}

/** The shape of some rows. */
export const PersonRowsSkeleton = () =>
  (['50', '70', '30'] as const).map((width) => (
    <div key={width} className={`row gap-3 divided ${styles.row}`}>
      <AvatarBlank size="face" />
      <div className="stack grow gap-2">
        <Skeleton width="30" height="m" />
        <Skeleton width={width} />
      </div>
    </div>
  ));
