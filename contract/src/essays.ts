import { z } from 'zod';
import { category, reservedSlugs } from './categories.ts';
import { done, id, listInput, oneOf, optionalWebAddress, pageOf, time } from './common.ts';
import { MAX_CONTENT_LENGTH } from './content-length.ts';
import { defineCall } from './define.ts';
import {
  MAX_DRAWING_LENGTH,
  MAX_DRAWINGS,
  MAX_DRAWINGS_BODY_BYTES,
  MAX_DRAWINGS_BYTES,
} from './drawing-limits.ts';
import { ESSAY_STATUS, FLAG } from './enums.ts';
import { isReadPrice } from './money.ts';
import { isIdLike, SLUG_MESSAGE, SLUG_PATTERN } from './slug.ts';
import { userCard } from './users.ts';

const { draft, waiting, approved, onShelf, offShelf, rejected } = ESSAY_STATUS;

export const essayStatus = oneOf(draft, waiting, approved, onShelf, offShelf, rejected).meta({
  title: '状态',
  description: '0 草稿，1 待审核，2 待上架，3 已上架，4 已下架，5 已驳回',
});
export type EssayStatus = z.output<typeof essayStatus>;

/** Status of the author's change to an on-shelf essay: being edited, waiting for the audit, rejected. */
export const revisionStatus = oneOf(draft, waiting, rejected).meta({
  title: '修订的状态',
  description: '0 编辑中，1 待审核，5 已驳回',
});
export type RevisionStatus = z.output<typeof revisionStatus>;

export const declarations = ['none', 'ai-assisted', 'ai-generated', 'fiction', 'reprint'] as const;
export const declaration = z.enum(declarations).meta({ title: '创作声明' });
export type Declaration = z.output<typeof declaration>;

/** Fits the longest text in four-byte characters, together with the other fields. */
export const MAX_ESSAY_BODY_BYTES = 1024 * 1024;
const ONE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

/** Limits the number of code points, not of UTF-16 units. */
const characters = (max: number) =>
  z
    .string()
    .refine((text) => text.length <= max || [...text].length <= max, `最多 ${max} 个字`)
    .meta({ maxLength: max });

export const tagName = z
  .string()
  .trim()
  .min(1)
  .max(20, '每个标签最多 20 个字')
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}<>"'&,，、;；/\\]*$/u, '标签里不能有标点符号');

export const essayVersion = z.int().min(1).max(2_000_000_000).meta({ title: '版本' });

/** Everything that an author can set; every field is optional in a draft. */
export const MAX_ATTACHMENTS = 10;

export const essayFields = z.object({
  title: characters(100).regex(ONE_LINE, '标题不能换行').trim().meta({ title: '标题', maxLength: 100 }),
  content: characters(MAX_CONTENT_LENGTH).meta({ title: '正文' }),
  categoryId: id.nullable().meta({ title: '分类' }),
  summary: characters(200).trim().meta({ title: '摘要' }),
  tags: z.array(tagName).max(5, '最多 5 个标签').meta({ title: '标签' }),
  cover: z.string().max(300).meta({ title: '封面', description: '本站上传的图片；空：按标题生成' }),
  shareCover: z
    .string()
    .max(300)
    .meta({ title: '分享卡片', description: '分享到聊天时显示的方图，本站上传的图片；空：用封面' }),
  price: z
    .int()
    .refine((fen) => fen === 0 || isReadPrice(fen), '价格从 1 元到 1000 元，或免费')
    .meta({ title: '价格' }),
  memberFree: z.boolean().meta({ title: '会员免费' }),
  previewPercent: z.int().min(0).max(90).meta({ title: '试读比例' }),
  allowComment: z.boolean().meta({ title: '允许评论' }),
  declaration,
  source: optionalWebAddress(500).meta({ title: '原文地址' }),
  columnId: id.nullable().meta({ title: '专栏' }),
  attachments: z.array(id).max(MAX_ATTACHMENTS, `最多 ${MAX_ATTACHMENTS} 个附件`).meta({ title: '附件' }),
  scheduledAt: z.iso
    .datetime({ offset: true, error: '时间的格式不对' })
    .refine((time) => /^20[2-9]\d-/.test(time), '时间太早或太晚')
    .nullable()
    .meta({ title: '定时上架' }),
});
export type EssayFields = z.output<typeof essayFields>;

