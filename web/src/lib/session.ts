import { readUser, type StoredUser, subscribeToUser } from '@mozhan/client/session.ts';
import { useSyncExternalStore } from 'react';

/** Null during hydration, so that it matches the server's HTML; afterwards the stored user. */
export const useCurrentUser = (): StoredUser | null =>
  useSyncExternalStore(subscribeToUser, readUser, () => null);
