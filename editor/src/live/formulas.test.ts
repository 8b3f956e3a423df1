import { expect, test } from 'vitest';
import { isQuick } from './formulas.ts';

test.each([
  'e^{i\\pi} + 1 = 0',
  `\\begin{pmatrix}${Array(20).fill(Array(20).fill('a').join('&')).join('\\\\')}\\end{pmatrix}`,
  '\\lets \\define \\crown',
  `${'\\frac{'.repeat(50)}a${'}{b}'.repeat(50)}`,
])('renders an ordinary formula', (formula) => expect(isQuick(formula)).toBe(true));

// Temml would need up to 25 seconds.
test.each([
  `\\def\\a{${'x'.repeat(900)}}${'\\a'.repeat(450)}`,
  `\\newcommand{\\a}{${'x'.repeat(900)}}${'\\a'.repeat(450)}`,
  `\\begin{matrix}${'&'.repeat(900)}${'\\\\'.repeat(450)}\\end{matrix}`,
  `\\begin{matrix}${'&'.repeat(400)}${'\\cr '.repeat(300)}\\end{matrix}`,
  `${'\\sqrt{'.repeat(280)}a${'}'.repeat(280)}`,
  'x'.repeat(2001),
])('leaves a formula that takes long as source', (formula) => expect(isQuick(formula)).toBe(false));