/** Words that an essay's address cannot consist of, because they name other pages or mean nothing. */
const reservedEssaySlugs = [...reservedSlugs, 'index', 'new', 'preview', 'null', 'undefined'];

export const essaySlug = z
  .string()
  .trim()
  .normalize('NFC')
  .refine((text) => [...text].length >= 2 && [...text].length <= 80 && SLUG_PATTERN.test(text), SLUG_MESSAGE)
  .refine((text) => !isIdLike(text), '网址不能是 32 位的编号')
  .refine((text) => !reservedEssaySlugs.includes(text), '这个网址另有用处，换一个试试')
  .meta({ title: '自定义网址', minLength: 2, maxLength: 80 });

/** Null: the essay's address contains its id. */
const slugField = essaySlug
  .nullable()
  .meta({ title: '自定义网址', description: '文章地址中代替编号的部分；空：用编号' });

const markRange = z.tuple([z.int(), z.int()]);
export const markedText = z.object({ text: z.string(), marks: z.array(markRange) });

export const essayCard = z.object({
  id,
  slug: z
    .string()
    .nullable()
    .meta({ description: '自定义网址：文章的地址是 /essay/detail/{slug}.html；空：用编号' }),
  title: z.string(),
  titleBreaks: z
    .array(z.int())
    .meta({ description: '标题中词与词之间的位置，可以在这些地方换行；没有上架过的为空' }),
  summary: z.string(),
  cover: z.string(),
  category: category.pick({ id: true, slug: true, name: true }).nullable(),
  tags: z.array(z.string()),
  author: userCard,
  price: z.int(),
  memberFree: z.boolean(),
  status: essayStatus,
  publishedAt: time.nullable(),
  updatedAt: time,
  wordCount: z.int(),
  readMinutes: z.int(),
  readCount: z.int(),
  likeCount: z.int(),
  cmtCount: z.int(),
  collectCount: z.int(),
  shareCount: z.int(),
  downloadCount: z.int(),
  rewardCount: z.int(),
});
export type EssayCard = z.output<typeof essayCard>;

/** Why an essay is recommended to a user: they follow its author, its column or one of its tags. */
export const recommendReason = z.object({
  kind: z.enum(['author', 'column', 'tag']),
  name: z.string().meta({ description: '专栏或标签的名字；作者的为空' }),
});
export type RecommendReason = z.output<typeof recommendReason>;

/** A card with highlighted search matches, and for authors the state of the revision. */
const listedEssay = essayCard.extend({
  found: z
    .object({
      title: markedText,
      excerpt: markedText,
      partial: z.literal(true).optional().meta({ description: '只有搜索词的一部分' }),
    })
    .optional()
    .meta({ description: '搜索时：命中的字' }),
  revision: revisionStatus.nullable().optional().meta({ description: '自己的文章：修订的状态' }),
  scheduledAt: time.nullable().optional().meta({ description: '自己的文章：定时上架' }),
  rejection: z.string().optional().meta({ description: '自己的文章：驳回的理由' }),
  reason: recommendReason.optional().meta({ description: '登录后的推荐：为什么推荐；没有：全站热门' }),
  pinned: z
    .boolean()
    .optional()
    .meta({ description: '是否置顶：首页和分类的列表里是全站的，作者的和自己的列表里是作者的' }),
});
export type ListedEssay = z.output<typeof listedEssay>;

export const tocEntry = z.object({ id: z.string(), text: z.string(), level: z.int() });
export const attachment = z.object({ id, name: z.string(), bytes: z.int(), type: z.string() });
export type Attachment = z.output<typeof attachment>;
export const imageSize = z.object({ width: z.int(), height: z.int() });
const essayLink = essayCard.pick({ id: true, slug: true, title: true, titleBreaks: true });
const neighbour = essayLink.nullable();

