import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Fields and columns whose numbers are named in `enums.ts` and `errors.ts`. */
const NAMED_FIELDS =
  '\\w*[sS]tatus|\\w*[iI]dentity|enabled|showType|targetKind|target_kind|order|mine|picked|isMember|asDrafts';
/** A comparison, property or default value with a one-digit number, in TypeScript or SQL. */
const BARE_NUMBER = new RegExp(
  `(?<![\\w-])(?:${NAMED_FIELDS})(?:: |\\}? (?:(?:===|!==|=|<>|<) |in \\())\\d(?![\\d.])`,
);

const findBareNumbers = (text: string): string[] => text.split('\n').filter((line) => BARE_NUMBER.test(line));

const EXEMPT_FILES = [
  // `status` is the exit code of a child process.
  'postgres/src/password.ts',
  'postgres/src/location.ts',
  // An essay's text contains SQL.
  'server/src/testing/populate/essays.ts',
];

async function listSources(folder: string): Promise<string[]> {
  const files = await readdir(join(root, folder), { recursive: true });
  return files
    .map((file) => `${folder}/${file}`)
    .filter((file) => /[.]tsx?$/.test(file) && !/[.]test[.]tsx?$/.test(file) && !EXEMPT_FILES.includes(file));
}

test.each([
  'if (essay.status === 3) return;',
  'const isWriter = viewer.curIdentity !== 2;',
  'await api(route, { id, status: 1 });',
  'set({ revisionStatus: 0 })',
  'select 1 from essays where status = 3 and price > 0',
  'where status in (1, 3)',
  'where {comments.status} = 1 and',
  'update users set cur_identity = 2',
  "throw new CallError('INVALID', { showType: 1 });",
  'isDescending: order !== 0,',
  'enabled: 1,',
])('finds the bare number in %s', (line) => {
  expect(findBareNumbers(line)).toEqual([line]);
});

test.each([
  'if (essay.status === ESSAY_STATUS.onShelf) return;',
  'expect(answer).toMatchObject({ status: 404 });',
  'where status = {literal(ORDER_STATUS.paid)}',
  'border: 0, opacity: 1',
  "await page.goto('/admin/withdraw?status=1');",
])('accepts %s', (line) => {
  expect(findBareNumbers(line)).toEqual([]);
});

test('sources contain no bare status numbers', async () => {
  const folders = ['contract', 'client', 'editor', 'postgres', 'server', 'web', 'admin'].map(
    (name) => `${name}/src`,
  );
  const files = (await Promise.all([...folders, 'e2e'].map(listSources))).flat();
  expect(files.length).toBeGreaterThan(1000);
  const found = files.flatMap((file) =>
    findBareNumbers(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
