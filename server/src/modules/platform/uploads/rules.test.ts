import { expect, test } from 'vitest';
import { toFileName } from './rules.ts';

test('removes unsafe characters from a file name', () => {
  expect(toFileName('..\\目录/ .a<b>.tar.gz. ')).toBe('a_b_.tar.gz');
  expect(toFileName('...')).toBe('附件');
  expect(toFileName(`${'长'.repeat(300)}.pdf`)).toBe(`${'长'.repeat(96)}.pdf`);
});

test('handles names of thousands of dots', () => {
  expect(toFileName(`${'.'.repeat(40_000)}a`)).toBe('a');
  expect(toFileName(`a${'.'.repeat(40_000)}`)).toBe('附件');
  expect(toFileName(`${'. '.repeat(20_000)}a.pdf`)).toBe('a.pdf');
});