export const essay = essayCard.extend({
  shareCover: z.string().meta({ description: '分享到聊天时显示的方图；空：用封面' }),
  coverSize: imageSize.nullable().meta({ description: '封面的像素尺寸；没有封面或尺寸未知时为空' }),
  lede: z.string().meta({ description: '作者写的摘要，显示在标题下面；没有写时为空' }),
  html: z.string().meta({ description: '全文，或试读部分' }),
  toc: z.array(tocEntry),
  attachments: z.array(attachment),
  column: z
    .object({
      id,
      name: z.string(),
      price: z.int().meta({ description: '买下整个专栏的价格，0 为不单独出售' }),
      position: z.int(),
      count: z.int(),
      previous: neighbour,
      next: neighbour,
      essays: z
        .array(essayLink.extend({ position: z.int() }))
        .meta({ description: '专栏里这一篇和前后的几篇，一共最多 9 篇' }),
    })
    .nullable(),
  previous: neighbour.meta({ description: '作者的上一篇' }),
  next: neighbour,
  locked: z.enum(['buy', 'member']).nullable(),
  previewPercent: z.int(),
  allowComment: z.boolean(),
  declaration,
  source: z.string(),
  region: z.string().meta({ description: 'IP 属地；站点关闭时为空' }),
  hasMath: z.boolean(),
  hasDiagrams: z.boolean(),
  mine: z.object({
    liked: z.boolean(),
    collected: z.boolean(),
    folderId: id.nullable().meta({ description: '收藏在哪个收藏夹里' }),
    bought: z.boolean(),
    followed: z.boolean(),
    progress: z.int().meta({ description: '上次读到百分之几' }),
    highlights: z.int().meta({ description: '划了几处' }),
  }),
  hasPassages: z.boolean().meta({ description: '有没有多人划过的句子' }),
  can: z.object({ edit: z.boolean(), audit: z.boolean() }),
});
export type Essay = z.output<typeof essay>;

const rejection = z.object({ reason: z.string(), createdAt: time, canAppeal: z.boolean() });

export const essaySource = essayFields.extend({
  id,
  slug: slugField,
  version: z.int(),
  status: essayStatus,
  revision: revisionStatus.nullable(),
  author: userCard.meta({ description: '作者；编辑代写时不是自己' }),
  shelvedVersion: z.int().nullable().meta({ description: '读者正在看的版本' }),
  files: z.array(attachment).meta({ description: '附件的名称与大小' }),
  rejection: rejection.nullable(),
  updatedAt: time,
});
export type EssaySource = z.output<typeof essaySource>;

/** Options of a search; `category`, `tag`, `authorId` and `columnId` limit it as well. */
export const searchOptions = z.object({
  sort: z
    .enum(['latest', 'hot'])
    .optional()
    .meta({ title: '搜索结果的排序', description: 'latest 新的在前，hot 热的在前；不写：相关的在前' }),
  since: z
    .enum(['week', 'month', 'year'])
    .optional()
    .meta({ title: '时间', description: '搜索一周、一月、一年内发布的' }),
  price: z.enum(['free', 'paid']).optional().meta({ title: '免费或付费', description: '搜索免费的或付费的' }),
});
export type SearchOptions = z.output<typeof searchOptions>;

export const listEssays = defineCall({
  method: 'GET',
  path: 'core/essay/',
  summary: '文章卡片（不含正文）：已上架的；mine=1 为自己的全部，可以用 keyword 搜索',
  access: 'anyone',
  scope: 'essay:read',
  input: listInput.extend({
    category: z.string().max(32).optional().meta({ title: '分类' }),
    keyword: z.string().max(100, '搜索词太长').optional().meta({ title: '搜索词' }),
    tag: z.string().max(20).optional().meta({ title: '标签' }),
    authorId: id.optional().meta({ title: '作者' }),
    columnId: id.optional().meta({ title: '专栏' }),
    feed: z.enum(['recommend', 'latest', 'hot', 'following']).optional().meta({
      title: '排序',
      description:
        'recommend 首页的推荐：访客看到热的在前，同一作者最多连着两篇；登录后是没有读过的，先是关注的作者、专栏和标签的，再是热门的，latest 新的在前，hot 热的在前，following 关注的人的；推荐、最新和一位作者的列表里，置顶的排在最前',
    }),
    mine: z.literal(FLAG.on).optional().meta({ title: '自己的' }),
    status: essayStatus.optional(),
    ...searchOptions.shape,
  }),
  output: pageOf(listedEssay).extend({
    corrected: z.string().optional().meta({ description: '搜索词中改正了的拼写' }),
    partial: z.literal(true).optional().meta({ description: '搜索时：没有完全匹配的，这些只匹配一部分' }),
    tag: z.string().optional().meta({ description: '标签现在的名字，改过名或合并过时' }),
  }),
});

