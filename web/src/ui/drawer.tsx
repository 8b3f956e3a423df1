import { Drawer as Base } from '@base-ui/react/drawer';
import { type ReactNode, type RefObject, useSyncExternalStore } from 'react';
import styles from './drawer.module.css';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import overlay from './overlay.module.css';

interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Which edge it comes from; on a phone always from below. */
  side?: 'left' | 'right';
  /** Beside the title, at its end. */
  aside?: ReactNode;
  /** Stays below what scrolls. */
  footer?: ReactNode;
  /** Where the focus goes afterwards; else back to where it was. */
  finalFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

const phone = () => matchMedia('(max-width: 767.98px)');

function subscribe(listener: () => void): () => void {
  const query = phone();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** It is closed by pushing it back to where it came from. Never open on the server. */
const useIsPhone = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => phone().matches,
    () => false,
  );

/** Import it only from what is loaded on demand: it is not small. */
export function Drawer(props: DrawerProps) {
  const { open, onOpenChange, title, side = 'right', aside, footer, finalFocus, children } = props;
  const isPhone = useIsPhone();
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => onOpenChange(next)}
      swipeDirection={isPhone ? 'down' : side}
    >
      <Base.Portal>
        <Base.Backdrop className={`${styles.scrim} ${overlay.scrim}`} />
        <Base.Viewport className={`${overlay.layer} ${styles.viewport}`} data-side={side}>
          <Base.Popup className={styles.drawer} finalFocus={finalFocus}>
            <div className={styles.head}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              {aside}
              <Base.Close render={<IconButton label="关闭" />}>
                <Icon name="close" />
              </Base.Close>
            </div>
            {/* What scrolls can be reached by those who scroll with keys. */}
            <Base.Content className={styles.body} tabIndex={0}>
              {children}
            </Base.Content>
            {footer ? <div className={styles.foot}>{footer}</div> : null}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
