import { z } from 'zod';
import { done, id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { essayCard } from './essays.ts';
import { userCard } from './users.ts';

const essayId = id.meta({ title: '文章' });
const folderId = id.meta({ title: '收藏夹' });

const collectState = z.object({
  collected: z.boolean(),
  collectCount: z.int(),
  folderId: id.nullable().meta({ description: '在哪个收藏夹里' }),
});
export type CollectState = z.output<typeof collectState>;

export const folder = z.object({
  id,
  name: z.string(),
  isPublic: z.boolean(),
  isDefault: z.boolean().meta({ description: '默认收藏夹：不能删除' }),
  essayCount: z.int(),
  user: userCard,
  createdAt: time,
});
export type Folder = z.output<typeof folder>;

const folderFields = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(30)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, '名称不能换行')
    .meta({ title: '名称' }),
  isPublic: z.boolean().meta({ title: '公开' }),
});

export const collectEssay = defineCall({
  method: 'POST',
  path: 'core/essay/collect',
  summary: '收藏到某个收藏夹（默认收藏夹）；已经收藏时，给了 folderId 就移过去，没给则不变',
  access: 'user',
  input: z.object({ essayId, folderId: folderId.optional() }),
  output: collectState,
  errors: ['GONE', 'TOO_MANY_COLLECTED'],
  limit: { max: 1200, per: 3600 },
});

export const uncollectEssay = defineCall({
  method: 'DELETE',
  path: 'core/essay/collect',
  summary: '取消收藏；没有收藏时不变',
  access: 'user',
  input: z.object({ essayId }),
  output: collectState,
  limit: { max: 1200, per: 3600 },
});

export const moveCollectedEssays = defineCall({
  method: 'PUT',
  path: 'core/essay/collect',
  summary: '把收藏的文章移到另一个收藏夹',
  access: 'user',
  input: z.object({ essayIds: z.array(essayId).min(1).max(100).meta({ title: '文章' }), folderId }),
  output: done,
});

export const listCollectedEssays = defineCall({
  method: 'GET',
  path: 'core/user/profile/collect',
  summary:
    '某人（默认自己）收藏的文章，新的在前；他人的只有公开的收藏夹，且对方愿意公开时；keyword：标题、作者、标签或正文里有',
  access: 'anyone',
  input: listInput.extend({
    userId: id.optional().meta({ title: '用户' }),
    folderId: folderId.optional(),
    keyword: z.string().trim().max(50).optional().meta({ title: '关键词' }),
  }),
  output: pageOf(essayCard.extend({ collectedAt: time, folderId: id })),
});

export const listFolders = defineCall({
  method: 'GET',
  path: 'core/user/folder',
  summary: '某人（默认自己）的收藏夹，默认的在前；他人的只有公开的；带 id：其中一个，给分享用',
  access: 'anyone',
  input: z.object({ userId: id.optional().meta({ title: '用户' }), id: id.optional() }),
  output: z.array(folder),
});

export const createFolder = defineCall({
  method: 'POST',
  path: 'core/user/folder',
  summary: '新建收藏夹',
  access: 'user',
  input: folderFields.partial({ isPublic: true }),
  output: folder,
  errors: ['FOLDER_TAKEN', 'TOO_MANY_FOLDERS', 'WORDS_REFUSED'],
});

export const updateFolder = defineCall({
  method: 'PUT',
  path: 'core/user/folder',
  summary: '改名，公开或不公开',
  access: 'user',
  input: folderFields.partial().extend({ id }),
  output: folder,
  errors: ['FOLDER_TAKEN', 'WORDS_REFUSED'],
});

export const removeFolder = defineCall({
  method: 'DELETE',
  path: 'core/user/folder',
  summary: '删除收藏夹；里面的文章移到 moveTo（默认收藏夹）；不公开的要移到公开的，必须给出 moveTo',
  access: 'user',
  input: z.object({ id, moveTo: id.optional().meta({ title: '移到' }) }),
  output: done,
  errors: ['FOLDER_IS_DEFAULT', 'FOLDER_WOULD_PUBLISH'],
});

export const calls = [
  collectEssay,
  uncollectEssay,
  moveCollectedEssays,
  listCollectedEssays,
  listFolders,
  createFolder,
  updateFolder,
  removeFolder,
] as const;
