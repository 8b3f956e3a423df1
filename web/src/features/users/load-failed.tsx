import { messageOf } from '#web/lib/errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Layers } from '#web/ui/layers.tsx';

/** A part of a page that did not come; the rest of it stands. */
export function LoadFailed({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const retry = (
    <Button onClick={() => void onRetry()}>
      <Icon name="refresh" small />
      再试一次
    </Button>
  );
  return (
    <Empty small picture={<Layers failed />} title="没有载入成功" actions={retry}>
      <p role="alert">{messageOf(error)}</p>
    </Empty>
  );
}
