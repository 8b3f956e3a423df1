import { lazyComponent } from '#web/lib/lazy-component.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Optional } from '#web/ui/optional.tsx';
import styles from './account-corner.module.css';

const AccountMenu = lazyComponent(() => import('./account-menu.tsx'), 'AccountMenu');

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
