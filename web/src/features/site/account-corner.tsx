import { useCurrentUser } from '#web/lib/session.ts';
import { Optional } from '#web/ui/optional.tsx';
import styles from './account-corner.module.css';
import { AccountMenu } from './lazy-member-parts.ts';

/** Reserves the width of the menu, using the name that boot.ts set as a style property. */
const Placeholder = () => <span className={`row gap-2 text-m ${styles.placeholder}`} aria-hidden="true" />;

export function AccountCorner() {
  const user = useCurrentUser();
  if (user === null) return <Placeholder />;
  return (
    <Optional fallback={<Placeholder />}>
      <AccountMenu user={user} />
    </Optional>
  );
}