export const listRanking = defineCall({
  method: 'GET',
  path: 'core/essay/ranking',
  summary: '热榜：最热的文章的标题，最多 30 篇',
  access: 'anyone',
  input: z.object({ category: z.string().max(32).optional().meta({ title: '分类' }) }),
  output: z.array(essayCard.pick({ id: true, slug: true, title: true, titleBreaks: true, readCount: true })),
});

export const getEssay = defineCall({
  method: 'GET',
  path: 'core/essay/{id}',
  summary: '一篇文章：全文，或试读部分',
  access: 'anyone',
  scope: 'essay:read',
  input: z.object({ id }),
  output: essay,
  errors: ['GONE'],
});

export const findEssayBySlug = defineCall({
  method: 'GET',
  path: 'core/essay/slug',
  summary: '有这个自定义网址的文章的编号',
  access: 'anyone',
  scope: 'essay:read',
  input: z.object({ slug: z.string().max(200).meta({ title: '自定义网址' }) }),
  output: z.object({ id }),
});

export const getEssaySource = defineCall({
  method: 'GET',
  path: 'core/essay/{id}/source',
  summary: '作者：Markdown 原文与全部可编辑的内容',
  access: 'user',
  staffPermissions: ['essay:edit'],
  scope: 'essay:read',
  input: z.object({ id }),
  output: essaySource,
  errors: ['GONE'],
});

export const savedEssay = z.object({ id, version: z.int() });

export const createEssay = defineCall({
  method: 'POST',
  path: 'core/essay/',
  maxBodyBytes: MAX_ESSAY_BODY_BYTES,
  summary: '新建草稿；status=1 同时提交审核；authorId：工作人员代这位作者撰写',
  access: 'writer',
  staffPermissions: ['essay:edit'],
  scope: 'essay:write',
  input: essayFields.partial().extend({
    slug: slugField.optional(),
    status: oneOf(draft, waiting).optional(),
    authorId: id.optional().meta({ title: '作者', description: '代谁撰写；不填是自己' }),
  }),
  output: savedEssay,
  errors: ['ESSAY_INCOMPLETE', 'WORDS_REFUSED'],
  limit: { max: 120, per: 3600 },
});

export const updateEssay = defineCall({
  method: 'PUT',
  path: 'core/essay/',
  maxBodyBytes: MAX_ESSAY_BODY_BYTES,
  summary: '保存；version 落后时拒绝（409）；auto=1 为编辑器自动保存，短时间内的几次合为一个版本',
  access: 'writer',
  staffPermissions: ['essay:edit'],
  scope: 'essay:write',
  input: essayFields.partial().extend({
    id,
    version: essayVersion,
    slug: slugField.optional(),
    status: oneOf(draft, waiting).optional(),
    auto: z.literal(FLAG.on).optional(),
  }),
  output: savedEssay,
  limit: { max: 3000, per: 3600 },
  errors: ['STALE_VERSION', 'GONE', 'ESSAY_NOT_EDITABLE', 'ESSAY_INCOMPLETE', 'WORDS_REFUSED', 'COLUMN_SOLD'],
});

export const removeEssay = defineCall({
  method: 'DELETE',
  path: 'core/essay/{id}',
  summary: '删除文章；此后访问得到 410',
  access: 'user',
  staffPermissions: ['essay:remove'],
  input: z.object({ id, reason: z.string().trim().max(200).optional() }),
  output: done,
  errors: ['GONE', 'ESSAY_SOLD'],
});

