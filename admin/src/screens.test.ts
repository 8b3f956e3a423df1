import { expect, test } from 'vitest';
import { pathOf, screenAt, screenNames } from './screens.ts';

test('every file of screens/ is listed, and every screen has its file', () => {
  const files = Object.keys(import.meta.glob('./screens/*.tsx'));
  expect(files.toSorted()).toEqual(screenNames.map((name) => `./screens/${name}.tsx`).toSorted());
});

test('a screen is found at its path, and nothing elsewhere', () => {
  for (const name of screenNames) expect(screenAt(pathOf(name))).toBe(name);
  for (const path of ['', '/dashboard', '/constructor', '/account/1', '/Account'])
    expect(screenAt(path), path).toBeUndefined();
});
