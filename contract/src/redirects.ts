import { z } from 'zod';
import { done, flag, id, listInput, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { FLAG } from './enums.ts';

/** Longer addresses are neither stored nor counted. */
export const MAX_ADDRESS_LENGTH = 500;
export const MAX_TARGET_LENGTH = 1000;
export const MAX_IMPORT_LINES = 50_000;
const MAX_IMPORT_BYTES = 20 * 1024 * 1024;

const oldAddress = z
  .string()
  .trim()
  .min(1, '请填写旧网址')
  .max(MAX_TARGET_LENGTH, `旧网址最多 ${MAX_TARGET_LENGTH} 个字`)
  .meta({ title: '旧网址', description: '本站的路径，可以带参数，如 /2019/hello/ 或 /?p=12' });
const newAddress = z
  .string()
  .trim()
  .min(1, '请填写新网址')
  .max(MAX_TARGET_LENGTH, `新网址最多 ${MAX_TARGET_LENGTH} 个字`)
  .meta({ title: '新网址', description: '本站的路径，或 http(s) 开头的完整网址' });

export const redirect = z.object({
  id,
  path: z.string().meta({ description: '旧网址：本站的路径与参数，末尾没有斜杠' }),
  target: z.string().meta({ description: '现在跳到哪里：本站的路径，或完整的网址' }),
  essay: z
    .object({ id, title: z.string(), removed: z.boolean() })
    .nullable()
    .meta({ description: '跳到文章时：地址跟着文章变；文章已删除时响应 410' }),
  transferId: id.nullable().meta({ description: '由哪次导入建立；空：人工建立，或文章改了自定义网址' }),
  hits: z.int(),
  lastHitAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
});
export type Redirect = z.output<typeof redirect>;

export const listRedirects = defineCall({
  method: 'GET',
  path: 'core/sys/redirect/',
  summary: '旧网址的跳转，新建的在前；旧网址以关键词开头，或最近建的两万条里新旧网址含有它',
  access: 'redirect:list',
  input: listInput.extend({
    keyword: z.string().trim().max(200).optional().meta({ title: '网址' }),
    ...sortBy('createdAt', 'hits', 'lastHitAt'),
  }),
  output: pageOf(redirect),
});

export const createRedirect = defineCall({
  method: 'POST',
  path: 'core/sys/redirect/',
  summary: '添加跳转；新网址本身也跳转时，直接存它的终点',
  access: 'redirect:create',
  input: z.object({ path: oldAddress, target: newAddress }),
  output: redirect,
});

export const updateRedirect = defineCall({
  method: 'PUT',
  path: 'core/sys/redirect/',
  summary: '修改跳转',
  access: 'redirect:update',
  input: z.object({ id, path: oldAddress.optional(), target: newAddress.optional() }),
  output: redirect,
});

export const removeRedirects = defineCall({
  method: 'DELETE',
  path: 'core/sys/redirect/',
  summary: '删除一条或几条跳转',
  access: 'redirect:remove',
  input: z
    .object({ id: id.optional(), ids: z.array(id).min(1).max(100).optional().meta({ title: '编号' }) })
    .refine((input) => (input.id === undefined) !== (input.ids === undefined), {
      path: ['id'],
      error: '请给出一个编号，或一组',
    }),
  output: done,
});

export const importRedirects = defineCall({
  method: 'POST',
  path: 'core/sys/redirect/import',
  summary: '导入 CSV：每行旧网址、新网址；不合适的行不导入，逐行说明原因',
  access: 'redirect:create',
  input: z.object({
    overwrite: flag.default(FLAG.off).meta({ title: '覆盖', description: '已有的旧网址改为新的目标' }),
  }),
  errors: ['TOO_LARGE'],
  file: { maxBytes: MAX_IMPORT_BYTES },
  output: z.object({
    added: z.int(),
    updated: z.int(),
    refused: z.int(),
    /** The first ones, in the order of the file. */
    problems: z.array(z.object({ line: z.int(), path: z.string(), reason: z.string() })),
  }),
});

export const exportRedirects = defineCall({
  method: 'GET',
  path: 'core/sys/redirect/export',
  summary: '导出 CSV，一次两千条；next 不为空时以它为 after 再取，拼在后面',
  access: 'redirect:list',
  input: z.object({ after: id.optional().meta({ title: '接着哪一条' }) }),
  output: z.object({ csv: z.string(), next: id.nullable() }),
});

export const missingPath = z.object({
  id,
  path: z.string(),
  hits: z.int(),
  firstAt: time,
  lastAt: time,
});
export type MissingPath = z.output<typeof missingPath>;

export const listMissingPaths = defineCall({
  method: 'GET',
  path: 'core/sys/redirect/missing',
  summary: '有人访问而找不到的网址，最近的在前；最多五千个',
  access: 'redirect:list',
  input: listInput.extend({
    keyword: z.string().trim().max(200).optional().meta({ title: '网址' }),
    ...sortBy('lastAt', 'hits'),
  }),
  output: pageOf(missingPath),
});

export const removeMissingPaths = defineCall({
  method: 'DELETE',
  path: 'core/sys/redirect/missing',
  summary: '从找不到的网址里去掉几个，或全部',
  access: 'redirect:remove',
  input: z
    .object({
      ids: z.array(id).min(1).max(100).optional().meta({ title: '编号' }),
      all: z.literal(true).optional().meta({ title: '全部' }),
    })
    .refine((input) => (input.ids === undefined) !== (input.all === undefined), {
      path: ['ids'],
      error: '请给出编号，或全部',
    }),
  output: done,
});

export const calls = [
  listRedirects,
  createRedirect,
  updateRedirect,
  removeRedirects,
  importRedirects,
  exportRedirects,
  listMissingPaths,
  removeMissingPaths,
] as const;
