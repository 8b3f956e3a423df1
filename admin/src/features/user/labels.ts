import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { StaffUser } from '@mozhan/contract/system.ts';

export type Identity = StaffUser['curIdentity'];

export const identities: Record<Identity, string> = {
  [IDENTITY.reader]: '读者',
  [IDENTITY.writer]: '作者',
};

/** Consequences of assigning the identity. */
export const identityEffects: Record<Identity, string> = {
  [IDENTITY.reader]: '读者不能再写文章，已有的文章不受影响。',
  [IDENTITY.writer]: '作者可以写文章。',
};
