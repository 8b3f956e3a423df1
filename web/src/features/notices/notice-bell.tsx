import { type MouseEvent, useRef } from 'react';
import { useCall } from '#web/lib/queries.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { useLazyDialog } from '#web/ui/lazy-dialog.tsx';
import { UnreadCount } from '#web/ui/unread-count.tsx';

const load = () => import('./notice-drawer.tsx').then(({ NoticeDrawer }) => NoticeDrawer);

/** A link to all notices of a signed-in reader; a click opens the latest in a drawer. */
export function NoticeBell() {
  const { href } = useRouter();
  const count = useCall('GET core/user/notice/unread').data?.total ?? 0;
  const bell = useRef<HTMLAnchorElement>(null);
  const all = href(pathTo({ to: '/account/center.html', search: { tab: 'notice' } }));
  const { open, preload, dialog } = useLazyDialog(load, () => location.assign(all));

  function onClick(event: MouseEvent): void {
    // The browser opens modified clicks in another tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open();
  }

  return (
    <>
      <a
        ref={bell}
        className={buttonClass({ variant: 'ghost', square: true })}
        href={all}
        aria-label={count === 0 ? '通知' : `通知，${count} 条未读`}
        aria-haspopup="dialog"
        onClick={onClick}
        onPointerEnter={preload}
        onFocus={preload}
      >
        <Icon name="bell" />
        {count === 0 ? null : <UnreadCount count={count} at="bell" />}
      </a>
      {dialog({ bell })}
    </>
  );
}
