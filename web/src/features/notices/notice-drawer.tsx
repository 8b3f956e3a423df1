import type { RefObject } from 'react';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import type { Opened } from '#web/ui/late-dialog.tsx';
import { NoticeItems } from './notice-items.tsx';
import { ReadAll } from './read-all.tsx';

interface NoticeDrawerProps extends Opened {
  bell: RefObject<HTMLElement | null>;
}

/** Loaded when somebody reaches for the bell. */
export function NoticeDrawer({ open, onOpenChange, bell }: NoticeDrawerProps) {
  const all = (
    <Link
      className={buttonClass({ look: 'ghost', block: true })}
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
      aside={<ReadAll />}
      footer={all}
      finalFocus={bell}
    >
      <NoticeItems onOpen={() => onOpenChange(false)} />
    </Drawer>
  );
}
