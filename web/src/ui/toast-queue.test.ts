import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addToast, dismissToast, getToasts, setToastsPaused, subscribeToToasts } from './toast-queue.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  for (const { id } of getToasts()) dismissToast(id);
  vi.useRealTimers();
});

const texts = () => getToasts().map(({ text }) => text);
const addText = (text: string) => addToast({ text, tone: 'ok' });

test('removes a message after 5 seconds and a notification after 8', () => {
  addText('已保存');
  addToast({ title: '请求错误 500', text: '服务器出错了', tone: 'bad' });
  vi.advanceTimersByTime(4999);
  expect(texts()).toEqual(['已保存', '服务器出错了']);
  vi.advanceTimersByTime(1);
  expect(texts()).toEqual(['服务器出错了']);
  vi.advanceTimersByTime(3000);
  expect(texts()).toEqual([]);
});

test('keeps at most three and removes the oldest', () => {
  for (const text of ['一', '二', '三', '四']) addText(text);
  expect(texts()).toEqual(['二', '三', '四']);
});

test('replaces an equal toast and restarts its timer', () => {
  addText('没有连上');
  const [first] = getToasts();
  vi.advanceTimersByTime(4000);
  addText('没有连上');
  expect(texts()).toEqual(['没有连上']);
  expect(getToasts()[0]?.id).not.toBe(first?.id);
  vi.advanceTimersByTime(4000);
  expect(texts()).toEqual(['没有连上']);
  vi.advanceTimersByTime(1000);
  expect(texts()).toEqual([]);
});

test('pauses the timers and restarts them afterwards', () => {
  addText('一');
  setToastsPaused(true);
  addText('二');
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual(['一', '二']);
  setToastsPaused(false);
  vi.advanceTimersByTime(4999);
  expect(texts()).toEqual(['一', '二']);
  vi.advanceTimersByTime(1);
  expect(texts()).toEqual([]);
});

test('resumes when the last toast is dismissed while paused', () => {
  addText('一');
  setToastsPaused(true);
  dismissToast(getToasts()[0]?.id ?? 0);
  addText('二');
  vi.advanceTimersByTime(5000);
  expect(texts()).toEqual([]);
});

test('notifies listeners of every change until they unsubscribe', () => {
  const listener = vi.fn();
  const unsubscribe = subscribeToToasts(listener);
  addText('一');
  vi.advanceTimersByTime(5000);
  expect(listener).toHaveBeenCalledTimes(2);
  unsubscribe();
  addText('二');
  expect(listener).toHaveBeenCalledTimes(2);
});
