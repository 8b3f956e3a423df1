import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { readItem, writeItem } from './storage.ts';

/** The part of the user that every page needs at once; a user is signed in when it is stored. */
export type StoredUser = Pick<CurrentUser, 'id' | 'headImg' | 'displayName' | 'curIdentity' | 'access'>;

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
      curIdentity: user.curIdentity ?? IDENTITY.reader,
      access: user.access ?? 'user',
    };
  } catch {
    return null;
  }
}

/** Sets the attributes on `<html>` by which pages show and hide content per user, as `boot.ts` does. */
function onUserChanged(): void {
  const user = readUser();
  const root = document.documentElement;
  root.toggleAttribute('data-signed', user !== null);
  root.dataset.identity = String(user?.curIdentity ?? '');
  for (const listener of listeners) listener();
}

export const readToken = (): string => readItem(TOKEN) ?? '';
export const storeToken = (token: string): void => writeItem(TOKEN, token);

export function readUser(): StoredUser | null {
  const text = readItem(USER);
  if (text !== parsed.text) parsed = { text, user: parse(text) };
  return parsed.user;
}

export function storeUser({ id, headImg, displayName, curIdentity, access }: StoredUser): void {
  const text = JSON.stringify({ id, headImg, displayName, curIdentity, access });
  if (text === readItem(USER)) return;
  writeItem(USER, text);
  onUserChanged();
}

/** Signs the user out here; the token stays because it may still be valid for calls of a visitor. */
export function clearUser(): void {
  if (readItem(USER) === null) return;
  writeItem(USER, null);
  onUserChanged();
}

export function clearSession(): void {
  writeItem(TOKEN, null);
  clearUser();
}

export function subscribeToUser(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Other tabs sign in and out too. */
export function syncWithOtherTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === USER || event.key === null) onUserChanged();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
