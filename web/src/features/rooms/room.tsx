import { type ComponentProps, type ComponentType, useEffect, useState } from 'react';
import { toast } from '#web/ui/toast.tsx';
import type { RoomDrawer } from './room-drawer.tsx';

type DrawerProps = ComponentProps<typeof RoomDrawer>;

const HASH = '#chat';

/** Not a step back in the history: one reads on beside it. */
function leaveHash(): void {
  if (location.hash === HASH) history.replaceState(history.state, '', location.pathname + location.search);
}

/** The group chat beside an essay: opened by the address, its code fetched only then. */
export function Room(props: Omit<DrawerProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false);
  const [Drawer, setDrawer] = useState<ComponentType<DrawerProps>>();

  useEffect(() => {
    function look(): void {
      if (location.hash !== HASH) return;
      import('./room-code.ts')
        .then(({ fetchDrawer }) => fetchDrawer())
        .then(
          ({ RoomDrawer }) => {
            setDrawer(() => RoomDrawer);
            setOpen(true);
          },
          () => {
            leaveHash();
            toast('没能打开，请检查网络后再试', 'warn');
          },
        );
    }
    look();
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);

  function close(): void {
    setOpen(false);
    leaveHash();
    const links = document.querySelectorAll<HTMLElement>(`a[href="${HASH}"]`);
    [...links].find((link) => link.offsetParent !== null)?.focus({ preventScroll: true });
  }

  return isOpen && Drawer !== undefined ? <Drawer {...props} onClose={close} /> : null;
}
