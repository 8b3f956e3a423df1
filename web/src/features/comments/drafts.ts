import { readItem, writeItem } from '@mozhan/client/storage.ts';
import type { Picked } from './mentions.ts';

export interface Draft {
  text: string;
  picked: readonly Picked[];
}

const KEY = 'comment-drafts';
const MOST = 20;

/** What was typed and not sent, the latest last. */
function readDrafts(): [key: string, draft: Draft][] {
  try {
    const drafts: unknown = JSON.parse(readItem(KEY) ?? '[]');
    return Array.isArray(drafts) ? drafts : [];
  } catch {
    return [];
  }
}

export const readDraft = (key: string): Draft | undefined => readDrafts().find(([each]) => each === key)?.[1];

/** An empty one is forgotten. */
export function keepDraft(key: string, draft: Draft): void {
  const others = readDrafts().filter(([each]) => each !== key);
  const drafts: typeof others = draft.text === '' ? others : [...others, [key, draft]];
  writeItem(KEY, drafts.length === 0 ? null : JSON.stringify(drafts.slice(-MOST)));
}
