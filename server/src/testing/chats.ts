import type { ChatMessages, Conversation } from '@mozhan/contract/chats.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { TestApp } from './app.ts';

let clientIdCount = 0;
const newClientId = (): string => `client-${++clientIdCount}`;

export const chatCalls = (t: TestApp) => ({
  send: (toUserId: string, content: string, token?: string, more: object = {}) =>
    t.call('POST core/essay/pri/chat', { toUserId, content, clientId: newClientId(), ...more }, { token }),
  read: (userId: string, seq: number, token?: string) =>
    t.call('PUT core/essay/pri/chat', { userId, seq }, { token }),
  recall: (id: string, token?: string) => t.call('DELETE core/essay/pri/chat', { id }, { token }),
  messagesWith: async (userId: string, token?: string, more: object = {}) => {
    const response = await t.call('GET core/essay/pri/chat', { userId, ...more }, { token });
    return { ...response, data: response.data as ChatMessages };
  },
  conversations: async (token?: string, more: object = {}) => {
    const response = await t.call('GET core/essay/pri/chat', more, { token });
    return { ...response, data: response.data as Page<Conversation> };
  },
  sendToRoom: (essayId: string, content: string, token?: string, more: object = {}) =>
    t.call('POST core/essay/group/chat', { essayId, content, clientId: newClientId(), ...more }, { token }),
  readRoom: (essayId: string, seq: number, token?: string) =>
    t.call('PUT core/essay/group/chat', { essayId, seq }, { token }),
  leave: (essayId: string, token?: string) =>
    t.call('PUT core/essay/group/chat', { essayId, left: true }, { token }),
  remove: (id: string, token?: string) => t.call('DELETE core/essay/group/chat', { id }, { token }),
  mute: (essayId: string, userId: string, minutes: number, token?: string) =>
    t.call('PUT core/essay/group/chat/mute', { essayId, userId, minutes }, { token }),
  listMuted: (essayId: string, token?: string) =>
    t.call('GET core/essay/group/chat/mute', { essayId }, { token }),
  roomMessages: async (essayId: string, token?: string, more: object = {}) => {
    const response = await t.call('GET core/essay/group/chat', { essayId, ...more }, { token });
    return { ...response, data: response.data as ChatMessages };
  },
  rooms: async (token?: string, more: object = {}) => {
    const response = await t.call('GET core/essay/group/chat', more, { token });
    return { ...response, data: response.data as Page<Conversation> };
  },
  search: (keyword: string, token?: string, more: object = {}) =>
    t.call('GET core/essay/chat/search', { keyword, ...more }, { token }),
  unreadCounts: async (token?: string) => (await t.call('GET core/essay/chat/unread', {}, { token })).data,
});
