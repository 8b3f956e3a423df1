import { z } from 'zod';
import { dayRange, done, id, listInput, oneOf, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { COMMENT_STATUS, FLAG } from './enums.ts';
import { userOrGuestCard } from './users.ts';

const MAX_COMMENT_LENGTH = 2000;
/** Users can edit their own comment for this long. */
export const EDIT_MINUTES = 15;

const essayId = id.meta({ title: '文章' });
const content = z
  .string()
  .trim()
  .min(1, '请写点什么')
  .refine(
    (text) => text.length <= MAX_COMMENT_LENGTH || [...text].length <= MAX_COMMENT_LENGTH,
    `最多 ${MAX_COMMENT_LENGTH} 个字`,
  )
  .meta({
    title: '内容',
    maxLength: MAX_COMMENT_LENGTH,
    description: 'Markdown：加粗、斜体、删除线、行内代码、代码块、链接、引用、列表；@昵称 提到一个人',
  });
const mentions = z.array(id).max(10, '最多提到 10 个人').meta({
  title: '提到的人',
  description: '从联想里选中的用户的编号，按出现的次序；名字不唯一，所以以编号为准',
});

const messageFields = z.object({
  id,
  essayId,
  user: userOrGuestCard.nullable().meta({ description: '空：已注销，或这条已删除；id 为空：导入的访客' }),
  content: z.string().meta({ description: '原文；已删除时为空' }),
  html: z.string(),
  likeCount: z.int(),
  region: z.string().meta({ description: 'IP 属地；站点关闭时为空' }),
  held: z.boolean().meta({ description: '等待审核，只有自己看得到' }),
  deleted: z.boolean().meta({ description: '已删除，因为有回复而留着位置' }),
  edited: z.boolean(),
  isAuthor: z.boolean().meta({ description: '是文章的作者说的' }),
  createdAt: time,
  mine: z.object({
    liked: z.boolean(),
    canEdit: z.boolean(),
    canRemove: z.boolean(),
    canPin: z.boolean(),
  }),
});

export const reply = messageFields.extend({
  cmtId: id,
  replyTo: userOrGuestCard.nullable().meta({ description: '回复的是哪个人的回复；空：回复评论本身' }),
});
export type Reply = z.output<typeof reply>;

const quote = z.object({
  text: z.string().nullable().meta({ description: '引用的原文；空：在付费的部分，或修订后已经没有了' }),
  locked: z.boolean().meta({ description: '在付费的部分，而自己读不到' }),
  start: z.int(),
  end: z.int(),
});

export const comment = messageFields.extend({
  quote: quote.nullable().meta({ description: '是对正文里哪段话说的' }),
  replyCount: z.int(),
  pinned: z.boolean(),
  replies: z.array(reply).meta({ description: '最早的三条回复' }),
});
export type Comment = z.output<typeof comment>;

export const listComments = defineCall({
  method: 'GET',
  path: 'core/essay/cmt',
  summary:
    '文章的评论，置顶的在前；new 新的在前，hot 赞多的在前；id：只要它所在的那条评论（用于打开通知里的评论）',
  access: 'anyone',
  input: listInput.extend({
    essayId,
    sort: z.enum(['new', 'hot']).default('new').meta({ title: '次序' }),
    id: id.optional().meta({
      title: '评论',
      description: '只要这一条；是回复时，只要它所在的那条，这条回复一定在其中',
    }),
  }),
  output: pageOf(comment),
  errors: ['GONE'],
});

export const createComment = defineCall({
  method: 'POST',
  path: 'core/essay/cmt',
  summary: '发布评论；含敏感词，或本站先审后发时，先等审核（held）',
  access: 'user',
  input: z.object({
    essayId,
    content,
    mentions: mentions.optional(),
    highlightId: id.optional().meta({
      title: '划线',
      description: '引用自己的这处划线；划线还没有公开的想法时，这条评论就是',
    }),
  }),
  output: comment,
  errors: ['GONE', 'COMMENTS_CLOSED', 'WORDS_REFUSED', 'BLOCKED', 'FORBIDDEN'],
  limit: { max: 60, per: 600 },
});

export const updateComment = defineCall({
  method: 'PUT',
  path: 'core/essay/cmt',
  summary: `修改自己的评论或回复（${EDIT_MINUTES} 分钟内），或由文章作者置顶、取消置顶一条评论`,
  access: 'user',
  input: z.object({
    id,
    content: content.optional(),
    mentions: mentions.optional(),
    pinned: z.boolean().optional().meta({ title: '置顶' }),
  }),
  output: z.union([comment, reply]),
  errors: ['GONE', 'COMMENTS_CLOSED', 'EDIT_TOO_LATE', 'WORDS_REFUSED', 'TOO_MANY_PINNED'],
  limit: { max: 120, per: 600 },
});

const removalInput = z.object({
  id,
  reason: z
    .string()
    .trim()
    .max(200)
    .optional()
    .meta({ title: '理由', description: '工作人员移除时写明，作者会看到' }),
});

export const removeComment = defineCall({
  method: 'DELETE',
  path: 'core/essay/cmt',
  summary: '删除评论：自己的，或作者删除自己文章下的',
  access: 'user',
  staffPermissions: ['comment:update'],
  input: removalInput,
  output: done,
  errors: ['GONE'],
});

const likeState = z.object({ liked: z.boolean(), likeCount: z.int() });

export const likeComment = defineCall({
  method: 'POST',
  path: 'core/essay/cmt/like',
  summary: '赞一条评论或回复；已经赞过时不变',
  access: 'user',
  input: z.object({ id }),
  output: likeState,
  errors: ['GONE'],
  limit: { max: 1200, per: 3600 },
});

export const unlikeComment = defineCall({
  method: 'DELETE',
  path: 'core/essay/cmt/like',
  summary: '取消赞；没有赞过时不变',
  access: 'user',
  input: z.object({ id }),
  output: likeState,
  errors: ['GONE'],
  limit: { max: 1200, per: 3600 },
});

export const listReplies = defineCall({
  method: 'GET',
  path: 'core/essay/cmt/reply',
  summary: '一条评论的回复，先说的在前',
  access: 'anyone',
  input: listInput.extend({ cmtId: id.meta({ title: '评论' }) }),
  output: pageOf(reply),
  errors: ['GONE'],
});

export const createReply = defineCall({
  method: 'POST',
  path: 'core/essay/cmt/reply',
  summary: '回复一条评论；replyToId：回复其中的一条回复',
  access: 'user',
  input: z.object({
    cmtId: id.meta({ title: '评论' }),
    replyToId: id.optional().meta({ title: '回复' }),
    content,
    mentions: mentions.optional(),
  }),
  output: reply,
  errors: ['GONE', 'COMMENTS_CLOSED', 'WORDS_REFUSED', 'BLOCKED', 'FORBIDDEN'],
  limit: { max: 60, per: 600 },
});

export const removeReply = defineCall({
  method: 'DELETE',
  path: 'core/essay/cmt/reply',
  summary: '删除回复：同删除评论',
  access: 'user',
  staffPermissions: ['comment:update'],
  input: removalInput,
  output: done,
  errors: ['GONE'],
});

export const previewComment = defineCall({
  method: 'POST',
  path: 'core/essay/cmt/preview',
  summary: '预览评论：与发布后同一套排版',
  access: 'user',
  input: z.object({ content, mentions: mentions.optional() }),
  output: z.object({ html: z.string() }),
  readOnly: true,
  limit: { max: 600, per: 600 },
});

export const listThoughts = defineCall({
  method: 'GET',
  path: 'core/essay/cmt/thought',
  summary: '对正文里这一段说的公开的想法，新的在前，最多 50 条',
  access: 'anyone',
  input: z.object({
    essayId,
    start: z.int().min(0).max(1_000_000).meta({ title: '位置' }),
    end: z.int().min(1).max(1_000_000).meta({ title: '位置' }),
  }),
  output: z.object({ list: z.array(comment) }),
  errors: ['GONE'],
});

const { visible, held, removed } = COMMENT_STATUS;

export const commentStatus = oneOf(visible, held, removed).meta({
  title: '状态',
  description: '0 公开，1 待审核，2 已由工作人员移除',
});
export type CommentStatus = z.output<typeof commentStatus>;

export const staffComment = z.object({
  id,
  essay: z.object({ id, title: z.string() }),
  cmtId: id.nullable(),
  user: userOrGuestCard.nullable(),
  content: z.string(),
  html: z.string(),
  status: commentStatus,
  words: z.array(z.string()).meta({ description: '命中的敏感词' }),
  quote: z.string().nullable().meta({ description: '引用的原文；空：没有引用，或修订后已经没有了' }),
  likeCount: z.int(),
  replyCount: z.int(),
  region: z.string(),
  createdAt: time,
});
export type StaffComment = z.output<typeof staffComment>;

export const listStaffComments = defineCall({
  method: 'GET',
  path: 'core/sys/comment/',
  summary: '全部评论与回复，新的在前；关键词在符合其余条件的最近两万条的内容与访客的名字里找',
  access: 'comment:list',
  input: listInput.extend({
    status: commentStatus.optional(),
    essayId: id.optional().meta({ title: '文章' }),
    userId: id.optional().meta({ title: '用户' }),
    guest: z.literal(FLAG.on).optional().meta({ title: '只看导入的访客评论' }),
    keyword: z.string().trim().max(50).optional().meta({ title: '内容' }),
    ...dayRange,
    ...sortBy('createdAt', 'likeCount', 'replyCount'),
  }),
  output: pageOf(staffComment),
});

export const updateStaffComment = defineCall({
  method: 'PUT',
  path: 'core/sys/comment/',
  summary: '放行（0）或移除（2）评论；移除要写理由，作者会收到通知（导入的访客没有账号，收不到）',
  access: 'comment:update',
  input: z.object({
    id,
    status: oneOf(visible, removed).meta({ title: '状态' }),
    reason: z.string().trim().max(200).optional().meta({ title: '理由' }),
  }),
  output: staffComment,
  errors: ['GONE', 'REASON_REQUIRED'],
});

export const calls = [
  listComments,
  createComment,
  updateComment,
  removeComment,
  likeComment,
  unlikeComment,
  listReplies,
  createReply,
  removeReply,
  previewComment,
  listThoughts,
  listStaffComments,
  updateStaffComment,
] as const;
