import { readUser, type StoredUser, subscribe } from '@mozhan/client/session.ts';
import { useSyncExternalStore } from 'react';

/** Null while the server's page is taken over, so that both agree; right after that the stored user. */
export const useCurrentUser = (): StoredUser | null => useSyncExternalStore(subscribe, readUser, () => null);
