import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseKeys } from '../secrets/encryption.ts';

/** Given as themselves or as the path of a file that holds them. */
const keys = z.string().transform((given, context): KeyObject[] => {
  try {
    const found = parseKeys(given) ?? parseKeys(readFileSync(given, 'utf8'));
    if (found !== null) return found;
  } catch {
    // Answered below, without a word of what was given.
  }
  context.addIssue({
    code: 'custom',
    message: '应是 32 字节的密钥（Base64 或 64 位十六进制），或存放它的文件的路径',
  });
  return z.NEVER;
});

/** What may be given about the key that encrypts secrets in the database. */
export const keyEnvironment = { SECRET_KEY: keys.optional(), SECRET_KEY_OLD: keys.optional() };
