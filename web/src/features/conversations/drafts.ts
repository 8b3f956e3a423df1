import { readItem, writeItem } from '@mozhan/client/storage.ts';

const KEY = 'chat-drafts';
const MOST = 20;

type Draft = [name: string, text: string];

/** What was typed and not sent, the latest last. */
function readDrafts(): Draft[] {
  try {
    const drafts: unknown = JSON.parse(readItem(KEY) ?? '[]');
    return Array.isArray(drafts) ? drafts : [];
  } catch {
    return [];
  }
}

export const readDraft = (name: string): string => readDrafts().find(([each]) => each === name)?.[1] ?? '';

/** An empty one is forgotten. */
export function keepDraft(name: string, text: string): void {
  const others = readDrafts().filter(([each]) => each !== name);
  const drafts: Draft[] = text === '' ? others : [...others, [name, text]];
  writeItem(KEY, drafts.length === 0 ? null : JSON.stringify(drafts.slice(-MOST)));
}
