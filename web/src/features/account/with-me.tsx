import type { CurrentUser } from '@mozhan/contract/users.ts';
import type { ReactNode } from 'react';
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { useMe } from './me.ts';

interface WithMeProps {
  skeleton: ReactNode;
  children: (me: CurrentUser) => ReactNode;
}

export const WithMe = ({ skeleton, children }: WithMeProps) => (
  <QueryContent query={useMe()} loading={<LoadingSkeleton>{skeleton}</LoadingSkeleton>}>
    {children}
  </QueryContent>
);
