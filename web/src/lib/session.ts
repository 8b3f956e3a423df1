import { useSyncExternalStore } from 'react';
import type { CurrentUser } from '#contract/users.ts';
import { readItem, writeItem } from './storage.ts';

/** What every page needs to know about the reader at once; signed in means that it is stored. */
export type StoredUser = Pick<CurrentUser, 'id' | 'headImg' | 'displayName' | 'curIdentity'>;

const TOKEN = 'token';
const USER = 'currentUser';

const listeners = new Set<() => void>();
let parsed: { text: string | null; user: StoredUser | null } = { text: null, user: null };

function parse(text: string | null): StoredUser | null {
  if (text === null) return null;
  try {
    const user = JSON.parse(text) as Partial<StoredUser> | null;
    if (typeof user?.id !== 'string' || typeof user.displayName !== 'string') return null;
    return {
      id: user.id,
      displayName: user.displayName,
      headImg: user.headImg ?? '',
      curIdentity: user.curIdentity ?? 1,
    };
  } catch {
    return null;
  }
}

function changed(): void {
  document.documentElement.toggleAttribute('data-signed', readUser() !== null);
  for (const listener of listeners) listener();
}

export const readToken = (): string => readItem(TOKEN) ?? '';
export const storeToken = (token: string): void => writeItem(TOKEN, token);

export function readUser(): StoredUser | null {
  const text = readItem(USER);
  if (text !== parsed.text) parsed = { text, user: parse(text) };
  return parsed.user;
}

export function storeUser({ id, headImg, displayName, curIdentity }: StoredUser): void {
  const text = JSON.stringify({ id, headImg, displayName, curIdentity });
  if (text === readItem(USER)) return;
  writeItem(USER, text);
  changed();
}

/** The user is no longer signed in here; the token stays when it may still serve a visitor's call. */
export function forgetUser(): void {
  if (readItem(USER) === null) return;
  writeItem(USER, null);
  changed();
}

export function forgetSession(): void {
  writeItem(TOKEN, null);
  forgetUser();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Other tabs sign in and out too. */
export function followOtherTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === USER || event.key === null) changed();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Null while the server's page is taken over, so that both agree; right after that the stored user. */
export const useCurrentUser = (): StoredUser | null => useSyncExternalStore(subscribe, readUser, () => null);
