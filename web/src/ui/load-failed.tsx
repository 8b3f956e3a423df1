import { messageOf } from '@mozhan/client/errors.ts';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';
import { Icon } from './icon.tsx';
import { Layers } from './layers.tsx';

interface LoadFailedProps {
  error: unknown;
  level?: 'h2' | 'h3';
  onRetry: () => unknown;
}

/** A part of a page that did not come; the rest of it stands. */
export function LoadFailed({ error, level, onRetry }: LoadFailedProps) {
  const retry = (
    <Button onClick={() => void onRetry()}>
      <Icon name="refresh" small />
      再试一次
    </Button>
  );
  return (
    <Empty small level={level} picture={<Layers failed />} title="没有载入成功" actions={retry}>
      <p role="alert">{messageOf(error)}</p>
    </Empty>
  );
}
