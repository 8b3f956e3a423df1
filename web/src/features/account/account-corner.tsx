import { lazyPart } from '#web/lib/lazy-part.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Optional } from '#web/ui/optional.tsx';
import styles from './account-corner.module.css';

const AccountMenu = lazyPart(() => import('./account-menu.tsx'), 'AccountMenu');

/** Keeps its place until the menu is there, with the name that boot.ts put into the style of the document. */
const Placeholder = () => <span className={`row gap-2 text-m ${styles.placeholder}`} aria-hidden="true" />;

/** The header's corner of a signed-in reader. */
export function AccountCorner() {
  const user = useCurrentUser();
  if (user === null) return <Placeholder />;
  return (
    <Optional fallback={<Placeholder />}>
      <AccountMenu user={user} />
    </Optional>
  );
}
