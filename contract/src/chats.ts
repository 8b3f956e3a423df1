import { z } from 'zod';
import { done, id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { userCard } from './users.ts';

const MAX_MESSAGE_LENGTH = 2000;
/** Users can recall their own message for this long. */
export const RECALL_MINUTES = 2;
const MAX_MUTE_MINUTES = 60 * 24 * 365;

const userId = id.meta({ title: '用户' });
const essayId = id.meta({ title: '文章' });
const seq = z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ title: '序号' });

const kind = z.enum(['text', 'image', 'essay']).meta({ title: '类型' });
export type ChatKind = z.output<typeof kind>;

export const chatMessage = z.object({
  id,
  seq: z.int().meta({ description: '在会话里的次序，从 1 起，不缺号' }),
  clientId: z.string().meta({ description: '发送者自己编的号，重发时凭它认出' }),
  from: userCard.nullable().meta({ description: '空：已注销' }),
  kind,
  content: z.string().meta({ description: '文字的原文；图片的地址；文章的编号。已移除时为空' }),
  html: z.string().meta({ description: '排好版的文字；图片与文章为空' }),
  image: z
    .object({ url: z.string(), thumbUrl: z.string(), width: z.int(), height: z.int() })
    .nullable()
    .meta({ description: '只有图片有' }),
  essay: z
    .object({
      id,
      title: z.string(),
      author: z.string(),
      cover: z.object({ url: z.string(), thumbUrl: z.string() }).nullable(),
      readMinutes: z.int(),
    })
    .nullable()
    .meta({ description: '只有文章卡片有；空：文章已不在架' }),
  replyTo: z
    .object({ seq: z.int(), name: z.string(), excerpt: z.string() })
    .nullable()
    .meta({ description: '群聊里回复的是哪一条' }),
  removed: z.boolean().meta({ description: '已撤回或移除，只留着位置' }),
  createdAt: time,
});
export type ChatMessage = z.output<typeof chatMessage>;

/** Exactly one of the two is set. */
const conversationPartner = z.object({
  user: userCard.nullable().meta({ description: '私聊的对方；空：群聊，或对方已注销' }),
  essay: z.object({ id, title: z.string() }).nullable().meta({ description: '群聊的文章' }),
});

const conversation = conversationPartner.extend({
  last: chatMessage.nullable(),
  lastSeq: z.int(),
  readSeq: z.int().meta({ description: '自己读到哪一条' }),
  unread: z.int(),
  updatedAt: time,
});
export type Conversation = z.output<typeof conversation>;

const messages = z.object({
  list: z.array(chatMessage).meta({ description: '按序号从小到大' }),
  more: z.boolean().meta({ description: '要的那个方向上还有' }),
  lastSeq: z.int(),
  readSeq: z.int().meta({ description: '自己读到哪一条' }),
  otherReadSeq: z.int().meta({ description: '对方读到哪一条；群聊为 0' }),
  removed: z.array(z.int()).meta({ description: '最近 200 条里已撤回或移除的，断线后凭它补上' }),
  canSend: z.boolean(),
  why: z.string().meta({ description: '不能发言的原因，一句话；能发言时为空' }),
  mutedUntil: time.nullable().meta({ description: '群聊里的禁言到什么时候；没有被禁言则为空' }),
});
export type ChatMessages = z.output<typeof messages>;

const range = {
  after: seq.optional().meta({ title: '之后', description: '只要序号比它大的，从它的下一条起' }),
  before: seq.optional().meta({ title: '之前', description: '只要序号比它小的，从它的上一条起' }),
  limit: z.int().min(1).max(100).default(50).meta({ title: '条数' }),
};

const messageInput = {
  kind: kind.default('text'),
  content: z
    .string()
    .trim()
    .min(1, '请写点什么')
    .refine(
      (text) => text.length <= MAX_MESSAGE_LENGTH || [...text].length <= MAX_MESSAGE_LENGTH,
      `最多 ${MAX_MESSAGE_LENGTH} 个字`,
    )
    .meta({
      title: '内容',
      maxLength: MAX_MESSAGE_LENGTH,
      description: '文字（Markdown，同评论）；图片为 core/minio/upload 给出的 path；文章卡片为文章编号',
    }),
  clientId: z
    .string()
    .regex(/^[\w-]{8,64}$/, '编号的格式不对')
    .meta({ title: '消息编号', description: '发送者自己编的号；同一个会话里重发只存一次，返回第一次的结果' }),
};

export const listChats = defineCall({
  method: 'GET',
  path: 'core/essay/pri/chat',
  summary:
    '私聊：不给 userId 时是自己的会话，新近的在前，可按对方昵称找；给出时是与 TA 的消息，不给 after 与 before 时是最近的',
  access: 'user',
  feature: 'chats',
  input: listInput.extend({
    userId: userId.optional(),
    keyword: z.string().trim().max(50).optional().meta({ title: '昵称' }),
    ...range,
  }),
  output: z.union([pageOf(conversation), messages]),
  errors: ['MESSAGE_SELF'],
});

export const sendChat = defineCall({
  method: 'POST',
  path: 'core/essay/pri/chat',
  summary: '发一条私聊；对方没有关注我、也没有回复时最多 3 条',
  access: 'user',
  feature: 'chats',
  input: z.object({ toUserId: id.meta({ title: '对方' }), ...messageInput }),
  output: chatMessage,
  errors: ['MESSAGE_SELF', 'BLOCKED', 'STRANGER_LIMIT', 'WORDS_REFUSED', 'CLIENT_ID_REUSED', 'FORBIDDEN'],
  limit: { max: 300, per: 600 },
});

