import { useCall } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { useMarkRead } from './use-mark-read.ts';

/** Stays in place when everything is read, so that the focus is not lost. */
export function MarkAllReadButton() {
  const unread = useCall('GET core/user/notice/unread').data?.total ?? 0;
  const { mutate, isPending } = useMarkRead();
  return (
    <Button variant="ghost" size="small" busy={isPending || unread === 0} onClick={() => mutate('all')}>
      <Icon name="check" small />
      全部已读
    </Button>
  );
}
