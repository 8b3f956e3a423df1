import { randomInt } from 'node:crypto';
import { essayPathOf } from '../essays/index.ts';
import type { EssayRow } from '../essays/tables.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CODE_LENGTH = 10;

/** 62^10 codes, so they cannot be guessed. */
export const createShareCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

export const shareUrlOf = (base: string, essay: Pick<EssayRow, 'id' | 'slug'>, code: string | null): string =>
  base + essayPathOf(essay) + (code === null ? '' : `?s=${code}`);