export const readChat = defineCall({
  method: 'PUT',
  path: 'core/essay/pri/chat',
  summary: '读到了第几条；只会向前',
  access: 'user',
  feature: 'chats',
  input: z.object({ userId, seq }),
  output: done,
});

export const recallChat = defineCall({
  method: 'DELETE',
  path: 'core/essay/pri/chat',
  summary: `撤回自己 ${RECALL_MINUTES} 分钟内发的私聊`,
  access: 'user',
  feature: 'chats',
  input: z.object({ id }),
  output: done,
  errors: ['RECALL_TOO_LATE'],
});

export const listRoomChats = defineCall({
  method: 'GET',
  path: 'core/essay/group/chat',
  summary:
    '群聊：不给 essayId 时是自己参与的群聊，新近的在前，可按标题找；给出时是这篇文章的群聊消息，不给 after 与 before 时是最近的',
  access: 'user',
  feature: 'chats',
  input: listInput.extend({
    essayId: essayId.optional(),
    keyword: z.string().trim().max(50).optional().meta({ title: '标题' }),
    ...range,
  }),
  output: z.union([pageOf(conversation), messages]),
  errors: ['CHAT_LOCKED', 'BLOCKED', 'GONE'],
});

export const sendToRoom = defineCall({
  method: 'POST',
  path: 'core/essay/group/chat',
  summary: '在文章的群聊里发言：能读全文的人都可以；replyToId 回复其中一条',
  access: 'user',
  feature: 'chats',
  input: z.object({ essayId, ...messageInput, replyToId: id.optional().meta({ title: '回复' }) }),
  output: chatMessage,
  errors: ['CHAT_LOCKED', 'CHAT_MUTED', 'BLOCKED', 'GONE', 'WORDS_REFUSED', 'CLIENT_ID_REUSED', 'FORBIDDEN'],
  limit: { max: 300, per: 600 },
});

export const updateRoom = defineCall({
  method: 'PUT',
  path: 'core/essay/group/chat',
  summary: '群聊读到了第几条（只会向前），或 left 退出群聊，之后不再列在自己的群聊里',
  access: 'user',
  feature: 'chats',
  input: z.object({ essayId, seq: seq.optional(), left: z.literal(true).optional().meta({ title: '退出' }) }),
  output: done,
  errors: ['CHAT_LOCKED', 'BLOCKED', 'GONE'],
});

export const removeFromRoom = defineCall({
  method: 'DELETE',
  path: 'core/essay/group/chat',
  summary: `移除群聊里的一条：自己 ${RECALL_MINUTES} 分钟内的，或作者在自己文章下的`,
  access: 'user',
  staffPermissions: ['comment:update'],
  input: z.object({ id }),
  output: done,
  errors: ['RECALL_TOO_LATE', 'FORBIDDEN'],
});

export const muteInRoom = defineCall({
  method: 'PUT',
  path: 'core/essay/group/chat/mute',
  summary: '作者让一个人在自己文章的群聊里禁言若干分钟；0 解除',
  access: 'user',
  feature: 'chats',
  input: z.object({
    essayId,
    userId,
    minutes: z.int().min(0).max(MAX_MUTE_MINUTES).meta({ title: '分钟' }),
  }),
  output: z.object({ mutedUntil: time.nullable() }),
  errors: ['MESSAGE_SELF', 'FORBIDDEN', 'GONE'],
});

export const listMutedUsers = defineCall({
  method: 'GET',
  path: 'core/essay/group/chat/mute',
  summary: '作者看自己文章的群聊里谁在禁言中',
  access: 'user',
  feature: 'chats',
  input: z.object({ essayId }),
  output: z.object({ list: z.array(userCard.extend({ mutedUntil: time })) }),
  errors: ['FORBIDDEN', 'GONE'],
});

const messageSearchResult = conversationPartner.extend({ message: chatMessage });
export type MessageSearchResult = z.output<typeof messageSearchResult>;

export const searchChats = defineCall({
  method: 'GET',
  path: 'core/essay/chat/search',
  summary: '在自己的私聊和参与的群聊里找文字，新的在前；可只在一个会话里找',
  access: 'user',
  feature: 'chats',
  input: listInput.extend({
    keyword: z.string().trim().min(1, '请输入要找的词').max(50).meta({ title: '关键词' }),
    userId: userId.optional(),
    essayId: essayId.optional(),
  }),
  output: pageOf(messageSearchResult),
  limit: { max: 120, per: 60 },
});

export const conversationCounts = z.object({
  letters: z.int().meta({ description: '未读的私信' }),
  chats: z.int().meta({ description: '未读的私聊' }),
  rooms: z.int().meta({ description: '有未读的群聊' }),
});
export type ConversationCounts = z.output<typeof conversationCounts>;

export const getConversationCounts = defineCall({
  method: 'GET',
  path: 'core/essay/chat/unread',
  summary: '私信、私聊、群聊的未读数',
  access: 'user',
  input: z.object({}),
  output: conversationCounts,
});

export const calls = [
  listChats,
  sendChat,
  readChat,
  recallChat,
  listRoomChats,
  sendToRoom,
  updateRoom,
  removeFromRoom,
  muteInRoom,
  listMutedUsers,
  searchChats,
  getConversationCounts,
] as const;
