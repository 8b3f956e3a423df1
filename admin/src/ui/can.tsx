import type { Permission } from '@mozhan/contract/client.ts';
import type { ReactNode } from 'react';
import { useCan } from '#admin/lib/viewer.ts';

export function Can({ permission, children }: { permission: Permission; children: ReactNode }) {
  return useCan()(permission) ? children : null;
}
