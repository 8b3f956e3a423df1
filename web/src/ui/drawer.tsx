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
  /** The edge from which it opens; on phones always the bottom. */
  side?: 'left' | 'right';
  aside?: ReactNode;
  footer?: ReactNode;
  /** Element to focus after closing; by default the previously focused one. */
  finalFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

const phone = () => matchMedia('(max-width: 767.98px)');

function subscribe(listener: () => void): () => void {
  const query = phone();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Decides the swipe direction that closes the drawer. False on the server, where no drawer is open. */
const useIsPhone = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => phone().matches,
    () => false,
  );

/** Large dependency: import it only from code that is loaded on demand. */
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
            {/* Focusable, so that the keyboard can scroll it */}
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
