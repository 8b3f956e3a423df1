import type { RefObject } from 'react';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import { MarkAllReadButton } from './mark-all-read-button.tsx';
import { NoticeItems } from './notice-items.tsx';

interface NoticeDrawerProps extends DialogOpenProps {
  bell: RefObject<HTMLElement | null>;
}

export function NoticeDrawer({ open, onOpenChange, bell }: NoticeDrawerProps) {
  const all = (
    <Link
      className={buttonClass({ variant: 'ghost', block: true })}
      to="/account/center.html"
      search={{ tab: 'notice' }}
      onClick={() => onOpenChange(false)}
    >
      查看全部
    </Link>
  );
  return (
    <Drawer
      open={open}
      onOpenChange={onOpenChange}
      title="通知"
      aside={<MarkAllReadButton />}
      footer={all}
      finalFocus={bell}
    >
      <NoticeItems onOpen={() => onOpenChange(false)} />
    </Drawer>
  );
}
