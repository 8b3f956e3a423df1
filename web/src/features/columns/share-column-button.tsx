import type { Column } from '@mozhan/contract/columns.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { useLazyDialog } from '#web/ui/lazy-dialog.tsx';

const load = () => import('./share-column-dialog.tsx').then(({ ShareColumnDialog }) => ShareColumnDialog);

export function ShareColumnButton({ column }: { column: Column }) {
  const { open, preload, dialog } = useLazyDialog(load);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={open} onPointerEnter={preload} onFocus={preload}>
        <Icon name="share" small />
        分享
      </Button>
      {dialog({ column })}
    </>
  );
}
