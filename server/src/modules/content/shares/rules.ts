import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CODE_LENGTH = 10;

/** 62^10 codes, so they cannot be guessed. */
export const createShareCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

export const shareUrlOf = (base: string, essayId: string, code: string | null): string =>
  `${base}/essay/detail/${essayId}.html${code === null ? '' : `?s=${code}`}`;
