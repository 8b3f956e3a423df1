import { expect, test } from 'vitest';
import { centreTabs } from '#web/lib/centre-tabs.ts';
import { buildGroups, landingTab, readTab, splitForHub } from './centre-tabs.ts';

const data = {
  isWriter: true,
  counters: { essays: 3, reads: 0, likes: 0, followers: 2, following: 1 },
  unreadNotices: 4,
  unreadMessages: { chats: 1, rooms: 2, letters: 5 },
  switches: { letters: true, chats: true },
};
const groups = buildGroups(data);
const tabOf = (query: string) => readTab(groups, new URLSearchParams(query));

test('every tab is in one group', () => {
  const keys = groups.flatMap(({ items }) => items.map(({ key }) => key));
  expect([...keys].sort()).toEqual([...centreTabs].sort());
});

test('the hub has notices first, then letters and chats, and no entry twice', () => {
  const hub = splitForHub(groups);
  expect(hub.messages.map(({ key, unread }) => [key, unread])).toEqual([
    ['notice', 4],
    ['letter', 5],
    ['chat', 3],
  ]);
  const keys = [...hub.messages, ...hub.groups.flatMap(({ items }) => items)].map(({ key }) => key);
  expect([...keys].sort()).toEqual([...centreTabs].sort());
});

test('what is switched off or not for the reader has no entry', () => {
  const reader = buildGroups({ ...data, isWriter: false, switches: { letters: false, chats: false } });
  expect(splitForHub(reader).messages.map(({ key }) => key)).toEqual(['notice']);
  for (const tab of ['letter', 'chat', 'stats'])
    expect(readTab(reader, new URLSearchParams({ tab }))).toBeNull();
});

test('reads the tab of a URL', () => {
  expect(tabOf('tab=notice')).toBe('notice');
  expect(tabOf('status=0')).toBe('essay');
  expect(tabOf('tab=order&status=1')).toBe('order');
  expect(tabOf('')).toBeNull();
  expect(tabOf('tab=nonsense')).toBeNull();
});

test('a user who has written something lands on the essays, others on the reading history', () => {
  const writer = { isWriter: true, publishedEssays: 0, ownEssays: 0 };
  expect(landingTab({ isWriter: false, publishedEssays: undefined, ownEssays: undefined })).toBe('history');
  expect(landingTab({ ...writer, publishedEssays: 2, ownEssays: undefined })).toBe('essay');
  expect(landingTab({ ...writer, ownEssays: 1 })).toBe('essay');
  expect(landingTab(writer)).toBe('history');
  expect(landingTab({ ...writer, ownEssays: undefined })).toBeUndefined();
  expect(landingTab({ ...writer, publishedEssays: undefined })).toBeUndefined();
});
