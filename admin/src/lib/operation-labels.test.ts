import { expect, test } from 'vitest';
import { callOptions, nameOfCall, nameOfField, nameOfTarget, toText } from './operation-labels.ts';

test('names a logged call, also one that no longer exists', () => {
  expect(nameOfCall('PUT core/sys/role/', '修改角色；停用后……')).toBe('修改角色');
  expect(nameOfCall('PUT core/sys/old/', '旧的操作；说明')).toBe('旧的操作');
});

test('offers calls of readers and authors that staff use as filter options', () => {
  expect(callOptions).toContainEqual({ value: 'DELETE core/essay/cmt', label: '移除评论' });
});

test('names the target by its name, or by its id', () => {
  const target = 'role:0190a1b2c3d4e5f60718293a4b5c6d7e';
  expect(nameOfTarget({ target, before: { name: '运营' }, after: { name: '运营组' } })).toBe(
    '角色「运营组」',
  );
  expect(nameOfTarget({ target, before: { name: '运营' }, after: null })).toBe('角色「运营」');
  expect(nameOfTarget({ target, before: null, after: null })).toBe('角色 …5c6d7e');
  expect(nameOfTarget({ target: 'page:help', before: null, after: null })).toBe('页面 help');
  expect(nameOfTarget({ target: null, before: null, after: null })).toBe('-');
  expect(nameOfTarget({ target: 'setting:backups', before: null, after: { hour: 3 } })).toBe('定时备份');
});

test('formats field names and values', () => {
  expect(['categoryId', 'tags', 'refundReason', 'unknown'].map(nameOfField)).toEqual([
    '分类',
    '标签',
    '退款理由',
    'unknown',
  ]);
  expect(toText('2026-11-03T16:30:00.000Z')).toBe('2026-11-04 00:30:00');
  expect([true, null, '', [], ['分类', '日志'], 0].map(toText)).toEqual([
    '是',
    '-',
    '-',
    '-',
    '分类、日志',
    '0',
  ]);
});
