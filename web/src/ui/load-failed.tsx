import { errorMessageOf } from '@mozhan/client/errors.ts';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';
import { EmptyIllustration } from './empty-illustration.tsx';
import { Icon } from './icon.tsx';

interface LoadFailedProps {
  error: unknown;
  level?: 'h2' | 'h3';
  onRetry: () => unknown;
}

export function LoadFailed({ error, level, onRetry }: LoadFailedProps) {
  const retry = (
    <Button onClick={() => void onRetry()}>
      <Icon name="refresh" small />
      再试一次
    </Button>
  );
  return (
    <Empty small level={level} picture={<EmptyIllustration failed />} title="没能载入" actions={retry}>
      <p role="alert">{errorMessageOf(error)}</p>
    </Empty>
  );
}
