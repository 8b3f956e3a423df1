import { z } from 'zod';
import { done } from './common.ts';
import { defineCall } from './define.ts';

const entryName = z
  .enum(['title', 'contact', 'icp', 'adminEmail', 'mail', 'backup', 'secretKey', 'categories', 'essay'])
  .meta({ title: '事项' });
export type ChecklistEntryName = z.output<typeof entryName>;
export const checklistEntryNames = entryName.options;

const entry = z.object({
  name: entryName,
  state: z
    .enum(['todo', 'done', 'skipped'])
    .meta({ description: 'todo 还没有做，done 已经做好，skipped 由工作人员确认过或不需要' }),
  text: z.string().meta({ description: '现在的情况' }),
});
export type ChecklistEntry = z.output<typeof entry>;

export const getChecklist = defineCall({
  method: 'GET',
  path: 'core/sys/checklist/',
  summary: '开站清单：新站要做的事与各项的现状；没有权限做的不列出',
  access: 'checklist:list',
  input: z.object({}),
  output: z.object({
    dismissed: z.boolean().meta({ description: '是否已收起，不再显示在工作台' }),
    entries: z.array(entry),
  }),
});

export const updateChecklist = defineCall({
  method: 'PUT',
  path: 'core/sys/checklist/',
  summary: '收起或重新显示开站清单，确认或跳过其中的事项；只改所给的',
  access: 'checklist:update',
  input: z.object({
    dismissed: z.boolean().optional().meta({ title: '收起' }),
    skipped: z.partialRecord(entryName, z.boolean()).optional().meta({ title: '跳过的事项' }),
  }),
  output: done,
});

export const calls = [getChecklist, updateChecklist] as const;
