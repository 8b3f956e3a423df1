import type { ReactNode } from 'react';
import { useCan } from '#admin/lib/viewer.ts';
import type { Permission } from '#contract/client.ts';

/** Shows its children to those who may use them. */
export function Can({ permission, children }: { permission: Permission; children: ReactNode }) {
  return useCan()(permission) ? children : null;
}
