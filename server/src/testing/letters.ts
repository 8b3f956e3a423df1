import type { Letter, Thread } from '@mozhan/contract/letters.ts';
import type { TestApp } from './app.ts';

/** The calls as tests make them. */
export const post = (t: TestApp) => ({
  send: (toUserId: string, content: string, token?: string, more: object = {}) =>
    t.call('POST core/essay/pri/msg', { toUserId, content, ...more }, { token }),
  threads: async (token: string, more: object = {}) =>
    (await t.call('GET core/essay/pri/msg', more, { token })).data.list as Thread[],
  open: async (threadId: string, token?: string, more: object = {}) => {
    const { data, ...answer } = await t.call('GET core/essay/pri/msg', { threadId, ...more }, { token });
    return { ...answer, ...(data as { list: Letter[]; thread: Thread; canSend: boolean; why: string }) };
  },
  read: (threadId: string, token?: string) => t.call('PUT core/essay/pri/msg', { threadId }, { token }),
  remove: (threadId: string, token?: string) => t.call('DELETE core/essay/pri/msg', { threadId }, { token }),
});
