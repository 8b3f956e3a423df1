import type { CurrentUser } from '@mozhan/contract/users.ts';
import type { ReactNode } from 'react';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { useMe } from './me.ts';

interface WithMeProps {
  skeleton: ReactNode;
  children: (me: CurrentUser) => ReactNode;
}

/** Shows what needs the reader's own data once it is there. */
export function WithMe({ skeleton, children }: WithMeProps) {
  const { data, error, refetch } = useMe();
  if (data !== undefined) return children(data);
  if (error !== null) return <LoadFailed error={error} onRetry={refetch} />;
  return (
    <>
      <p className="sr" role="status">
        正在载入…
      </p>
      <div aria-hidden="true">{skeleton}</div>
    </>
  );
}