/** What the writer's browser drew from a diagram of the text. */
const drawing = z.object({
  source: characters(MAX_CONTENT_LENGTH).meta({ description: '图表的源码，与正文里的相同' }),
  light: z.string().max(MAX_DRAWING_LENGTH).meta({ description: '浅色的图，SVG' }),
  dark: z.string().max(MAX_DRAWING_LENGTH).meta({ description: '深色的图，SVG；尺寸和文字与浅色的相同' }),
});

export const changeEssayStatus = defineCall({
  method: 'PUT',
  path: 'core/essay/status',
  maxBodyBytes: MAX_DRAWINGS_BODY_BYTES,
  summary: '提交、撤回、通过、驳回、上架、下架；revision=true 为已上架文章的修订',
  access: 'user',
  staffPermissions: ['essay:audit', 'essay:update', 'essay:edit'],
  scope: 'essay:submit',
  input: z.object({
    id,
    status: essayStatus,
    revision: z.literal(true).optional(),
    reason: characters(500).trim().optional().meta({ title: '理由' }),
    version: essayVersion
      .optional()
      .meta({ title: '版本', description: '审核员所看的版本；与待审的不同则拒绝（409）' }),
    drawings: z.array(drawing).max(MAX_DRAWINGS, `最多 ${MAX_DRAWINGS} 张图`).optional().meta({
      title: '图表的图形',
      description: '提交时：由作者的浏览器画好的图，只能有简单的图形和文字；没有的，由读者的浏览器画',
      // More than the body limit allows is refused with the request.
      maxBytes: MAX_DRAWINGS_BYTES,
    }),
  }),
  output: z.object({ id, status: essayStatus, revision: revisionStatus.nullable(), version: z.int() }),
  errors: [
    'TRANSITION_REFUSED',
    'REASON_REQUIRED',
    'ESSAY_INCOMPLETE',
    'WORDS_REFUSED',
    'GONE',
    'STALE_VERSION',
  ],
});

/** How many essays can be pinned on the home page of an author, and on that of the site. */
export const MAX_AUTHOR_PINS = 3;
export const MAX_SITE_PINS = 5;

export const pinEssay = defineCall({
  method: 'PUT',
  path: 'core/essay/pin',
  summary: `把自己的一篇已上架的文章置顶在自己的主页，或取消置顶；最多 ${MAX_AUTHOR_PINS} 篇，后置顶的在前`,
  access: 'user',
  input: z.object({ id, pinned: z.boolean().meta({ title: '置顶' }) }),
  output: z.object({ id, pinned: z.boolean() }),
  errors: ['GONE', 'TOO_MANY_PINNED', 'TRANSITION_REFUSED'],
  limit: { max: 300, per: 3600 },
});

export const appealEssay = defineCall({
  method: 'POST',
  path: 'core/essay/appeal',
  summary: '对驳回申诉，每次驳回一次；文章回到待审核',
  access: 'user',
  input: z.object({ id, text: characters(500).trim().pipe(z.string().min(1)).meta({ title: '申诉理由' }) }),
  output: done,
  errors: ['APPEAL_REFUSED', 'GONE'],
});

export const listRelatedEssays = defineCall({
  method: 'GET',
  path: 'core/essay/{id}/related',
  summary: '相关文章，最多 6 篇',
  access: 'anyone',
  input: z.object({ id }),
  output: z.array(essayCard),
});

export const listTags = defineCall({
  method: 'GET',
  path: 'core/essay/tag',
  summary: '标签与文章数，多的在前；keyword：以它开头（也认拼音）',
  access: 'anyone',
  input: z.object({
    keyword: z.string().max(20).optional(),
    limit: z.int().min(1).max(100).default(30),
  }),
  output: z.array(z.object({ name: z.string(), count: z.int() })),
});

export const calls = [
  listEssays,
  listRanking,
  getEssay,
  findEssayBySlug,
  getEssaySource,
  createEssay,
  updateEssay,
  removeEssay,
  changeEssayStatus,
  pinEssay,
  appealEssay,
  listRelatedEssays,
  listTags,
] as const;
