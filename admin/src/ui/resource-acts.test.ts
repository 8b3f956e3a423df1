import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import { expect, test, vi } from 'vitest';
import type { Act } from './acts.tsx';
import { text } from './columns.tsx';
import { whole } from './lists.ts';
import { resourceOf } from './resource.ts';
import { actsOf } from './resource-acts.tsx';

const update = vi.fn(async () => {});

const categories = resourceOf({
  name: 'category',
  noun: '分类',
  list: whole('GET core/sys/category/'),
  columns: [text('name', '名称'), 'order', 'enabled'],
  form: {
    values: (row) => ({ name: row?.name ?? '' }),
    fields: [{ name: 'name', kind: 'text', label: '名称' }],
  },
  update: { permission: 'category:update', run: update, disableText: '读者看不到它。' },
  remove: {
    permission: 'category:remove',
    when: ({ slug }) => slug !== 'fixed',
    run: async () => {},
    text: ({ name }) => `${name}没有了。`,
  },
  acts: [
    { label: '文章', to: ({ id }) => `/essay?categoryId=${id}` },
    { label: '查看', first: true, to: ({ slug }) => `/${slug}` },
  ],
});

const row = { id: '1', slug: 'tech', name: '技术', icon: '', sort: 0, enabled: FLAG.on as Flag };
type Category = typeof row;
const acts = actsOf(categories);
const actOf = (label: string) =>
  acts.find((each) => each.label === label) as Extract<Act<Category>, { run: unknown }>;
const bulkOf = (label: string) => {
  const { bulk } = actOf(label);
  return typeof bulk === 'object' ? bulk : {};
};

test('editing comes first and removing last, unless an act is to be before', () => {
  expect(acts.map(({ label }) => label)).toEqual(['查看', '编辑', '文章', '启用', '停用', '删除']);
});

test('each act has the permission of its call', () => {
  expect(acts.map(({ permission }) => permission)).toEqual([
    undefined,
    'category:update',
    undefined,
    'category:update',
    'category:update',
    'category:remove',
  ]);
});

test('selected rows are enabled and disabled, those that are not yet; disabling asks', async () => {
  const [on, off] = [actOf('启用'), actOf('停用')];
  expect([on.when?.(row, undefined), off.when?.(row, undefined)]).toEqual([false, true]);
  expect(bulkOf('启用').ask).toBeUndefined();
  expect(bulkOf('停用').ask?.([row, row])).toMatchObject({
    title: '停用这 2 个分类？',
    text: '读者看不到它。',
  });
  await off.run(vi.fn(), row);
  expect(update).toHaveBeenCalledWith(expect.anything(), { id: '1', enabled: FLAG.off });
});

test('removing names the row, and what becomes of it', () => {
  const act = actOf('删除');
  expect(act.ask?.(row)).toEqual({ title: '删除分类「技术」？', text: '技术没有了。' });
  expect(bulkOf('删除').ask?.([row])).toEqual({ title: '删除这 1 个分类？', text: '删除后不能恢复。' });
  expect(act.when?.({ ...row, slug: 'fixed' }, undefined)).toBe(false);
});

test('an unknown call, permission or field of a row does not compile', () => {
  const common = { name: '', noun: '', list: whole('GET core/sys/category/'), columns: [] };
  // @ts-expect-error: no such call
  whole('GET core/sys/categories/');
  // @ts-expect-error: no such permission
  resourceOf({ ...common, remove: { permission: 'category:delete', run: async () => {} } });
  // @ts-expect-error: a category has no title
  resourceOf({ ...common, nameOf: (each) => each.title });
});
