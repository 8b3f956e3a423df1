import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRegexes, findSlow, nameOf } from './regexes.ts';

const regex = (pattern: RegExp) => ({ source: pattern.source, flags: pattern.flags, place: 'a.ts' });

test('finds literals and expressions made of constants', () => {
  const { regexes, unknown } = findRegexes(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code that is read
    "const LETTER = '[a-z]';\nconst a: RegExp = /a\\/b/gi;\nconst b = new RegExp(`^${LETTER}+$`, 'u');",
    'a.ts',
  );
  expect(regexes.map(nameOf)).toEqual(['/a\\/b/gi', '/^[a-z]+$/u']);
  expect(unknown).toEqual([]);
});

test('names expressions that are only known at run time', () => {
  const { unknown } = findRegexes('export const f = (a: string) =>\n  new RegExp(a);', 'a.ts');
  expect(unknown).toEqual([{ place: 'a.ts', line: 2 }]);
});

test('refuses a quadratic expression and one it cannot read, and passes a linear one', async () => {
  const given = [/\/+$/, /^[a-z]+$/, /(?<a>x)|[[a-z]--[b]]+/v];
  const slow = await findSlow(given.map(regex));
  expect(slow.map(nameOf).sort()).toEqual([given[0], given[2]].map(String).sort());
  expect(slow.find(({ source }) => source === given[0]?.source)?.reason).toContain('polynomial');
});

test('does not ask about what repeats nothing', async () => {
  // It cannot be read by recheck, so asked about it would be refused.
  expect(await findSlow([regex(/[[a-z]--[b]]/v)])).toEqual([]);
});

test('remembers what is safe and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'regexes-'));
  try {
    const cache = join(folder, 'safe.json');
    // Taken from the cache, a slow one would pass.
    writeFileSync(cache, JSON.stringify(['/\\/+$/']));
    expect(await findSlow([regex(/\/+$/), regex(/^a/)], { cache })).toEqual([]);
    expect(await findSlow([regex(/x+$/)], { cache })).toHaveLength(1);
    expect(JSON.parse(readFileSync(cache, 'utf8'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
