import { z } from 'zod';
import { cursor, id, pageNumber, pageOf, pageSize, time } from './common.ts';
import { defineCall } from './define.ts';
import { FLAG } from './enums.ts';
import { essayFields, essayVersion, savedEssay } from './essays.ts';
import { userCard } from './users.ts';

const revisionSummary = z.object({
  revision: z.int().meta({ description: '版本号' }),
  title: z.string(),
  characters: z.int().meta({ description: 'Markdown 原文的字符数' }),
  wordCount: z
    .int()
    .meta({ description: '字数：汉字每个算一字，英文单词和数字各算一字，不含代码块和 Markdown 符号' }),
  auto: z.boolean(),
  name: z.string().nullable().meta({ description: '作者起的名字' }),
  merged: z.int().meta({ description: '合并进来的自动保存的版本有几个' }),
  shelved: z.boolean(),
  editor: userCard.nullable().meta({ description: '代作者保存这个版本的工作人员；空：作者自己' }),
  createdAt: time,
});
export type RevisionSummary = z.output<typeof revisionSummary>;
const revisionDetail = revisionSummary.extend(essayFields.shape);

export const listRevisions = defineCall({
  method: 'GET',
  path: 'core/essay/{id}/revision',
  summary: '历史版本，新的在前；带 revision：其中一个的全文',
  access: 'user',
  staffPermissions: ['essay:edit'],
  scope: 'essay:read',
  input: z.object({
    id,
    revision: essayVersion.optional(),
    named: z.literal(FLAG.on).optional().meta({ title: '只看命名的' }),
    page: pageNumber.default(1),
    pageSize: pageSize.default(20),
    cursor: cursor.optional(),
  }),
  output: z.union([revisionDetail, pageOf(revisionSummary)]),
  errors: ['GONE'],
});

export const restoreRevision = defineCall({
  method: 'POST',
  path: 'core/essay/{id}/revision/restore',
  summary: '恢复到某个历史版本：内容成为一个新的版本',
  access: 'writer',
  staffPermissions: ['essay:edit'],
  scope: 'essay:write',
  input: z.object({ id, revision: essayVersion }),
  output: savedEssay,
  errors: ['GONE', 'ESSAY_NOT_EDITABLE', 'COLUMN_SOLD'],
});

export const MAX_VERSION_NAME_LENGTH = 40;

export const nameRevision = defineCall({
  method: 'PUT',
  path: 'core/essay/{id}/revision/name',
  summary: '给一个历史版本起名字，或改名；空：去掉名字。有名字的版本不会被后来的自动保存合并',
  access: 'writer',
  staffPermissions: ['essay:edit'],
  scope: 'essay:write',
  input: z.object({
    id,
    revision: essayVersion,
    name: z
      .string()
      .trim()
      .max(MAX_VERSION_NAME_LENGTH, `最多 ${MAX_VERSION_NAME_LENGTH} 个字`)
      .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, '名字不能换行')
      .meta({ title: '版本的名字' }),
  }),
  output: revisionSummary,
  errors: ['GONE'],
});

export const calls = [listRevisions, restoreRevision, nameRevision] as const;
