import { z } from 'zod';
import { done, flag, id } from './common.ts';
import { defineCall } from './define.ts';

export const dict = z.object({ id, code: z.string(), name: z.string(), enabled: flag });
export type Dict = z.output<typeof dict>;

export const dictItem = z.object({
  id,
  dictId: id,
  value: z.string(),
  item: z.string(),
  sort: z.int(),
  enabled: flag,
});
export type DictItem = z.output<typeof dictItem>;

const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

const dictFields = z.object({
  code: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, '请用 1–32 位小写字母、数字或短横线，以字母开头')
    .meta({ title: '编码' }),
  name: z.string().trim().min(1).max(20).regex(oneLine, '不能换行').meta({ title: '名称' }),
  enabled: flag.meta({ title: '启用' }),
});

const itemFields = z.object({
  value: z.string().trim().min(1).max(50).regex(oneLine, '不能换行').meta({ title: '值' }),
  item: z.string().trim().min(1).max(100).regex(oneLine, '不能换行').meta({ title: '文字' }),
  sort: z.int().min(0).max(9999).meta({ title: '排序' }),
  enabled: flag.meta({ title: '启用' }),
});

export const listDicts = defineCall({
  method: 'GET',
  path: 'core/sys/dict/',
  summary: '字典，按编码；带 id：其中一个',
  access: 'dict:list',
  input: z.object({ id: id.optional() }),
  output: z.union([dict, z.array(dict)]),
});

export const createDict = defineCall({
  method: 'POST',
  path: 'core/sys/dict/',
  summary: '新建字典',
  access: 'dict:create',
  input: dictFields.partial().required({ code: true, name: true }),
  output: dict,
  errors: ['DICT_TAKEN'],
});

export const updateDict = defineCall({
  method: 'PUT',
  path: 'core/sys/dict/',
  summary: '修改字典',
  access: 'dict:update',
  input: dictFields.partial().extend({ id }),
  output: dict,
  errors: ['DICT_TAKEN'],
});

export const removeDict = defineCall({
  method: 'DELETE',
  path: 'core/sys/dict/',
  summary: '删除没有条目的字典',
  access: 'dict:remove',
  input: z.object({ id }),
  output: done,
  errors: ['DICT_HAS_ITEMS'],
});

export const listDictItems = defineCall({
  method: 'GET',
  path: 'core/sys/dict/item/',
  summary: '字典的条目，按顺序：带 code，启用的；带 dictId，全部（需要 dict:list）；带 id，其中一条',
  access: 'anyone',
  input: z
    .object({ code: z.string().max(50).optional(), dictId: id.optional(), id: id.optional() })
    .refine((given) => Object.values(given).some((each) => each !== undefined), {
      path: ['code'],
      error: '请给出字典的编码',
    }),
  output: z.union([dictItem, z.array(dictItem)]),
});

export const createDictItem = defineCall({
  method: 'POST',
  path: 'core/sys/dict/item/',
  summary: '新建字典条目',
  access: 'dict:create',
  input: itemFields.partial().required({ value: true, item: true }).extend({ dictId: id }),
  output: dictItem,
  errors: ['DICT_VALUE_TAKEN'],
});

export const updateDictItem = defineCall({
  method: 'PUT',
  path: 'core/sys/dict/item/',
  summary: '修改字典条目',
  access: 'dict:update',
  input: itemFields.partial().extend({ id }),
  output: dictItem,
  errors: ['DICT_VALUE_TAKEN'],
});

export const removeDictItem = defineCall({
  method: 'DELETE',
  path: 'core/sys/dict/item/',
  summary: '删除字典条目',
  access: 'dict:remove',
  input: z.object({ id }),
  output: done,
});

export const calls = [
  listDicts,
  createDict,
  updateDict,
  removeDict,
  listDictItems,
  createDictItem,
  updateDictItem,
  removeDictItem,
] as const;
