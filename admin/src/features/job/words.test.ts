import { expect, test } from 'vitest';
import { nameOfJob, timesOf } from './words.ts';

test('when jobs of the schedule run, on the site’s clock', () => {
  expect(timesOf('* * * * *')).toBe('每分钟');
  expect(timesOf('*/10 * * * *')).toBe('每 10 分钟');
  expect(timesOf('41 * * * *')).toBe('每小时的第 41 分钟');
  expect(timesOf('30 2 * * *')).toBe('每天 10:30');
  expect(timesOf('7 20 * * *')).toBe('每天 04:07');
  expect(timesOf('0 0 * * 1')).toBe('0 0 * * 1');
});

test('a job that is not known is called by its own name', () => {
  expect(nameOfJob('send-mail')).toBe('发送邮件');
  expect(nameOfJob('other')).toBe('other');
});
