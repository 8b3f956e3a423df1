import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import { expect, test, vi } from 'vitest';
import { text } from './columns.tsx';
import { unpaged } from './lists.ts';
import { defineResource } from './resource.ts';
import { resourceActions } from './resource-actions.tsx';
import type { RowAction } from './row-actions.tsx';

const update = vi.fn(async () => {});

const categories = defineResource({
  name: 'category',
  noun: '分类',
  list: unpaged('GET core/sys/category/'),
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
  rowActions: [
    { label: '文章', to: ({ id }) => `/essay?categoryId=${id}` },
    { label: '查看', first: true, to: ({ slug }) => `/${slug}` },
  ],
});

const row = { id: '1', slug: 'tech', name: '技术', icon: '', sort: 0, enabled: FLAG.on as Flag };
type Category = typeof row;
const actions = resourceActions(categories);
const actOf = (label: string) =>
  actions.find((each) => each.label === label) as Extract<RowAction<Category>, { run: unknown }>;
const bulkOf = (label: string) => {
  const { bulk } = actOf(label);
  return typeof bulk === 'object' ? bulk : {};
};

test('orders actions: `first` ones, edit, others, enable and disable, remove', () => {
  expect(actions.map(({ label }) => label)).toEqual(['查看', '编辑', '文章', '启用', '停用', '删除']);
});

test('each action requires the permission of its call', () => {
  expect(actions.map(({ permission }) => permission)).toEqual([
    undefined,
    'category:update',
    undefined,
    'category:update',
    'category:update',
    'category:remove',
  ]);
});

test('bulk enable and disable apply to rows in the other state; disabling asks for confirmation', async () => {
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

test('the confirmation of a removal contains name and consequences', () => {
  const act = actOf('删除');
  expect(act.ask?.(row)).toEqual({ title: '删除分类「技术」？', text: '技术没有了。' });
  expect(bulkOf('删除').ask?.([row])).toEqual({ title: '删除这 1 个分类？', text: '删除后不能恢复。' });
  expect(act.when?.({ ...row, slug: 'fixed' }, undefined)).toBe(false);
});

test('an unknown call, permission or field of a row does not compile', () => {
  const common = { name: '', noun: '', list: unpaged('GET core/sys/category/'), columns: [] };
  // @ts-expect-error: no such call
  unpaged('GET core/sys/categories/');
  // @ts-expect-error: no such permission
  defineResource({ ...common, remove: { permission: 'category:delete', run: async () => {} } });
  // @ts-expect-error: no such field
  defineResource({ ...common, nameOf: (each) => each.title });
});
