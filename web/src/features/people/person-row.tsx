import type { UserCard } from '@mozhan/contract/users.ts';
import type { ReactNode } from 'react';
import { useHrefs } from '#web/router/router.tsx';
import { Avatar, AvatarPlaceholder } from '#web/ui/avatar.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './person-row.module.css';

interface PersonRowProps {
  person: UserCard;
  /** For example the bio, or the date of the follow. */
  description: ReactNode;
  action?: ReactNode;
}

export function PersonRow({ person, description, action }: PersonRowProps) {
  const { userHref } = useHrefs();
  const { id, displayName, headImg } = person;
  return (
    <div className={`row gap-3 divided ${styles.row}`}>
      <Avatar name={displayName} image={headImg} size="face" />
      <div className="grow">
        <a className={`stretched ellipsis bold ${styles.name}`} href={userHref(id)}>
          {displayName}
        </a>
        <p className="ellipsis ink-3 text-s">{description}</p>
      </div>
      {action}
    </div>
  );
}

export const PersonRowsSkeleton = () =>
  (['50', '70', '30'] as const).map((width) => (
    <div key={width} className={`row gap-3 divided ${styles.row}`}>
      <AvatarPlaceholder size="face" />
      <div className="stack grow gap-2">
        <Skeleton width="30" height="m" />
        <Skeleton width={width} />
      </div>
    </div>
  ));
