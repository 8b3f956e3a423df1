import { createRequire } from 'node:module';
import type { Options } from '@node-rs/argon2';

/**
 * The browser tests load this file before the server (`--import`), because they hash hundreds of passwords: it sets the
 * lowest cost of argon2. A hash contains its cost, so verification is cheap as well. Tests of config.ts check the real
 * cost.
 */
const argon2: typeof import('@node-rs/argon2') = createRequire(import.meta.url)('@node-rs/argon2');
const { hash } = argon2;

// Named imports of a CommonJS module are resolved at its first import, which is after this assignment.
Object.assign(argon2, {
  hash: (password: string, options: Options) => hash(password, { ...options, memoryCost: 64, timeCost: 1 }),
});
