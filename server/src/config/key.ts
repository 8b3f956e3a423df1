import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseKeys } from '../secrets/encryption.ts';

/** Accepts the keys themselves or the path of a file that contains them. */
const keys = z.string().transform((given, context): KeyObject[] => {
  try {
    const found = parseKeys(given) ?? parseKeys(readFileSync(given, 'utf8'));
    if (found !== null) return found;
  } catch {
    // Reported below without the value, which may be secret.
  }
  context.addIssue({
    code: 'custom',
    message: '应是 32 字节的密钥（Base64 或 64 位十六进制），或存放它的文件的路径',
  });
  return z.NEVER;
});

export const secretKeyEnvironment = { SECRET_KEY: keys.optional(), SECRET_KEY_OLD: keys.optional() };
