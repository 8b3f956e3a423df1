import { z } from 'zod';
import { categoryName } from './categories.ts';
import { flag, id } from './common.ts';
import { defineCall } from './define.ts';
import { FLAG } from './enums.ts';
import { essayFields } from './essays.ts';
import { transfer, transferFormat } from './transfer.ts';
import { userCard } from './users.ts';

/** Longer names and further entries cannot be mapped one by one. */
export const MAX_MAPPED_NAME = 100;
export const MAX_MAPPED_ENTRIES = 1000;
/** The names and ids of all entries. */
const MAX_MAPPING_BYTES = 2 * 1024 * 1024;

const oldName = z.string().max(MAX_MAPPED_NAME);

const categoryMapping = z.object({
  name: oldName.meta({ description: '原来的名称' }),
  to: z
    .enum(['category', 'new', 'tag'])
    .meta({ description: 'category 本站的分类，new 新建分类，tag 只作为标签' }),
  categoryId: id.optional().meta({ description: 'category：哪一个' }),
  newName: categoryName.optional().meta({ description: 'new：新分类的名称' }),
});
export type CategoryMapping = z.output<typeof categoryMapping>;

const authorMapping = z.object({
  account: oldName.meta({ description: '原来的账号' }),
  to: z.enum(['user', 'new']).meta({ description: 'user 本站的作者，new 新建账号' }),
  userId: id.optional().meta({ description: 'user：哪一位' }),
});
export type AuthorMapping = z.output<typeof authorMapping>;

const sectionMapping = z.object({ name: oldName, as: z.enum(['essay', 'page']) });

const lockedAs = z
  .enum(['draft', 'member', 'buy'])
  .meta({ description: 'draft 草稿，member 会员可读，buy 付费可读；后两种都不试读' });
export type LockedAs = z.output<typeof lockedAs>;

/** How an archive of another program becomes content of this site. What is not listed keeps its default. */
export const importMapping = z.object({
  authorId: id.nullable().meta({ title: '没有署名的文章归谁' }),
  categoryId: id.nullable().meta({ title: '没有分类的文章放到哪里', description: '空：第一个分类' }),
  asDrafts: flag.meta({ title: '全部作为草稿' }),
  fetchPictures: flag.meta({ title: '取回图片' }),
  categories: z.array(categoryMapping).max(MAX_MAPPED_ENTRIES).meta({ title: '分类' }),
  allTo: id.nullable().meta({ title: '全部归到一位作者', description: '不为空时不看 authors' }),
  authors: z.array(authorMapping).max(MAX_MAPPED_ENTRIES).meta({ title: '作者' }),
  sections: z.array(sectionMapping).max(MAX_MAPPED_ENTRIES).meta({ title: '栏目' }),
  membersAs: lockedAs.meta({ title: '只给会员看的文章' }),
  paidAs: lockedAs.meta({ title: '只给付费会员看的文章' }),
  price: essayFields.shape.price.meta({ title: '价格', description: 'buy 的价格，以分计' }),
});
export type ImportMapping = z.output<typeof importMapping>;

const findings = z.object({
  total: z.int().meta({ description: '一共有多少' }),
  reasons: z
    .array(z.object({ reason: z.string(), count: z.int() }))
    .meta({ description: '各种原因各有多少，至多 20 种' }),
  list: z
    .array(z.object({ title: z.string(), reason: z.string() }))
    .meta({ description: '逐项，至多 100 项' }),
});
export type Findings = z.output<typeof findings>;

const checkCounts = z.object({
  essays: z.int(),
  pages: z.int(),
  scheduled: z.int().meta({ description: '到时自动发布的文章' }),
  pinned: z.int(),
  pictures: z.int().meta({ description: '文件里的图片' }),
  remotePictures: z.int().meta({ description: '别的网站上的图片' }),
  covers: z.int(),
  attachments: z.int(),
  comments: z.int(),
  authors: z.int(),
  severalAuthors: z.int().meta({ description: '有几位作者的文章' }),
  unsigned: z.int().meta({ description: '没有署名的文章' }),
  categories: z.int(),
  tags: z.int(),
  redirects: z.int().meta({ description: '旧网址' }),
  members: z.int().meta({ description: '只给会员看的文章' }),
  paid: z.int().meta({ description: '只给付费会员看的文章' }),
  existing: z.int().meta({ description: '以前导入过、本站还在的文章与页面' }),
  changed: z.int().meta({ description: '其中原文有改动的' }),
});
export type CheckCounts = z.output<typeof checkCounts>;

const checkResult = z.object({
  program: transferFormat,
  siteTitle: z.string(),
  siteUrl: z.string(),
  siteOwner: z.string().optional().meta({ description: '网站的作者；不知道时没有' }),
  counts: checkCounts,
  drafts: findings.meta({ description: '会成为草稿的，以及原因' }),
  refused: findings.meta({ description: '不能导入的，以及原因' }),
  notes: findings.meta({ description: '导入时会有变化的' }),
  categories: z.array(z.object({ name: z.string(), count: z.int() })),
  authors: z.array(z.object({ account: z.string(), displayName: z.string(), count: z.int() })),
  sections: z.array(z.object({ name: z.string(), count: z.int(), isMain: z.boolean() })),
});
export type CheckResult = z.output<typeof checkResult>;

const importCheck = checkResult.extend({
  transfer,
  mapping: importMapping.meta({ description: '开始前：建议的对应；开始后：用了的' }),
  isRepeated: z.boolean().meta({ description: '建议的对应来自同一个网站的上一次导入' }),
  users: z.array(userCard).meta({ description: '对应里提到的人' }),
});
export type ImportCheck = z.output<typeof importCheck>;

export const getImportCheck = defineCall({
  method: 'GET',
  path: 'core/sys/transfer/check',
  summary: '导入前的检查：有多少内容，什么会成为草稿，什么不能导入，以及分类与作者的对应',
  access: 'transfer:list',
  input: z.object({ id }),
  output: importCheck,
  errors: ['TRANSFER_REFUSED'],
});

export const startImport = defineCall({
  method: 'POST',
  path: 'core/sys/transfer/start',
  summary: '开始一次检查过的导入',
  access: 'transfer:create',
  input: importMapping.partial().extend({ id }).meta({ description: '没有给出的，用检查时建议的' }),
  output: transfer,
  errors: ['TRANSFER_REFUSED', 'TRANSFER_BUSY'],
  maxBodyBytes: MAX_MAPPING_BYTES,
});

/** The mapping that changes nothing. */
export const defaultMapping: ImportMapping = {
  authorId: null,
  categoryId: null,
  asDrafts: FLAG.off,
  fetchPictures: FLAG.on,
  categories: [],
  allTo: null,
  authors: [],
  sections: [],
  membersAs: 'draft',
  paidAs: 'draft',
  price: 0,
};

export const calls = [getImportCheck, startImport] as const;
