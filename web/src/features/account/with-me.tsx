import type { CurrentUser } from '@mozhan/contract/users.ts';
import type { ReactNode } from 'react';
import { Loaded } from '#web/ui/loaded.tsx';
import { Waiting } from '#web/ui/waiting.tsx';
import { useMe } from './me.ts';

interface WithMeProps {
  skeleton: ReactNode;
  children: (me: CurrentUser) => ReactNode;
}

/** Shows what needs the reader's own data once it is there. */
export const WithMe = ({ skeleton, children }: WithMeProps) => (
  <Loaded query={useMe()} waiting={<Waiting>{skeleton}</Waiting>}>
    {children}
  </Loaded>
);
