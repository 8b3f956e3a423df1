import type { Comment, Reply } from '@mozhan/contract/comments.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { createContext, use } from 'react';

export type CommentOrReply = Comment | Reply;

export interface CommentThread {
  essayId: string;
  /** Whether the author and the operators allow new comments. */
  allowComment: boolean;
  /** Operators have closed comments on the whole site. */
  isOffEverywhere: boolean;
}

interface ThreadValue extends CommentThread {
  /** Id of the comment named by the URL. */
  target: string;
  /** Authors of comments, suggested before anything is typed. */
  participants: readonly UserCard[];
}

export const ThreadContext = createContext<ThreadValue | null>(null);

export function useThread(): ThreadValue {
  const value = use(ThreadContext);
  if (value === null) throw new Error('useThread must be used inside ThreadContext');
  return value;
}
