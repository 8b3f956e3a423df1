import type { Attachment } from '@mozhan/contract/essays.ts';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { PendingCreate, SavedEssay } from './autosave.ts';
import { type Draft, emptyDraft } from './draft.ts';

/** The draft of one tab, which the server may not have. */
export interface LocalDraft {
  /** Identifies the tab that writes the draft; after a crash, the next tab that opens the essay takes it over. */
  key: string;
  userId: string;
  essayId: string | null;
  draft: Draft;
  files: Attachment[];
  changedAt: number;
}

/** The state from which the draft started, written only after each response, as it is as large as the text. */
interface LocalBase {
  key: string;
  saved: SavedEssay | null;
  creating: PendingCreate | null;
}

/** A new essay that staff write for an author is kept apart from their own new essay. */
export const draftOwner = (userId: string, authorId: string | null): string =>
  authorId === null ? userId : `${userId} ${authorId}`;

interface Schema extends DBSchema {
  drafts: { key: string; value: LocalDraft; indexes: { userId: string } };
  bases: { key: string; value: LocalBase };
}

let databasePromise: Promise<IDBPDatabase<Schema>> | undefined;

function openDatabase(): Promise<IDBPDatabase<Schema>> {
  databasePromise ??= openDB<Schema>('editor', 1, {
    upgrade(db) {
      db.createObjectStore('drafts', { keyPath: 'key' }).createIndex('userId', 'userId');
      db.createObjectStore('bases', { keyPath: 'key' });
    },
  });
  return databasePromise;
}

export async function storeDraft(draft: LocalDraft): Promise<void> {
  await (await openDatabase()).put('drafts', draft);
}

export async function storeBase(base: LocalBase): Promise<void> {
  await (await openDatabase()).put('bases', base);
}

/** A draft may have been stored before a field existed. */
const withNewFields = <T extends { draft: Draft }>(stored: T): T => ({
  ...stored,
  draft: { ...emptyDraft, ...stored.draft },
});

export async function findBase(key: string): Promise<LocalBase | undefined> {
  const base = await (await openDatabase()).get('bases', key);
  return base && { ...base, saved: base.saved && withNewFields(base.saved) };
}

/** Deletes the draft and its base once the server has it. */
export async function deleteDraft(key: string): Promise<void> {
  const db = await openDatabase();
  const tx = db.transaction(['drafts', 'bases'], 'readwrite');
  await Promise.all([tx.objectStore('drafts').delete(key), tx.objectStore('bases').delete(key), tx.done]);
}

const LOCK = 'editor:';

/** Locks the draft until the tab is closed. Without the Locks API (plain http) every draft counts as abandoned. */
export function lockDraft(key: string): () => void {
  if (navigator.locks === undefined) return () => {};
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  navigator.locks.request(LOCK + key, () => released).catch(() => {});
  return () => release();
}

async function listLockedKeys(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name = '' }) => name.slice(LOCK.length)));
}

/** Drafts of this essay (null: of a new one) that no open tab is editing, latest first. */
export async function listAbandonedDrafts(userId: string, essayId: string | null): Promise<LocalDraft[]> {
  try {
    const lockedKeys = await listLockedKeys();
    const all = await (await openDatabase()).getAllFromIndex('drafts', 'userId', userId);
    return all
      .filter((draft) => draft.essayId === essayId && !lockedKeys.has(draft.key))
      .map(withNewFields)
      .sort((a, b) => b.changedAt - a.changedAt);
  } catch {
    // The browser may block IndexedDB.
    return [];
  }
}
