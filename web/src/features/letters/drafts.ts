import { readItem, writeItem } from '@mozhan/client/storage.ts';

interface Draft {
  subject: string;
  content: string;
}

const KEY = 'letter-drafts';
const MOST = 20;
const EMPTY: Draft = { subject: '', content: '' };

/** What was typed and not sent, the latest last. */
function readDrafts(): [key: string, draft: Draft][] {
  try {
    const drafts: unknown = JSON.parse(readItem(KEY) ?? '[]');
    return Array.isArray(drafts) ? drafts : [];
  } catch {
    return [];
  }
}

export const readDraft = (key: string): Draft => readDrafts().find(([each]) => each === key)?.[1] ?? EMPTY;

/** An empty one is forgotten. */
export function keepDraft(key: string, draft: Draft = EMPTY): void {
  const others = readDrafts().filter(([each]) => each !== key);
  const isEmpty = draft.subject === '' && draft.content === '';
  const drafts: typeof others = isEmpty ? others : [...others, [key, draft]];
  writeItem(KEY, drafts.length === 0 ? null : JSON.stringify(drafts.slice(-MOST)));
}
