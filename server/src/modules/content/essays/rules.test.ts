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

const viewers = {
  stranger: viewer('stranger'),
  author: viewer('author'),
  auditor: viewer('auditor', 'essay:audit'),
  operator: viewer('operator', 'essay:update'),
  clock: 'clock',
} as const;
type ViewerName = keyof typeof viewers;

const essay = (fields: Partial<EssayRow>) =>
  ({ authorId: 'author', revisionStatus: null, offByStaff: false, ...fields }) as EssayRow;

const all: EssayStatus[] = [0, 1, 2, 3, 4, 5];

/** The allowed transitions; all others are refused. */
const allowed: Record<string, ViewerName[]> = {
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

const revisionAllowed: Record<string, ViewerName[]> = {
  '0→1': ['author'],
  '5→1': ['author'],
  '1→0': ['author'],
  '1→5': ['auditor'],
  '1→3': ['auditor'],
};

/** The expected result: the role, `forbidden` if only others may do it, or null if the transition does not exist. */
const expected = (may: ViewerName[] | undefined, who: ViewerName) => {
  if (may === undefined) return null;
  return may.includes(who) ? who : 'forbidden';
};

describe.each(Object.entries(viewers))('%s', (name, person) => {
  const who = name as ViewerName;
  test.each(all)('transitions from status %i', (from) => {
    for (const to of all)
      expect([to, actorFor(person, essay({ status: from }), to, false)]).toEqual([
        to,
        expected(allowed[`${from}→${to}`], who),
      ]);
  });

  test.each<RevisionStatus | null>([null, 0, 1, 5])('transitions of a revision from status %s', (from) => {
    for (const to of all)
      expect([to, actorFor(person, essay({ status: 3, revisionStatus: from }), to, true)]).toEqual([
        to,
        expected(revisionAllowed[`${from}→${to}`], who),
      ]);
  });
});

test('only staff can put back an essay that staff took off the shelf', () => {
  const taken = essay({ status: 4, offByStaff: true });
  expect(actorFor(viewers.author, taken, 3, false)).toBe('forbidden');
  expect(actorFor(viewers.operator, taken, 3, false)).toBe('operator');
  expect(actorFor(viewer('author', 'essay:update'), taken, 3, false)).toBe('operator');
});

test('an author who is also an auditor decides as auditor', () => {
  expect(actorFor(viewer('author', 'essay:audit'), essay({ status: 1 }), 2, false)).toBe('auditor');
});

test('only the author and staff see or change an essay off the shelf', () => {
  const lister = viewer('lister', 'essay:list');
  const remover = viewer('remover', 'essay:remove');
  for (const status of all) {
    const it = essay({ status });
    const isOnShelf = status === 3;
    const staff = [viewers.author, viewers.auditor, viewers.operator, lister];
    expect(staff.map((person) => canSee(person, it))).toEqual([true, true, true, true]);
    expect([null, viewers.stranger, remover].map((person) => canSee(person, it))).toEqual([
      isOnShelf,
      isOnShelf,
      isOnShelf,
    ]);
    expect(
      [viewers.author, viewers.auditor, viewers.operator, viewers.stranger, lister].map((person) =>
        canChange(person, it),
      ),
    ).toEqual([true, true, true, false, false]);
    expect(
      [viewers.author, remover, viewers.auditor, viewers.stranger].map((person) => canRemove(person, it)),
    ).toEqual([true, true, false, false]);
  }
});
