import { z } from 'zod';
import { done, id, listInput, pageOf, sortBy } from './common.ts';
import { defineCall } from './define.ts';
import { tagName } from './essays.ts';

const name = z.string().trim().min(1).max(20).meta({ title: '标签' });
const to = tagName.meta({ title: '改为' });

export const staffTag = z.object({
  id,
  name: z.string(),
  count: z.int(),
  /** Former names that redirect to this tag. */
  aliases: z.array(z.string()),
  /** Set while a job moves its essays to another tag, or removes the tag from them. */
  moving: z.object({ to: z.string().nullable() }).nullable(),
});
export type StaffTag = z.output<typeof staffTag>;

export const listStaffTags = defineCall({
  method: 'GET',
  path: 'core/sys/tag/',
  summary: '标签与已上架的文章数，多的在前；keyword：以它开头',
  access: 'tag:list',
  input: listInput.extend({
    keyword: z.string().trim().max(20).optional().meta({ title: '关键词' }),
    ...sortBy('count', 'name'),
  }),
  output: pageOf(staffTag),
});

export const renameTag = defineCall({
  method: 'PUT',
  path: 'core/sys/tag/',
  summary: '改名；已有这个名字时合并过去。文章随后在后台改好，旧名从此指向新名',
  access: 'tag:update',
  input: z.object({ name, to }),
  output: done,
  errors: ['TAG_MOVING'],
});

export const mergeTags = defineCall({
  method: 'POST',
  path: 'core/sys/tag/merge',
  summary: '把几个标签合并为一个',
  access: 'tag:update',
  input: z.object({ from: z.array(name).min(1).max(50).meta({ title: '标签' }), to }),
  output: done,
  errors: ['TAG_MOVING'],
});

export const removeTag = defineCall({
  method: 'DELETE',
  path: 'core/sys/tag/',
  summary: '从所有文章上去掉一个标签；文章随后在后台改好',
  access: 'tag:remove',
  input: z.object({ name }),
  output: done,
  errors: ['TAG_MOVING'],
});

export const calls = [listStaffTags, renameTag, mergeTags, removeTag] as const;
