import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { add, dismiss, hold, shown, subscribe } from './toast-queue.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  for (const { id } of shown()) dismiss(id);
  vi.useRealTimers();
});

const texts = () => shown().map(({ text }) => text);
const say = (text: string) => add({ text, tone: 'ok' });

test('a message goes away by itself, a notification later', () => {
  say('已保存');
  add({ title: '请求错误 500', text: '服务器出错了', tone: 'bad' });
  vi.advanceTimersByTime(4999);
  expect(texts()).toEqual(['已保存', '服务器出错了']);
  vi.advanceTimersByTime(1);
  expect(texts()).toEqual(['服务器出错了']);
  vi.advanceTimersByTime(3000);
  expect(texts()).toEqual([]);
});

test('three at the most: the oldest makes room', () => {
  for (const text of ['一', '二', '三', '四']) say(text);
  expect(texts()).toEqual(['二', '三', '四']);
});

test('the same once more is one, told anew and with its time again', () => {
  say('没有连上');
  const [first] = shown();
  vi.advanceTimersByTime(4000);
  say('没有连上');
  expect(texts()).toEqual(['没有连上']);
  expect(shown()[0]?.id).not.toBe(first?.id);
  vi.advanceTimersByTime(4000);
  expect(texts()).toEqual(['没有连上']);
  vi.advanceTimersByTime(1000);
  expect(texts()).toEqual([]);
});

test('none goes while somebody reads; afterwards each has its time again', () => {
  say('一');
  hold(true);
  say('二');
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual(['一', '二']);
  hold(false);
  vi.advanceTimersByTime(4999);
  expect(texts()).toEqual(['一', '二']);
  vi.advanceTimersByTime(1);
  expect(texts()).toEqual([]);
});

test('the last one closed from under the pointer does not keep the next ones', () => {
  say('一');
  hold(true);
  dismiss(shown()[0]?.id ?? 0);
  say('二');
  vi.advanceTimersByTime(5000);
  expect(texts()).toEqual([]);
});

test('listeners hear of every change until they stop', () => {
  const heard = vi.fn();
  const stop = subscribe(heard);
  say('一');
  vi.advanceTimersByTime(5000);
  expect(heard).toHaveBeenCalledTimes(2);
  stop();
  say('二');
  expect(heard).toHaveBeenCalledTimes(2);
});
