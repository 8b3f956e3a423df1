import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ComponentType, type MouseEvent, useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { call } from '#web/lib/queries.ts';
import { pathTo, useRouter } from '#web/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { UnreadCount } from '#web/ui/unread-count.tsx';
import type { NoticeDrawer } from './notice-drawer.tsx';

const loadDrawer = () => import('./notice-drawer.tsx');

/** Fetched when somebody reaches for the bell; a failure shows when it is wanted. */
const prepare = () => void loadDrawer().catch(() => {});

/** A link to all notices of a signed-in reader, which shows the latest without leaving the page. */
export function NoticeBell() {
  const { href } = useRouter();
  const count = useQuery(call(useApi(), 'GET core/user/notice/unread')).data?.total ?? 0;
  const bell = useRef<HTMLAnchorElement>(null);
  const [Drawer, setDrawer] = useState<ComponentType<ComponentProps<typeof NoticeDrawer>>>();
  const [open, setOpen] = useState(false);
  const all = href(pathTo({ to: '/account/center.html', search: { tab: 'notice' } }));

  function onClick(event: MouseEvent): void {
    // Another tab or window is the browser's own work.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    loadDrawer().then(
      ({ NoticeDrawer }) => {
        setDrawer(() => NoticeDrawer);
        setOpen(true);
      },
      () => location.assign(all),
    );
  }

  return (
    <>
      <a
        ref={bell}
        className={buttonClass({ look: 'ghost', square: true })}
        href={all}
        aria-label={count === 0 ? '通知' : `通知，${count} 条未读`}
        aria-haspopup="dialog"
        onClick={onClick}
        onPointerEnter={prepare}
        onFocus={prepare}
      >
        <Icon name="bell" />
        {count === 0 ? null : <UnreadCount count={count} at="bell" />}
      </a>
      {Drawer === undefined ? null : <Drawer open={open} onOpenChange={setOpen} bell={bell} />}
    </>
  );
}
