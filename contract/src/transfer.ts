import { z } from 'zod';
import { done, flag, id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { FLAG } from './enums.ts';
import { userCard } from './users.ts';

/** Takes seven minutes at 20 Mbit/s; the request timeout is ten minutes. */
const MAX_IMPORT_BYTES = 1024 * 1024 * 1024;

export const transferFormats = [
  'auto',
  'mozhan',
  'wordpress',
  'ghost',
  'hexo',
  'hugo',
  'jekyll',
  'markdown',
  'halo',
  'typecho',
] as const;
export const transferFormat = z.enum(transferFormats).meta({ title: '格式' });
export type TransferFormat = z.output<typeof transferFormat>;

export const transferStatus = z
  .enum(['checking', 'ready', 'waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone'])
  .meta({ title: '状态', description: 'checking 正在检查，ready 已检查、等待开始' });
export type TransferStatus = z.output<typeof transferStatus>;

export const itemKinds = [
  'author',
  'category',
  'column',
  'page',
  'navigation',
  'link',
  'essay',
  'comments',
  'redirect',
  'file',
] as const;
const itemKind = z.enum(itemKinds).meta({ title: '类型' });
export type TransferItemKind = z.output<typeof itemKind>;

export const itemOutcome = z.enum(['created', 'updated', 'skipped', 'removed', 'kept']).meta({
  title: '结果',
  description: 'created 已导入，updated 已更新，skipped 跳过，removed 已撤销，kept 撤销时保留',
});
export type TransferOutcome = z.output<typeof itemOutcome>;

export const transfer = z.object({
  id,
  kind: z.enum(['export', 'import']),
  scope: z.enum(['site', 'author']).meta({ description: '导出：整站，或一位作者' }),
  format: transferFormat,
  status: transferStatus,
  author: userCard.nullable().meta({ description: '导出谁的；导入：没有署名的归谁' }),
  by: userCard.nullable().meta({ description: '由谁发起' }),
  total: z.int(),
  done: z.int(),
  message: z.string(),
  report: z
    .array(z.object({ kind: itemKind, outcome: itemOutcome, count: z.int() }))
    .meta({ description: '各种内容各有多少' }),
  pictures: z
    .object({ total: z.int(), done: z.int(), failed: z.int() })
    .meta({ description: '导入：别的网站上的图片与附件，有多少，取回了多少，多少没有取到' }),
  fileName: z.string(),
  fileBytes: z.int().nullable().meta({ description: '空：文件已不在' }),
  createdAt: time,
  endedAt: time.nullable(),
});
export type Transfer = z.output<typeof transfer>;

export const listTransfers = defineCall({
  method: 'GET',
  path: 'core/sys/transfer/',
  summary: '导入与导出的记录和进度，新的在前；带 id：其中一次',
  access: 'transfer:list',
  input: listInput.extend({
    kind: transfer.shape.kind.optional().meta({ title: '类型' }),
    id: id.optional(),
  }),
  output: pageOf(transfer),
});

export const transferItem = z.object({
  id,
  kind: itemKind,
  outcome: itemOutcome,
  title: z.string(),
  note: z.string(),
  essayId: id.nullable().meta({ description: '导入成了哪篇文章' }),
});
export type TransferItem = z.output<typeof transferItem>;

export const listTransferItems = defineCall({
  method: 'GET',
  path: 'core/sys/transfer/item',
  summary: '一次导入或导出的逐项结果',
  access: 'transfer:list',
  input: listInput.extend({
    id,
    kind: itemKind.optional(),
    outcome: itemOutcome.optional(),
    noted: z.literal(FLAG.on).optional().meta({ title: '只看有说明的' }),
  }),
  output: pageOf(transferItem),
});

export const pictureStatus = z
  .enum(['waiting', 'done', 'failed'])
  .meta({ title: '状态', description: 'waiting 还没有取，done 已取回，failed 没有取到' });
export type PictureStatus = z.output<typeof pictureStatus>;

const remoteFileKind = z.enum(['picture', 'attachment']).meta({ title: '类型' });
export type RemoteFileKind = z.output<typeof remoteFileKind>;

export const remotePicture = z.object({
  id,
  kind: remoteFileKind.meta({ description: 'picture 图片，attachment 附件' }),
  url: z.string().meta({ description: '原来的地址' }),
  host: z.string(),
  status: pictureStatus,
  attempts: z.int(),
  error: z.string().meta({ description: '没有取到的原因' }),
  usedIn: z
    .array(z.object({ kind: z.enum(['essay', 'page']), id, title: z.string(), isCover: z.boolean() }))
    .meta({ description: '用在哪些文章与页面里，至多 10 个' }),
});
export type RemotePicture = z.output<typeof remotePicture>;

export const listRemotePictures = defineCall({
  method: 'GET',
  path: 'core/sys/transfer/picture',
  summary: '一次导入里别的网站上的图片与附件，取回了没有',
  access: 'transfer:list',
  input: listInput.extend({ id, status: pictureStatus.optional() }),
  output: pageOf(remotePicture),
});

export const retryRemotePictures = defineCall({
  method: 'POST',
  path: 'core/sys/transfer/picture/retry',
  summary: '再取一次没有取到的图片与附件，全部或其中几个',
  access: 'transfer:create',
  input: z.object({ id, pictureIds: z.array(id).min(1).max(100).optional().meta({ title: '图片与附件' }) }),
  output: transfer,
  errors: ['TRANSFER_REFUSED'],
});

export const createExport = defineCall({
  method: 'POST',
  path: 'core/sys/transfer/export',
  summary: '导出整站，或一位作者的全部文章（含草稿），成为一个 ZIP',
  access: 'transfer:create',
  input: z
    .object({
      scope: transfer.shape.scope.meta({ title: '范围' }),
      authorId: id.optional().meta({ title: '作者' }),
    })
    .refine(({ scope, authorId }) => scope === 'site' || authorId !== undefined, {
      path: ['authorId'],
      error: '请选择作者',
    }),
  output: transfer,
  errors: ['TRANSFER_BUSY'],
});

export const createImport = defineCall({
  method: 'POST',
  path: 'core/sys/transfer/import',
  summary:
    '导入（multipart 的 file 字段，最大 1 GB）：墨栈的导出、WordPress 的 XML、Ghost 的 JSON、Halo 的备份、Typecho 的 SQL、Hexo、Hugo、Jekyll 或其他 Markdown 的文件夹（ZIP）',
  access: 'transfer:create',
  input: z.object({
    format: transferFormat.default('auto'),
    authorId: id.optional().meta({ title: '作者', description: '没有署名的文章归谁' }),
    categoryId: id.optional().meta({ title: '分类', description: '分类在本站没有的文章归到哪里' }),
    asDrafts: flag.default(FLAG.off).meta({ title: '全部作为草稿' }),
    fetchPictures: flag.default(FLAG.on).meta({
      title: '取回图片与附件',
      description: '导入后取回别的网站上的图片与附件；墨栈自己的导出不需要',
    }),
    check: flag.default(FLAG.off).meta({
      title: '先检查',
      description: '只检查，不改动任何内容；之后由 core/sys/transfer/start 开始导入',
    }),
  }),
  output: transfer,
  errors: ['TOO_LARGE', 'TRANSFER_BUSY'],
  file: { maxBytes: MAX_IMPORT_BYTES },
});

const link = z.object({ url: z.string(), expiresAt: time });

export const getTransferFile = defineCall({
  method: 'GET',
  path: 'core/sys/transfer/file',
  summary: '导出的文件：几分钟内有效的下载地址',
  access: 'transfer:create',
  input: z.object({ id }),
  output: link,
  errors: ['GONE'],
});

export const cancelTransfer = defineCall({
  method: 'POST',
  path: 'core/sys/transfer/cancel',
  summary: '停止正在进行的导入或导出，或放弃一次检查过的导入；已经导入的留下，可以撤销',
  access: 'transfer:create',
  input: z.object({ id }),
  output: transfer,
  errors: ['TRANSFER_REFUSED'],
});

export const undoTransfer = defineCall({
  method: 'POST',
  path: 'core/sys/transfer/undo',
  summary: '撤销一次导入：删除它带来的内容；之后有人改过、买过、评论过的保留',
  access: 'transfer:remove',
  input: z.object({ id }),
  output: transfer,
  errors: ['TRANSFER_REFUSED', 'TRANSFER_BUSY'],
});

export const removeTransfer = defineCall({
  method: 'DELETE',
  path: 'core/sys/transfer/',
  summary: '删除一次记录与它的文件；导入的内容不受影响，也不能再撤销',
  access: 'transfer:remove',
  input: z.object({ id }),
  output: done,
  errors: ['TRANSFER_REFUSED'],
});

const ownExport = z.object({
  status: transferStatus,
  total: z.int(),
  done: z.int(),
  message: z.string(),
  createdAt: time,
  bytes: z.int().nullable(),
  file: link.nullable().meta({ description: '完成后：几分钟内有效的下载地址' }),
});
export type OwnExport = z.output<typeof ownExport>;

export const createOwnExport = defineCall({
  method: 'POST',
  path: 'core/user/export',
  summary: '导出自己的全部文章（含草稿），一小时一次',
  access: 'writer',
  input: z.object({}),
  output: ownExport,
  errors: ['EXPORT_TOO_SOON'],
});

export const getOwnExport = defineCall({
  method: 'GET',
  path: 'core/user/export',
  summary: '自己最近一次导出的进度与下载地址',
  access: 'user',
  input: z.object({}),
  output: z.object({ export: ownExport.nullable() }),
});

export const calls = [
  createOwnExport,
  getOwnExport,
  listTransfers,
  listTransferItems,
  listRemotePictures,
  retryRemotePictures,
  createExport,
  createImport,
  getTransferFile,
  cancelTransfer,
  undoTransfer,
  removeTransfer,
] as const;
