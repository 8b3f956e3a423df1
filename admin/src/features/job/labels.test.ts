import { expect, test } from 'vitest';
import { nameOfJob, scheduleText } from './labels.ts';

test('describes a schedule in the time zone of the site', () => {
  expect(scheduleText('* * * * *')).toBe('每分钟');
  expect(scheduleText('*/10 * * * *')).toBe('每 10 分钟');
  expect(scheduleText('41 * * * *')).toBe('每小时的第 41 分钟');
  expect(scheduleText('30 2 * * *')).toBe('每天 10:30');
  expect(scheduleText('7 20 * * *')).toBe('每天 04:07');
  expect(scheduleText('0 0 * * 1')).toBe('0 0 * * 1');
});

test('falls back to the job name when there is no label', () => {
  expect(nameOfJob('send-mail')).toBe('发送邮件');
  expect(nameOfJob('other')).toBe('other');
});
