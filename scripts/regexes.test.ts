import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRegexes, findSlowRegexes, regexName } from './regexes.ts';

const regex = (pattern: RegExp) => ({ source: pattern.source, flags: pattern.flags, location: 'a.ts' });

test('finds literals and expressions built from constants', () => {
  const { regexes, unknown } = findRegexes(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source code under test
    "const LETTER = '[a-z]';\nconst a: RegExp = /a\\/b/gi;\nconst b = new RegExp(`^${LETTER}+$`, 'u');",
    'a.ts',
  );
  expect(regexes.map(regexName)).toEqual(['/a\\/b/gi', '/^[a-z]+$/u']);
  expect(unknown).toEqual([]);
});

test('reports expressions that are built at run time', () => {
  const { unknown } = findRegexes('export const f = (a: string) =>\n  new RegExp(a);', 'a.ts');
  expect(unknown).toEqual([{ location: 'a.ts', line: 2 }]);
});

test('rejects quadratic and unsupported expressions and accepts linear ones', async () => {
  const expressions = [/\/+$/, /^[a-z]+$/, /(?<a>x)|[[a-z]--[b]]+/v];
  const slow = await findSlowRegexes(expressions.map(regex));
  expect(slow.map(regexName).sort()).toEqual([expressions[0], expressions[2]].map(String).sort());
  expect(slow.find(({ source }) => source === expressions[0]?.source)?.reason).toContain('polynomial');
});

test('skips expressions without repetition', async () => {
  // recheck does not support it and would reject it.
  expect(await findSlowRegexes([regex(/[[a-z]--[b]]/v)])).toEqual([]);
});

test('remembers only safe expressions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'regexes-'));
  try {
    const known = join(folder, 'safe.json');
    // A known expression is not checked again.
    writeFileSync(known, JSON.stringify(['/\\/+$/']));
    expect(await findSlowRegexes([regex(/\/+$/), regex(/^a/)], { known })).toEqual([]);
    expect(await findSlowRegexes([regex(/x+$/)], { known })).toHaveLength(1);
    expect(JSON.parse(readFileSync(known, 'utf8'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
