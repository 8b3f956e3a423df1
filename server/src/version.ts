import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { version }: { version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
);

/** Version of the program, as in package.json and CHANGELOG.md. */
export const VERSION = version;
