import type { Attachment } from '@mozhan/contract/essays.ts';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Creating, Saved } from './autosave.ts';
import type { Draft } from './draft.ts';

/** What one tab has written and the server may not have. */
export interface LocalDraft {
  /** Of the tab that writes it; a tab that opens the essay after a crash takes it over. */
  key: string;
  userId: string;
  essayId: string | null;
  draft: Draft;
  files: Attachment[];
  changedAt: number;
}

/** What it started from; written once after each answer of the server, since it is as large as the text. */
interface LocalBase {
  key: string;
  saved: Saved | null;
  creating: Creating | null;
}

interface Schema extends DBSchema {
  drafts: { key: string; value: LocalDraft; indexes: { userId: string } };
  bases: { key: string; value: LocalBase };
}

let opened: Promise<IDBPDatabase<Schema>> | undefined;

function database(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>('editor', 1, {
    upgrade(db) {
      db.createObjectStore('drafts', { keyPath: 'key' }).createIndex('userId', 'userId');
      db.createObjectStore('bases', { keyPath: 'key' });
    },
  });
  return opened;
}

export async function keepDraft(draft: LocalDraft): Promise<void> {
  await (await database()).put('drafts', draft);
}

export async function keepBase(base: LocalBase): Promise<void> {
  await (await database()).put('bases', base);
}

export async function findBase(key: string): Promise<LocalBase | undefined> {
  return (await database()).get('bases', key);
}

/** The draft is on the server; the base goes with it. */
export async function dropDraft(key: string): Promise<void> {
  const db = await database();
  const tx = db.transaction(['drafts', 'bases'], 'readwrite');
  await Promise.all([tx.objectStore('drafts').delete(key), tx.objectStore('bases').delete(key), tx.done]);
}

const LOCK = 'editor:';

/** Held until the tab is gone, however it goes. Without locks (plain http) a draft counts as left behind. */
export function holdKey(key: string): () => void {
  if (navigator.locks === undefined) return () => {};
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  navigator.locks.request(LOCK + key, () => released).catch(() => {});
  return () => release();
}

async function heldKeys(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name = '' }) => name.slice(LOCK.length)));
}

/** Drafts of this essay (null: of none yet) that no open tab is writing, the latest first. */
export async function listLeftDrafts(userId: string, essayId: string | null): Promise<LocalDraft[]> {
  try {
    const held = await heldKeys();
    const all = await (await database()).getAllFromIndex('drafts', 'userId', userId);
    return all
      .filter((draft) => draft.essayId === essayId && !held.has(draft.key))
      .sort((a, b) => b.changedAt - a.changedAt);
  } catch {
    // Blocked by the browser: there is nothing then.
    return [];
  }
}
