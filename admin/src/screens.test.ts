import { expect, test } from 'vitest';
import { pathOf, screenAt, screenNames } from './screens.ts';

test('the list of screens matches the files of screens/', () => {
  const files = Object.keys(import.meta.glob('./screens/*.tsx'));
  expect(files.toSorted()).toEqual(screenNames.map((name) => `./screens/${name}.tsx`).toSorted());
});

test('finds screens only at their exact paths', () => {
  for (const name of screenNames) expect(screenAt(pathOf(name))).toBe(name);
  for (const path of ['', '/dashboard', '/constructor', '/account/1', '/Account'])
    expect(screenAt(path), path).toBeUndefined();
});
