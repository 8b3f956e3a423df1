import { createRequire } from 'node:module';
import type { Options } from '@node-rs/argon2';

/**
 * Loaded before the server of the browser tests (`--import`), which hash hundreds of passwords: argon2 at the lowest
 * cost. Hashes carry their cost, so checking them is cheap as well. The true cost is a test of config.ts.
 */
const argon2: typeof import('@node-rs/argon2') = createRequire(import.meta.url)('@node-rs/argon2');
const { hash } = argon2;

// Named imports of a CommonJS module are read when it is first imported, which is after this.
Object.assign(argon2, {
  hash: (password: string, options: Options) => hash(password, { ...options, memoryCost: 64, timeCost: 1 }),
});
