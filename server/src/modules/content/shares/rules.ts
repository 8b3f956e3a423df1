import { randomInt } from 'node:crypto';

const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 10;

/** Too many to meet one by chance. */
export const newCode = (): string =>
  Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('');

/** Where a share leads; without a code, the essay itself. */
export const addressOf = (base: string, essayId: string, code: string | null): string =>
  `${base}/essay/detail/${essayId}.html${code === null ? '' : `?s=${code}`}`;
