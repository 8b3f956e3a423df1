import type { Letter, Thread } from '@mozhan/contract/letters.ts';
import type { TestApp } from './app.ts';

export const letterCalls = (t: TestApp) => ({
  send: (toUserId: string, content: string, token?: string, more: object = {}) =>
    t.call('POST core/essay/pri/msg', { toUserId, content, ...more }, { token }),
  threads: async (token: string, more: object = {}) =>
    (await t.call('GET core/essay/pri/msg', more, { token })).data.list as Thread[],
  openThread: async (threadId: string, token?: string, more: object = {}) => {
    const { data, ...response } = await t.call('GET core/essay/pri/msg', { threadId, ...more }, { token });
    return { ...response, ...(data as { list: Letter[]; thread: Thread; canSend: boolean; why: string }) };
  },
  read: (threadId: string, token?: string) => t.call('PUT core/essay/pri/msg', { threadId }, { token }),
  remove: (threadId: string, token?: string) => t.call('DELETE core/essay/pri/msg', { threadId }, { token }),
});
