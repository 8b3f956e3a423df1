import type { Permission } from '@mozhan/contract/client.ts';
import type { EssayStatus, RevisionStatus } from '@mozhan/contract/essays.ts';
import { describe, expect, test } from 'vitest';
import type { Viewer } from '../../../ctx.ts';
import { actorFor, canChange, canRemove, canSee } from './rules/essays.ts';
import type { EssayRow } from './tables.ts';

const viewer = (id: string, ...permissions: Permission[]): Viewer => ({
  id,
  sessionId: 'session',
  account: id,
  displayName: id,
  curIdentity: 2,
  isStaff: permissions.length > 0,
  isSuper: false,
  permissions,
  mustChangePassword: false,
});

const people = {
  stranger: viewer('stranger'),
  author: viewer('author'),
  auditor: viewer('auditor', 'essay:audit'),
  operator: viewer('operator', 'essay:update'),
  clock: 'clock',
} as const;
type Who = keyof typeof people;

const essay = (fields: Partial<EssayRow>) =>
  ({ authorId: 'author', revisionStatus: null, offByStaff: false, ...fields }) as EssayRow;

const all: EssayStatus[] = [0, 1, 2, 3, 4, 5];

/** By whom each change is allowed; every other one is refused. */
const allowed: Record<string, Who[]> = {
  '0→1': ['author'],
  '1→0': ['author'],
  '1→2': ['auditor'],
  '1→5': ['auditor'],
  '2→3': ['author', 'operator', 'clock'],
  '2→0': ['author'],
  '4→0': ['author'],
  '5→0': ['author'],
  '5→1': ['author'],
  '3→4': ['author', 'operator'],
  '4→3': ['author', 'operator'],
};

const revisionAllowed: Record<string, Who[]> = {
  '0→1': ['author'],
  '5→1': ['author'],
  '1→0': ['author'],
  '1→5': ['auditor'],
  '1→3': ['auditor'],
};

/** What the rule must answer: as whom, `forbidden` for a change that is somebody else's, null for none at all. */
const expected = (may: Who[] | undefined, who: Who) => {
  if (may === undefined) return null;
  return may.includes(who) ? who : 'forbidden';
};

describe.each(Object.entries(people))('%s', (name, person) => {
  const who = name as Who;
  test.each(all)('from state %i to every other', (from) => {
    for (const to of all)
      expect([to, actorFor(person, essay({ status: from }), to, false)]).toEqual([
        to,
        expected(allowed[`${from}→${to}`], who),
      ]);
  });

  test.each<RevisionStatus | null>([null, 0, 1, 5])('a revision from state %s to every other', (from) => {
    for (const to of all)
      expect([to, actorFor(person, essay({ status: 3, revisionStatus: from }), to, true)]).toEqual([
        to,
        expected(revisionAllowed[`${from}→${to}`], who),
      ]);
  });
});

test('what staff took off the shelf is put back by staff only', () => {
  const taken = essay({ status: 4, offByStaff: true });
  expect(actorFor(people.author, taken, 3, false)).toBe('forbidden');
  expect(actorFor(people.operator, taken, 3, false)).toBe('operator');
  expect(actorFor(viewer('author', 'essay:update'), taken, 3, false)).toBe('operator');
});

test('an author who is an auditor too decides as an auditor', () => {
  expect(actorFor(viewer('author', 'essay:audit'), essay({ status: 1 }), 2, false)).toBe('auditor');
});

test('only the author and staff see what is not on the shelf, or change anything', () => {
  const lister = viewer('lister', 'essay:list');
  const remover = viewer('remover', 'essay:remove');
  for (const status of all) {
    const it = essay({ status });
    const isOnShelf = status === 3;
    const staff = [people.author, people.auditor, people.operator, lister];
    expect(staff.map((person) => canSee(person, it))).toEqual([true, true, true, true]);
    expect([null, people.stranger, remover].map((person) => canSee(person, it))).toEqual([
      isOnShelf,
      isOnShelf,
      isOnShelf,
    ]);
    expect(
      [people.author, people.auditor, people.operator, people.stranger, lister].map((person) =>
        canChange(person, it),
      ),
    ).toEqual([true, true, true, false, false]);
    expect(
      [people.author, remover, people.auditor, people.stranger].map((person) => canRemove(person, it)),
    ).toEqual([true, true, false, false]);
  }
});
