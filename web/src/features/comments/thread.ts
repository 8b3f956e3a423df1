import type { Comment, Reply } from '@mozhan/contract/comments.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { createContext, use } from 'react';

/** A comment or a reply. */
export type SaidBySomebody = Comment | Reply;

/** What everything said under one essay has in common. */
export interface Thread {
  essayId: string;
  allowComment: boolean;
}

interface ThreadValue extends Thread {
  /** The id that the address names. */
  target: string;
  /** Who has spoken here: offered before anything is typed. */
  people: readonly UserCard[];
}

export const ThreadContext = createContext<ThreadValue | null>(null);

export function useThread(): ThreadValue {
  const value = use(ThreadContext);
  if (value === null) throw new Error('outside of the comments');
  return value;
}
