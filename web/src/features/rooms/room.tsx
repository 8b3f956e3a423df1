import { type ComponentProps, type ComponentType, useEffect, useState } from 'react';
import { toast } from '#web/ui/toast.tsx';
import type { RoomDrawer } from './room-drawer.tsx';

type DrawerProps = ComponentProps<typeof RoomDrawer>;

const HASH = '#chat';

/** Replaces the history entry instead of going back, so that the scroll position stays. */
function clearHash(): void {
  if (location.hash === HASH) history.replaceState(history.state, '', location.pathname + location.search);
}

/** The group chat beside an essay, opened by the URL's hash; its code is loaded on demand. */
export function Room(props: Omit<DrawerProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false);
  const [Drawer, setDrawer] = useState<ComponentType<DrawerProps>>();

  useEffect(() => {
    function openFromHash(): void {
      if (location.hash !== HASH) return;
      import('./import-room-drawer.ts')
        .then(({ importRoomDrawer }) => importRoomDrawer())
        .then(
          ({ RoomDrawer }) => {
            setDrawer(() => RoomDrawer);
            setOpen(true);
          },
          () => {
            clearHash();
            toast('没能打开，请检查网络后再试', 'warn');
          },
        );
    }
    openFromHash();
    addEventListener('hashchange', openFromHash);
    return () => removeEventListener('hashchange', openFromHash);
  }, []);

  function close(): void {
    setOpen(false);
    clearHash();
    const links = document.querySelectorAll<HTMLElement>(`a[href="${HASH}"]`);
    [...links].find((link) => link.offsetParent !== null)?.focus({ preventScroll: true });
  }

  return isOpen && Drawer !== undefined ? <Drawer {...props} onClose={close} /> : null;
}
